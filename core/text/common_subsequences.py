"""Measures the longest common subsequences of all texts of one side with all texts of the other, 64 tokens at a time."""

import numpy as np

from core.compiled import compiled, kernel_part
from core.text.numbering import Codes

_ONE, _ALL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
_TWOS, _FOURS, _EIGHTS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)


@compiled
def measure_common_subsequences(texts: Codes, bounds: Codes, others: Codes, other_bounds: Codes, n_codes: int) -> Codes:
    """Return the length of the longest common subsequence of every text with every other text (n_texts × n_others).

    Text i is `texts[bounds[i] : bounds[i + 1]]`, other text j is `others[other_bounds[j] : other_bounds[j + 1]]`. All codes are
    from 0 to `n_codes` − 1. Time O(tokens of the texts · tokens of the others / 64).

    Reference: Hyyrö, "Bit-Parallel LCS-length Computation Revisited", 2004.
    """
    n_texts, n_others = bounds.size - 1, other_bounds.size - 1
    lengths = np.zeros((n_texts, n_others), np.int64)
    masks = np.zeros(n_codes, np.uint64)  # by code, its places among the 64 tokens
    carries = np.zeros(texts.size, np.uint64)  # by token of the texts, the carry from one 64 tokens to the next
    for other in range(n_others):
        start, end = other_bounds[other], other_bounds[other + 1]
        carries[:] = 0
        while start < end:
            width = min(64, end - start)
            for bit in range(width):
                masks[others[start + bit]] |= _ONE << np.uint64(bit)
            for text in range(n_texts):
                row = _ALL
                if end - other_bounds[other] <= 64:  # nothing to carry
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


@kernel_part
def _count_bits(word: np.uint64) -> np.int64:
    """Return the number of bits that are 1, by sums of neighbouring groups of bits."""
    word -= (word >> np.uint64(1)) & _TWOS
    word = (word & _FOURS) + ((word >> np.uint64(2)) & _FOURS)
    word = (word + (word >> np.uint64(4))) & _EIGHTS
    return np.int64((word * _BYTES) >> np.uint64(56))
