"""Decides what becomes of every chunk of an episode: its kind, why it is dropped, and whether it is one to train on."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from core.alignment.spans import Chunk, Span
from core.review.decisions import ALIGNER
from core.transcripts.config import FilterConfig
from core.transcripts.filters import Reason, judge_alignments
from core.transcripts.recaps.recap import Recap, SectionKind

UNTOLD_OFFSET = 2
"""Chunks of size 0 with this offset are paragraphs that tell nothing; offsets 0 and 1 are paragraphs and sections."""


@dataclass(frozen=True, slots=True)
class JudgedChunk:
    """A chunk with its span, and what a release says of it.

    `kind` is the kind of the section in which the chunk begins. `reason` is why it is dropped, None if it is kept. `train_on`
    tells whether it is among the kept chunks that cover the recap once. `decided_by` is who decided its span: the aligner, people
    or a model. `found` is the aligner's span where readers have given it another one.
    """

    chunk: Chunk
    span: Span
    kind: SectionKind
    reason: Reason | None
    train_on: bool = False
    decided_by: str = ALIGNER
    found: Span | None = None


def name_chunk(episode: str, chunk: Chunk) -> str:
    """Return the id of a chunk's row: `C1E001_2_0_0017`."""
    return f"{episode}_{chunk.size}_{chunk.offset}_{chunk.index:04d}"


def decide_rows(
    aligned: Sequence[tuple[Chunk, Span]], recap: Recap, turn_words: Sequence[int], config: FilterConfig
) -> list[JudgedChunk]:
    """Return what becomes of every chunk of an episode, and after them of every paragraph that tells nothing.

    `aligned` has all chunkings of the episode, `turn_words` the number of words of each turn. The rules are applied in this
    order: the thresholds of `judge_alignments`, exact repeats, pairs that share one long turn. What is left is kept.
    """
    kinds = recap.kinds_of_sentences()
    judged = [
        JudgedChunk(chunk, span, kinds[chunk.first_sentence], reason)
        for (chunk, span), reason in zip(aligned, judge_alignments(aligned, config), strict=True)
    ]
    if config.duplicates == "reject":
        judged = reject_duplicates(judged)
    if config.shared_turn_words:
        judged = _reject_sharers(judged, turn_words, config.shared_turn_words)
    return [*mark_cover(judged, config), *_list_untold(recap)]


def mark_cover(rows: Sequence[JudgedChunk], config: FilterConfig) -> list[JudgedChunk]:
    """Mark the kept rows that cover the recap once (`train_on`), and no others; long ones are left out (`config`)."""
    candidates = [place for place, row in enumerate(rows) if row.reason is None and _is_short_enough(row, config)]
    chosen = {candidates[number] for number in choose_cover([rows[place] for place in candidates])}
    return [replace(row, train_on=place in chosen) for place, row in enumerate(rows)]


def choose_cover(rows: Sequence[JudgedChunk]) -> list[int]:
    """Return the places of the rows that cover the recap best without sharing a sentence, in order of their sentences.

    A row counts its number of sentences times its confidence (1 where the aligner gives none). The chosen rows have the highest
    sum. Of equal sums the one wins whose rows come first. Time O(n log n) for n rows.

    Reference: weighted interval scheduling, Kleinberg and Tardos, "Algorithm Design", 2005, section 6.1.
    """
    order = sorted(range(len(rows)), key=lambda place: (rows[place].chunk.last_sentence, rows[place].chunk.first_sentence))
    ends = [rows[place].chunk.last_sentence for place in order]
    free = [bisect_left(ends, rows[place].chunk.first_sentence) for place in order]  # how many rows end before this one
    best = [0.0]
    for number, place in enumerate(order):
        best.append(max(best[number], best[free[number]] + _weigh(rows[place])))
    chosen: list[int] = []
    number = len(order)
    while number:
        if best[number] > best[number - 1]:
            chosen.append(order[number - 1])
            number = free[number - 1]
        else:
            number -= 1
    return chosen[::-1]


def _is_short_enough(row: JudgedChunk, config: FilterConfig) -> bool:
    """Tell whether a pair is short enough to train on."""
    start, end = row.span.start, row.span.end
    turns = 0 if start is None or end is None else end - start + 1
    short = row.chunk.last_sentence - row.chunk.first_sentence < config.train_on_sentences
    return short and (not config.train_on_turns or turns <= config.train_on_turns)


def _weigh(row: JudgedChunk) -> float:
    confidence = 1.0 if row.span.confidence is None else row.span.confidence
    return (row.chunk.last_sentence - row.chunk.first_sentence + 1) * confidence


def reject_duplicates(rows: Sequence[JudgedChunk]) -> list[JudgedChunk]:
    """Drop kept rows with the summary and the span of an earlier one."""
    seen: set[tuple[str, int | None, int | None]] = set()
    judged: list[JudgedChunk] = []
    for row in rows:
        key = (row.chunk.text, row.span.start, row.span.end)
        judged.append(replace(row, reason="duplicate") if row.reason is None and key in seen else row)
        if row.reason is None:
            seen.add(key)
    return judged


def _reject_sharers(rows: Sequence[JudgedChunk], turn_words: Sequence[int], long: int) -> list[JudgedChunk]:
    """Keep one row for each long turn that is most of the dialogue of several rows about different sentences.

    Such a turn retells a whole episode, or narrates a journey: each of the rows would pair nearly the same words with another
    summary. The row that covers most sentences, weighted by confidence, tells most of the turn and is kept.
    """
    total = [0, *accumulate(turn_words)]
    sharers: defaultdict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        start, end = row.span.start, row.span.end
        if row.reason is None and start is not None and end is not None:
            turn = max(range(start, end + 1), key=turn_words.__getitem__)
            if turn_words[turn] >= long and 2 * turn_words[turn] > total[end + 1] - total[start]:
                sharers[turn].append(place)
    dropped: set[int] = set()
    for places in sharers.values():
        first_end = min(rows[place].chunk.last_sentence for place in places)
        last_start = max(rows[place].chunk.first_sentence for place in places)
        if first_end < last_start:  # two of them have no sentence in common
            best = max(places, key=lambda place: (_weigh(rows[place]), -place))
            dropped.update(place for place in places if place != best)
    return [replace(row, reason="shared-turn") if place in dropped else row for place, row in enumerate(rows)]


def _list_untold(recap: Recap) -> list[JudgedChunk]:
    """Return the paragraphs that tell nothing as dropped rows, with an empty range of sentences at their place."""
    rows: list[JudgedChunk] = []
    sentence = 0
    for section, kind in zip(recap.sections, recap.kinds(), strict=True):
        for number in section.untold:
            chunk = Chunk(0, UNTOLD_OFFSET, len(rows), sentence, sentence - 1, section.paragraphs[number])
            rows.append(JudgedChunk(chunk, Span(None, None, 0.0), kind, "untold"))
        sentence += len(section.sentences)
    return rows
