"""Numbers the distinct pieces of many texts in one pass, without creating a Python object per word."""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.text.numbering import Codes, empty_slots, number_pieces

WHITE_SPACE = np.array([chr(code).isspace() for code in range(0x3001)])
"""The white space of str.split, by code point; higher code points are not white space."""

LINE_BREAK = np.array([chr(code) == "\n" for code in range(0x80)])

Scalar = TypeVar("Scalar", bound=np.generic)


class PieceTable:
    """Numbers the distinct pieces of texts from 0 up, in order of appearance, and stores the characters of each once.

    A piece is a run of characters between separators, or a whole text. `separates` tells by code point which characters are
    separators; code points beyond its end are not.
    """

    def __init__(self, separates: NDArray[np.bool_]) -> None:
        self.size = 0
        self._separates = separates
        self._slots = empty_slots()
        self._keys = np.zeros(0, np.uint64)
        self._kept = np.zeros(0, np.uint32)
        self._bounds = np.zeros(1, np.int64)

    def number(self, texts: Sequence[str], whole: Collection[int] = ()) -> tuple[Codes, Codes]:
        """Return the numbers of the texts' pieces in order, and their bounds by text (n_texts + 1). Time O(characters).

        The texts with an index in `whole` are one piece each.
        """
        characters = np.frombuffer("\n".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
        ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1) - 1
        is_whole = np.zeros(len(texts), np.bool_)
        is_whole[list(whole)] = True
        max_size = self.size + len(texts) + characters.size // 2
        self._keys = with_room(self._keys, max_size)
        self._bounds = with_room(self._bounds, max_size + 1)
        self._kept = with_room(self._kept, int(self._bounds[self.size]) + characters.size)
        self._slots, self.size, numbers, bounds = number_pieces(
            characters, ends, is_whole, self._separates, self._slots, self._keys, self._kept, self._bounds, self.size
        )
        return numbers, bounds

    def read(self, first: int) -> list[str]:
        """Return the pieces from number `first` on."""
        bounds = self._bounds[first : self.size + 1]
        text = self._kept[bounds[0] : bounds[-1]].tobytes().decode("utf-32-le", "surrogatepass")
        return [text[start:end] for start, end in pairwise((bounds - bounds[0]).tolist())]


def with_room(values: NDArray[Scalar], size: int) -> NDArray[Scalar]:
    """Return an array of at least `size` that starts with `values`. The rest is not set and takes no memory until it is."""
    if size <= values.size:
        return values
    roomy = np.empty(size, values.dtype)
    roomy[: values.size] = values
    return roomy
