import re

from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.bertsum_oracle import find_bertsum_oracle

COMPILES = settings(deadline=None)  # the first call compiles its kernels
SENTENCES = st.lists(st.sampled_from(["the", "gate", "duke", "don't", "dog", "of", "-"]), max_size=7).map(" ".join)


def ngram_set(tokens, order):
    return {tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1)}


def set_f1(evaluated, reference):
    shared = len(evaluated & reference)
    precision = shared / len(evaluated) if evaluated else 0.0
    recall = shared / len(reference) if reference else 0.0
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))


def literal_selection(sentences, summary, most):
    """Do what `greedy_selection` is described to do: score every candidate anew, with unions of sets."""

    def clean(text):
        return re.sub(r"[^a-zA-Z0-9 ]", "", text).split()

    grams = {order: [ngram_set(clean(sentence), order) for sentence in sentences] for order in (1, 2)}
    wanted = {order: ngram_set(clean(summary), order) for order in (1, 2)}
    selected, best = [], 0.0
    for _ in range(most):
        found = None
        for candidate in set(range(len(sentences))) - set(selected):
            score = sum(
                set_f1(set().union(*(grams[order][place] for place in [*selected, candidate])), wanted[order]) for order in (1, 2)
            )
            if score > best:
                best, found = score, candidate
        if found is None:
            break
        selected.append(found)
    return tuple(sorted(selected))


@COMPILES
@given(st.lists(SENTENCES, max_size=8), SENTENCES, st.integers(0, 5))
def test_equals_the_literal_selection(sentences, summary, most):
    assert find_bertsum_oracle(sentences, summary, most) == literal_selection(sentences, summary, most)
