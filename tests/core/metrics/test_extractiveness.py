import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from core.metrics.coded_texts import make_rouge_coder
from core.metrics.extractiveness import ExtractivenessFigures, extractiveness_coefficient, score_summary_input

# Table 2 of SumTitles: EC; extractive score × 10⁴; oracle R1, R2, RL F1 × 100; summary-input R1, R2, RL recall × 100.
TABLE_2 = {
    "CNN/DailyMail": (77.31, 175.56, 54.09, 32.35, 50.51, 90.12, 51.25, 87.32),
    "AMI": (34.91, 0.28, 24.93, 5.12, 22.26, 82.27, 28.69, 80.80),
    "DialSum": (8.46, 2.35, 9.53, 0.51, 9.02, 18.72, 1.06, 18.06),
    "SAMSum": (95.52, 384.58, 51.38, 22.63, 49.05, 68.95, 25.59, 66.44),
    "SumTitles: Subtitles": (32.92, 30.76, 9.71, 2.48, 8.69, 79.34, 21.72, 77.72),
    "SumTitles: Scripts": (14.32, 17.84, 26.26, 4.38, 23.20, 13.75, 2.07, 12.75),
    "SumTitles: Gold": (16.70, 10.31, 26.19, 3.86, 23.26, 26.19, 3.86, 23.26),
}


@pytest.mark.parametrize("corpus", TABLE_2)
def test_the_rows_of_table_2_give_its_coefficients(corpus):
    coefficient, score, *rouge = TABLE_2[corpus]
    figures = ExtractivenessFigures(score / 10_000, *(figure / 100 for figure in rouge))
    assert round(extractiveness_coefficient(figures), 2) == coefficient


TEXTS = st.lists(st.sampled_from(["the", "gate", "duke", "opens"]), max_size=20).map(" ".join)


@settings(deadline=None)  # the first call compiles its kernels
@given(TEXTS, TEXTS)
def test_summary_input_equals_the_recall_of_rouge_score(document, summary):
    code = make_rouge_coder()
    ours = score_summary_input(code(document), code(summary))
    theirs = RougeScorer(["rouge1", "rouge2", "rougeL"]).score(summary, document)
    assert (ours.rouge1, ours.rouge2, ours.rouge_l) == pytest.approx(tuple(score.recall for score in theirs.values()))
