"""Sorts the lines of a screenplay: headings, shots, transitions, furniture, text."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from core.scripts.screenplays.config import ScreenplayConfig
from core.scripts.screenplays.cues import SpeakerCue
from core.scripts.screenplays.furniture import (
    find_repeated_heads,
    find_running_heads,
    is_furniture,
    is_page_mark,
    is_scene_number,
    is_stamp,
    is_sum,
    is_transition,
)
from core.scripts.screenplays.headings import (
    is_foreign_heading,
    is_heading,
    is_numbered_heading,
    is_numbered_shot,
    is_plain_heading,
    is_shot,
    is_strict_heading,
    strip_shot_numbers,
)
from core.scripts.screenplays.layout import Layout
from core.scripts.screenplays.lines import Line
from core.scripts.screenplays.places import find_places

_SPOKEN_NUMBER = re.compile(r"\d{1,4}[.!?]*")


def sort_lines(
    lines: Sequence[Line], config: ScreenplayConfig, forced: frozenset[int] = frozenset()
) -> tuple[list[str], set[int]]:
    """Return the kind of each line, and the numbers of the strict headings; the lines `forced` are headings whatever they say.

    The kinds are h (heading), s (shot), x (transition), f (furniture) and t (text). Later some lines of text become w (the rest
    of a heading) or c (the first line of a cue).
    """
    heads = find_running_heads(lines)
    if not config.as_published:
        heads |= find_repeated_heads(lines)
    kinds: list[str] = []
    strict: set[int] = set()
    for number, (line_number, raw, body, _, _) in enumerate(lines):
        if is_strict_heading(raw):
            strict.add(number)
            kinds.append("h")
        elif (
            is_heading(body)
            or line_number in forced
            or (not config.as_published and (is_numbered_heading(body) or is_foreign_heading(body)))
        ):
            kinds.append("h")
        elif is_furniture(body) or body in heads:
            kinds.append("t" if is_sum(body) and not config.as_published else "f")
        elif not config.as_published and (is_scene_number(body) or is_page_mark(body)):
            kinds.append("f")
        elif not config.as_published and not is_transition(body) and is_numbered_shot(body):
            kinds.append("f" if is_furniture(strip_shot_numbers(body)) else "s")
        else:
            kinds.append("x" if is_transition(body) else "s" if is_shot(body) else "t")
    if "h" not in kinds:
        kinds = ["h" if kind in "ts" and is_plain_heading(line.body) else kind for kind, line in zip(kinds, lines, strict=True)]
    elif not config.as_published:
        for number in find_places(lines, kinds):
            kinds[number] = "h"
    return kinds, strict


def recover_spoken_numbers(lines: Sequence[Line], kinds: list[str], layout: Layout) -> None:
    """Change the kind of spoken numbers from furniture to text.

    A spoken number is in the speech column, right below a line of text (`1945.` below `In what year?`). If these numbers mostly
    go up by one, they are page numbers and stay furniture.
    """
    if layout.speech_column is None:
        return
    found = [
        number
        for number, line in enumerate(lines)
        if kinds[number] == "f" and kinds[number - 1] == "t" and line.gap == 0 and line.indent == layout.speech_indent
        if _SPOKEN_NUMBER.fullmatch(line.body)
    ]
    values = [int(lines[number].body.rstrip(".!?")) for number in found]
    if 2 * sum(after == value + 1 for value, after in pairwise(values)) >= max(len(values) - 1, 1):
        return
    for number in found:
        kinds[number] = "t"


def recover_spoken_dates(
    lines: Sequence[Line], kinds: list[str], cues: Sequence[SpeakerCue | None], established: frozenset[str]
) -> None:
    """Change the kind of spoken dates (`9/11/01 NYC`) from furniture to text.

    A spoken date is right below the cue of an established speaker, and the script has it once. A revision's stamp is on many
    pages.
    """
    found = [
        number
        for number, (above, kind) in enumerate(zip(cues, kinds[1:], strict=False), start=1)
        if kind == "f" and above is not None and above.key in established
        if not lines[number].gap and is_stamp(lines[number].body)
    ]
    if found:
        counts = Counter(line.body for line in lines)
        for number in found:
            if counts[lines[number].body] == 1:
                kinds[number] = "t"
