"""Kernels that number the distinct keys of one text, and find the same keys in another: hashing for compiled code.

Other modules' kernels call these. numba's cache compiles a kernel anew only where its own file has changed: after a change of
what one of these returns, remove `__pycache__/*.nb?` here.
"""

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled

Codes = NDArray[np.int64]
KeyTable = tuple[Codes, Codes]
"""Open addressing: the keys (−1 where a slot is free) and their numbers; the size is a power of two, at least half free."""


@compiled
def _find_slot(keys: Codes, key: int) -> int:
    mask = keys.size - 1
    mixed = key * 0x9E3779B97F4A7C1
    slot = (mixed ^ (mixed >> 29)) & mask
    while keys[slot] != key and keys[slot] != -1:
        slot = (slot + 1) & mask
    return slot


@compiled
def number_keys(keys: Codes) -> tuple[Codes, KeyTable, int]:
    """Return the numbers of `keys` (≥ 0) in order of appearance, the table to look others up in, and how many are distinct."""
    size = 8
    while size < 2 * keys.size:
        size *= 2
    table = (np.full(size, -1, np.int64), np.zeros(size, np.int64))
    numbers = np.empty(keys.size, np.int64)
    count = 0
    for place in range(keys.size):
        slot = _find_slot(table[0], keys[place])
        if table[0][slot] == -1:
            table[0][slot] = keys[place]
            table[1][slot] = count
            count += 1
        numbers[place] = table[1][slot]
    return numbers, table, count


@compiled
def look_up(table: KeyTable, key: int) -> int:
    """Return the number of `key` (≥ 0), −1 where the table does not have it."""
    slot = _find_slot(table[0], key)
    return table[1][slot] if table[0][slot] == key else -1


@compiled
def look_up_all(table: KeyTable, keys: Codes) -> Codes:
    """Return the number of every key, −1 for those below 0 and those that the table does not have."""
    numbers = np.empty(keys.size, np.int64)
    for place in range(keys.size):
        numbers[place] = look_up(table, keys[place]) if keys[place] >= 0 else -1
    return numbers


@compiled
def pair_keys(numbers: Codes, count: int) -> Codes:
    """Return a key for each two neighbours of `numbers` (below `count`), −1 where one of them has no number."""
    keys = np.empty(max(numbers.size - 1, 0), np.int64)
    for place in range(keys.size):
        left, right = numbers[place], numbers[place + 1]
        keys[place] = left * count + right if left >= 0 and right >= 0 else -1
    return keys


@compiled
def count_numbers(numbers: Codes, count: int) -> Codes:
    """Return how often each number from 0 to `count` − 1 occurs; numbers below 0 are passed over."""
    counts = np.zeros(count, np.int64)
    for number in numbers:
        if number >= 0:
            counts[number] += 1
    return counts
