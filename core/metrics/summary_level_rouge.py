"""ROUGE-Lsum of coded sentences, equal to rouge-score's `rougeLsum`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled
from core.metrics.coded_texts import bounds_of, join_codes
from core.metrics.rouge import RougeScore, make_score
from core.text.numbering import Codes, count_numbers, number_keys


def score_rouge_lsum(reference: Sequence[Codes], candidate: Sequence[Codes]) -> RougeScore:
    """Return ROUGE-Lsum: the sentences of `candidate` against those of `reference`, by the union of longest common subsequences.

    Among subsequences of equal length, the one of rouge-score's traceback counts. No token counts twice. Time grows with the
    product of the lengths of the texts, memory with that of two sentences.

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


@compiled
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
