"""Locates the span of turns of every sentence of a summary, then aligns each chunk with the span that fits its sentences best."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from core.alignment.config import CURVE, WindowsConfig
from core.alignment.spans import Chunk, Order, Role, Span, SummaryOutline
from core.alignment.window_chain import JUMP, ChainPriors, SpanPosteriors, locate_spans, rate_layouts
from core.alignment.window_evidence import SpanEvidence, TurnTerms
from core.bounds import Curve
from core.compiled import compiled_when_busy
from core.metrics.fitting import find_odds
from core.text.terms import TermTokenizer

_LEAST = 1.5  # turns: minimum mean of a geometric gap
_MARGIN = 20.0  # turns: minimum mean before the first and after the last sentence, for short dialogues
_PACE = 25.0  # turns per sentence: at this pace, sentences are assumed to leave nothing out
_ELSEWHERE = 1e-3  # added to a peak of 1: the first or last sentence may be far from the dialogue's ends
_FAR_OFF = 0.02  # added to a peak of 1: a part may begin far from its place in an even division
_NEAR = np.array([0.8, 0.9, 1.0, 0.9, 0.8])  # worth of an end by how far it is off: from 2 turns early to 2 turns late
_ENDS_WORTH = 0.15  # what two right ends add to a span's F1
_LIKELY = 0.02  # ends that are expected to be worth less are not tried
_LEEWAY = 30  # turns before and after the turn to which a sentence lasts, among which the likeliest end is taken
_RARE = 5.0  # nats: a summary's sections in no order are e^5 times as rare as in order
_RARE_SENTENCE = 0.5  # nats more for each sentence: where little is said, ordered sentences may seem unordered
CUT = (0.01, 0.999)
"""The least and the highest expected F1 whose odds count."""
_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WindowAlignment:
    """The located sentences of an episode; a chunk lasts to a turn if one does with the probability `lasting` (1: off).

    `curve` makes a span's confidence of its expected F1. `order` is the order by which the sentences were located.
    """

    posteriors: SpanPosteriors
    lasting: float = 1.0
    curve: Curve = CURVE
    order: Order = "held"

    def cover(self, chunk: Chunk) -> Span:
        """Return a chunk's span. Its expected F1 with the hull of its sentences' spans is high, and its ends are likely ends.

        An end chosen like this is often too early, since ends are less sure than beginnings. If one of the sentences still lasts
        at a later turn with the probability `lasting`, the likeliest end near that turn is taken.
        Sentences that are more likely unaligned than aligned are ignored. The span's score is its expected F1.
        """
        begun, lasting = self._find_ends(chunk)
        membership = _span_hull(begun, lasting)
        if not membership.any():
            return Span(None, None, 0.0, 0.0)
        starts, ends = _rate_ends(begun), _rate_ends(lasting[::-1])[::-1]
        start, end = choose_ends(membership, starts, ends, *choose_span(membership)[:2])
        reached = int(np.count_nonzero(lasting >= self.lasting)) - 1
        if reached > end:
            near = max(end, reached - _LEEWAY)
            end = near + int(np.argmax(ends[near : reached + _LEEWAY + 1]))
        score = float(2 * membership[start : end + 1].sum() / (end - start + 1 + membership.sum()))  # as in `choose_span`
        return Span(int(start), int(end), score, rate_span(score, self.curve))

    def cover_each(self) -> list[Span]:
        """Return the span of every sentence."""
        return [self.cover(Chunk(1, 0, place, place, place, "")) for place in range(len(self.posteriors.unaligned))]

    def contributions(self, chunks: Sequence[Chunk]) -> _Floats:
        """Return each turn's contribution (n_turns): every chunk distributes at most 1, by the probabilities of its turns."""
        shares = [_span_hull(*self._find_ends(chunk)) for chunk in chunks]
        total: _Floats = np.sum([share / max(share.sum(), 1.0) for share in shares], axis=0, dtype=np.float64)
        return total

    def _find_ends(self, chunk: Chunk) -> tuple[_Floats, _Floats]:
        """Return the probability that one of the chunk's sentences has begun by each turn, and that one lasts to it (n_turns).

        Sentences that are more likely unaligned than aligned do not count; all is 0 where there are no others.
        """
        rows, found = slice(chunk.first_sentence, chunk.last_sentence + 1), self.posteriors
        aligned = found.unaligned[rows] <= 0.5
        ends = (found.begun[rows], found.lasting[rows])
        begun, lasting = (each.max(axis=0) if aligned.all() else each[aligned].max(axis=0, initial=0.0) for each in ends)
        return begun, lasting


class WindowAligner:
    """Locates summaries in one dialogue. The dialogue's terms are counted once."""

    def __init__(self, turn_texts: Sequence[str], config: WindowsConfig) -> None:
        """Prepare the turns (at least one)."""
        self._config = config
        self._terms = TurnTerms(turn_texts, TermTokenizer())

    def locate(self, sentences: Sequence[str], outline: SummaryOutline | None = None) -> WindowAlignment:
        """Locate the sentences (at least one) in the turns. Without an `outline`, every sentence has the role "story".

        Where the outline leaves the order open, the likeliest is taken: in order (held), or sections or sentences in any order.
        """
        terms = self._terms.code(sentences)
        roles: list[Role] = ["story"] * len(sentences)
        outline = outline or SummaryOutline(tuple(roles))
        priors = expect_spans(outline, terms.sizes.astype(np.float64), self._terms.words, self._config)
        evidence = self._terms.weigh(terms, self._config)
        order, located = _locate(evidence, priors, outline)
        return WindowAlignment(located, self._config.end_lasting, self._config.curve, order)


def _locate(evidence: SpanEvidence, priors: ChainPriors, outline: SummaryOutline) -> tuple[Order, SpanPosteriors]:
    """Locate the sentences by the order that the outline names, else by the likeliest; all but "held" are rare."""
    if outline.order:
        return outline.order, locate_spans(evidence, free_spans(priors, outline, outline.order))
    held = locate_spans(evidence, priors)
    story = [section for section, role in zip(outline.sections, outline.roles, strict=True) if role == "story"]
    found: list[tuple[float, Order]] = [(held.log_likelihood, "held")]
    if len(set(story)) > 1:
        found.append((rate_layouts(evidence, free_spans(priors, outline, "sections")) - _RARE, "sections"))
    if len(story) > 1:
        rare = _RARE + _RARE_SENTENCE * len(story)
        found.append((rate_layouts(evidence, free_spans(priors, outline, "sentences")) - rare, "sentences"))
    order = max(found)[1]
    return order, held if order == "held" else locate_spans(evidence, free_spans(priors, outline, order))


def free_spans(priors: ChainPriors, outline: SummaryOutline, order: Order) -> ChainPriors:
    """Return priors by which each section, or sentence, of the story may begin anywhere; "held" changes nothing."""
    if order == "held":
        return priors
    story, sections = np.array(outline.roles) == "story", np.array(outline.sections)
    begins = np.append(True, sections[1:] != sections[:-1]) if order == "sections" else True
    anywhere = np.ones_like(priors.clock)
    return replace(
        priors,
        jumps=np.where(story & begins, 1.0, priors.jumps),
        first=anywhere if story[0] else priors.first,
        last=anywhere if story[-1] else priors.last,
        entries={},
    )


def expect_spans(outline: SummaryOutline, n_terms: _Floats, words: _Floats, config: WindowsConfig) -> ChainPriors:
    """Return the priors of the sentences' spans, by the distinct content terms of each and the content words of each turn."""
    roles, parts, n_turns = np.array(outline.roles), np.array(outline.parts), words.size
    story = roles == "story"
    retold = (roles == "retold")[:, None]
    passing = words + config.clock_words
    clock = passing / passing.mean()
    pace = np.where(roles == "retold", config.retold_pace, config.aside_pace)
    for part in np.unique(parts[story]):
        told = story & (parts == part)
        covered = config.story_share * n_turns / outline.n_parts / told.sum()
        pace[told] = max(_PACE * (covered / _PACE) ** config.pace_power, 2.0)
    detail = np.ones(len(roles))
    if story.any():
        detail[story] = (n_terms[story] + 1) / np.mean(n_terms[story] + 1)
    gap_shares = np.where(retold, np.array(config.retold_gap_shares), np.array(config.gap_shares))
    gap_means = np.maximum(pace[:, None] * np.array(config.gap_means), _LEAST)
    entries: dict[int, _Floats] = {}
    for part in np.unique(parts[story & (parts > 0)]):
        opener = int(np.argmax(story & (parts == part)))
        gap_shares[opener] = config.part_gap_shares
        gap_means[opener, 1] = max(gap_means[opener, 1], config.part_gap * n_turns)
        entries[opener] = _bell(n_turns, part / outline.n_parts, config.part_spread)
    turns = np.arange(n_turns)
    last = np.exp(-turns[::-1] / max(config.closing * n_turns, _MARGIN)) + _ELSEWHERE
    following = parts[story].max() + 1 if story.any() else outline.n_parts
    if following < outline.n_parts:  # a part that the summary does not tell: the last story sentence ends where it begins
        untold = _bell(n_turns, following / outline.n_parts, config.part_spread)
        last = untold if roles[-1] == "story" else untold + last
    return ChainPriors(
        length_shares=np.where(retold, np.array(config.retold_length_shares), np.array(config.length_shares)),
        length_means=np.maximum((pace * detail)[:, None] * np.array(config.length_means), 1.0),
        gap_shares=gap_shares,
        gap_means=gap_means,
        clock=clock,
        unaligned=np.where(roles == "unspoken", config.unspoken_unaligned, config.unaligned),
        first=(np.exp(-turns / max(config.opening * n_turns, _MARGIN)) + _ELSEWHERE) * clock,
        last=last,
        entries=entries,
        jumps=np.full(len(roles), JUMP),
    )


def _bell(n_turns: int, centre: float, spread: float) -> _Floats:
    """Return the relative probability of each turn, with a peak at `centre`; `centre` and `spread` are shares of all turns."""
    places = (np.arange(n_turns) + 0.5) / n_turns
    bell: _Floats = np.exp(-0.5 * ((places - centre) / spread) ** 2) + _FAR_OFF
    return bell


@compiled_when_busy
def choose_span(membership: NDArray[np.float64]) -> tuple[int, int, float]:
    """Return the first and last turn (inclusive) of the span with the highest expected F1, and that F1.

    `membership` (n_turns ≥ 1) has each turn's probability of belonging to the span. The expected F1 is approximated by the ratio
    of expectations, 2 Σ p / (length + Σ all p).

    Reference: Dinkelbach, "On Nonlinear Fractional Programming", 1967; Kadane's algorithm for the segments.
    """
    total = 0.0
    start = end = 0
    for turn in range(membership.size):
        total += membership[turn]
        if membership[turn] > membership[start]:
            start = end = turn
    value = 2 * membership[start] / (1 + total)
    low, high = 0, membership.size - 1  # the best span begins and ends with turns of positive gain
    while low < start and 2 * membership[low] <= value:
        low += 1
    while high > start and 2 * membership[high] <= value:
        high -= 1
    while True:
        best, first, last = -np.inf, 0, 0
        current, since = 0.0, 0
        for turn in range(low, high + 1):
            gain = 2 * membership[turn] - value
            if current <= 0:
                current, since = gain, turn
            else:
                current += gain
            if current > best:
                best, first, last = current, since, turn
        inside = 0.0
        for turn in range(first, last + 1):
            inside += membership[turn]
        found = 2 * inside / (last - first + 1 + total)
        if found <= value * (1 + 1e-12):
            return start, end, float(value)
        start, end, value = first, last, found


@compiled_when_busy
def choose_ends(membership: _Floats, starts: _Floats, ends: _Floats, start: int, end: int) -> tuple[int, int]:
    """Return the first and last turn (inclusive) of the span with the highest sum of its expected F1 and its ends' worth.

    `starts` and `ends` (n_turns) are the worth of each turn as the first and as the last one, from 0 to 1. They are multiplied:
    one right end is of little use without the other. `start` and `end` are the ends of the highest expected F1.
    """
    before = np.zeros(membership.size + 1)
    for turn in range(membership.size):
        before[turn + 1] = before[turn] + membership[turn]
    likely = np.flatnonzero(ends > _LIKELY)
    best, first, last = -1.0, start, end
    for one in range(membership.size):
        if starts[one] > _LIKELY or one == start:
            for place in range(-1, likely.size):  # -1 stands for `end`
                other = likely[place] if place >= 0 else end
                if other >= one:
                    value = 2 * (before[other + 1] - before[one]) / (other - one + 1 + before[-1])
                    value += _ENDS_WORTH * starts[one] * ends[other]
                    if value > best:
                        best, first, last = value, one, other
    return first, last


def _rate_ends(begun: _Floats) -> _Floats:
    """Return what each turn is expected to be worth as the first one (n_turns), of the probability to have begun by it."""
    chances = begun.copy()
    chances[1:] -= begun[:-1]
    worth: _Floats = np.convolve(chances, _NEAR)[2:-2]
    return worth


def rate_span(expected_f1: float, curve: Curve) -> float:
    """Return the probability that a span is right, which means F1 ≥ ½ with the span that a reader would choose (Platt 1999).

    A span is right more often than its expected F1 suggests: the expectation is spread over turns, but an F1 of ½ is enough.
    """
    slope, offset = curve
    return float(expit(slope * find_odds(expected_f1, *CUT) + offset))


def _span_hull(begun: _Floats, lasting: _Floats) -> _Floats:
    """Return each turn's probability of lying between the first and last turn of several spans (n_turns).

    That is P(one span has begun) + P(one span lasts) − 1, which is exact for spans in order.
    """
    hull: _Floats = np.maximum(begun + lasting - 1, 0.0)
    return hull
