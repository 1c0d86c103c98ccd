"""The extractive oracle of BertSum: a greedy search with sets of BertSum's own n-grams."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any

MOST_SENTENCES = 3
"""BertSum's summary size for CNN/DailyMail, in sentences."""

_NO_WORD = re.compile(r"[^a-z0-9\s]+")

_Grams = tuple[frozenset[str], frozenset[tuple[str, str]]]
"""The unigrams and bigrams of a text."""


def find_bertsum_oracle(sentences: Sequence[str], summary: str, max_sentences: int = MOST_SENTENCES) -> tuple[int, ...]:
    """Return the sentences (0-based, ascending) that BertSum's greedy oracle selects from a document for its summary.

    Each round adds the sentence that raises F1 of unigrams plus F1 of bigrams most; ties go to the first sentence. The score is
    not ROUGE: n-grams are sets, not counts; bigrams of the document lie within one sentence, but bigrams of the summary may span
    two; F1 = 2 · p · r / (p + r + 1e-8). SumTitles' authors found "some issues" in it (section 5.2).

    Reference: Liu and Lapata, "Text Summarization with Pretrained Encoders", 2019; nlpyang/BertSum, `greedy_selection` in
    src/prepro/data_builder.py.
    """
    wanted, grams = _find_grams(summary), list(map(_find_grams, sentences))
    covered: _Grams = (frozenset(), frozenset())
    selected: list[int] = []
    best = 0.0
    for _ in range(max_sentences):
        found = None
        for place, own in enumerate(grams):
            score = sum(map(_rate, covered, own, wanted))
            if score > best:  # never of a selected sentence, which adds nothing
                best, found = score, place
        if found is None:
            break
        selected.append(found)
        covered = (covered[0] | grams[found][0], covered[1] | grams[found][1])
    return tuple(sorted(selected))


def _find_grams(text: str) -> _Grams:
    words = _NO_WORD.sub("", text.lower()).split()
    return frozenset(words), frozenset(pairwise(words))


def _rate(covered: AbstractSet[Any], own: AbstractSet[Any], wanted: AbstractSet[Any]) -> float:
    """Return F1 of all n-grams covered, with a sentence's `own`."""
    every = covered | own
    shared = len(every & wanted)
    precision = shared / len(every) if every else 0.0
    recall = shared / len(wanted) if wanted else 0.0
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))
