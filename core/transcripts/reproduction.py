"""Recomputes CRD3's published alignments from its published chunks, and counts how many agree."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.alignment.aligners import bind_turns
from core.alignment.config import AlignmentConfig
from core.alignment.needleman_wunsch import Path, turn_contributions
from core.alignment.spans import Span
from core.metrics.alignment_quality import match_span
from core.text.tokens import Tokenizer
from core.transcripts.config import FilterConfig
from core.transcripts.rows import judge_pair

PUBLISHED = AlignmentConfig(aligner="needleman-wunsch", tokenizer="tweet-lemmas", chunk_sizes=(2, 3, 4))
"""The settings that reproduce the published alignments. They compare lemmas, contrary to the paper's text."""
PUBLISHED_FILTER = FilterConfig(min_confidence=0.0, min_turns=2, max_turns=100, min_chunks=10)


@dataclass(frozen=True, slots=True)
class PublishedTurn:
    """A turn of CRD3's cleaned data: its speakers (NAMES) and its text (UTTERANCES joined by one space)."""

    speakers: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class PublishedPair:
    """A chunk, its published span of turns (`start` to `end`, 0-based, inclusive) and its ALIGNMENT SCORE."""

    chunk: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class PublishedChunking:
    """All pairs of an episode that have one chunk size and offset, in order; at least one pair."""

    size: int
    offset: int
    pairs: tuple[PublishedPair, ...]


@dataclass(frozen=True, slots=True)
class EpisodeReproduction:
    """How far the recomputed alignments of one episode agree with the published ones. The figures add up over episodes.

    `pairs` counts the published pairs by chunk size, `kept` those that pass the filter, and `kept_again` the recomputed pairs
    that pass it. `score_sums` and `turn_counts` are by speaker, over the turns with a single speaker (table 2).
    """

    episode: str
    identical: int = 0
    identical_scores: int = 0
    iou: float = 0.0
    pairs: Counter[int] = field(default_factory=Counter)
    kept: Counter[int] = field(default_factory=Counter)
    kept_again: Counter[int] = field(default_factory=Counter)
    score_sums: Counter[str] = field(default_factory=Counter)
    turn_counts: Counter[str] = field(default_factory=Counter)


def reproduce_alignments(
    episode: str, turns: Sequence[PublishedTurn], chunkings: Sequence[PublishedChunking], tokenizer: Tokenizer
) -> EpisodeReproduction:
    """Align the published chunks of an episode again and compare the spans with the published ones."""
    paths: list[Path] = []
    align = bind_turns([turn.text for turn in turns], PUBLISHED, tokenizer, observe=paths.append)
    compared = [
        (chunking, pair, span)
        for chunking in chunkings
        for pair, span in zip(chunking.pairs, align([pair.chunk for pair in chunking.pairs]), strict=True)
    ]
    matches = [match_span(span.start, span.end, pair.start, pair.end) for _, pair, span in compared]
    sizes = [chunking.size for chunking in chunkings]
    contributions = turn_contributions(list(zip(sizes, paths, strict=True)), len(turns))
    sums: Counter[str] = Counter()
    for turn, contribution in zip(turns, contributions.tolist(), strict=True):
        if len(turn.speakers) == 1:
            sums[turn.speakers[0]] += contribution
    return EpisodeReproduction(
        episode=episode,
        identical=sum((pair.start, pair.end) == (span.start, span.end) for _, pair, span in compared),
        identical_scores=sum(span.score == pair.score for _, pair, span in compared),
        iou=sum(match.inside / (match.predicted + match.gold - match.inside) for match in matches),
        pairs=Counter(chunking.size for chunking, _, _ in compared),
        kept=Counter(c.size for c, pair, _ in compared if _kept(pair.chunk, pair.start, pair.end, c)),
        kept_again=Counter(c.size for c, pair, span in compared if _kept(pair.chunk, span.start, span.end, c)),
        score_sums=sums,
        turn_counts=Counter(turn.speakers[0] for turn in turns if len(turn.speakers) == 1),
    )


def summarise_reproduction(results: Iterable[EpisodeReproduction], split: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    """Add up the figures of all episodes and return them as one JSON object; `split` has the episodes of each split by its name.

    Returns:
        `episodes`, and `alignments`: the number of spans compared;
        `identical`: the share of spans with the same start and end;
        `identical_scores`: the share with the same ALIGNMENT SCORE, bit for bit;
        `mean_iou`: the mean intersection over union;
        `pairs`, `kept` and `kept_again`: the published pairs, those that pass the filter, the recomputed ones that pass it;
        `by_chunk_size`: `pairs` and `kept` by chunk size (table 3);
        `split`: the kept pairs by split, and under `unassigned` those of episodes without a split, if there are any;
        `contributions`: mean and number of turns of the ten speakers with the most turns (table 2).

    Reference: CRD3, section 4.1, tables 2 and 3.
    """
    total = EpisodeReproduction("all")
    split_of = {episode: name for name, episodes in split.items() for episode in episodes}
    kept_by_split: Counter[str] = Counter(dict.fromkeys(split, 0))
    episodes, identical, identical_scores, iou = 0, 0, 0, 0.0
    for result in sorted(results, key=lambda result: result.episode):
        episodes += 1
        identical += result.identical
        identical_scores += result.identical_scores
        iou += result.iou
        for name in ("pairs", "kept", "kept_again", "score_sums", "turn_counts"):
            getattr(total, name).update(getattr(result, name))
        kept_by_split[split_of.get(result.episode, "unassigned")] += result.kept.total()
    pairs = total.pairs.total()
    return {
        "episodes": episodes,
        "alignments": pairs,
        "identical": identical / pairs if pairs else 0.0,
        "identical_scores": identical_scores / pairs if pairs else 0.0,
        "mean_iou": iou / pairs if pairs else 0.0,
        "pairs": pairs,
        "kept": total.kept.total(),
        "kept_again": total.kept_again.total(),
        "by_chunk_size": {str(size): {"pairs": total.pairs[size], "kept": total.kept[size]} for size in sorted(total.pairs)},
        "split": dict(kept_by_split),
        "contributions": {
            name: {"mean": total.score_sums[name] / turns, "turns": turns} for name, turns in total.turn_counts.most_common(10)
        },
    }


def _kept(chunk: str, start: int | None, end: int | None, chunking: PublishedChunking) -> bool:
    return judge_pair(chunk, Span(start, end, 0.0), len(chunking.pairs), PUBLISHED_FILTER) is None
