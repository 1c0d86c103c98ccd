"""Judges an alignment at the break of an episode, without hand-made gold.

The transcript shows where the show resumes after the break, and a heading of the recap shows where its second part begins. A
correct alignment links these two places.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.transcripts.recaps.recap import Recap, fold_heading

_CUE = re.compile(r"\[\s*(?:break|intermission|[^\]\[]*\bresumes at [\d:]+)\s*\]", re.IGNORECASE)
_ASIDE = re.compile(r"\[[^\]]*\]|\([^)]*\)")
_WORD = re.compile(r"\w")
_SECOND_PART = re.compile(r"(?:part (?:ii|2|two)|second half)\b")


@dataclass(frozen=True, slots=True)
class Break:
    """Where the two parts of an episode lie in its transcript and its recap. Turns and sentences are 0-based.

    The show resumes with turn `turn` of `n_turns`. The sentences of the first part are `first_part` ≤ sentence < `before`, those
    of the second part `second_part` ≤ sentence < `after`. Sentences between them (in a section about the break) belong to
    neither. If the second part has no text, `second_part` equals `after`.
    """

    turn: int
    n_turns: int
    first_part: int
    before: int
    second_part: int
    after: int


@dataclass(frozen=True, slots=True)
class BreakJudgement:
    """How well an alignment fits the break.

    `error` is the distance between the first turn aligned with the second part and the turn that resumes the show. It is a share
    of the episode's turns, averaged over chunkings, and None where no chunk of the second part is aligned.

    `judged` counts the aligned chunks that lie in one part, and `right` those of them that have the middle of their span on the
    right side of the break.
    """

    error: float | None
    right: int
    judged: int


def find_resumption(turns: Sequence[Turn]) -> int | None:
    """Return the turn (0-based) with which the show resumes after its last break, or None if the transcript shows no break.

    Transcripts mark the break with a line such as `[break]` or `[… resumes at 2:22:43]`. If the turn with this line has words
    after it, this turn resumes the show; otherwise the next turn does.
    """
    found = None
    for turn in turns:
        for cue in _CUE.finditer(turn.raw_text):
            after = _ASIDE.sub("", turn.raw_text[cue.end() :])
            found = turn.number if _WORD.search(after) else turn.number + 1
    return found if found is not None and found < len(turns) else None


def find_break(turns: Sequence[Turn], recap: Recap) -> Break | None:
    """Return the break of an episode; None if the transcript marks no break or the recap has no heading such as "Part II"."""
    resumes = find_resumption(turns)
    sections = recap.sections
    seconds = [at for at, section in enumerate(sections) if _SECOND_PART.match(fold_heading(section.heading))]
    if resumes is None or not seconds:
        return None
    starts = [*accumulate((len(section.sentences) for section in sections), initial=0)]
    plots = [at for at, section in enumerate(sections[: seconds[0]]) if section.kind == "plot"]
    first, last = (plots[0], plots[-1] + 1) if plots else (seconds[0], seconds[0])
    return Break(resumes, len(turns), starts[first], starts[last], starts[seconds[0]], starts[seconds[-1] + 1])


def judge_break(known: Break, aligned: Sequence[tuple[Chunk, Span]]) -> BreakJudgement:
    """Compare an alignment of all chunkings with the break.

    The error is measured only in chunkings where a chunk begins with the first sentence of the second part. If this chunk is
    unaligned, the next aligned chunk of the second part is used.
    """
    fitting = {(chunk.size, chunk.offset) for chunk, _ in aligned if chunk.first_sentence == known.second_part}
    boundaries: dict[tuple[int, int], int] = {}
    right, judged = 0, 0
    for chunk, span in aligned:
        if span.start is None or span.end is None:
            continue
        is_first = known.first_part <= chunk.first_sentence and chunk.last_sentence < known.before
        is_second = known.second_part <= chunk.first_sentence and chunk.last_sentence < known.after
        if known.second_part <= chunk.first_sentence < known.after and (chunk.size, chunk.offset) in fitting:
            boundaries.setdefault((chunk.size, chunk.offset), span.start)
        if is_first or is_second:
            judged += 1
            right += (span.start + span.end >= 2 * known.turn) == is_second
    errors = [abs(turn - known.turn) / known.n_turns for turn in boundaries.values()]
    return BreakJudgement(sum(errors) / len(errors) if errors else None, right, judged)
