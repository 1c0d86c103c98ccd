"""What readers decided as gold: the aligner's spans compared with theirs, chunk by chunk."""

from collections.abc import Sequence

from core.alignment.spans import Chunk, Span
from core.metrics.alignment_quality import match_span
from core.review.decisions import Decision
from core.review.judgements import digest_texts, name_basis
from core.transcripts.evaluation.grading import GradedChunk, GradedEpisode
from core.transcripts.filters import Reason
from core.transcripts.rows import name_chunk


def grade_reviewed(
    unit: str,
    decisions: Sequence[Decision],
    pairs: Sequence[tuple[Chunk, Span]],
    reasons: Sequence[Reason | None],
    turns: Sequence[str],
) -> GradedEpisode:
    """Compare the aligner's spans of the chunks that readers have decided with the readers' spans.

    Only chunks that were read themselves count: a reader's span of two sentences says nothing sure of a third. Chunks that no
    turn tells of are left out, as gold sentences of that kind are, and so are rows that were rejected without a span.

    Args:
        unit: the episode.
        decisions: what readers have decided of its rows.
        pairs: its chunks and their spans, as the aligner found them.
        reasons: why each is dropped, None where it is kept.
        turns: the texts of its turns; decisions about other texts do not count.
    """
    dialogue = digest_texts(turns)
    known = {(decision.item, decision.basis): decision for decision in decisions if decision.verdict == "correct"}
    graded: list[GradedChunk] = []
    for (chunk, span), reason in zip(pairs, reasons, strict=True):
        decision = known.get((name_chunk(unit, chunk), name_basis(chunk.text, dialogue)))
        if decision is None or decision.start is None or decision.end is None:
            continue
        match = match_span(span.start, span.end, decision.start, decision.end)
        graded.append(GradedChunk(match, (unit, chunk.first_sentence // 8), span.confidence, reason is None, span.score))
    return GradedEpisode(unit, tuple(graded), len(graded), len(graded))
