import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from core.metrics.coded_texts import make_rouge_coder
from core.metrics.summary_input import score_summary_input

TEXTS = st.lists(st.sampled_from(["the", "gate", "duke", "opens"]), max_size=20).map(" ".join)


@settings(deadline=None)  # the first call compiles its kernels
@given(TEXTS, TEXTS)
def test_equals_the_recall_of_rouge_score(document, summary):
    code = make_rouge_coder()
    ours = score_summary_input(code(document), code(summary))
    theirs = RougeScorer(["rouge1", "rouge2", "rougeL"]).score(summary, document)
    assert (ours.rouge1, ours.rouge2, ours.rouge_l) == pytest.approx(tuple(score.recall for score in theirs.values()))
