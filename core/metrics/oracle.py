"""The exact extractive oracle: sentences are selected by the same ROUGE that later scores them.

It differs from BertSum's oracle (`core.metrics.bertsum_oracle`) in three ways. Its tokens are rouge-score's, which also score the
result. It counts n-grams with repeats and clips them, as ROUGE does. Its selection is one text with the sentences in the
document's order, so bigrams span the seams between sentences and change when a sentence is inserted.

Two searches maximise ROUGE-1 F1 + ROUGE-2 F1: a greedy one (`find_greedy_oracle`) and one over all subsets, by branch and bound
(`find_optimal_oracle`). Both count, in compiled code, the n-grams that a selection shares with the summary, whose distinct tokens
and bigrams are numbered. All others have the number −1 and count only towards the length.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.compiled import compiled
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


def find_greedy_oracle(sentences: Sequence[Codes], summary: Codes, max_sentences: int | None = None) -> tuple[int, ...]:
    """Return the sentences (0-based, ascending) that a greedy search selects: at most `max_sentences` (None: all that help).

    Each round adds the sentence that raises ROUGE-1 F1 + ROUGE-2 F1 of the selection most; ties go to the first sentence. The
    search ends when no sentence raises it. One `Coder` must have coded all texts. Time per round: one step for every document
    token that the summary has.

    Reference: SumTitles, section 5.2, without the issues of BertSum's program that it mentions.
    """
    spoken = keep_spoken(sentences)
    if not spoken or not summary.size:
        return ()
    document = prepare_document(sentences, spoken, summary)
    selected = _select_greedily(document, len(spoken) if max_sentences is None else min(max_sentences, len(spoken)))
    return tuple(sorted(spoken[place] for place in selected.tolist()))


def score_selection(sentences: Sequence[Codes], selected: Sequence[int], summary: Codes) -> RougeScores:
    """Return ROUGE of the selected sentences against the summary. They are joined to one text in the given order."""
    return score_rouge(summary, join_codes(sentences[place] for place in selected))


def keep_spoken(sentences: Sequence[Codes]) -> list[int]:
    """Return the indices of the sentences that have tokens."""
    return [place for place, sentence in enumerate(sentences) if sentence.size]


def prepare_document(sentences: Sequence[Codes], kept: Sequence[int], summary: Codes) -> Document:
    """Return the sentences with the indices `kept`, none of them empty, in the summary's numbers."""
    texts = [sentences[place] for place in kept]
    return prepare(join_codes(texts), bounds_of(texts), summary)


@compiled
def _select_greedily(document: Document, most: int) -> Codes:
    """Return the sentences in the order of selection. A trial adds a sentence to the counts, scores it, and removes it again.

    A sentence's gain only shrinks as the selection grows, apart from seams. Its gain at the last trial, with both seams as shared
    bigrams, therefore bounds its score. This way most sentences are tried only once or twice.
    """
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
        after[max(found_left, 0) : found] = found
        selected[place], chosen[found] = found, True
    return selected


@compiled
def _try(grams: Grams, sentence: int, counts: Codes) -> int:
    """Return how many more n-grams would be shared if the sentence were added to the selection."""
    more = add_sentence(grams, sentence, counts)
    remove_sentence(grams, sentence, counts)
    return more


@compiled
def _insert(document: Document, left: int, sentence: int, right: int, counts: Codes) -> int:
    """Insert a sentence between two selected ones (−1: none). Return how many more bigrams are shared."""
    fewer = remove_seam(document, left, right, counts)
    more = add_sentence(document.bigrams, sentence, counts)
    more += add_seam(document, left, sentence, counts) + add_seam(document, sentence, right, counts)
    return more - fewer


@compiled
def _take_out(document: Document, left: int, sentence: int, right: int, counts: Codes) -> None:
    """Undo `_insert`."""
    remove_seam(document, sentence, right, counts)
    remove_seam(document, left, sentence, counts)
    remove_sentence(document.bigrams, sentence, counts)
    add_seam(document, left, right, counts)


MOST_STEPS = 10_000_000
"""Limit of the search in visited sentences, including those of each subset's bound: some seconds, for films and scenes alike."""

_EPSILON = 1e-12  # a bound above the best by this much counts as equal, since sums of fractions differ in their last digits


@dataclass(frozen=True, slots=True)
class OptimalOracle:
    """The selected sentences (0-based, ascending), and whether the search proved that no other selection is better."""

    sentences: tuple[int, ...]
    proved: bool


def find_optimal_oracle(sentences: Sequence[Codes], summary: Codes, max_steps: int = MOST_STEPS) -> OptimalOracle:
    """Return the subset of sentences with the highest ROUGE-1 F1 + ROUGE-2 F1.

    The search starts from the greedy oracle. It visits subsets in the document's order and skips those whose upper bound is no
    better than the best so far. A step is a visited sentence; the bound of a subset visits all sentences that follow it. After
    `max_steps` steps the best so far is returned, not proved. Sentences that share no word with the summary cannot help and are
    left out first. In the worst case, time grows exponentially with the number of the others.
    """
    greedy = find_greedy_oracle(sentences, summary)
    wanted = set(summary.tolist())
    helpful = [place for place in keep_spoken(sentences) if not wanted.isdisjoint(sentences[place].tolist())]
    if not helpful or not greedy:
        return OptimalOracle(greedy, proved=True)
    document = prepare_document(sentences, helpful, summary)
    start = np.array([helpful.index(place) for place in greedy], np.int64)
    selected, proved = _search(document, start, max_steps)
    return OptimalOracle(tuple(helpful[place] for place in selected.tolist()), proved)


@compiled
def _search(document: Document, start: Codes, most_steps: int) -> tuple[Codes, bool]:
    """Search depth first from the selection `start` (ascending). Return the best selection, and whether the search ended."""
    n_sentences = document.lengths.size
    counts, pair_counts = np.zeros_like(document.unigrams.wanted), np.zeros_like(document.bigrams.wanted)
    stack, depth = np.empty(n_sentences + 1, np.int64), 0
    shared = pairs_shared = length = steps = 0
    best_depth, best_stack, best = start.size, np.empty(n_sentences + 1, np.int64), 0.0
    best_stack[: start.size] = start
    for place in range(start.size):  # score `start`, then undo it
        more, pairs_more = _push(document, start[place], stack, depth, counts, pair_counts)
        depth, shared, pairs_shared = depth + 1, shared + more, pairs_shared + pairs_more
        length += document.lengths[start[place]]
    best = sum_f1(document, shared, pairs_shared, length)
    while depth > 0:
        depth -= 1
        _pop(document, stack, depth, counts, pair_counts)
    shared = pairs_shared = length = 0
    following = 0
    while True:
        steps += 1 + n_sentences - following
        if steps > most_steps:
            return best_stack[:best_depth], False
        if (
            following < n_sentences
            and _bound(document, following, shared, pairs_shared, length, counts, pair_counts) > best + _EPSILON
        ):
            more, pairs_more = _push(document, following, stack, depth, counts, pair_counts)
            depth, shared, pairs_shared = depth + 1, shared + more, pairs_shared + pairs_more
            length += document.lengths[following]
            score = sum_f1(document, shared, pairs_shared, length)
            if score > best + _EPSILON:
                best, best_depth = score, depth
                best_stack[:depth] = stack[:depth]
            following += 1
        elif depth == 0:
            return best_stack[:best_depth], True
        else:
            depth -= 1
            fewer, pairs_fewer = _pop(document, stack, depth, counts, pair_counts)
            shared, pairs_shared = shared - fewer, pairs_shared - pairs_fewer
            length -= document.lengths[stack[depth]]
            following = stack[depth] + 1


@compiled
def _push(document: Document, sentence: int, stack: Codes, depth: int, counts: Codes, pair_counts: Codes) -> tuple[int, int]:
    """Append a sentence to the selection. Return how many more unigrams and bigrams are shared."""
    before = stack[depth - 1] if depth > 0 else -1
    stack[depth] = sentence
    more = add_sentence(document.unigrams, sentence, counts)
    return more, add_sentence(document.bigrams, sentence, pair_counts) + add_seam(document, before, sentence, pair_counts)


@compiled
def _pop(document: Document, stack: Codes, depth: int, counts: Codes, pair_counts: Codes) -> tuple[int, int]:
    """Remove the last sentence, at `depth`, from the selection. Return how many fewer unigrams and bigrams are shared."""
    before, sentence = stack[depth - 1] if depth > 0 else -1, stack[depth]
    fewer = remove_sentence(document.unigrams, sentence, counts)
    return fewer, remove_seam(document, before, sentence, pair_counts) + remove_sentence(document.bigrams, sentence, pair_counts)


@compiled
def _bound(
    document: Document, following: int, shared: int, pairs_shared: int, length: int, counts: Codes, pair_counts: Codes
) -> float:
    """Return an upper bound on the score of the selection, extended by any sentences from `following` on.

    Each n-gram order is bounded separately, as if each sentence shared as much as it would alone and every seam between two
    sentences were a shared bigram.
    """
    return _bound_f1(document.unigrams, document.lengths, following, shared, length, counts, 0) + _bound_f1(
        document.bigrams, document.lengths, following, pairs_shared, length - 1, pair_counts, 1
    )


@compiled
def _bound_f1(grams: Grams, lengths: Codes, following: int, shared: int, size: int, counts: Codes, seam: int) -> float:
    """Return the maximum of 2 · shared / (wanted + size) over sets of sentences.

    Dinkelbach's method (1967) takes all sentences that raise the ratio, until it stays the same. The sum of gains may exceed what
    the summary has, so the result is at most the F1 of a selection that shares the whole summary.
    """
    if grams.n_wanted == 0:
        return 0.0
    gains = np.empty(lengths.size - following, np.int64)
    for place in range(gains.size):
        sentence = following + place
        gains[place] = seam + add_sentence(grams, sentence, counts)
        remove_sentence(grams, sentence, counts)
    ratio = 2 * shared / max(grams.n_wanted + size, 1)
    while True:
        total, tokens = shared, size
        for place in range(gains.size):
            if 2 * gains[place] > ratio * lengths[following + place]:
                total += gains[place]
                tokens += lengths[following + place]
        higher = 2 * total / max(grams.n_wanted + tokens, 1)
        if higher <= ratio + _EPSILON:
            return min(ratio, 2 * grams.n_wanted / (grams.n_wanted + max(size, grams.n_wanted)))
        ratio = higher
