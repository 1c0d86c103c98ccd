"""Vectors of sentences and utterances: each is made once, and all that a step needs is stacked in one piece."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.threads.segments import Sentences

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Vectors = NDArray[np.float32]
_KNOWN_UTTERANCES = 10_000
"""Vectors of utterances that are kept at most (1.5 KiB each)."""


class SentenceVectors:
    """The vectors of sentences, each embedded once, and of utterances: the mean of their sentences' vectors, of length 1.

    One of these lives as long as a group of posts, so that its vectors do not fill the memory. `learn` embeds the sentences of
    all of them together: many small calls cost more, since short batches are padded more and keep the processor less busy.
    """

    def __init__(self, embed: Embed) -> None:
        """Use `embed` (texts to n_texts × n_dimensions)."""
        self._embed = embed
        self._sentences: dict[str, Vectors] = {}
        self._utterances: dict[Sentences, Vectors] = {}

    def learn(self, sentences: Iterable[str]) -> None:
        """Embed the sentences that are new, together."""
        new = list(dict.fromkeys(sentence for sentence in sentences if sentence not in self._sentences))
        if new:
            self._sentences.update(zip(new, np.asarray(self._embed(new), np.float32), strict=True))

    def learn_utterances(self, utterances: Iterable[Sentences]) -> None:
        """Embed what is new in utterances, together."""
        self.learn(sentence for utterance in utterances if utterance not in self._utterances for sentence in utterance)

    def stack_sentences(self, sentences: Iterable[str]) -> Vectors:
        """Return the vectors of known sentences (n_sentences × n_dimensions)."""
        return np.array([self._sentences[sentence] for sentence in sentences])

    def stack_utterances(self, utterances: Sequence[Sentences]) -> Vectors:
        """Return the vectors of utterances of known sentences (n_utterances × n_dimensions)."""
        if len(self._utterances) >= _KNOWN_UTTERANCES:
            self._utterances.clear()
        new = list(dict.fromkeys(utterance for utterance in utterances if utterance not in self._utterances))
        if new:
            vectors = self.stack_sentences(sentence for utterance in new for sentence in utterance)
            self._utterances.update(zip(new, average_runs(vectors, [len(utterance) for utterance in new]), strict=True))
        return np.array([self._utterances[utterance] for utterance in utterances])


def find_starts(lengths: Sequence[int]) -> NDArray[np.int64]:
    """Return where each run begins, of runs of these lengths (each at least 1) that stand one behind the other."""
    return np.concatenate([[0], np.cumsum(lengths[:-1])]).astype(np.int64)


def average_runs(vectors: Vectors, lengths: Sequence[int]) -> Vectors:
    """Return the mean of each run of vectors, of length 1 (n_runs × n_dimensions); `lengths` are those of the runs."""
    return normalise_rows(np.add.reduceat(vectors, find_starts(lengths), axis=0))


def normalise_rows(vectors: NDArray[np.floating[Any]]) -> Vectors:
    """Return vectors (n × n_dimensions) of length 1."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    normal: Vectors = (vectors / np.maximum(lengths, 1e-12)[:, None]).astype(np.float32)
    return normal


def compare_rows(ones: Vectors, others: Vectors) -> NDArray[np.float64]:
    """Return the product of each row with the row of the other matrix (n)."""
    products: NDArray[np.float64] = np.einsum("ij,ij->i", ones, others).astype(np.float64)
    return products
