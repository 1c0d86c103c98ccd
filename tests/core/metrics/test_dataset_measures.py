import json

import pytest
from rouge_score.rouge_scorer import RougeScorer

from core.metrics.dataset_measures import SummaryPair, extractiveness_coefficient, measure_pairs, report_measures

PAIRS = (
    SummaryPair(
        ("The old duke opens the gate for the dog.", "Thank you.", "The dog runs into the dark wood."),
        ("The duke opens the gate.", "The dog runs into the wood."),
        frozenset({"Duke", "Dog"}),
    ),
    SummaryPair(("Who goes there?", "Nobody at all, said the wind."), ("Somebody hears the wind.",)),
)


def report_of(pairs, bert=None):
    return report_measures(measure_pairs(pairs, bert))


def test_the_report_of_two_pairs():
    report = json.loads(json.dumps(report_of(PAIRS)))
    assert report["size"]["samples"] == report["measured"] == 2
    assert report["settings"]["tokenizer"] == "rouge"
    rouge = RougeScorer(["rouge1", "rouge2", "rougeL"])
    oracles = [
        (" ".join(PAIRS[0].summary), f"{PAIRS[0].turns[0]} {PAIRS[0].turns[2]}"),
        (" ".join(PAIRS[1].summary), PAIRS[1].turns[1]),
    ]
    scores = [rouge.score(summary, extract) for summary, extract in oracles]
    for order in ("rouge1", "rouge2", "rougeL"):
        expected = sum(score[order].fmeasure for score in scores) / 2
        assert report["oracle"]["exact"][order] == pytest.approx(expected)
        assert report["oracle"]["bertsum"][order] == pytest.approx(expected)
        inputs = [rouge.score(" ".join(pair.summary), " ".join(pair.turns))[order].recall for pair in PAIRS]
        assert report["summary_input"][order] == pytest.approx(sum(inputs) / 2)
    seven = [1e4 * report["extractive_score"]]
    seven += [100 * report[part][order] for part in ("summary_input",) for order in ("rouge1", "rouge2", "rougeL")]
    seven += [100 * report["oracle"]["exact"][order] for order in ("rouge1", "rouge2", "rougeL")]
    assert report["extractiveness_coefficient"]["exact"] == pytest.approx(sum(seven) / 7)
    pair, lsum = PAIRS[0], RougeScorer(["rougeLsum"])
    summary, first = "\n".join(pair.summary), report_of([pair])  # rouge-score reads one sentence per line
    extract = lsum.score(summary, f"{pair.turns[0]}\n{pair.turns[2]}")["rougeLsum"]
    assert first["oracle"]["exact"]["rougeLsum"] == pytest.approx(extract.fmeasure)
    assert first["summary_input"]["rougeLsum"] == pytest.approx(lsum.score(summary, "\n".join(pair.turns))["rougeLsum"].recall)
    assert report["bert_score"] == {"over_document": None, "over_summary": None, "f1": None, "measured": 0}
    assert set(report["oracle"]) == {"exact", "bertsum"}


def test_pairs_with_an_empty_side_count_as_samples_only():
    empty = (SummaryPair((), ("A summary.",)), SummaryPair(("...",), ("A summary.",)), SummaryPair(("A turn.",), ()))
    report = report_of((*PAIRS, *empty))
    assert report["size"]["samples"] == 5
    assert report["measured"] == 2
    assert report["oracle"] == report_of(PAIRS)["oracle"]
    nothing = report_of([])
    assert nothing["extractiveness_coefficient"] == {"exact": None, "bertsum": None}
    assert nothing["measured"] == 0


def test_a_row_of_table_1():
    pairs = [
        SummaryPair(("Open the gate!", "Never."), ("He refuses.",), frozenset({"Duke", "Guard"})),
        SummaryPair(("Quiet.",), ("It is quiet.", "Night falls.")),
    ]
    assert report_of(pairs)["size"] == {
        "samples": 2,
        "average_speakers": 2.0,
        "average_utterances": 1.5,
        "average_summary_sentences": 1.5,
        "average_text_tokens": 2.5,
        "average_summary_tokens": 3.5,
    }
    assert report_of([])["size"]["average_utterances"] is None, "what is unknown is none, not zero"
    assert report_of(pairs[1:])["size"]["average_speakers"] is None


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
    assert round(extractiveness_coefficient(score / 10_000, [figure / 100 for figure in rouge]), 2) == coefficient
