"""Finds cues that their form hides, and that the script's own speakers make known."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.scripts.screenplays.cues import SpeakerCue, parse_cue
from core.scripts.screenplays.layout import Layout
from core.scripts.screenplays.lines import Line
from core.scripts.screenplays.wording import sounds_spoken

_MAX_CUE = 60  # characters, with remarks
_REMARK = re.compile(r"\s*\([^()]*\)\s*$")
_REMARKS = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r"[\"“]([^\W\d_a-z][^\W\d_a-z .'’-]{1,25})[\"”]")
_STRAY = ".,;_|\\"  # signs that scanning leaves behind a name
_MARKED = re.compile(r"([^\W\d_][\w .'’#-]{0,30}?)\s{0,3}\((?i:cont['’]?d|continuing|[vo]\.?\s?[os]\.?)\)\s{1,8}(?=[^\s(])")
_TELLS = re.compile(r"(?:He|She|They|His|Her|Their|The|An?)\s")  # how action begins that is about somebody
_MAX_JUDGED_LINES = 5  # of the text below; so many tell action from speech
_SENTENCE_END = re.compile(r"[.!?…\"”:)-]$")


def add_late_cues(lines: Sequence[Line], kinds: Sequence[str], cues: list[SpeakerCue | None], layout: Layout) -> None:
    """Add, in place, the cues that the established speakers make known.

    Such a line stands below a blank one and right above text. It is a speaker's name in small letters (`Anna`), or with a stray
    sign behind it (`ANNA.`), or a surname that is also a camera's word (`DR. FREEZE`, then `FREEZE`). A name in quotation marks
    (`"ANNA"`) is a speaker of its own where cues have a column. A name that differs from an established one in its capitals
    only (`McCOY`, `MCCOY`) becomes that one.

    Before the first heading there is none: a cast page looks the same. Where no column parts speech from action, the text below
    must be speech by its words: see `_is_said`.
    """
    known = layout.established
    counts = Counter(name.rpartition(" ")[2] for name in known if " " in name)
    surnames = {surname for surname, count in counts.items() if count == 1}  # one that two speakers share names neither
    front, talk = True, False  # before the first heading; somebody has a cue in this scene
    for number in range(len(lines) - 1):
        if kinds[number] == "h":
            front, talk = False, False
        if kinds[number] != "t":
            continue
        body, cue = lines[number].body, cues[number]
        if cue is not None:
            if cue.key not in known and cue.key.upper() in known:
                cues[number] = replace(cue, names=tuple(map(str.upper, cue.names)))
            talk = True
            continue
        if (
            front
            or len(body) > _MAX_CUE
            or not (body[0].isupper() or body[0] in '"“')
            or not _heads_text(number, lines, kinds, cues, layout)
        ):
            continue
        cue = _read_late_cue(body, known, surnames, layout.own_column)
        if cue is not None and _is_said(number, lines, kinds, cues, layout, sure=talk or body not in surnames):
            cues[number], talk = cue, True


def _heads_text(
    number: int, lines: Sequence[Line], kinds: Sequence[str], cues: Sequence[SpeakerCue | None], layout: Layout
) -> bool:
    if (
        kinds[number + 1] != "t"
        or cues[number + 1] is not None
        or (number and not lines[number].gap and kinds[number - 1] == "t")
    ):
        return False
    return (not lines[number + 1].gap or layout.gap_after_cue) and not lines[number + 1].body[0].islower()


def _is_said(
    number: int, lines: Sequence[Line], kinds: Sequence[str], cues: Sequence[SpeakerCue | None], layout: Layout, sure: bool
) -> bool:
    """Tell whether the text below a name is said, where the name alone does not make it a cue.

    It is said if it sounds spoken. Otherwise it must not begin as action does, and its column must tell it from action, or the
    name must be in capitals with no name below (a list). `sure` says that the name is hardly anything else.
    """
    stop, last = number + 2, min(len(lines), number + 1 + _MAX_JUDGED_LINES)
    while stop < last and kinds[stop] == "t" and not lines[stop].gap and cues[stop] is None:
        stop += 1
    text = _REMARKS.sub(" ", " ".join(line.body for line in lines[number + 1 : stop])).strip()
    if text and sounds_spoken(text):
        return True
    capitals = _REMARK.sub("", lines[number].body).isupper()
    if layout.speech_column is not None and capitals:
        return True
    words = text.split(None, 1)
    if not words or _TELLS.match(text) is not None or words[0].upper() in layout.name_words:
        return False
    is_list = lines[number + 1].body.rstrip(_STRAY).upper() in layout.established
    return layout.speech_column is not None or (capitals and sure and not is_list)


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
