"""Compiled bookkeeping of the exact oracle: what a selection of sentences shares with the summary, sentence by sentence.

Numbers are those of the summary's distinct tokens and bigrams; everything else has −1 and is only counted.
"""

from typing import NamedTuple

import numpy as np

from core.compiled import compiled
from core.text.numbering import Codes, KeyTable, count_numbers, look_up, look_up_all, number_keys, pair_keys


class Grams(NamedTuple):
    """The n-grams of the sentences that the summary has; those of sentence i are `numbers[bounds[i] : bounds[i + 1]]`."""

    numbers: Codes
    bounds: Codes
    wanted: Codes  # by number: how often the summary has it
    n_wanted: int  # how many n-grams the summary has, repeats counted


class Document(NamedTuple):
    """A document against its summary; `first` and `last` are the numbers of each sentence's first and last token."""

    lengths: Codes  # tokens of each sentence
    unigrams: Grams
    bigrams: Grams
    first: Codes
    last: Codes
    n_tokens: int  # distinct tokens of the summary
    pairs: KeyTable  # first · n_tokens + last → number of the bigram


@compiled
def prepare(tokens: Codes, bounds: Codes, summary: Codes) -> Document:
    """Return a document's sentences (`bounds`, n_sentences + 1, of `tokens`), none of them empty, by the summary's numbers."""
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
    """Count the sentence's n-grams in `counts`; return how many more the selection shares with the summary."""
    more = 0
    for number in grams.numbers[grams.bounds[sentence] : grams.bounds[sentence + 1]]:
        more += counts[number] < grams.wanted[number]
        counts[number] += 1
    return more


@compiled
def remove_sentence(grams: Grams, sentence: int, counts: Codes) -> int:
    """Take the sentence's n-grams out of `counts`; return how many fewer are shared."""
    fewer = 0
    for number in grams.numbers[grams.bounds[sentence] : grams.bounds[sentence + 1]]:
        counts[number] -= 1
        fewer += counts[number] < grams.wanted[number]
    return fewer


@compiled
def add_seam(document: Document, left: int, right: int, counts: Codes) -> int:
    """Count the bigram where sentence `left` meets `right` (−1: there is no such sentence); return how many more are shared."""
    number = _find_seam(document, left, right)
    if number < 0:
        return 0
    counts[number] += 1
    return 1 if counts[number] <= document.bigrams.wanted[number] else 0


@compiled
def remove_seam(document: Document, left: int, right: int, counts: Codes) -> int:
    """Take that bigram out of `counts`; return how many fewer are shared."""
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
    """Return ROUGE-1 F1 + ROUGE-2 F1 of a selection of `length` tokens, from what it shares with the summary."""
    score = 0.0
    if shared > 0:
        score += 2 * shared / (document.unigrams.n_wanted + length)
    if pairs_shared > 0:
        score += 2 * pairs_shared / (document.bigrams.n_wanted + length - 1)
    return score
