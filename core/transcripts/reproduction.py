"""Recomputes CRD3's published alignments from its published chunks and counts what agrees."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.alignment.aligners import bind_turns
from core.alignment.config import AlignmentConfig
from core.alignment.contributions import turn_contributions
from core.alignment.needleman_wunsch import Path
from core.text.tokens import Tokenizer
from core.transcripts.config import FilterConfig
from core.transcripts.filters import judge_pair

PUBLISHED = AlignmentConfig(aligner="needleman-wunsch", tokenizer="tweet-lemmas", chunk_sizes=(2, 3, 4))
"""What the published alignments were made with: lemmas, against the paper's text."""
PUBLISHED_FILTER = FilterConfig(min_confidence=0.0, min_turns=2, max_turns=100)


@dataclass(frozen=True, slots=True)
class PublishedTurn:
    """A turn of CRD3's cleaned data: who speaks (NAMES) and the text (UTTERANCES joined by one space)."""

    speakers: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class PublishedPair:
    """A chunk with its published turns `start` to `end`, 0-based and inclusive, and its ALIGNMENT SCORE."""

    chunk: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class PublishedChunking:
    """The pairs of one chunk size and offset of an episode, in order; at least one."""

    size: int
    offset: int
    pairs: tuple[PublishedPair, ...]


@dataclass(frozen=True, slots=True)
class EpisodeReproduction:
    """What agreed in one episode; the figures add up over episodes.

    `pairs` and `kept` count the published pairs by chunk size, before and after the filter, `kept_again` those that the filter
    keeps of the recomputed ones. `iou` is the sum of intersections over unions. `score_sums` and `turn_counts` are per speaker,
    over the turns with a single speaker (table 2).
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
    """Align the published chunks of an episode anew (eq. 2 and 3) and compare the spans.

    `tokenizer` should be `tweet-lemmas`: with `tweet` about 80 % of the spans come out identical.
    """
    paths: list[Path] = []
    align = bind_turns([turn.text for turn in turns], PUBLISHED, tokenizer, observe=paths.append)
    compared = [
        (chunking, pair, span)
        for chunking in chunkings
        for pair, span in zip(chunking.pairs, align([pair.chunk for pair in chunking.pairs]), strict=True)
    ]
    same = [(pair.start, pair.end) == (span.start, span.end) for _, pair, span in compared]
    sizes = [chunking.size for chunking in chunkings]
    contributions = turn_contributions(list(zip(sizes, paths, strict=True)), len(turns))
    sums: Counter[str] = Counter()
    for turn, contribution in zip(turns, contributions.tolist(), strict=True):
        if len(turn.speakers) == 1:
            sums[turn.speakers[0]] += contribution
    return EpisodeReproduction(
        episode=episode,
        identical=sum(same),
        identical_scores=sum(span.score == pair.score for _, pair, span in compared),
        iou=sum(_iou((pair.start, pair.end), (span.start, span.end)) for _, pair, span in compared),
        pairs=Counter(chunking.size for chunking, _, _ in compared),
        kept=Counter(c.size for c, pair, _ in compared if _kept(pair.chunk, pair.start, pair.end, c)),
        kept_again=Counter(c.size for c, pair, span in compared if _kept(pair.chunk, span.start, span.end, c)),
        score_sums=sums,
        turn_counts=Counter(turn.speakers[0] for turn in turns if len(turn.speakers) == 1),
    )


def summarise_reproduction(results: Iterable[EpisodeReproduction], split: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    """Add the episodes up, in any order, to one JSON object.

    `split` maps train, validation and test to episodes; episodes in none count as `unassigned`, a key only there if needed.

    Returns `episodes`, `alignments` (spans compared), `identical` (share with the same start and end), `identical_scores` (share
    with the same ALIGNMENT SCORE bit for bit), `mean_iou`, `pairs`, `kept` of the published spans and `kept_again` of the
    recomputed ones, `by_chunk_size` (table 3), `split` (kept pairs) and `contributions` (table 2: mean and turns of the ten
    speakers with the most turns).

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
    return judge_pair(chunk, start, end, None, len(chunking.pairs), PUBLISHED_FILTER) is None


def _iou(published: tuple[int, int], found: tuple[int | None, int | None]) -> float:
    start, end = found
    if start is None or end is None:
        return 0.0
    shared = max(min(published[1], end) - max(published[0], start) + 1, 0)
    return shared / (published[1] - published[0] + end - start + 2 - shared)
