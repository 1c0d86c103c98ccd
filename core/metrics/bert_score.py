"""BERTScore as SumTitles prints it (eq. 6), over token vectors and idf weights that are given."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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

    def parts(self, text: str, /) -> Iterator[TokenVectors]:
        """Yield one text's token vectors piece by piece, so that a long text takes no more memory than a short one."""
        ...

    def tokens(self, texts: Sequence[str], /) -> list[NDArray[np.int64]]:
        """Return the tokens of each text, which costs no embedding."""
        ...


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """How many of `texts` reference texts have each token; the counts of two parts of a corpus add up."""

    texts: int = 0
    holders: Mapping[int, int] = field(default_factory=dict)

    def __add__(self, other: "TokenCounts") -> "TokenCounts":
        return TokenCounts(self.texts + other.texts, Counter(self.holders) + Counter(other.holders))


def count_holders(references: Iterable[NDArray[np.int64]]) -> TokenCounts:
    """Count in how many texts each token stands; the texts are read once, memory grows with the vocabulary alone."""
    texts, holders = 0, Counter[int]()
    for tokens in references:
        texts += 1
        holders.update(np.unique(tokens).tolist())
    return TokenCounts(texts, holders)


@dataclass(frozen=True, slots=True)
class IdfWeights:
    """Inverse document frequencies by token, and that of a token which no reference text has."""

    by_token: Mapping[int, float]
    unseen: float

    def __call__(self, tokens: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the weight of every token."""
        return np.array([self.by_token.get(token, self.unseen) for token in tokens.tolist()], np.float64)


def weigh_tokens(counts: TokenCounts) -> IdfWeights:
    """Return log((M + 1) / (texts with the token + 1)) of every token of M reference texts.

    Reference: Zhang et al., "BERTScore", 2020, section 3, with the add-one smoothing of its program.
    """
    more = counts.texts + 1
    return IdfWeights({token: math.log(more / (held + 1)) for token, held in counts.holders.items()}, math.log(more))


@dataclass(frozen=True, slots=True)
class BertScores:
    """BERTScore in both directions, and their harmonic mean."""

    over_document: float
    over_summary: float
    f1: float


def score_bert(document: Iterable[TokenVectors], summary: TokenVectors, idf: IdfWeights) -> BertScores | None:
    """Return the idf-weighted mean, over the tokens of one text, of their highest cosine with a token of the other.

    `over_document` is eq. 6 as printed: how much of the document the summary means. `over_summary` runs over the summary's
    tokens, the usual direction for a summary against its source. The document comes in parts, which are held one at a time. None
    where it is not defined: a text has no tokens, or all weights of a text are 0 (as where the corpus is one text). Time grows
    with the product of the lengths.

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
