"""Measures the quality of alignments: chunks compared with gold spans, or with what readers decided."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.alignment.spans import Chunk, Span
from core.errors import SourceError
from core.metrics.alignment_quality import SpanMatch, match_span, rate_spans
from core.metrics.reliability import Reliability, rate_confidences
from core.records import FieldNames, is_record, read_record, write_gold
from core.review.curves import Look
from core.review.decisions import Decision
from core.review.judgements import digest_row, digest_texts
from core.review.priority import guess_errors
from core.transcripts.config import FilterConfig
from core.transcripts.rows import judge_alignments, name_chunk

_EXPECTED = 'a JSON list of objects with "text", "turn_start" and "turn_end" (0-based, inclusive; both null: nowhere)'


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """A recap sentence with the first and last turn that it describes, 0-based; both None for none (CRD3, A.1.1)."""

    text: str
    start: int | None
    end: int | None


def read_gold(name: str, text: str) -> tuple[GoldSentence, ...]:
    """Read an episode's gold sentences from JSON: a list of them, or a record with people's spans (QMSum's form).

    Raises:
        SourceError: the text is not JSON of the expected form, or a span ends before it starts; `name` is the file's name.
    """
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{name}: not valid JSON ({error}); expected {_EXPECTED}. Correct the file") from error
    if is_record(rows, FieldNames()):
        rows = write_gold(read_record(rows, FieldNames()))
    if not isinstance(rows, list):
        raise SourceError(f"{name}: found {type(rows).__name__}; expected {_EXPECTED}. Correct the file")
    return tuple(_read_row(f"{name}, entry {place}", row) for place, row in enumerate(rows))


def _read_row(where: str, row: Any) -> GoldSentence:
    if isinstance(row, dict) and isinstance(row.get("text"), str) and {"turn_start", "turn_end"} <= row.keys():
        start, end = row["turn_start"], row["turn_end"]
        if start is end is None or (type(start) is type(end) is int and 0 <= start <= end):
            return GoldSentence(row["text"], start, end)
    raise SourceError(f"{where}: not a gold sentence; expected {_EXPECTED}. Correct the entry")


_SURE = 25  # characters; a longer sentence does not occur in a chunk by accident
_BLOCK = 8  # sentences; twice the longest chunk, so that few chunks span two blocks


@dataclass(frozen=True, slots=True)
class GradedChunk:
    """How well a chunk's span matches the gold turns of its sentences.

    `block` is equal for chunks over neighbouring sentences, which resampling must keep together. `errors` are how many turns the
    span begins and ends too late (negative: too early), None where nothing was found.
    """

    match: SpanMatch
    block: tuple[str, int]
    confidence: float | None
    kept: bool
    score: float = 0.0
    errors: tuple[int, int] | None = None

    @property
    def right(self) -> bool:
        """Whether the span counts as right: F1 ≥ ½. An aligner's confidence is the probability of this event."""
        return self.match.f1 >= 0.5


@dataclass(frozen=True, slots=True)
class GradedEpisode:
    """An episode's chunks that contain a gold sentence, the number of gold sentences, and how many are found in a chunk."""

    episode: str
    chunks: tuple[GradedChunk, ...]
    sentences: int
    found: int


def grade_episode(
    episode: str, gold: Sequence[GoldSentence], pairs: Sequence[tuple[Chunk, Span]], config: FilterConfig
) -> GradedEpisode:
    """Compare an episode's aligned chunks with the gold sentences that they contain; `config` decides which count as kept.

    A sentence is in a chunk if its letters and digits are, in lower case. A chunk's gold span runs from the first to the last
    turn of its gold sentences. If it has several, those of 25 characters or less do not count unless all are that short: a short
    sentence can occur by accident. Sentences that describe no turn are left out.

    Reference: CRD3, appendix A.1.
    """
    located = [(fold_text(entry.text), entry, place) for place, entry in enumerate(gold) if entry.start is not None]
    found: set[str] = set()
    graded = []
    for (chunk, span), reason in zip(pairs, judge_alignments(pairs, config), strict=True):
        text = fold_text(chunk.text)
        inside = [entry for entry in located if entry[0] in text]
        found.update(folded for folded, _, _ in inside)
        if len(inside) > 1:
            inside = [entry for entry in inside if len(entry[1].text) > _SURE] or inside
        if inside:
            start = min(entry.start for _, entry, _ in inside if entry.start is not None)
            end = max(entry.end for _, entry, _ in inside if entry.end is not None)
            block = (episode, min(place for _, _, place in inside) // _BLOCK)
            errors = None if span.start is None or span.end is None else (span.start - start, span.end - end)
            match = match_span(span.start, span.end, start, end)
            graded.append(GradedChunk(match, block, span.confidence, reason is None, span.score, errors))
    return GradedEpisode(episode, tuple(graded), len({folded for folded, _, _ in located}), len(found))


def fold_text(text: str) -> str:
    """Return a text's letters a–z and digits in lower case, without all other characters."""
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def grade_reviewed(
    unit: str,
    decisions: Sequence[Decision],
    pairs: Sequence[tuple[Chunk, Span]],
    config: FilterConfig,
    turns: Sequence[str],
) -> GradedEpisode:
    """Compare the aligner's spans of the chunks that readers have decided with the readers' spans.

    Only chunks that were read themselves count, with the texts that readers saw, and with turns that tell of them.
    """
    dialogue = digest_texts(turns)
    known = {(decision.item, decision.digest): decision for decision in decisions if decision.verdict == "correct"}
    graded: list[GradedChunk] = []
    for (chunk, span), reason in zip(pairs, judge_alignments(pairs, config), strict=True):
        decision = known.get((name_chunk(unit, chunk), digest_row(chunk.text, dialogue)))
        if decision is None or decision.start is None or decision.end is None:
            continue
        match = match_span(span.start, span.end, decision.start, decision.end)
        graded.append(GradedChunk(match, (unit, chunk.first_sentence // 8), span.confidence, reason is None, span.score))
    return GradedEpisode(unit, tuple(graded), len(graded), len(graded))


def describe_quality(episodes: Sequence[GradedEpisode], resamples: int = 10_000, seed: int = 0) -> dict[str, Any]:
    """Return the quality figures over all episodes, and those of each episode under `by_episode`.

    Returns:
        `chunks`, `kept_chunks`, `kept_share`: the number of chunks, how many the filter keeps, and their share;
        `all`, `kept`: `pooled` and `macro` precision, recall and F1 (`value`, `low`, `high`) of all chunks and of the kept
        chunks, None without chunks;
        `reliability`: confidence against correctness, None if the aligner gives no confidence.
    """
    chunks = [chunk for episode in episodes for chunk in episode.chunks]
    table = rate_chunk_confidences(chunks)
    return {
        **_describe(chunks, resamples, seed),
        "reliability": None if table is None else asdict(table),
        "by_episode": {episode.episode: _describe(episode.chunks, resamples, seed) for episode in episodes},
    }


def rate_chunk_confidences(chunks: Sequence[GradedChunk]) -> Reliability | None:
    """Compare the confidence of aligned chunks with how often their spans are right; None if no chunk has a confidence."""
    sure = [(chunk.confidence, chunk.right) for chunk in chunks if chunk.confidence is not None and chunk.match.predicted]
    return rate_confidences([confidence for confidence, _ in sure], [right for _, right in sure])


def describe_coverage(episodes: Sequence[GradedEpisode], missing_sentences: int = 0) -> float:
    """Return the share of the gold sentences found in a chunk; below .98 the chunks are of another text."""
    sentences = missing_sentences + sum(episode.sentences for episode in episodes)
    return sum(episode.found for episode in episodes) / sentences if sentences else 0.0


def _describe(chunks: Sequence[GradedChunk], resamples: int, seed: int) -> dict[str, Any]:
    kept = [chunk for chunk in chunks if chunk.kept]
    return {
        "chunks": len(chunks),
        "kept_chunks": len(kept),
        "kept_share": len(kept) / len(chunks) if chunks else None,
        "all": _rate(chunks, resamples, seed),
        "kept": _rate(kept, resamples, seed),
    }


def _rate(chunks: Sequence[GradedChunk], resamples: int, seed: int) -> dict[str, Any] | None:
    rates = rate_spans([chunk.match for chunk in chunks], [chunk.block for chunk in chunks], resamples=resamples, seed=seed)
    return None if rates is None else {"pooled": asdict(rates.pooled), "macro": asdict(rates.macro)}


LOOKED_AT = ("chunks", "episodes")
"""What a reader of `transcripts` looks at, and what it is of, as a report calls them."""


def list_looks(episodes: Iterable[GradedEpisode]) -> list[Look]:
    """Return the chunks that the filter keeps, counted in turns; an aligner's score is the expected F1 of its span."""
    return [
        Look(
            unit=episode.episode,
            inside=chunk.match.inside,
            found=chunk.match.predicted,
            gold=chunk.match.gold,
            errors=guess_errors(chunk.score, 0, chunk.match.predicted - 1),
            confidence=chunk.confidence,
            turns=chunk.match.predicted,
        )
        for episode in episodes
        for chunk in episode.chunks
        if chunk.kept and chunk.match.predicted
    ]
