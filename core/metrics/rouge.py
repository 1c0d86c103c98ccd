"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum of coded texts, equal to rouge-score."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from core.compiled import compiled, kernel_part
from core.metrics.coded_texts import bounds_of, join_codes
from core.text.numbering import Codes, count_numbers, look_up_all, number_keys, pair_keys


@dataclass(frozen=True, slots=True)
class RougeScore:
    """One ROUGE measure of a candidate against a reference. Each figure is from 0 to 1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class RougeScores:
    """ROUGE-1, ROUGE-2 and ROUGE-L of a candidate against a reference."""

    rouge1: RougeScore
    rouge2: RougeScore
    rouge_l: RougeScore


def score_rouge(reference: Codes, candidate: Codes) -> RougeScores:
    """Score `candidate` against `reference`, both coded by one coder; a text without tokens scores 0.

    n-grams are counted in whole texts, with clipped counts. The longest common subsequence is that of the whole texts.

    Reference: Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004; SumTitles, eq. 5.
    """
    unigrams, bigrams, own, others = _count_common(reference, candidate)
    common = LCSseq.similarity(own.tolist(), others.tolist())
    n_reference, n_candidate = reference.size, candidate.size
    return RougeScores(
        make_score(unigrams, n_reference, n_candidate),
        make_score(bigrams, n_reference - 1, n_candidate - 1),
        make_score(common, n_reference, n_candidate),
    )


def make_score(common: int, n_reference: int, n_candidate: int) -> RougeScore:
    """Return precision, recall and F1 of `common` units shared by reference and candidate; 0 if there are none."""
    if common <= 0:
        return RougeScore(0.0, 0.0, 0.0)
    return RougeScore(common / n_candidate, common / n_reference, 2 * common / (n_reference + n_candidate))


@compiled
def _count_common(reference: Codes, candidate: Codes) -> tuple[int, int, Codes, Codes]:
    """Return how many unigrams and bigrams are common (clipped), the reference's tokens by number, and those that it shares."""
    numbers, table, count = number_keys(reference)
    others = look_up_all(table, candidate)
    unigrams = _clip(numbers, others, count)
    pairs, pair_table, pair_count = number_keys(pair_keys(numbers, count))
    bigrams = _clip(pairs, look_up_all(pair_table, pair_keys(others, count)), pair_count)
    return unigrams, bigrams, numbers, others[others >= 0]


@kernel_part
def _clip(numbers: Codes, others: Codes, count: int) -> int:
    """Return Σ min(count in `numbers`, count in `others`) over the numbers."""
    left = count_numbers(numbers, count)
    common = 0
    for number in others:
        if number >= 0 and left[number] > 0:
            left[number] -= 1
            common += 1
    return common


def score_rouge_lsum(reference: Sequence[Codes], candidate: Sequence[Codes]) -> RougeScore:
    """Return ROUGE-Lsum: the sentences of `candidate` against those of `reference`, by the union of longest common subsequences.

    Among subsequences of equal length, the one of rouge-score's traceback counts. No token counts twice.

    Reference: Lin 2004, section 3.2, as in ROUGE 1.5.5.
    """
    own, other = join_codes(reference), join_codes(candidate)
    if not own.size or not other.size:
        return RougeScore(0.0, 0.0, 0.0)
    numbers = number_keys(np.concatenate([own, other]))[0]
    hits = _count_hits(numbers[: own.size], bounds_of(reference), numbers[own.size :], bounds_of(candidate))
    return make_score(hits, own.size, other.size)


@compiled
def _count_hits(own: Codes, own_bounds: Codes, other: Codes, other_bounds: Codes) -> int:
    count = max(own.max(), other.max()) + 1
    own_left, other_left = count_numbers(own, count), count_numbers(other, count)
    hits = 0
    for sentence in range(own_bounds.size - 1):
        tokens = own[own_bounds[sentence] : own_bounds[sentence + 1]]
        common = np.zeros(tokens.size, np.bool_)
        for against in range(other_bounds.size - 1):
            _mark_subsequence(tokens, other[other_bounds[against] : other_bounds[against + 1]], common)
        for place in range(tokens.size):
            token = tokens[place]
            if common[place] and own_left[token] > 0 and other_left[token] > 0:
                hits += 1
                own_left[token] -= 1
                other_left[token] -= 1
    return hits


@kernel_part
def _mark_subsequence(own: Codes, other: Codes, common: NDArray[np.bool_]) -> None:
    """Mark the tokens of `own` on one longest common subsequence: diagonal if equal, else left if better, else up."""
    table = np.zeros((own.size + 1, other.size + 1), np.int32)
    for i in range(own.size):
        for j in range(other.size):
            table[i + 1, j + 1] = table[i, j] + 1 if own[i] == other[j] else max(table[i, j + 1], table[i + 1, j])
    i, j = own.size, other.size
    while i > 0 and j > 0:
        if own[i - 1] == other[j - 1]:
            common[i - 1] = True
            i -= 1
            j -= 1
        elif table[i, j - 1] > table[i - 1, j]:
            j -= 1
        else:
            i -= 1
