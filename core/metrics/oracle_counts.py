"""Counts for the exact oracle, in compiled code: the n-grams that a selection of sentences shares with the summary.

The summary's distinct tokens and bigrams are numbered. All others have the number −1 and count only towards the length.
"""

from typing import NamedTuple

import numpy as np

from core.compiled import compiled
from core.text.numbering import Codes, KeyTable, count_numbers, look_up, look_up_all, number_keys, pair_keys


class Grams(NamedTuple):
    """The sentences' n-grams that the summary has too. Sentence i has `numbers[bounds[i] : bounds[i + 1]]`."""

    numbers: Codes
    bounds: Codes
    wanted: Codes  # by number: count in the summary
    n_wanted: int  # number of n-grams in the summary, repeats included


class Document(NamedTuple):
    """A document in its summary's numbers; `first` and `last` are the numbers of each sentence's first and last token."""

    lengths: Codes  # tokens of each sentence
    unigrams: Grams
    bigrams: Grams
    first: Codes
    last: Codes
    n_tokens: int  # distinct tokens of the summary
    pairs: KeyTable  # first · n_tokens + last → number of the bigram


@compiled
def prepare(tokens: Codes, bounds: Codes, summary: Codes) -> Document:
    """Return a document in its summary's numbers. Sentence i is `tokens[bounds[i] : bounds[i + 1]]`; none is empty."""
    own, table, n_tokens = number_keys(summary)
    numbers = look_up_all(table, tokens)
    own_pairs, pairs, n_pairs = number_keys(pair_keys(own, n_tokens))
    following = look_up_all(pairs, pair_keys(numbers, n_tokens))
    n_sentences = bounds.size - 1
    unigrams, bigrams = np.empty(tokens.size, np.int64), np.empty(tokens.size, np.int64)
    unigram_bounds, bigram_bounds = np.zeros(n_sentences + 1, np.int64), np.zeros(n_sentences + 1, np.int64)
    n_unigrams = n_bigrams = 0
    for sentence in range(n_sentences):
        for place in range(bounds[sentence], bounds[sentence + 1]):
            if numbers[place] >= 0:
                unigrams[n_unigrams] = numbers[place]
                n_unigrams += 1
            if place + 1 < bounds[sentence + 1] and following[place] >= 0:
                bigrams[n_bigrams] = following[place]
                n_bigrams += 1
        unigram_bounds[sentence + 1], bigram_bounds[sentence + 1] = n_unigrams, n_bigrams
    return Document(
        bounds[1:] - bounds[:-1],
        Grams(unigrams[:n_unigrams], unigram_bounds, count_numbers(own, n_tokens), own.size),
        Grams(bigrams[:n_bigrams], bigram_bounds, count_numbers(own_pairs, n_pairs), own_pairs.size),
        numbers[bounds[:-1]],
        numbers[bounds[1:] - 1],
        n_tokens,
        pairs,
    )


@compiled
def add_sentence(grams: Grams, sentence: int, counts: Codes) -> int:
    """Add the sentence's n-grams to `counts`. Return how many more n-grams the selection shares with the summary."""
    more = 0
    for number in grams.numbers[grams.bounds[sentence] : grams.bounds[sentence + 1]]:
        more += counts[number] < grams.wanted[number]
        counts[number] += 1
    return more


@compiled
def remove_sentence(grams: Grams, sentence: int, counts: Codes) -> int:
    """Remove the sentence's n-grams from `counts`. Return how many fewer n-grams are shared."""
    fewer = 0
    for number in grams.numbers[grams.bounds[sentence] : grams.bounds[sentence + 1]]:
        counts[number] -= 1
        fewer += counts[number] < grams.wanted[number]
    return fewer


@compiled
def add_seam(document: Document, left: int, right: int, counts: Codes) -> int:
    """Add the bigram at the seam of the sentences `left` and `right` (−1: none) to `counts`. Return how many more are shared."""
    number = _find_seam(document, left, right)
    if number < 0:
        return 0
    counts[number] += 1
    return 1 if counts[number] <= document.bigrams.wanted[number] else 0


@compiled
def remove_seam(document: Document, left: int, right: int, counts: Codes) -> int:
    """Remove the bigram at the seam of the sentences `left` and `right` from `counts`. Return how many fewer are shared."""
    number = _find_seam(document, left, right)
    if number < 0:
        return 0
    counts[number] -= 1
    return 1 if counts[number] < document.bigrams.wanted[number] else 0


@compiled
def _find_seam(document: Document, left: int, right: int) -> int:
    if left < 0 or right < 0 or document.last[left] < 0 or document.first[right] < 0:
        return -1
    return look_up(document.pairs, document.last[left] * document.n_tokens + document.first[right])


@compiled
def sum_f1(document: Document, shared: int, pairs_shared: int, length: int) -> float:
    """Return ROUGE-1 F1 + ROUGE-2 F1 of a selection of `length` tokens, from the unigrams and bigrams that are shared."""
    score = 0.0
    if shared > 0:
        score += 2 * shared / (document.unigrams.n_wanted + length)
    if pairs_shared > 0:
        score += 2 * pairs_shared / (document.bigrams.n_wanted + length - 1)
    return score
