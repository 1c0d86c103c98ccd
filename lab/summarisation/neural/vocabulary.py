"""Words and their numbers, with further numbers for the words of one input that a vocabulary lacks."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

PAD, UNKNOWN, START, END = range(4)
"""Numbers of what is no word: filling, a word that the vocabulary lacks, the beginning and the end of a sentence."""
_SPECIAL = 4
_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


def split_words(text: str) -> list[str]:
    """Return the words and punctuation marks of a text, in lower case."""
    return _WORD.findall(text.lower())


def join_words(words: Iterable[str]) -> str:
    """Return words as a text; no space stands before a mark that ends or divides a sentence."""
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(words))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words by their numbers, which begin after the special ones."""

    words: tuple[str, ...]
    numbers: Mapping[str, int]

    def __len__(self) -> int:
        """Return how many numbers there are, the special ones among them."""
        return len(self.words) + _SPECIAL

    def number(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of words; `UNKNOWN` for those it lacks."""
        return [self.numbers.get(word, UNKNOWN) for word in words]

    def number_with(self, words: Iterable[str], others: dict[str, int]) -> list[int]:
        """Return the numbers of words; a word that the vocabulary lacks gets the next number after it, noted in `others`."""
        return [
            self.numbers[word] if word in self.numbers else others.setdefault(word, len(self) + len(others)) for word in words
        ]

    def name(self, number: int, others: Sequence[str]) -> str:
        """Return the word of a number that is not special; `others` are the words beyond the vocabulary, in order."""
        place = number - _SPECIAL
        return self.words[place] if place < len(self.words) else others[place - len(self.words)]


def make_vocabulary(texts: Iterable[Sequence[str]], size: int) -> Vocabulary:
    """Return the vocabulary of the `size` most frequent words; ties in the order of the alphabet."""
    counts = Counter(word for text in texts for word in text)
    words = tuple(sorted(counts, key=lambda word: (-counts[word], word))[:size])
    return Vocabulary(words, {word: place + _SPECIAL for place, word in enumerate(words)})
