"""Finds cues that their form hides, and that the script's own speakers make known."""

import re
from collections import Counter
from dataclasses import replace

from core.scripts.screenplays.cues import InlineCues, SpeakerCue, parse_cue
from core.scripts.screenplays.layout import Layout, Script
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


def add_late_cues(script: Script, layout: Layout) -> None:
    """Add, in place, the cues that the established speakers make known.

    Such a line stands below a blank one and right above text. It is a speaker's name in small letters (`Anna`), or with a stray
    sign behind it (`ANNA.`), or a surname that is also a camera's word (`DR. FREEZE`, then `FREEZE`). A name in quotation marks
    (`"ANNA"`) is a speaker of its own where cues have a column. A name that differs from an established one in its capitals
    only (`McCOY`, `MCCOY`) becomes that one.

    Before the first heading there is none: a cast page looks the same. Where no column parts speech from action, the text below
    must be speech by its words: see `_is_said`.
    """
    known, cues = layout.established, script.cues
    counts = Counter(name.rpartition(" ")[2] for name in known if " " in name)
    surnames = {surname for surname, count in counts.items() if count == 1}  # one that two speakers share names neither
    front, talk = True, False  # before the first heading; somebody has a cue in this scene
    for number, line in enumerate(script.lines[:-1]):
        if script.kinds[number] == "h":
            front, talk = False, False
        if script.kinds[number] != "t":
            continue
        body, cue = line.body, cues[number]
        if cue is not None:
            if cue.key not in known and cue.key.upper() in known:
                cues[number] = replace(cue, names=tuple(map(str.upper, cue.names)))
            talk = True
        elif (
            not front and len(body) <= _MAX_CUE and (body[0].isupper() or body[0] in '"“') and _heads_text(number, script, layout)
        ):
            late = _read_late_cue(body, known, surnames, layout.own_column)
            if late is not None and _is_said(number, script, layout, sure=talk or body not in surnames):
                cues[number], talk = late, True


def _heads_text(number: int, script: Script, layout: Layout) -> bool:
    if not script.is_text(number + 1) or script.cues[number + 1] is not None or script.is_below_text(number):
        return False
    below = script.lines[number + 1]
    return (not below.gap or layout.gap_after_cue) and not below.body[0].islower()


def _is_said(number: int, script: Script, layout: Layout, sure: bool) -> bool:
    """Tell whether the text below a name is said, where the name alone does not make it a cue.

    It is said if it sounds spoken. Otherwise it must not begin as action does, and its column must tell it from action, or the
    name must be in capitals with no name below (a list). `sure` says that the name is hardly anything else.
    """
    block = script.find_block(number + 1, _MAX_JUDGED_LINES)
    text = _REMARKS.sub(" ", " ".join(line.body for line in block)).strip()
    if text and sounds_spoken(text):
        return True
    capitals = _REMARK.sub("", script.lines[number].body).isupper()
    if layout.speech_column is not None and capitals:
        return True
    if not text or _TELLS.match(text) is not None or text.split(None, 1)[0].upper() in layout.name_words:
        return False
    is_list = block[0].body.rstrip(_STRAY).upper() in layout.established
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


def is_indented_cue(number: int, script: Script, layout: Layout) -> bool:
    """Tell whether an established name stands in the column of speech right below action, with its speech below it."""
    cue, column = script.cues[number], layout.speech_column
    if cue is None or column is None or cue.key not in layout.established or not script.is_below_text(number):
        return False
    if not script.is_text(number + 1) or script.lines[number + 1].gap or script.cues[number + 1] is not None:
        return False
    above, line, below = script.lines[number - 1 : number + 2]
    return above.indent < column < min(line.indent, below.indent) and _SENTENCE_END.search(above.body) is not None


def find_marked_cues(script: Script, inline: InlineCues, min_count: int) -> InlineCues:
    """Return the cues without a colon that a remark parts from the text (`ANNA (cont'd) Go on.`), where others have a colon.

    Only speakers with `min_count` cues in `inline` count.
    """
    counts = Counter(cue.key for cue, _ in inline.values())
    found: InlineCues = {}
    for number, line in enumerate(script.lines):
        if script.kinds[number] != "t" or number in inline or "(" not in line.body[:40]:
            continue
        match = _MARKED.match(line.body)
        if match is not None and counts[match[1]] >= min_count and (cue := parse_cue(match[0].strip())) is not None:
            found[number] = (cue, match.end())
    return found
