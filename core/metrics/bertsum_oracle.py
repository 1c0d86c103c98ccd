"""The extractive oracle of BertSum: a greedy search with sets of BertSum's own n-grams."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled, kernel_part
from core.metrics.coded_texts import code_bertsum
from core.text.numbering import Codes, count_numbers, look_up, number_keys, pair_keys

MOST_SENTENCES = 3
"""BertSum's summary size for CNN/DailyMail, in sentences."""

_COVERED = 1  # mark of the n-grams of selected sentences; trials have negative marks


def find_bertsum_oracle(sentences: Sequence[str], summary: str, max_sentences: int = MOST_SENTENCES) -> tuple[int, ...]:
    """Return the sentences (0-based, ascending) that BertSum's greedy oracle selects from a document for its summary.

    Each round adds the sentence that raises F1 of unigrams plus F1 of bigrams most; ties go to the first sentence. The score is
    not ROUGE: n-grams are sets, not counts; bigrams of the document lie within one sentence, but bigrams of the summary may span
    two; F1 = 2 · p · r / (p + r + 1e-8). SumTitles' authors found "some issues" in it (section 5.2).

    Reference: Liu and Lapata, "Text Summarization with Pretrained Encoders", 2019; nlpyang/BertSum, `greedy_selection` in
    src/prepro/data_builder.py.
    """
    codes, bounds = code_bertsum([summary, *sentences])
    selected = _select(codes, bounds, max_sentences)
    return tuple(sorted(selected.tolist()))


@compiled
def _select(codes: Codes, bounds: Codes, most: int) -> Codes:
    """Return the selected sentences in the order of selection; text 0 is the summary."""
    numbers, _, count = number_keys(codes)
    summary, unigrams, bounds = numbers[: bounds[1]], numbers[bounds[1] :], bounds[1:] - bounds[1]
    wanted = count_numbers(summary, count) > 0
    n_wanted = wanted.sum()
    pairs, pair_bounds = _pair_within(unigrams, bounds, count)
    bigrams, pair_wanted, n_pair_wanted = _number_pairs(pairs, pair_keys(summary, count))
    covered, pair_covered = np.zeros(wanted.size, np.int64), np.zeros(pair_wanted.size, np.int64)
    n_sentences = bounds.size - 1
    chosen, selected = np.zeros(n_sentences, np.bool_), np.empty(max(min(most, n_sentences), 0), np.int64)
    size = shared = pair_size = pair_shared = trial = 0
    best = 0.0
    for place in range(selected.size):
        found = -1
        for sentence in range(n_sentences):
            if chosen[sentence]:
                continue
            trial -= 1
            new, hits = _cover(unigrams[bounds[sentence] : bounds[sentence + 1]], wanted, covered, trial)
            score = _f1(shared + hits, size + new, n_wanted)
            new, hits = _cover(bigrams[pair_bounds[sentence] : pair_bounds[sentence + 1]], pair_wanted, pair_covered, trial)
            score += _f1(pair_shared + hits, pair_size + new, n_pair_wanted)
            if score > best:
                best, found = score, sentence
        if found < 0:
            return selected[:place]
        selected[place], chosen[found] = found, True
        new, hits = _cover(unigrams[bounds[found] : bounds[found + 1]], wanted, covered, _COVERED)
        size, shared = size + new, shared + hits
        new, hits = _cover(bigrams[pair_bounds[found] : pair_bounds[found + 1]], pair_wanted, pair_covered, _COVERED)
        pair_size, pair_shared = pair_size + new, pair_shared + hits
    return selected


@kernel_part
def _pair_within(tokens: Codes, bounds: Codes, n_codes: int) -> tuple[Codes, Codes]:
    """Return the keys of the bigrams within each sentence, and their bounds."""
    pairs, pair_bounds = np.empty(tokens.size, np.int64), np.zeros_like(bounds)
    filled = 0
    for sentence in range(bounds.size - 1):
        for place in range(bounds[sentence], bounds[sentence + 1] - 1):
            pairs[filled] = tokens[place] * n_codes + tokens[place + 1]
            filled += 1
        pair_bounds[sentence + 1] = filled
    return pairs[:filled], pair_bounds


@kernel_part
def _number_pairs(keys: Codes, summary_keys: Codes) -> tuple[Codes, NDArray[np.bool_], int]:
    """Return the numbers of the bigrams, which of them the summary has, and the number of distinct bigrams of the summary."""
    table, n_wanted = number_keys(summary_keys)[1:]
    numbers, _, count = number_keys(keys)
    wanted = np.zeros(count, np.bool_)
    for place in range(keys.size):
        wanted[numbers[place]] = look_up(table, keys[place]) >= 0
    return numbers, wanted, n_wanted


@kernel_part
def _cover(grams: Codes, wanted: NDArray[np.bool_], covered: Codes, mark: int) -> tuple[int, int]:
    """Mark the n-grams that no selected sentence and not this trial has yet. Return their number, and how many are wanted."""
    new = hits = 0
    for gram in grams:
        if covered[gram] != _COVERED and covered[gram] != mark:
            covered[gram] = mark
            new += 1
            hits += wanted[gram]
    return new, hits


@kernel_part
def _f1(shared: int, size: int, n_wanted: int) -> float:
    precision = shared / size if size > 0 else 0.0
    recall = shared / n_wanted if n_wanted > 0 else 0.0
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))
