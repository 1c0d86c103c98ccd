"""The exact extractive oracle: sentences are selected by the same ROUGE that later scores them.

It differs from BertSum's oracle (`core.metrics.bertsum_oracle`) in three ways. Its tokens are rouge-score's, which also score the
result. It counts n-grams with repeats and clips them, as ROUGE does. Its selection is one text with the sentences in the
document's order, so bigrams span the seams between sentences and change when a sentence is inserted.

The distinct tokens and bigrams of the summary are numbered. All others have the number −1 and count only towards the length.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.compiled import compiled, kernel_part
from core.metrics.coded_texts import bounds_of, join_codes
from core.metrics.rouge import RougeScores, score_rouge
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


@kernel_part
def prepare(tokens: Codes, bounds: Codes, summary: Codes) -> Document:
    """Return a document in its summary's numbers. Sentence i is `tokens[bounds[i] : bounds[i + 1]]`; none is empty."""
    own, table, n_tokens = number_keys(summary)
    numbers = look_up_all(table, tokens)
    own_pairs, pairs, n_pairs = number_keys(pair_keys(own, n_tokens))
    following = look_up_all(pairs, pair_keys(numbers, n_tokens))
    n_sentences = bounds.size - 1
    lengths, first, last = np.empty(n_sentences, np.int64), np.empty(n_sentences, np.int64), np.empty(n_sentences, np.int64)
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
        lengths[sentence] = bounds[sentence + 1] - bounds[sentence]
        first[sentence], last[sentence] = numbers[bounds[sentence]], numbers[bounds[sentence + 1] - 1]
    return Document(
        lengths,
        Grams(unigrams[:n_unigrams], unigram_bounds, count_numbers(own, n_tokens), own.size),
        Grams(bigrams[:n_bigrams], bigram_bounds, count_numbers(own_pairs, n_pairs), own_pairs.size),
        first,
        last,
        n_tokens,
        pairs,
    )


@kernel_part
def add_sentence(grams: Grams, sentence: int, counts: Codes) -> int:
    """Add the sentence's n-grams to `counts`. Return how many more n-grams the selection shares with the summary."""
    more = 0
    for number in grams.numbers[grams.bounds[sentence] : grams.bounds[sentence + 1]]:
        more += counts[number] < grams.wanted[number]
        counts[number] += 1
    return more


@kernel_part
def remove_sentence(grams: Grams, sentence: int, counts: Codes) -> int:
    """Remove the sentence's n-grams from `counts`. Return how many fewer n-grams are shared."""
    fewer = 0
    for number in grams.numbers[grams.bounds[sentence] : grams.bounds[sentence + 1]]:
        counts[number] -= 1
        fewer += counts[number] < grams.wanted[number]
    return fewer


@kernel_part
def add_seam(document: Document, left: int, right: int, counts: Codes) -> int:
    """Add the bigram at the seam of the sentences `left` and `right` (−1: none) to `counts`. Return how many more are shared."""
    number = _find_seam(document, left, right)
    if number < 0:
        return 0
    counts[number] += 1
    return 1 if counts[number] <= document.bigrams.wanted[number] else 0


@kernel_part
def remove_seam(document: Document, left: int, right: int, counts: Codes) -> int:
    """Remove the bigram at the seam of the sentences `left` and `right` from `counts`. Return how many fewer are shared."""
    number = _find_seam(document, left, right)
    if number < 0:
        return 0
    counts[number] -= 1
    return 1 if counts[number] < document.bigrams.wanted[number] else 0


@kernel_part
def _find_seam(document: Document, left: int, right: int) -> int:
    if left < 0 or right < 0 or document.last[left] < 0 or document.first[right] < 0:
        return -1
    return look_up(document.pairs, document.last[left] * document.n_tokens + document.first[right])


@kernel_part
def sum_f1(document: Document, shared: int, pairs_shared: int, length: int) -> float:
    """Return ROUGE-1 F1 + ROUGE-2 F1 of a selection of `length` tokens, from the unigrams and bigrams that are shared."""
    score = 0.0
    if shared > 0:
        score += 2 * shared / (document.unigrams.n_wanted + length)
    if pairs_shared > 0:
        score += 2 * pairs_shared / (document.bigrams.n_wanted + length - 1)
    return score


def find_greedy_oracle(sentences: Sequence[Codes], summary: Codes, max_sentences: int | None = None) -> tuple[int, ...]:
    """Return the sentences (0-based, ascending) that a greedy search selects: at most `max_sentences` (None: all that help).

    Each round adds the sentence that raises ROUGE-1 F1 + ROUGE-2 F1 of the selection most; ties go to the first sentence.

    Reference: SumTitles, section 5.2, without the issues of BertSum's program that it mentions.
    """
    spoken = [place for place, sentence in enumerate(sentences) if sentence.size]
    if not spoken or not summary.size:
        return ()
    texts = [sentences[place] for place in spoken]
    most = len(spoken) if max_sentences is None else min(max_sentences, len(spoken))
    selected = _select_greedily(join_codes(texts), bounds_of(texts), summary, most)
    return tuple(sorted(spoken[place] for place in selected.tolist()))


def score_selection(sentences: Sequence[Codes], selected: Sequence[int], summary: Codes) -> RougeScores:
    """Return ROUGE of the selected sentences against the summary. They are joined to one text in the given order."""
    return score_rouge(summary, join_codes(sentences[place] for place in selected))


@compiled
def _select_greedily(tokens: Codes, bounds: Codes, summary: Codes, most: int) -> Codes:
    """Return the sentences in the order of selection. A trial adds a sentence to the counts, scores it, and removes it again.

    A sentence's gain only shrinks as the selection grows, apart from seams. Its gain at the last trial, with both seams as shared
    bigrams, therefore bounds its score. This way most sentences are tried only once or twice.
    """
    document = prepare(tokens, bounds, summary)
    n_sentences = document.lengths.size
    counts, pair_counts = np.zeros_like(document.unigrams.wanted), np.zeros_like(document.bigrams.wanted)
    after = np.full(n_sentences, -1, np.int64)  # the next selected sentence after each sentence
    adds, pairs_add = np.empty(n_sentences, np.int64), np.empty(n_sentences, np.int64)
    for sentence in range(n_sentences):
        adds[sentence] = _try(document.unigrams, sentence, counts)
        pairs_add[sentence] = _try(document.bigrams, sentence, pair_counts)
        pairs_add[sentence] += (document.first[sentence] >= 0) + (document.last[sentence] >= 0)
    chosen, selected = np.zeros(n_sentences, np.bool_), np.empty(max(most, 0), np.int64)
    shared = pairs_shared = length = 0
    best = 0.0
    for place in range(selected.size):
        found = found_left = left = -1
        for sentence in range(n_sentences):
            if chosen[sentence]:
                left = sentence
                continue
            longer = length + document.lengths[sentence]
            if sum_f1(document, shared + adds[sentence], pairs_shared + pairs_add[sentence], longer) <= best:
                continue
            adds[sentence] = _try(document.unigrams, sentence, counts)
            if sum_f1(document, shared + adds[sentence], pairs_shared + pairs_add[sentence], longer) <= best:
                continue
            right = after[sentence]
            pairs_more = _insert(document, left, sentence, right, pair_counts)
            _take_out(document, left, sentence, right, pair_counts)
            score = sum_f1(document, shared + adds[sentence], pairs_shared + pairs_more, longer)
            if score > best:
                best, found, found_left = score, sentence, left
        if found < 0:
            return selected[:place]
        shared += add_sentence(document.unigrams, found, counts)
        pairs_shared += _insert(document, found_left, found, after[found], pair_counts)
        length += document.lengths[found]
        for sentence in range(max(found_left, 0), found):
            after[sentence] = found
        selected[place], chosen[found] = found, True
    return selected


@kernel_part
def _try(grams: Grams, sentence: int, counts: Codes) -> int:
    """Return how many more n-grams would be shared if the sentence were added to the selection."""
    more = add_sentence(grams, sentence, counts)
    remove_sentence(grams, sentence, counts)
    return more


@kernel_part
def _insert(document: Document, left: int, sentence: int, right: int, counts: Codes) -> int:
    """Insert a sentence between two selected ones (−1: none). Return how many more bigrams are shared."""
    fewer = remove_seam(document, left, right, counts)
    more = add_sentence(document.bigrams, sentence, counts)
    more += add_seam(document, left, sentence, counts) + add_seam(document, sentence, right, counts)
    return more - fewer


@kernel_part
def _take_out(document: Document, left: int, sentence: int, right: int, counts: Codes) -> None:
    """Undo `_insert`."""
    remove_seam(document, sentence, right, counts)
    remove_seam(document, left, sentence, counts)
    remove_sentence(document.bigrams, sentence, counts)
    add_seam(document, left, right, counts)
