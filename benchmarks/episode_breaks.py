"""The break: where the show resumes in the transcript, against the heading of the recap's second part. Truth for free."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.transcripts.recaps.kinds import fold_heading
from core.transcripts.recaps.recap import Recap

_CUE = re.compile(r"\[\s*(?:break|intermission|[^\]\[]*\bresumes at [\d:]+)\s*\]", re.IGNORECASE)
_ASIDE = re.compile(r"\[[^\]]*\]|\([^)]*\)")
_WORD = re.compile(r"\w")
_SECOND_PART = re.compile(r"(?:part (?:ii|2|two)|second half)\b")


@dataclass(frozen=True, slots=True)
class Break:
    """Where an episode's second part begins: the 0-based turn with which the show resumes, and the recap's first sentence there.

    The first part's sentences are `first_part` ≤ sentence < `before`, the second's `second_part` ≤ sentence < `after`; the ones
    between (a section about the break itself) belong to neither. `second_part` = `after` where the heading has no text.
    """

    turn: int
    n_turns: int
    first_part: int
    before: int
    second_part: int
    after: int


@dataclass(frozen=True, slots=True)
class BreakJudgement:
    """How an alignment treats the break.

    `error` is the distance of the second part's first turn from the turn that resumes the show, as a share of the turns, averaged
    over chunkings; None where no chunk of the second part is aligned. `right` of `judged` aligned chunks, those that lie in
    one part, have the middle of their span on its side of the break; `chunks` counts the unaligned ones too.
    """

    error: float | None
    right: int
    judged: int
    chunks: int


def find_resumption(turns: Sequence[Turn]) -> int | None:
    """Return the turn with which the show resumes after its (last) break, None where the transcript shows none.

    Transcripts have a line of its own for it, `[break]` or `[… resumes at 2:22:43]`, which ends the turn before it; a turn with
    words after that line resumes the show itself.
    """
    found = None
    for turn in turns:
        for cue in _CUE.finditer(turn.raw_text):
            after = _ASIDE.sub("", turn.raw_text[cue.end() :])
            found = turn.number if _WORD.search(after) else turn.number + 1
    return found if found is not None and found < len(turns) else None


def find_break(turns: Sequence[Turn], recap: Recap) -> Break | None:
    """Return the break that both halves show; None where one does not: no cue, or no heading such as "Part II"."""
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

    Boundaries are read from the chunkings that have a chunk begin with the second part's first sentence; where it is unaligned,
    the next aligned one of its chunking stands for it.
    """
    fitting = {(chunk.size, chunk.offset) for chunk, _ in aligned if chunk.first_sentence == known.second_part}
    boundaries: dict[tuple[int, int], int] = {}
    right, judged, chunks = 0, 0, 0
    for chunk, span in aligned:
        is_first = known.first_part <= chunk.first_sentence and chunk.last_sentence < known.before
        is_second = known.second_part <= chunk.first_sentence and chunk.last_sentence < known.after
        chunks += is_first or is_second
        if span.start is None or span.end is None:
            continue
        if known.second_part <= chunk.first_sentence < known.after and (chunk.size, chunk.offset) in fitting:
            boundaries.setdefault((chunk.size, chunk.offset), span.start)
        if is_first or is_second:
            judged += 1
            right += (span.start + span.end >= 2 * known.turn) == is_second
    errors = [abs(turn - known.turn) / known.n_turns for turn in boundaries.values()]
    return BreakJudgement(sum(errors) / len(errors) if errors else None, right, judged, chunks)
