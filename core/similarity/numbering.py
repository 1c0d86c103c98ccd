"""Numbers distinct pieces of text and distinct n-grams from 0 up, in order of appearance: two hash tables in compiled code.

An entry's number is found by its 64-bit key: `keys[number]` is the key, `slots` (a power of two of them, at most half of them in
use) holds the number in the slot that the key asks for or in the first free one after it. Both kernels stand in one module with
what they call, since numba compiles a kernel anew only where its own file has changed.
"""

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled

Integers = NDArray[np.int64]
Characters = NDArray[np.uint32]
Slots = NDArray[np.int32]
Keys = NDArray[np.uint64]

_FREE = -1
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / φ: neighbouring keys land far apart
_FNV_START, _FNV_PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_NOTHING, _BYTE, _HALF = np.uint64(0), np.uint64(8), np.uint64(32)
_PACKED_START, _NOT_PACKED = np.uint64(1), np.uint64(1 << 63)  # the key of up to seven Latin-1 characters is 1, then the bytes


def empty_slots() -> Slots:
    """Return the slots of a table without entries."""
    return np.full(1 << 10, _FREE, np.int32)


@compiled
def number_pieces(
    characters: Characters,
    ends: Integers,
    is_whole: NDArray[np.bool_],
    separates: NDArray[np.bool_],
    slots: Slots,
    keys: Keys,
    kept: Characters,
    kept_bounds: Integers,
    n_kept: int,
) -> tuple[Slots, int, Integers, Integers]:
    """Return the slots, how many pieces are kept now, the number of each piece, and their bounds by text (n_texts + 1).

    Text i is the `characters` up to `ends[i]`, from one after the end of the text before. Its pieces are what stands between
    characters that `separates`; it is a single piece where `is_whole[i]`. Piece n is `kept[kept_bounds[n] : kept_bounds[n + 1]]`:
    a new one is written behind the `n_kept` that are there. `kept`, `kept_bounds` and `keys` must have room for all.
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
            slot = _first_slot(key, slots.size)
            number = slots[slot]
            while number != _FREE and not (
                keys[number] == key and (is_packed or _is_kept(characters, start, at, kept, kept_bounds, number))
            ):
                slot = (slot + 1) & (slots.size - 1)
                number = slots[slot]
            if number == _FREE:
                number = slots[slot] = n_kept
                keys[n_kept] = key
                kept_bounds[n_kept + 1] = kept_bounds[n_kept] + at - start
                kept[kept_bounds[n_kept] : kept_bounds[n_kept + 1]] = characters[start:at]
                n_kept += 1
            numbers[n_numbers] = number
            n_numbers += 1
        at = end + 1
        bounds[text + 1] = n_numbers
    return slots, n_kept, numbers[:n_numbers], bounds


@compiled
def number_ngrams(
    tokens: Integers, token_bounds: Integers, is_wanted: NDArray[np.bool_], slots: Slots, keys: Keys, n_keys: int
) -> tuple[Slots, int, Integers, Integers]:
    """Return the slots, how many n-grams are known now, and the distinct numbers of each text's n-grams with their bounds.

    `is_wanted[n − 1]` tells whether n-grams count; shorter ones than the longest get numbers in any case. The key of an n-gram is
    the number of its first n − 1 tokens with its last token. `keys` must have room for all.
    """
    last_text = np.full(keys.size, -1, np.int32)  # the text that was the last to hold an n-gram
    numbers, bounds = np.empty(tokens.size * is_wanted.size, np.int64), np.zeros(token_bounds.size, np.int64)
    n_numbers = 0
    for text in range(token_bounds.size - 1):
        end = token_bounds[text + 1]
        for first in range(token_bounds[text], end):
            number = np.int64(-1)
            for place in range(min(is_wanted.size, end - first)):
                key = (np.uint64(number + 1) << _HALF) | np.uint64(tokens[first + place])
                if 2 * (n_keys + 1) > slots.size:
                    slots = _widen(slots, keys, n_keys)
                slot = _first_slot(key, slots.size)
                number = np.int64(slots[slot])
                while number != _FREE and keys[number] != key:
                    slot = (slot + 1) & (slots.size - 1)
                    number = np.int64(slots[slot])
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


@compiled
def _first_slot(key: np.uint64, n_slots: int) -> np.int64:
    return np.int64((key * _SPREAD) >> _HALF) & (n_slots - 1)


@compiled
def _widen(slots: Slots, keys: Keys, n_keys: int) -> Slots:
    """Return twice as many slots with the same entries."""
    wider = np.full(2 * slots.size, _FREE, np.int32)
    for number in range(n_keys):
        slot = _first_slot(keys[number], wider.size)
        while wider[slot] != _FREE:
            slot = (slot + 1) & (wider.size - 1)
        wider[slot] = number
    return wider


@compiled
def _is_kept(characters: Characters, start: int, end: int, kept: Characters, kept_bounds: Integers, number: int) -> bool:
    """Return whether the piece `characters[start:end]` is the kept one of that number."""
    shift = kept_bounds[number] - start
    if kept_bounds[number + 1] != end + shift:
        return False
    for at in range(start, end):  # noqa: SIM110
        if characters[at] != kept[at + shift]:
            return False
    return True
