"""BERTScore as SumTitles prints it (eq. 6), over token vectors and idf weights that are given."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.similarity.cosine import cosine_matrix

_BLOCK = 2048  # rows of one product of vectors, so that memory does not grow with a film's length


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """A text's tokens (word pieces, by their number in the model's vocabulary) and their contextual vectors, one row a token."""

    tokens: NDArray[np.int64]
    vectors: NDArray[np.float32]


class TokenEmbedder(Protocol):
    """Turns texts into vectors of their tokens (`infra.token_embeddings` has one)."""

    def __call__(self, texts: Sequence[str], /) -> list[TokenVectors]:
        """Return the token vectors of each text, without the model's special tokens."""
        ...

    def tokens(self, texts: Sequence[str], /) -> list[NDArray[np.int64]]:
        """Return the tokens of each text, which costs no embedding."""
        ...


@dataclass(frozen=True, slots=True)
class IdfWeights:
    """Inverse document frequencies by token, and that of a token which no reference text has."""

    by_token: Mapping[int, float]
    unseen: float

    def __call__(self, tokens: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the weight of every token."""
        return np.array([self.by_token.get(token, self.unseen) for token in tokens.tolist()], np.float64)


def weigh_tokens(references: Iterable[NDArray[np.int64]]) -> IdfWeights:
    """Return log((M + 1) / (texts with the token + 1)) of every token of M reference texts, read once.

    Reference: Zhang et al., "BERTScore", 2020, section 3, with the add-one smoothing of its program.
    """
    count, holders = 0, Counter[int]()
    for tokens in references:
        count += 1
        holders.update(set(tokens.tolist()))
    return IdfWeights({token: math.log((count + 1) / (held + 1)) for token, held in holders.items()}, math.log(count + 1))


@dataclass(frozen=True, slots=True)
class BertScores:
    """BERTScore in both directions, and their harmonic mean."""

    over_document: float
    over_summary: float
    f1: float


def score_bert(document: TokenVectors, summary: TokenVectors, idf: IdfWeights) -> BertScores:
    """Return the idf-weighted mean, over the tokens of one text, of their highest cosine with a token of the other.

    `over_document` is eq. 6 as printed: how much of the document the summary means. `over_summary` runs over the summary's
    tokens, the usual direction for a summary against its source. 0 where a text has no tokens or all weights are 0. Time grows
    with the product of the lengths.

    Reference: SumTitles, section 5.4, eq. 6; Zhang et al. 2020.
    """
    if not document.tokens.size or not summary.tokens.size:
        return BertScores(0.0, 0.0, 0.0)
    of_document, of_summary = _best_cosines(document.vectors, summary.vectors)
    covered, supported = _weighted_mean(of_document, idf(document.tokens)), _weighted_mean(of_summary, idf(summary.tokens))
    total = covered + supported
    return BertScores(covered, supported, 2 * covered * supported / total if total > 0 else 0.0)


def _best_cosines(left: NDArray[np.float32], right: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the highest cosine of every row of `left` with one of `right`, and of every row of `right` with one of `left`."""
    of_left, of_right = np.empty(len(left)), np.full(len(right), -1.0)
    for start in range(0, len(left), _BLOCK):
        cosines = cosine_matrix(left[start : start + _BLOCK], right)
        of_left[start : start + _BLOCK] = cosines.max(axis=1)
        np.maximum(of_right, cosines.max(axis=0), out=of_right)
    return of_left, of_right


def _weighted_mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total > 0 else 0.0
