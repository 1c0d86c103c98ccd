"""Words and their numbers, and sentences of words that are reranked so that a summary repeats few n-grams."""

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


MOST_COMBINATIONS = 1_024
"""Combinations of candidates that are kept after each sentence. With fewer in all, the search is exhaustive."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that a beam search wrote: its words and the sum of their natural log-probabilities."""

    words: tuple[str, ...]
    log_probability: float


def rerank_candidates(beams: Sequence[Sequence[Candidate]], n: int = 2) -> tuple[Candidate, ...]:
    """Return one candidate for each sentence: the combination with the fewest repeated n-grams.

    Ties go to the highest log-probability a word, then to the first candidates. A repeated n-gram counts once for each time it
    occurs after the first. Each beam must have a candidate. Where there are more than `MOST_COMBINATIONS` combinations of the
    first sentences, only the best of them are continued.

    Reference: Chen and Bansal, 2018, section 3.3 ("repetition-avoiding reranking"); n = 2 as in their program.
    """
    kept: list[_Summary] = [_Summary((), Counter(), 0, 0.0, 0)]
    for beam in beams:
        longer = [_extend(summary, place, candidate, n) for summary in kept for place, candidate in enumerate(beam)]
        longer.sort(key=lambda one: (one.repeated, -one.log_probability / max(one.length, 1), one.places))
        kept = longer[:MOST_COMBINATIONS]
    return tuple(beam[place] for beam, place in zip(beams, kept[0].places, strict=True))


@dataclass(frozen=True, slots=True)
class _Summary:
    places: tuple[int, ...]
    grams: Counter[tuple[str, ...]]
    repeated: int
    log_probability: float
    length: int


def _extend(summary: _Summary, place: int, candidate: Candidate, n: int) -> _Summary:
    own = Counter(tuple(candidate.words[start : start + n]) for start in range(len(candidate.words) - n + 1))
    grams = summary.grams + own
    repeated = sum(count - 1 for count in grams.values())
    log_probability = summary.log_probability + candidate.log_probability
    return _Summary((*summary.places, place), grams, repeated, log_probability, summary.length + len(candidate.words))
