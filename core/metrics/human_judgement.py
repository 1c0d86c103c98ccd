"""Measures of judged dialogues (thesis, chapter 4): scores, comparisons, agreement of readers, and the effect of the position."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.stats import binomtest, fisher_exact

from core.metrics.alignment_quality import Estimate, bootstrap_means
from core.metrics.span_agreement import measure_overlap
from core.review.judgements import COMPARISONS, LEVEL_QUESTIONS, SCALE, Answer, Judgement, TurnSpan, group_by_item

_MIDDLE = (SCALE + 1) // 2


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """The mean score of `items` judged items, each the mean of its readers, with its interval."""

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
class ReaderAgreement:
    """Pairs of readers of one item: how many, and the shares that answered the same exactly and roughly (section 4.4)."""

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


def score_interactions(good: Sequence[int]) -> float:
    """Return 1 + 4 · the share of good interactions: 1 (none) to 5 (all). Raises ValueError without interactions.

    Reference: thesis, section 4.2, table 4.2.
    """
    if not good:
        raise ValueError("found no interactions: expected at least one judged interaction")
    return 1 + 4 * sum(good) / len(good)


def rate_items(judgements: Iterable[Judgement], level: float = 0.95, seed: int = 0) -> JudgedScore | None:
    """Return the mean score of the items that were judged for `interactions` or `sense`, or None without any.

    The interval is a percentile bootstrap over items. Raises ValueError if an answer has no score.

    Reference: thesis, sections 4.1 (categorical) and 4.2 (continuous).
    """
    scores = [float(np.mean([score_answer(entry.answer) for entry in group])) for group in group_by_item(judgements).values()]
    if not scores:
        return None
    (estimate,) = bootstrap_means(np.asarray(scores)[:, None], level, 10_000, seed)
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


def measure_agreement(judgements: Iterable[Judgement]) -> ReaderAgreement | None:
    """Compare every two readers of one item; None where no item has two.

    Levels agree roughly if both lie above, both below or both at the middle; lists of interactions if more than half of the
    interactions have the same answer; spans of turns if their F1 is ½ or more; lists of scenes if they share one; any other
    answers if they are equal.

    Reference: thesis, section 4.4: "roughly agree" and "exactly match".
    """
    groups = group_by_item(judgements).values()
    pairs = [pair for group in groups for pair in combinations(group, 2) if _are_of_two_readers(*pair)]
    if not pairs:
        return None
    exact = sum(answer_of_item(one) == answer_of_item(other) for one, other in pairs)
    rough = sum(_agree_roughly(one.question, answer_of_item(one), answer_of_item(other)) for one, other in pairs)
    return ReaderAgreement(len(pairs), exact / len(pairs), rough / len(pairs))


def measure_position_bias(judgements: Iterable[Judgement]) -> PositionBias | None:
    """Test whether readers prefer what they see at one place; None without answers that prefer one of the two.

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


def _are_of_two_readers(one: Judgement, other: Judgement) -> bool:
    return one.reader != other.reader and one.question == other.question


def score_answer(answer: Answer) -> float:
    """Return the level of an answer, 1 to 5; ValueError where it has none.

    Reference: thesis, sections 4.1 (categorical) and 4.2 (continuous).
    """
    if isinstance(answer, tuple):
        return score_interactions(answer)
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
