from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from core.metrics.coded_texts import RougeCoder
from core.metrics.oracle import find_greedy_oracle

COMPILES = settings(deadline=None)  # the first call compiles its kernels
SENTENCES = st.lists(st.sampled_from(["the", "gate", "duke", "opens", "dog", "of"]), max_size=7).map(" ".join)
DOCUMENTS = st.lists(SENTENCES, max_size=7)
ROUGE = RougeScorer(["rouge1", "rouge2"])


def coded(document, summary):
    code = RougeCoder()
    return [code(sentence) for sentence in document], code(summary)


def measure(document, places, summary):
    """Return the objective as rouge-score computes it, rounded so that equal scores tie."""
    scores = ROUGE.score(summary, " ".join(document[place] for place in sorted(places)))
    return round(scores["rouge1"].fmeasure + scores["rouge2"].fmeasure, 12)


def select_naively(document, summary, most):
    selected, best = [], 0.0
    while len(selected) < most:
        rest = [place for place in range(len(document)) if place not in selected]
        scores = {place: measure(document, [*selected, place], summary) for place in rest}
        found = max(rest, key=lambda place: (scores[place], -place), default=None)
        if found is None or scores[found] <= best:
            break
        best = scores[found]
        selected.append(found)
    return tuple(sorted(selected))


@COMPILES
@given(DOCUMENTS, SENTENCES, st.integers(0, 8))
def test_greedy_selection_equals_the_one_by_rouge_score(document, summary, most):
    assert find_greedy_oracle(*coded(document, summary), most) == select_naively(document, summary, most)
