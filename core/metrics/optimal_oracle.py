"""The optimal extractive oracle: the subset of sentences with the highest ROUGE, found by branch and bound."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.compiled import compiled
from core.metrics.oracle import find_greedy_oracle, keep_spoken, prepare_document
from core.metrics.oracle_counts import Document, Grams, add_seam, add_sentence, remove_seam, remove_sentence, sum_f1
from core.text.numbering import Codes

MOST_STEPS = 10_000_000
"""Limit of the search in visited sentences, including those of each subset's bound: some seconds, for films and scenes alike."""

_EPSILON = 1e-12  # a bound above the best by this much counts as equal, since sums of fractions differ in their last digits


@dataclass(frozen=True, slots=True)
class OptimalOracle:
    """The selected sentences (0-based, ascending), and whether the search proved that no other selection is better."""

    sentences: tuple[int, ...]
    proved: bool


def find_optimal_oracle(
    sentences: Sequence[Codes], summary: Codes, max_sentences: int | None = None, max_steps: int = MOST_STEPS
) -> OptimalOracle:
    """Return the subset of at most `max_sentences` sentences (None: any number) with the highest ROUGE-1 F1 + ROUGE-2 F1.

    The search starts from the greedy oracle. It visits subsets in the document's order and skips those whose upper bound is no
    better than the best so far. A step is a visited sentence; the bound of a subset visits all sentences that follow it. After
    `max_steps` steps the best so far is returned, not proved. Sentences that share no word with the summary cannot help and are
    left out first. In the worst case, time grows exponentially with the number of the others.
    """
    greedy = find_greedy_oracle(sentences, summary, max_sentences)
    wanted = set(summary.tolist())
    helpful = [place for place in keep_spoken(sentences) if not wanted.isdisjoint(sentences[place].tolist())]
    if not helpful or not greedy:
        return OptimalOracle(greedy, proved=True)
    document = prepare_document(sentences, helpful, summary)
    start = np.array([helpful.index(place) for place in greedy], np.int64)
    selected, proved = _search(document, start, len(helpful) if max_sentences is None else max_sentences, max_steps)
    return OptimalOracle(tuple(helpful[place] for place in selected.tolist()), proved)


@compiled
def _search(document: Document, start: Codes, most: int, most_steps: int) -> tuple[Codes, bool]:
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
            and depth < most
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
