"""The exact extractive oracle: sentences are selected by the same ROUGE that later scores them.

It differs from BertSum's oracle (`core.metrics.bertsum_oracle`) in three ways. Its tokens are rouge-score's, which also score the
result. It counts n-grams with repeats and clips them, as ROUGE does. Its selection is one text with the sentences in the
document's order, so bigrams span the seams between sentences and change when a sentence is inserted.

Two searches maximise ROUGE-1 F1 + ROUGE-2 F1: a greedy one (`find_greedy_oracle`) and one over all subsets
(`core.metrics.optimal_oracle`).
"""

from collections.abc import Sequence

import numpy as np

from core.compiled import compiled
from core.metrics.coded_texts import bounds_of, join_codes
from core.metrics.oracle_counts import Document, Grams, add_seam, add_sentence, prepare, remove_seam, remove_sentence, sum_f1
from core.metrics.rouge import RougeScores, score_rouge
from core.text.numbering import Codes


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
