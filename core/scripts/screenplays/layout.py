"""Infers a screenplay's layout (columns of cues, speech and action; blank lines) from lines whose kind is certain."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.scripts.screenplays.config import ScreenplayConfig
from core.scripts.screenplays.cues import SpeakerCue
from core.scripts.screenplays.lines import Line

_CUE_WINDOW = 3  # columns on either side of a cue column that are counted with it
_CENTRED_WINDOW = 9  # columns; centred names begin in different columns
_MIN_SAMPLES = 5
_INLINE_SHARE = 2.0  # a script is inline if it has this many times more `NAME: text` lines than cues on lines of their own


@dataclass(frozen=True, slots=True)
class Layout:
    """The features that tell cues, speech and action apart in one script. Columns and widths are in characters.

    Attributes:
        cue_column: the commonest column of cues.
        own_column: no action begins in the cue column.
        speech_indent: the commonest column of speech.
        speech_offset: the commonest distance of speech from its cue's column; negative to the left.
        speech_depth: the distance of the speech column from the action column.
        speech_column: lines to the right of this column are speech after a cue. None: speech and action share a column, and
            blank lines separate them.
        gap_after_cue: a blank line after a cue is usual.
        colons: cues end with a colon.
        inline: the speech begins on the cue's line.
        speech_width: the width of speech, if action can follow speech without a blank line; otherwise None.
        capital_action: action is in capitals.
        established: the speakers with several cues.
        name_words: the names of the established speakers and each word of them.
    """

    cue_column: int
    own_column: bool
    speech_indent: int
    speech_offset: int
    speech_depth: int
    speech_column: float | None
    gap_after_cue: bool
    colons: bool
    inline: bool
    speech_width: int | None
    capital_action: bool
    established: frozenset[str]
    name_words: frozenset[str]


def infer_layout(
    lines: Sequence[Line], kinds: Sequence[str], cues: Sequence[SpeakerCue | None], inline_count: int, config: ScreenplayConfig
) -> Layout:
    """Infer the layout of a script.

    Args:
        lines: the script's lines.
        kinds: one letter per line: `h` heading, `s` shot, `t` text; lines of other kinds (transitions, furniture) are skipped.
        cues: for each line what `parse_cue` returned, None for lines that are not text.
        inline_count: the number of `NAME: text` lines.
        config: how much evidence is needed.
    """
    text = [number for number, kind in enumerate(kinds) if kind in "ths"]
    candidates: list[tuple[int, int]] = []  # a cue and the line after it
    for here, after in pairwise(text):
        if cues[here] is not None and kinds[after] == "t" and cues[after] is None:
            candidates.append((here, after))
    counts = Counter(cue.key for here, _ in candidates if (cue := cues[here]) is not None)
    established = frozenset(name for name, count in counts.items() if count >= config.min_cue_count)
    sure = [pair for pair in candidates if (cue := cues[pair[0]]) is not None and cue.key in established] or candidates
    cue_column = _commonest(Counter(lines[here].indent for here, _ in sure))
    sure = [pair for pair in sure if abs(lines[pair[0]].indent - cue_column) <= _CENTRED_WINDOW]
    first_speech = [_after_remark(lines, kinds, after) for _, after in sure]
    speech = [lines[number].indent for number in first_speech]
    first_action = _first_action(lines, kinds, cues)
    action = [lines[number].indent for number in first_action]
    column, error = _separate(action, speech)
    gaps = sum(lines[after].gap > 0 for _, after in sure)
    colons = sum(cue.colon for here, _ in sure if (cue := cues[here]) is not None)
    own_column = _quantile(action, 0.9) + 3 <= cue_column
    separable = column is not None and error <= config.max_column_error and len(action) >= _MIN_SAMPLES <= len(speech)
    return Layout(
        cue_column=cue_column,
        own_column=own_column,
        speech_indent=_commonest(Counter(speech)),
        speech_offset=_commonest(
            Counter(lines[row].indent - lines[here].indent for (here, _), row in zip(sure, first_speech, strict=True))
        ),
        speech_depth=max(1, _commonest(Counter(speech)) - _commonest(Counter(action))),
        speech_column=column if separable else None,
        gap_after_cue=2 * gaps > len(sure),
        colons=2 * colons > len(sure) and colons > _MIN_SAMPLES,
        inline=inline_count > _INLINE_SHARE * len(sure),
        speech_width=None if separable else _width_of_unparted_speech(lines, kinds, cues, first_speech),
        capital_action=_is_action_in_capitals(lines, kinds),
        established=established,
        name_words=established.union(word for name in established for word in name.split() if len(word) > 2),
    )


def _after_remark(lines: Sequence[Line], kinds: Sequence[str], number: int) -> int:
    """Return the number of the first line, from `number` on, that is not part of a parenthetical."""
    start = number
    while lines[number].body.startswith("(") and number + 1 < len(lines) and number - start < 8:
        while ")" not in lines[number].body and number + 1 < len(lines) and kinds[number + 1] == "t" and number - start < 8:
            number += 1
        if not lines[number].body.rstrip().endswith(")") or number + 1 >= len(lines) or kinds[number + 1] != "t":
            break
        number += 1
    return number


def _first_action(lines: Sequence[Line], kinds: Sequence[str], cues: Sequence[SpeakerCue | None]) -> list[int]:
    """Return the numbers of lines that are certainly action: the first line after a heading."""
    found = []
    text = [number for number, kind in enumerate(kinds) if kind in "ths"]
    for before, number in pairwise(text):
        if kinds[before] == "h" and kinds[number] == "t" and cues[number] is None:
            body = lines[number].body
            if not body.isupper() and body[0] != "(":
                found.append(number)
    return found


def _is_action_in_capitals(lines: Sequence[Line], kinds: Sequence[str]) -> bool:
    """Tell whether most lines right after a heading are in capitals."""
    after = [lines[number].body for number in range(1, len(lines)) if kinds[number - 1] in "hs" and kinds[number] == "t"]
    return len(after) >= _MIN_SAMPLES and sum(map(str.isupper, after)) > 0.6 * len(after)


def _commonest(columns: Counter[int]) -> int:
    """Return the column with the most lines in it and near it; `columns` counts the lines by column."""
    if not columns:
        return 0
    window = {column: sum(columns[near] for near in range(column - _CUE_WINDOW, column + _CUE_WINDOW + 1)) for column in columns}
    return max(columns, key=lambda column: (window[column], columns[column]))


def _separate(action: list[int], speech: list[int]) -> tuple[float | None, float]:
    """Return the column that best separates action (left) from speech (right), and the share of lines on the wrong side."""
    best: tuple[float | None, float] = (None, 1.0)
    if not action or not speech:
        return best
    lefts, rights = Counter(action), Counter(speech)
    columns = sorted(lefts.keys() | rights.keys())
    for low, high in pairwise(columns):
        wrong = sum(count for column, count in lefts.items() if column > low) / len(action)
        wrong += sum(count for column, count in rights.items() if column <= low) / len(speech)
        if wrong < best[1] - 1e-9:
            best = ((low + high) / 2, wrong)
    return best


def _quantile(columns: list[int], share: float) -> int:
    return sorted(columns)[int(share * (len(columns) - 1))] if columns else 0


def _width_of_unparted_speech(
    lines: Sequence[Line], kinds: Sequence[str], cues: Sequence[SpeakerCue | None], first_speech: list[int]
) -> int | None:
    """Return the width of speech if action can follow it without a blank line, otherwise None.

    Some blocks after a cue get wider than the first lines of speech ever are. The wider lines are action. If no blocks do so,
    only a blank line ends a speech.
    """
    if len(first_speech) < _MIN_SAMPLES:
        return None
    width = _quantile([len(lines[number].body) for number in first_speech], 0.97)
    wider = 0
    for number in first_speech:
        row = number + 1
        while row < len(lines) and kinds[row] == "t" and cues[row] is None and lines[row].gap == 0:
            if len(lines[row].body) > width + 4:
                wider += 1
                break
            row += 1
    return width if wider > 0.03 * len(first_speech) else None
