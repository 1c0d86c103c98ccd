"""BERTScore as printed in SumTitles (eq. 6), from given token vectors and idf weights."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.similarity.cosine import cosine_matrix

_BLOCK = 2048  # rows per matrix product, so that memory does not grow with a film's length


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """A text's tokens (word pieces, as numbers of the model's vocabulary) and their contextual vectors, one row per token."""

    tokens: NDArray[np.int64]
    vectors: NDArray[np.float32]


class TokenEmbedder(Protocol):
    """Computes the vectors of a text's tokens (`infra.token_embeddings` has an implementation)."""

    def __call__(self, texts: Sequence[str], /) -> list[TokenVectors]:
        """Return the token vectors of each text, without the model's special tokens."""
        ...

    def parts(self, text: str, /) -> Iterator[TokenVectors]:
        """Yield the token vectors of one text in parts, so that a long text takes no more memory than a short one."""
        ...

    def tokens(self, texts: Sequence[str], /) -> list[NDArray[np.int64]]:
        """Return the tokens of each text, without computing vectors."""
        ...


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Document frequencies: how many (`holders`) of the `texts` reference texts have each token. Counts of parts add up."""

    texts: int = 0
    holders: Mapping[int, int] = field(default_factory=dict)

    def __add__(self, other: "TokenCounts") -> "TokenCounts":
        return TokenCounts(self.texts + other.texts, Counter(self.holders) + Counter(other.holders))


def count_holders(references: Iterable[NDArray[np.int64]]) -> TokenCounts:
    """Count the texts that have each token. The texts are read once, and memory grows only with the vocabulary."""
    texts, holders = 0, Counter[int]()
    for tokens in references:
        texts += 1
        holders.update(np.unique(tokens).tolist())
    return TokenCounts(texts, holders)


@dataclass(frozen=True, slots=True)
class IdfWeights:
    """Inverse document frequencies by token; `unseen` is the weight of a token that no reference text has."""

    by_token: Mapping[int, float]
    unseen: float

    def __call__(self, tokens: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the weight of every token."""
        return np.array([self.by_token.get(token, self.unseen) for token in tokens.tolist()], np.float64)


def weigh_tokens(counts: TokenCounts) -> IdfWeights:
    """Return the idf of every token of M reference texts: log((M + 1) / (texts with the token + 1)) (Zhang et al. 2020)."""
    more = counts.texts + 1
    return IdfWeights({token: math.log(more / (held + 1)) for token, held in counts.holders.items()}, math.log(more))


@dataclass(frozen=True, slots=True)
class BertScores:
    """BERTScore in both directions, and their harmonic mean."""

    over_document: float
    over_summary: float
    f1: float


def score_bert(document: Iterable[TokenVectors], summary: TokenVectors, idf: IdfWeights) -> BertScores | None:
    """Return the idf-weighted mean, over the tokens of one text, of each token's highest cosine with a token of the other text.

    `over_document` is eq. 6 as printed: how much of the document the summary covers. `over_summary` is the usual direction. The
    document comes in parts, of which one is in memory at a time. The result is None if a text has no tokens, or all its weights
    are 0.

    Reference: SumTitles, section 5.4, eq. 6; Zhang et al. 2020.
    """
    weighed = weight = 0.0
    of_summary = np.full(len(summary.tokens), -1.0)
    for part in document if summary.tokens.size else ():
        for start in range(0, len(part.tokens), _BLOCK):
            cosines = cosine_matrix(part.vectors[start : start + _BLOCK], summary.vectors)
            weights = idf(part.tokens[start : start + _BLOCK])
            weighed += float(cosines.max(axis=1) @ weights)
            weight += float(weights.sum())
            np.maximum(of_summary, cosines.max(axis=0), out=of_summary)
    of_idf = idf(summary.tokens)
    if weight <= 0 or of_idf.sum() <= 0:
        return None
    covered, supported = weighed / weight, float(of_summary @ of_idf / of_idf.sum())
    total = covered + supported
    return BertScores(covered, supported, 2 * covered * supported / total if total > 0 else 0.0)
