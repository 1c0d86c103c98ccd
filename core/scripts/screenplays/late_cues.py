"""Finds cues that their form hides, and that the script's own speakers make known."""

import re

from core.scripts.screenplays.cues import SpeakerCue, parse_cue
from core.scripts.screenplays.layout import Layout, Script

_MAX_CUE = 60  # characters, with remarks
_REMARK = re.compile(r"\s*\([^()]*\)\s*$")
_STRAY = ".,;_|\\"  # signs that scanning leaves behind a name


def add_late_cues(script: Script, layout: Layout) -> None:
    """Add, in place, the cues that the established speakers make known.

    Such a line stands below a blank one and right above text. It is a speaker's name in small letters (`Anna`), or with a stray
    sign behind it (`ANNA.`). Before the first heading there is none: a cast page looks the same.
    """
    front = True  # before the first heading
    for number, line in enumerate(script.lines[:-1]):
        if script.kinds[number] == "h":
            front = False
        if front or script.kinds[number] != "t" or script.cues[number] is not None:
            continue
        if len(line.body) <= _MAX_CUE and line.body[0].isupper() and _heads_text(number, script, layout):
            script.cues[number] = _read_late_cue(line.body, layout.established)


def _heads_text(number: int, script: Script, layout: Layout) -> bool:
    if not script.is_text(number + 1) or script.cues[number + 1] is not None or script.is_below_text(number):
        return False
    below = script.lines[number + 1]
    return (not below.gap or layout.gap_after_cue) and not below.body[0].islower()


def _read_late_cue(body: str, known: frozenset[str]) -> SpeakerCue | None:
    said = found[0] if (found := _REMARK.search(body)) is not None else ""
    bare = body.removesuffix(said).rstrip(_STRAY)
    return parse_cue(f"{bare.upper()}{said}") if bare.upper() in known and (bare.isupper() or bare.istitle()) else None
