"""Lengths of longest common subsequences: the bit-parallel algorithm, for all texts of one side and all of the other."""

import numpy as np

from core.compiled import compiled
from core.text.numbering import Codes

_ONE, _ALL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
_TWOS, _FOURS, _EIGHTS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)


@compiled
def measure_common_subsequences(texts: Codes, bounds: Codes, others: Codes, other_bounds: Codes, n_codes: int) -> Codes:
    """Return the length of the longest common subsequence of every text and every other one (n_texts × n_others).

    Text i is `texts[bounds[i] : bounds[i + 1]]`; all codes are from 0 to `n_codes` − 1. Of the other text, 64 tokens are compared
    at a time: time is the product of the lengths / 64. What is carried from these 64 to the next is kept per token of the texts.

    Reference: Hyyrö, "Bit-Parallel LCS-length Computation Revisited", 2004.
    """
    n_texts, n_others = bounds.size - 1, other_bounds.size - 1
    lengths = np.zeros((n_texts, n_others), np.int64)
    masks, carries = np.zeros(n_codes, np.uint64), np.zeros(texts.size, np.uint64)
    for other in range(n_others):
        start, end = other_bounds[other], other_bounds[other + 1]
        carries[:] = 0
        while start < end:
            width = min(64, end - start)
            for bit in range(width):
                masks[others[start + bit]] |= _ONE << np.uint64(bit)
            for text in range(n_texts):
                row = _ALL
                if end - other_bounds[other] <= 64:
                    for place in range(bounds[text], bounds[text + 1]):
                        mask = masks[texts[place]]
                        row = (row + (row & mask)) | (row & ~mask)
                else:
                    for place in range(bounds[text], bounds[text + 1]):
                        mask = masks[texts[place]]
                        doubled = row + (row & mask)
                        carried = doubled + carries[place]
                        carries[place] = np.uint64(doubled < row) | np.uint64(carried < doubled)
                        row = carried | (row & ~mask)
                lengths[text, other] += _count_bits(~row & (_ALL >> np.uint64(64 - width)))
            for bit in range(width):
                masks[others[start + bit]] = 0
            start += 64
    return lengths


@compiled
def _count_bits(word: np.uint64) -> np.int64:
    word -= (word >> np.uint64(1)) & _TWOS
    word = (word & _FOURS) + ((word >> np.uint64(2)) & _FOURS)
    word = (word + (word >> np.uint64(4))) & _EIGHTS
    return np.int64((word * _BYTES) >> np.uint64(56))
