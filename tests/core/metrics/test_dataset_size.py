from core.metrics.dataset_size import DatasetSize, SummaryPair, measure_size


def test_a_row_of_table_1():
    pairs = [
        SummaryPair(("Open the gate!", "Never."), ("He refuses.",), frozenset({"Duke", "Guard"})),
        SummaryPair(("Quiet.",), ("It is quiet.", "Night falls.")),
    ]
    size = sum((measure_size(pair, str.split) for pair in pairs), DatasetSize())
    assert size.report() == {
        "samples": 2,
        "average_speakers": 2.0,
        "average_utterances": 1.5,
        "average_summary_sentences": 1.5,
        "average_text_tokens": 2.5,
        "average_summary_tokens": 3.5,
    }


def test_unknown_figures_are_none_not_zero():
    assert DatasetSize().report()["average_utterances"] is None
    assert measure_size(SummaryPair(("a",), ("b",)), str.split).report()["average_speakers"] is None
