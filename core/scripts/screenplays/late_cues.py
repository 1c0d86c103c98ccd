"""Finds cues that their form hides, and that the script's own speakers make known."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.scripts.screenplays.cues import SpeakerCue, parse_cue
from core.scripts.screenplays.layout import Layout
from core.scripts.screenplays.lines import Line

_MAX_CUE = 60  # characters, with remarks
_REMARK = re.compile(r"\s*\([^()]*\)\s*$")
_QUOTED = re.compile(r"[\"“]([^\W\d_a-z][^\W\d_a-z .'’-]{1,25})[\"”]")
_STRAY = ".,;_|\\"  # signs that scanning leaves behind a name
_MARKED = re.compile(r"([^\W\d_][\w .'’#-]{0,30}?)\s{0,3}\((?i:cont['’]?d|continuing|[vo]\.?\s?[os]\.?)\)\s{1,8}(?=[^\s(])")
_SENTENCE_END = re.compile(r"[.!?…\"”:)-]$")


def add_late_cues(lines: Sequence[Line], kinds: Sequence[str], cues: list[SpeakerCue | None], layout: Layout) -> None:
    """Add, in place, the cues that the established speakers make known.

    Such a line stands below a blank one and right above text. It is a speaker's name in small letters (`Anna`), or with a stray
    sign behind it (`ANNA.`), or a surname that is also a camera's word (`DR. FREEZE`, then `FREEZE`). A name in quotation marks
    (`"ANNA"`) is a speaker of its own where cues have a column. A name that differs from an established one in its capitals
    only (`McCOY`, `MCCOY`) becomes that one.
    """
    known = layout.established
    surnames = {name.rpartition(" ")[2] for name in known if " " in name}
    for number in range(len(lines) - 1):
        if kinds[number] != "t":
            continue
        body, cue = lines[number].body, cues[number]
        if cue is not None:
            if cue.key not in known and cue.key.upper() in known:
                cues[number] = replace(cue, names=tuple(map(str.upper, cue.names)))
            continue
        if (
            len(body) > _MAX_CUE
            or not (body[0].isupper() or body[0] in '"“')
            or not _heads_text(number, lines, kinds, cues, layout)
        ):
            continue
        cues[number] = _read_late_cue(body, known, surnames, layout.own_column)


def _heads_text(
    number: int, lines: Sequence[Line], kinds: Sequence[str], cues: Sequence[SpeakerCue | None], layout: Layout
) -> bool:
    if kinds[number + 1] != "t" or cues[number + 1] is not None or (not lines[number].gap and kinds[number - 1] == "t"):
        return False
    return (not lines[number + 1].gap or layout.gap_after_cue) and not lines[number + 1].body[0].islower()


def _read_late_cue(body: str, known: frozenset[str], surnames: set[str], own_column: bool) -> SpeakerCue | None:
    remark = _REMARK.search(body) if body[-1] == ")" else None
    head = body if remark is None else body[: remark.start()]
    if not head:
        return None
    said = "" if remark is None else remark[0]
    continued = "cont" in said.lower()
    if head[0] in '"“':
        quoted = _QUOTED.fullmatch(head) if own_column else None
        return None if quoted is None else SpeakerCue((f'"{quoted[1]}"',), continued, colon=False)
    if head in surnames:
        return SpeakerCue((head,), continued, colon=False)
    bare = head.rstrip(_STRAY)
    if bare and (bare.upper() in known) and (bare.isupper() or bare.istitle()):
        return parse_cue(f"{bare.upper()}{said}")
    return None


def is_indented_cue(
    number: int, lines: Sequence[Line], kinds: Sequence[str], cues: Sequence[SpeakerCue | None], layout: Layout
) -> bool:
    """Tell whether an established name stands in the column of speech right below action, with its speech below it."""
    cue, column = cues[number], layout.speech_column
    if cue is None or column is None or cue.key not in layout.established or not number or number + 1 >= len(lines):
        return False
    above, line, below = lines[number - 1 : number + 2]
    if kinds[number - 1] != "t" or kinds[number + 1] != "t" or line.gap or below.gap or cues[number + 1] is not None:
        return False
    return above.indent < column < min(line.indent, below.indent) and _SENTENCE_END.search(above.body) is not None


def find_marked_cues(
    lines: Sequence[Line], kinds: Sequence[str], inline: Mapping[int, tuple[SpeakerCue, int]], min_count: int
) -> dict[int, tuple[SpeakerCue, int]]:
    """Return the cues without a colon that a remark parts from the text (`ANNA (cont'd) Go on.`), where others have a colon.

    Only speakers with `min_count` cues in `inline` count. Each cue comes with the position where its text begins.
    """
    counts = Counter(cue.key for cue, _ in inline.values())
    found: dict[int, tuple[SpeakerCue, int]] = {}
    for number, line in enumerate(lines):
        if kinds[number] != "t" or number in inline or "(" not in line.body[:40] or (match := _MARKED.match(line.body)) is None:
            continue
        if counts[match[1]] >= min_count and (cue := parse_cue(match[0].strip())) is not None:
            found[number] = (cue, match.end())
    return found
