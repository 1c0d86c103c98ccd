"""Applies what readers have decided to the chunks of an episode. Nothing is aligned anew: only spans and outcomes change."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.alignment.spans import Span
from core.review.decisions import Decision
from core.review.judgements import digest_texts, name_basis
from core.transcripts.config import FilterConfig
from core.transcripts.filters import judge_pair
from core.transcripts.rows import JudgedChunk, mark_cover, name_chunk, reject_duplicates

OVERRULED = ("low-confidence", "unaligned", "duplicate", "shared-turn")
"""Reasons that a reader overrules: guesses of the aligner, and rules that compare spans. The others are about form, and stay."""


def apply_decisions(
    episode: str, rows: Sequence[JudgedChunk], turns: Sequence[str], decisions: Iterable[Decision], config: FilterConfig
) -> list[JudgedChunk]:
    """Return the rows of an episode as readers have decided, in their order.

    A decision counts for its row and for every row with the same sentences that has none of its own. It counts only where summary
    and turns are what the reader saw. A corrected row has the reader's span and no confidence, which would be that of another
    span. Kept and corrected rows pass all filters but those that judge the aligner's span; a rejected row has the reason
    `reviewed`. Exact repeats are dropped again, and the cover to train on is chosen anew.

    Args:
        episode: the unit's id.
        rows: every chunk as the filter has judged it.
        turns: the texts of the dialogue's turns.
        decisions: of this episode; others, and those about other texts, change nothing.
        config: the filter's settings.
    """
    dialogue = digest_texts(turns)
    known = {(decision.item, decision.basis): decision for decision in decisions}
    own = [known.get((name_chunk(episode, row.chunk), name_basis(row.chunk.text, dialogue))) for row in rows]
    valid = [decision if decision is None or _fits(decision, len(turns)) else None for decision in own]
    by_sentences = {
        (row.chunk.first_sentence, row.chunk.last_sentence, row.chunk.text): decision
        for row, decision in zip(rows, valid, strict=True)
        if decision is not None
    }
    if not by_sentences:
        return list(rows)
    chunkings = Counter((row.chunk.size, row.chunk.offset) for row in rows if row.reason != "untold")
    most = max(chunkings.values(), default=0)
    reviewed: list[JudgedChunk] = []
    for row, decision in zip(rows, valid, strict=True):
        chunk = row.chunk
        found = decision or by_sentences.get((chunk.first_sentence, chunk.last_sentence, chunk.text))
        if found is None or row.reason == "untold":
            reviewed.append(row)
        else:
            reviewed.append(_apply(row, found, chunkings[chunk.size, chunk.offset] if chunk.size else most, config))
    if config.duplicates == "reject":
        reviewed = reject_duplicates(reviewed)
    return mark_cover(reviewed, config)


def _fits(decision: Decision, turns: int) -> bool:
    return decision.scenes is None and (decision.end is None or decision.end < turns)


def _apply(row: JudgedChunk, decision: Decision, chunks: int, config: FilterConfig) -> JudgedChunk:
    if decision.verdict == "reject":
        return replace(row, reason="reviewed", decided_by=decision.decided_by)
    span, before = row.span, row.span
    if decision.verdict == "correct" and (decision.start, decision.end) != (span.start, span.end):
        span = Span(decision.start, decision.end, span.score, None)
    reason = row.reason
    if reason is None or reason in OVERRULED:
        reason = judge_pair(row.chunk.text, span.start, span.end, None, chunks, config)
    changed = span is not before
    return replace(row, span=span, reason=reason, decided_by=decision.decided_by, found=before if changed else None)
