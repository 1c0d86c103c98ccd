"""Numbers the distinct pieces of text, n-grams or keys from 0 up, in order of appearance, by one compiled hash table.

Each entry has a number and a 64-bit key: `keys[number]` is the key of entry `number`. The key's hash selects a slot, and the
first free slot from there on gets the entry's number. The number of slots is a power of two, and at most half of them are used.

All kernels of the table are in this module, because numba recompiles a kernel only if its own file has changed; after a change
of what they return, delete `core/metrics/__pycache__/*.nb?`.
"""

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled, compiled_when_busy, kernel_part

Codes = NDArray[np.int64]
"""Numbers of words, n-grams or keys; also the bounds of texts in an array of such numbers."""

Characters = NDArray[np.uint32]
Slots = NDArray[np.int32]
Keys = NDArray[np.uint64]
KeyTable = tuple[Slots, Keys]
"""The table that `number_keys` makes, for later look-ups."""

_FREE = -1
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / φ puts neighbouring keys into distant slots
_FNV_START, _FNV_PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_NOTHING, _BYTE, _HALF = np.uint64(0), np.uint64(8), np.uint64(32)
_PACKED_START, _NOT_PACKED = np.uint64(1), np.uint64(1 << 63)
# The key of up to seven Latin-1 characters is a 1 and then their bytes. That of any other piece is a hash with the top bit.


def empty_slots() -> Slots:
    """Return the slots of an empty table."""
    return np.full(1 << 10, _FREE, np.int32)


@compiled_when_busy
def number_pieces(
    characters: Characters,
    ends: Codes,
    is_whole: NDArray[np.bool_],
    separates: NDArray[np.bool_],
    slots: Slots,
    keys: Keys,
    kept: Characters,
    kept_bounds: Codes,
    n_kept: int,
) -> tuple[Slots, int, Codes, Codes]:
    """Assign numbers to the pieces of texts, and add new pieces to the table.

    Text 0 starts at character 0 and text i + 1 at `ends[i] + 1`. A piece is a run of characters between separators, or the whole
    text if `is_whole[i]`. Piece n of the table has the characters `kept[kept_bounds[n] : kept_bounds[n + 1]]`. New pieces are
    written after the `n_kept` known ones: `kept`, `kept_bounds` and `keys` must have room for them.

    Returns the slots, the new number of known pieces, the number of each piece, and the bounds of these by text (n_texts + 1).
    """
    numbers = np.empty(ends.size + characters.size // 2, np.int64)
    bounds = np.zeros(ends.size + 1, np.int64)
    n_separable = np.uint64(separates.size)
    n_numbers, at = 0, 0
    for text in range(ends.size):
        end, splits = ends[text], not is_whole[text]
        while at < end:
            start, packed, hashed, bits = at, _PACKED_START, _FNV_START, _NOTHING
            while at < end:
                character = np.uint64(characters[at])
                if splits and character < n_separable and separates[character]:
                    break
                packed = (packed << _BYTE) | character
                hashed = (hashed ^ character) * _FNV_PRIME
                bits |= character
                at += 1
            if at == start:
                at += 1
                continue
            is_packed = at - start < 8 and bits < 256
            key = packed if is_packed else hashed | _NOT_PACKED
            if 2 * (n_kept + 1) > slots.size:
                slots = _widen(slots, keys, n_kept)
            slot, number = _find(slots, keys, key, _first_slot(key, slots.size))
            while not (is_packed or number == _FREE or _is_kept(characters, start, at, kept, kept_bounds, number)):
                slot, number = _find(slots, keys, key, (slot + 1) & (slots.size - 1))
            if number == _FREE:
                number = np.int64(n_kept)
                slots[slot] = n_kept
                keys[n_kept] = key
                kept_bounds[n_kept + 1] = kept_bounds[n_kept] + at - start
                for place in range(at - start):  # numba takes seconds to compile the assignment of a slice
                    kept[kept_bounds[n_kept] + place] = characters[start + place]
                n_kept += 1
            numbers[n_numbers] = number
            n_numbers += 1
        at = end + 1
        bounds[text + 1] = n_numbers
    return slots, n_kept, numbers[:n_numbers], bounds


@compiled_when_busy
def number_ngrams(
    tokens: Codes, token_bounds: Codes, is_wanted: NDArray[np.bool_], slots: Slots, keys: Keys, n_keys: int
) -> tuple[Slots, int, Codes, Codes]:
    """Assign numbers to the n-grams of texts, and add new n-grams to the table; `keys` must have room for them.

    Text i is `tokens[token_bounds[i] : token_bounds[i + 1]]`. The n-grams of order n are returned if `is_wanted[n − 1]`. The key
    of an n-gram joins the number of its first n − 1 tokens and its last token.

    Returns the slots, the new number of known n-grams, the numbers of each text's n-grams without repeats, and their bounds.
    """
    last_text = np.full(keys.size, -1, np.int32)  # the last text with this n-gram so far
    numbers, bounds = np.empty(tokens.size * is_wanted.size, np.int64), np.zeros(token_bounds.size, np.int64)
    n_numbers = 0
    for text in range(token_bounds.size - 1):
        end = token_bounds[text + 1]
        for first in range(token_bounds[text], end):
            number = np.int64(-1)
            for place in range(min(is_wanted.size, end - first)):
                if 2 * (n_keys + 1) > slots.size:
                    slots = _widen(slots, keys, n_keys)
                key = (np.uint64(number + 1) << _HALF) | np.uint64(tokens[first + place])
                slot, number = _find(slots, keys, key, _first_slot(key, slots.size))
                if number == _FREE:
                    number = np.int64(n_keys)
                    slots[slot] = n_keys
                    keys[n_keys] = key
                    n_keys += 1
                if is_wanted[place] and last_text[number] != text:
                    last_text[number] = text
                    numbers[n_numbers] = number
                    n_numbers += 1
        bounds[text + 1] = n_numbers
    return slots, n_keys, numbers[:n_numbers], bounds


@kernel_part
def _first_slot(key: np.uint64, n_slots: int) -> np.int64:
    return np.int64((key * _SPREAD) >> _HALF) & (n_slots - 1)


@kernel_part
def _find(slots: Slots, keys: Keys, key: np.uint64, slot: np.int64) -> tuple[np.int64, np.int64]:
    """Return the first slot from `slot` on that is free or has this key's entry, and the entry's number (−1 if it is free)."""
    number = np.int64(slots[slot])
    while number != _FREE and keys[number] != key:
        slot = (slot + 1) & (slots.size - 1)
        number = np.int64(slots[slot])
    return slot, number


@kernel_part
def _widen(slots: Slots, keys: Keys, n_keys: int) -> Slots:
    """Return twice as many slots, with the same entries."""
    wider = np.full(2 * slots.size, _FREE, np.int32)
    for number in range(n_keys):
        slot = _first_slot(keys[number], wider.size)
        while wider[slot] != _FREE:
            slot = (slot + 1) & (wider.size - 1)
        wider[slot] = number
    return wider


@kernel_part
def _is_kept(characters: Characters, start: int, end: int, kept: Characters, kept_bounds: Codes, number: np.int64) -> bool:
    """Return whether `characters[start:end]` is the known piece with this number."""
    shift = kept_bounds[number] - start
    if kept_bounds[number + 1] != end + shift:
        return False
    for at in range(start, end):  # noqa: SIM110
        if characters[at] != kept[at + shift]:
            return False
    return True


@compiled
def number_keys(keys: Codes) -> tuple[Codes, KeyTable, int]:
    """Return the number of each of `keys` (≥ 0), the table for looking up other keys, and the number of distinct keys."""
    n_slots = 8
    while n_slots < 4 * keys.size:  # most keys looked up are not in the table, and a free slot ends the search
        n_slots *= 2
    slots, known = np.full(n_slots, _FREE, np.int32), np.empty(keys.size, np.uint64)
    numbers = np.empty(keys.size, np.int64)
    count = 0
    for place in range(keys.size):
        key = np.uint64(keys[place])
        slot, number = _find(slots, known, key, _first_slot(key, slots.size))
        if number == _FREE:
            number = np.int64(count)
            slots[slot] = count
            known[count] = key
            count += 1
        numbers[place] = number
    return numbers, (slots, known), count


@kernel_part
def look_up(table: KeyTable, key: int) -> int:
    """Return the number of `key` (≥ 0), or −1 if it is not in the table."""
    slots, keys = table
    wanted = np.uint64(key)
    return int(_find(slots, keys, wanted, _first_slot(wanted, slots.size))[1])


@compiled
def look_up_all(table: KeyTable, keys: Codes) -> Codes:
    """Return the number of each key, or −1 if the key is negative or not in the table."""
    numbers = np.empty(keys.size, np.int64)
    for place in range(keys.size):
        numbers[place] = look_up(table, keys[place]) if keys[place] >= 0 else -1
    return numbers


@kernel_part
def pair_keys(numbers: Codes, count: int) -> Codes:
    """Return a key for each pair of neighbours in `numbers` (all below `count`), or −1 if one of the two is −1."""
    keys = np.empty(max(numbers.size - 1, 0), np.int64)
    for place in range(keys.size):
        left, right = numbers[place], numbers[place + 1]
        keys[place] = left * count + right if left >= 0 and right >= 0 else -1
    return keys


@kernel_part
def count_numbers(numbers: Codes, count: int) -> Codes:
    """Return how often each number from 0 to `count` − 1 occurs. Negative numbers are ignored."""
    counts = np.zeros(count, np.int64)
    for number in numbers:
        if number >= 0:
            counts[number] += 1
    return counts
