"""Finds cues that their form hides, and that the script's own speakers make known."""

import re
from collections import Counter
from dataclasses import replace

from core.scripts.screenplays.cues import SpeakerCue, parse_cue
from core.scripts.screenplays.layout import Layout, Script

_MAX_CUE = 60  # characters, with remarks
_REMARK = re.compile(r"\s*\([^()]*\)\s*$")
_STRAY = ".,;_|\\"  # signs that scanning leaves behind a name


def add_late_cues(script: Script, layout: Layout) -> None:
    """Add, in place, the cues that the established speakers make known.

    Such a line stands below a blank one and right above text. It is a speaker's name in small letters (`Anna`), or with a stray
    sign behind it (`ANNA.`), or a surname that is also a camera's word (`DR. FREEZE`, then `FREEZE`). A name that differs from an
    established one in its capitals only (`McCOY`, `MCCOY`) becomes that one. Before the first heading there is none: a cast page
    looks the same.
    """
    known, cues = layout.established, script.cues
    counts = Counter(name.rpartition(" ")[2] for name in known if " " in name)
    surnames = {surname for surname, count in counts.items() if count == 1}  # one that two speakers share names neither
    front = True  # before the first heading
    for number, line in enumerate(script.lines[:-1]):
        if script.kinds[number] == "h":
            front = False
        if script.kinds[number] != "t":
            continue
        body, cue = line.body, cues[number]
        if cue is not None:
            if cue.key not in known and cue.key.upper() in known:
                cues[number] = replace(cue, names=tuple(map(str.upper, cue.names)))
        elif not front and len(body) <= _MAX_CUE and body[0].isupper() and _heads_text(number, script, layout):
            cues[number] = _read_late_cue(body, known, surnames)


def _heads_text(number: int, script: Script, layout: Layout) -> bool:
    if not script.is_text(number + 1) or script.cues[number + 1] is not None or script.is_below_text(number):
        return False
    below = script.lines[number + 1]
    return (not below.gap or layout.gap_after_cue) and not below.body[0].islower()


def _read_late_cue(body: str, known: frozenset[str], surnames: set[str]) -> SpeakerCue | None:
    remark = _REMARK.search(body) if body[-1] == ")" else None
    head, said = (body, "") if remark is None else (body[: remark.start()], remark[0])
    if head in surnames:
        return SpeakerCue((head,), continued="cont" in said.lower(), colon=False)
    bare = head.rstrip(_STRAY)
    return parse_cue(f"{bare.upper()}{said}") if bare.upper() in known and (bare.isupper() or bare.istitle()) else None
