"""Infers a screenplay's layout (columns of cues, speech and action; blank lines) from lines whose kind is certain."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.bounds import PositiveCount, Share
from core.scripts.screenplays.cues import SpeakerCue
from core.scripts.screenplays.lines import Line


@dataclass(frozen=True, slots=True)
class ScreenplayConfig:
    """How raw screenplays become scenes.

    A script is refused if a scene has more than `max_mean_scene_words` words on average, or, where it has `max_scene_words` words
    or more, if one scene has more than `max_scene_share` of them. (In 107 scripts with headings, a scene has 70 to 610 words on
    average, and the largest has at most a quarter of the script.)

    A speaker with `min_cue_count` cues is established, and is recognised in unusual places too. Speech and action are told apart
    by a column if at most `max_column_error` of the lines whose kind is certain are on its wrong side, otherwise by blank lines.
    """

    max_mean_scene_words: PositiveCount = 2_000
    max_scene_words: PositiveCount = 5_000
    max_scene_share: Share = 0.6
    min_cue_count: PositiveCount = 3
    max_column_error: Share = 0.12


_CUE_WINDOW = 3  # columns on either side of a cue column that are counted with it
_CENTRED_WINDOW = 9  # columns; centred names begin in different columns
_MIN_SAMPLES = 5
_MAX_REMARK_LINES = 8
_INLINE_SHARE = 2.0  # a script is inline if it has this many times more `NAME: text` lines than cues on lines of their own


@dataclass(slots=True)
class Script:
    """A screenplay while it is read: its lines, a letter for the kind of each (`sort_lines`), and the cue that each can be."""

    lines: list[Line]
    kinds: list[str]
    cues: list[SpeakerCue | None]

    def is_text(self, number: int) -> bool:
        """Tell whether there is such a line, and it is text."""
        return number < len(self.lines) and self.kinds[number] == "t"

    def is_below_text(self, number: int) -> bool:
        """Tell whether a line is right below text, without a blank line between."""
        return number > 0 and not self.lines[number].gap and self.kinds[number - 1] == "t"

    def find_block(self, number: int, most: int) -> list[Line]:
        """Return `most` lines or fewer: from a line up to a blank one, a cue, or a line that is no text."""
        stop, last = number + 1, min(len(self.lines), number + most)
        while stop < last and self.kinds[stop] == "t" and not self.lines[stop].gap and self.cues[stop] is None:
            stop += 1
        return self.lines[number:stop]


@dataclass(frozen=True, slots=True)
class Layout:
    """The features that tell cues, speech and action apart in one script. Columns and widths are in characters.

    `speech_offset` is the commonest distance of speech from its cue's column (negative to the left), `speech_depth` that of the
    speech column from the action column. Lines to the right of `speech_column` are speech after a cue; None: speech and action
    share a column, and blank lines separate them. `speech_width` is None unless action can follow speech without a blank line.
    """

    cue_column: int
    own_column: bool  # no action begins in the cue column
    speech_indent: int  # the commonest column of speech
    speech_offset: int
    speech_depth: int
    speech_column: float | None
    gap_after_cue: bool  # a blank line after a cue is usual
    colons: bool  # cues end with a colon
    inline: bool  # the speech begins on the cue's line
    speech_width: int | None
    capital_action: bool
    established: frozenset[str]  # the speakers with several cues
    name_words: frozenset[str]  # their names, and each word of these


def infer_layout(script: Script, inline_count: int, config: ScreenplayConfig) -> Layout:
    """Infer the layout of a script; `inline_count` is the number of its `NAME: text` lines."""
    lines, kinds, cues = script.lines, script.kinds, script.cues
    text = [number for number, kind in enumerate(kinds) if kind in "ths"]
    candidates = [  # a cue and the line after it
        (here, after, cue)
        for here, after in pairwise(text)
        if (cue := cues[here]) is not None and kinds[after] == "t" and cues[after] is None
    ]
    counts = Counter(cue.key for _, _, cue in candidates)
    established = frozenset(name for name, count in counts.items() if count >= config.min_cue_count)
    sure = [each for each in candidates if each[2].key in established] or candidates
    cue_column = _commonest(lines[here].indent for here, _, _ in sure)
    sure = [each for each in sure if abs(lines[each[0]].indent - cue_column) <= _CENTRED_WINDOW]
    first_speech = [_after_remark(script, after) for _, after, _ in sure]
    speech = [lines[number].indent for number in first_speech]
    action = _find_action_columns(script, text)
    column, error = _separate(action, speech)
    colons = sum(cue.colon for _, _, cue in sure)
    separable = column is not None and error <= config.max_column_error and len(action) >= _MIN_SAMPLES <= len(speech)
    return Layout(
        cue_column=cue_column,
        own_column=_quantile(action, 0.9) + 3 <= cue_column,
        speech_indent=_commonest(speech),
        speech_offset=_commonest(row - lines[here].indent for (here, _, _), row in zip(sure, speech, strict=True)),
        speech_depth=max(1, _commonest(speech) - _commonest(action)),
        speech_column=column if separable else None,
        gap_after_cue=2 * sum(lines[after].gap > 0 for _, after, _ in sure) > len(sure),
        colons=2 * colons > len(sure) and colons > _MIN_SAMPLES,
        inline=inline_count > _INLINE_SHARE * len(sure),
        speech_width=None if separable else _width_of_unparted_speech(script, first_speech),
        capital_action=_is_action_in_capitals(script),
        established=established,
        name_words=established.union(word for name in established for word in name.split() if len(word) > 2),
    )


def _after_remark(script: Script, number: int) -> int:
    """Return the number of the first line, from `number` on, that is not part of a parenthetical."""
    lines, start = script.lines, number
    while lines[number].body.startswith("(") and number + 1 < len(lines) and number - start < _MAX_REMARK_LINES:
        while ")" not in lines[number].body and script.is_text(number + 1) and number - start < _MAX_REMARK_LINES:
            number += 1
        if not lines[number].body.endswith(")") or not script.is_text(number + 1):
            break
        number += 1
    return number


def _find_action_columns(script: Script, text: Sequence[int]) -> list[int]:
    """Return the columns of lines that are certainly action: the first line after a heading."""
    lines, kinds = script.lines, script.kinds
    first = [row for before, row in pairwise(text) if kinds[before] == "h" and kinds[row] == "t" and script.cues[row] is None]
    return [lines[row].indent for row in first if not lines[row].body.isupper() and lines[row].body[0] != "("]


def _is_action_in_capitals(script: Script) -> bool:
    """Tell whether most lines right after a heading are in capitals."""
    pairs = zip(script.kinds, script.kinds[1:], script.lines[1:], strict=False)
    after = [line.body.isupper() for before, kind, line in pairs if before in "hs" and kind == "t"]
    return len(after) >= _MIN_SAMPLES and sum(after) > 0.6 * len(after)


def _commonest(columns: Iterable[int]) -> int:
    """Return the column with the most lines in it and near it; 0 of none. `columns` has the column of each line."""
    counts = Counter(columns)
    window = {column: sum(counts[near] for near in range(column - _CUE_WINDOW, column + _CUE_WINDOW + 1)) for column in counts}
    return max(window, key=lambda column: (window[column], counts[column]), default=0)


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


def _width_of_unparted_speech(script: Script, first_speech: list[int]) -> int | None:
    """Return the width of speech if action can follow it without a blank line, otherwise None.

    Then some blocks after a cue get wider than the first lines of speech ever are. The wider lines are action.
    """
    if len(first_speech) < _MIN_SAMPLES:
        return None
    width = _quantile([len(script.lines[number].body) for number in first_speech], 0.97)
    blocks = (script.find_block(number, len(script.lines)) for number in first_speech)
    wider = sum(any(len(line.body) > width + 4 for line in block[1:]) for block in blocks)
    return width if wider > 0.03 * len(first_speech) else None
