"""Extractive score (eq. 4): how much of a summary occurs in its document as long runs of words."""

import math
from collections.abc import Iterable

import numpy as np

from core.compiled import compiled
from core.text.numbering import Codes, look_up_all, number_keys

SHORTEST_RUN = 3
"""Minimum length of a "long" run, in tokens. SumTitles does not define it; ROUGE-1 and ROUGE-2 already count words and pairs."""


def score_extraction(document: Codes, summary: Codes, shortest: int = SHORTEST_RUN) -> float:
    """Return Σ s · (e^(s − 1) − (1 − s) / e) over the runs of `find_common_runs`, where s = run length / summary length.

    Runs of equal length all count: "set" in eq. 4 is read as a collection.

    Reference: Cibils et al., "Diverse Beam Search for Increased Novelty in Abstractive Summarization", 2018; SumTitles, eq. 4.
    """
    return weigh_runs(find_common_runs(document, summary, shortest).tolist(), summary.size)


def weigh_runs(lengths: Iterable[int], n_summary: int) -> float:
    """Return the score of eq. 4 for runs of the given lengths in a summary of `n_summary` tokens."""
    shares = [length / n_summary for length in lengths]
    return math.fsum(share * (math.exp(share - 1) - (1 - share) / math.e) for share in shares)


def find_common_runs(document: Codes, summary: Codes, shortest: int = SHORTEST_RUN) -> Codes:
    """Return the lengths of ACS: the long runs of tokens that summary and document share, without overlap in the summary.

    Again and again the longest run of free summary tokens that occurs in the document is taken (the leftmost in a tie), until the
    longest is shorter than `shortest`. The document's tokens may occur in several runs.
    """
    return _take_longest(_longest_endings(document, summary), max(shortest, 1))


@compiled
def _longest_endings(document: Codes, summary: Codes) -> Codes:
    """Return, for every summary token, the length of the longest run that ends there and occurs in the document.

    `runs[i]` is the run that ends at summary token i and at the current document token. A token's places are visited from right
    to left, so `runs[i - 1]` is still the run of the previous document token.
    """
    numbers, table, count = number_keys(summary)
    last_place = np.full(count, -1, np.int64)
    place_before = np.empty(summary.size, np.int64)
    for place in range(summary.size):
        place_before[place] = last_place[numbers[place]]
        last_place[numbers[place]] = place
    longest = np.zeros(summary.size, np.int64)
    runs, seen_at = np.zeros(summary.size, np.int64), np.full(summary.size, -2, np.int64)
    others = look_up_all(table, document)
    for position in range(others.size):
        if others[position] < 0:
            continue
        place = last_place[others[position]]
        while place >= 0:
            goes_on = place > 0 and seen_at[place - 1] == position - 1
            runs[place] = runs[place - 1] + 1 if goes_on else 1
            seen_at[place] = position
            longest[place] = max(longest[place], runs[place])
            place = place_before[place]
    return longest


@compiled
def _take_longest(longest: Codes, shortest: int) -> Codes:
    """Return the lengths of the runs that are taken greedily. The tokens of a taken run are removed from the other runs."""
    left = longest.copy()
    taken = np.zeros(left.size, np.int64)
    count = 0
    while left.size:
        end = np.argmax(left)  # in a tie, the first end has the first start
        length = left[end]
        if length < shortest:
            break
        taken[count] = length
        count += 1
        left[end - length + 1 : end + 1] = 0
        later = end + 1
        while later < left.size and left[later] > later - end:  # a run that overlaps the taken one
            left[later] = later - end
            later += 1
    return taken[:count]
