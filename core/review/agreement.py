"""How people judge and how far they agree: scores, comparisons, intervals; exact and rough agreement, Krippendorff's alpha."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any, TypeVar

import numpy as np
from scipy.stats import binomtest, fisher_exact

from core.metrics.alignment_quality import measure_overlap
from core.metrics.estimates import Estimate, bootstrap_means
from core.review.decisions import is_hasty
from core.review.judgements import COMPARISONS, LEVEL_QUESTIONS, SCALE, Answer, Judgement, TurnSpan, group_by_item, keep_latest

Value = TypeVar("Value")
Difference = Callable[[Value, Value], float]


def measure_alpha(units: Sequence[Sequence[Value]], difference: Difference[Value]) -> float | None:
    """Return 1 − the observed over the expected disagreement: 1 where all agree, 0 where annotators agree as chance would.

    Units with fewer than two answers are left out. None where fewer than two units are left, or where no two answers differ: then
    chance would give the same, and nothing can be said. Time O(n²) for n answers, each different value compared once.

    Args:
        units: the answers of the annotators to each unit, in any order; an annotator who gave none is left out.
        difference: how much two answers differ, ≥ 0, and 0 for equal ones (the metric δ², such as `differ_nominally`).

    Reference: Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.
    """
    paired = [list(unit) for unit in units if len(unit) > 1]
    total = sum(len(unit) for unit in paired)
    if len(paired) < 2:
        return None
    observed = sum(sum(difference(*pair) for pair in permutations(unit, 2)) / (len(unit) - 1) for unit in paired) / total
    counts = Counter(value for unit in paired for value in unit)
    expected = sum(
        counts[one] * counts[other] * difference(one, other) for one, other in permutations(counts, 2)
    ) / (total * (total - 1))  # fmt: skip
    return 1 - observed / expected if expected else None


def differ_nominally(one: object, other: object) -> float:
    """Return 0 for equal answers and 1 for others: labels, yes and no."""
    return float(one != other)


def differ_as_numbers(one: float, other: float) -> float:
    """Return the squared difference: answers on a scale whose steps are equally wide (the interval metric)."""
    return float((one - other) ** 2)


_MIDDLE = (SCALE + 1) // 2


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """The mean score of `items` judged items, each the mean of its annotators, with its interval."""

    items: int
    score: Estimate


@dataclass(frozen=True, slots=True)
class Comparison:
    """Pairwise judgements from the item's side: `levels` has the count of each level, 1 (significantly worse) to 5.

    `worse`, `same` and `better` are the shares of the coarse categories (table 4.6).
    """

    levels: tuple[int, ...]
    worse: float
    same: float
    better: float


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """Pairs of annotators of one item: how many, and the shares that answered the same exactly and roughly (section 4.4)."""

    pairs: int
    exact: float
    rough: float


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Whether the place at which an item was shown changed the answers, over those that preferred one of the two.

    `preferred_first` and `preferred_second` are the shares that preferred the item where it was shown first and second (None: it
    never was), with `first` and `second` such answers. `p_value` is Fisher's exact test that they are equal.
    """

    first: int
    second: int
    preferred_first: float | None
    preferred_second: float | None
    p_value: float


def rate_items(judgements: Iterable[Judgement]) -> JudgedScore | None:
    """Return the mean score of the items that were judged for `interactions` or `sense`, or None without any.

    The 95 % interval is a percentile bootstrap over items. Raises ValueError if an answer has no score.

    Reference: thesis, sections 4.1 (categorical) and 4.2 (continuous).
    """
    scores = [float(np.mean([score_answer(entry.answer) for entry in group])) for group in group_by_item(judgements).values()]
    if not scores:
        return None
    (estimate,) = bootstrap_means(np.asarray(scores)[:, None])
    return JudgedScore(len(scores), estimate)


def compare_items(judgements: Iterable[Judgement]) -> Comparison | None:
    """Count the answers to comparisons from the side of the item, wherever it was shown; None without answers.

    Reference: thesis, section 4.4, tables 4.6 to 4.10.
    """
    counts = Counter(_level_of_item(judgement) for judgement in judgements)
    total = counts.total()
    if not total:
        return None
    levels = tuple(counts[level] for level in range(1, SCALE + 1))
    worse, better = sum(levels[: _MIDDLE - 1]), sum(levels[_MIDDLE:])
    return Comparison(levels, worse / total, counts[_MIDDLE] / total, better / total)


def measure_agreement(judgements: Iterable[Judgement]) -> AnnotatorAgreement | None:
    """Compare every two annotators of one item; None where no item has two.

    Levels agree roughly if both lie above, both below or both at the middle; lists of interactions if more than half of the
    interactions have the same answer; spans of turns if their F1 is ½ or more; lists of scenes if they share one; any other
    answers if they are equal.

    Reference: thesis, section 4.4: "roughly agree" and "exactly match".
    """
    groups = group_by_item(judgements).values()
    pairs = [
        (one, other)
        for group in groups
        for one, other in combinations(group, 2)
        if one.annotator != other.annotator and one.question == other.question
    ]
    if not pairs:
        return None
    exact = sum(answer_of_item(one) == answer_of_item(other) for one, other in pairs)
    rough = sum(_agree_roughly(one.question, answer_of_item(one), answer_of_item(other)) for one, other in pairs)
    return AnnotatorAgreement(len(pairs), exact / len(pairs), rough / len(pairs))


def measure_position_bias(judgements: Iterable[Judgement]) -> PositionBias | None:
    """Test whether annotators prefer what they see at one place; None without answers that prefer one of the two.

    Without bias an item is preferred as often at the first place as at the second. Where it was shown at one place only, the
    binomial test that half of the answers prefer it is all that can be done, and it cannot tell bias from quality.

    Reference: thesis, section 4.4: the answers turned round when the order of the pairs did.
    """
    preferred: Counter[tuple[int, bool]] = Counter()
    for judgement in judgements:
        if (level := _level_of_item(judgement)) != _MIDDLE:
            preferred[judgement.position or 1, level > _MIDDLE] += 1
    first, second = (preferred[place, True] + preferred[place, False] for place in (1, 2))
    if not first + second:
        return None
    if first and second:
        table = np.array([[preferred[place, True], preferred[place, False]] for place in (1, 2)])
        p_value = float(fisher_exact(table).pvalue)
    else:
        p_value = float(binomtest(preferred[1, True] + preferred[2, True], first + second).pvalue)
    shares = [preferred[place, True] / total if total else None for place, total in ((1, first), (2, second))]
    return PositionBias(first, second, shares[0], shares[1], p_value)


def score_answer(answer: Answer) -> float:
    """Return the level of an answer, 1 to 5: of judged interactions from 1 (none is good) to 5 (all are).

    Raises ValueError where it has none.

    Reference: thesis, sections 4.1 (categorical) and 4.2 (continuous, table 4.2).
    """
    if isinstance(answer, tuple):
        return 1 + 4 * sum(answer) / len(answer)
    if isinstance(answer, int) and not isinstance(answer, bool):
        return float(answer)
    raise ValueError(f"found the answer {answer!r}: expected interactions or a level")


def _level_of_item(judgement: Judgement) -> int:
    """Return the level of the answer as if the item had been shown first."""
    answer = judgement.answer
    if judgement.question not in COMPARISONS or not isinstance(answer, int):
        raise ValueError(f"found an answer to {judgement.question!r}: expected comparisons ({', '.join(COMPARISONS)})")
    return answer if judgement.position == 1 else SCALE + 1 - answer


def answer_of_item(judgement: Judgement) -> Answer:
    """Return the answer; that of a comparison as if the item had been shown first."""
    return _level_of_item(judgement) if judgement.question in COMPARISONS else judgement.answer


def _agree_roughly(question: str, one: Answer, other: Answer) -> bool:
    if isinstance(one, TurnSpan) and isinstance(other, TurnSpan):
        return measure_overlap((one.start, one.end), (other.start, other.end)) >= 0.5
    if question == "links" and isinstance(one, tuple) and isinstance(other, tuple):
        return bool(set(one) & set(other)) or one == other
    if isinstance(one, tuple) and isinstance(other, tuple):
        same = sum(a == b for a, b in zip(one, other, strict=False))
        return 2 * same > max(len(one), len(other))
    if question in LEVEL_QUESTIONS and isinstance(one, int) and isinstance(other, int):
        return bool(np.sign(one - _MIDDLE) == np.sign(other - _MIDDLE))
    return one == other


_RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Rating:
    """A mean over `rows` rows of `units` units."""

    rows: int
    units: int
    mean: Estimate


def rate_rows(values: Sequence[float], owners: Sequence[str]) -> Rating | None:
    """Return the mean of the rows' values, None without rows.

    The interval is a percentile bootstrap over units (95 %), since rows of one unit are alike.

    `values` are levels, or 1 for a row that annotators accept and 0 for one that they do not; `owners` the rows' units.
    """
    if not values:
        return None
    names, places = np.unique(np.asarray(owners), return_inverse=True)
    sums = np.bincount(places, weights=np.asarray(values, float))
    counts = np.bincount(places).astype(float)
    drawn = np.random.default_rng(0).multinomial(len(names), np.full(len(names), 1 / len(names)), _RESAMPLES)
    low, high = np.quantile((drawn @ sums) / (drawn @ counts), [0.025, 0.975])
    return Rating(len(values), len(names), Estimate(float(sums.sum() / counts.sum()), float(low), float(high)))


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """The answers to a question: how many count and how many were too fast; agreement where items have two annotators."""

    question: str
    answers: int
    hasty: int
    items: int
    pairs: int
    exact: float | None
    rough: float | None
    alpha: float | None
    position_bias: PositionBias | None


_SEEN = ("question", "item", "digest", "other", "annotator")
"""What tells answers apart, whatever the release: what an annotator saw is in the digest."""


def measure_questions(judgements: Iterable[Judgement]) -> list[QuestionAgreement]:
    """Return the agreement on each question, in the order of their names; answers that were too fast do not count.

    Alpha compares levels as numbers (the interval metric), spans by 1 − F1, and anything else by equality.
    """
    asked: defaultdict[str, list[Judgement]] = defaultdict(list)
    hasty: defaultdict[str, int] = defaultdict(int)
    for judgement in keep_latest(judgements, _SEEN):
        hasty[judgement.question] += is_hasty(judgement)
        asked[judgement.question] += [] if is_hasty(judgement) else [judgement]
    return [_measure(question, answers, hasty[question]) for question, answers in sorted(asked.items())]


def _measure(question: str, answers: list[Judgement], hasty: int) -> QuestionAgreement:
    items: defaultdict[tuple[str | None, ...], list[Judgement]] = defaultdict(list)
    for answer in answers:
        items[answer.item, answer.digest, answer.other].append(answer)
    found = measure_agreement(replace(each, version="") for each in answers)  # annotators may have seen other releases of a text
    units = [[answer_of_item(each) for each in group] for group in items.values()]
    difference: Any = differ_nominally
    if question == "span":
        difference = _differ_by_overlap
    elif question in LEVEL_QUESTIONS:
        difference = differ_as_numbers
    return QuestionAgreement(
        question=question,
        answers=len(answers),
        hasty=hasty,
        items=len(items),
        pairs=0 if found is None else found.pairs,
        exact=None if found is None else found.exact,
        rough=None if found is None else found.rough,
        alpha=measure_alpha(units, difference),
        position_bias=measure_position_bias(answers) if question in COMPARISONS and answers else None,
    )


def _differ_by_overlap(one: Answer, other: Answer) -> float:
    if isinstance(one, TurnSpan) and isinstance(other, TurnSpan):
        return 1 - measure_overlap((one.start, one.end), (other.start, other.end))
    return differ_nominally(one, other)
