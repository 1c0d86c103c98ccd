"""What is measured of a release: which config and pairs, in ranges that add up, and a sample of them."""

from functools import reduce
from operator import add
from pathlib import Path

import pytest

from core.errors import ConfigError
from core.metrics.bert_score import TokenCounts
from core.metrics.dataset_measures import DatasetMeasures, SummaryPair, measure_pairs, report_measures
from tasks.store import measures
from tasks.store.measures import PairRange, count_pairs, draw_sample, list_ranges, measure_range
from tests.tasks.conftest import Example


@pytest.fixture
def ranges(episodes: Example, monkeypatch: pytest.MonkeyPatch) -> list[PairRange]:
    """The pairs of the example of transcripts, few at a time."""
    monkeypatch.setattr(measures, "_RANGE", 5)
    return list_ranges(episodes.store, "transcripts", None)


def measure(ranges: list[PairRange]) -> dict[str, object]:
    parts = [measure_range(None, TokenCounts(), part) for part in ranges]
    return report_measures(reduce(add, parts, DatasetMeasures()))


def approximately(report: dict[str, object]) -> dict[str, object]:
    """The same figures, sums of floats in any order."""
    return {
        name: approximately(value) if isinstance(value, dict) else pytest.approx(value) if isinstance(value, float) else value
        for name, value in report.items()
    }


def test_ranges_of_a_release_add_up_to_its_pairs(
    episodes: Example, films: Example, ranges: list[PairRange], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert max(part.stop - part.start for part in ranges) == 5
    assert count_pairs(ranges) == len(episodes.rows("pairs")) > 30
    some = [part for part in ranges if part.key == ranges[-1].key][:1]
    monkeypatch.setattr(measures, "_RANGE", 1)
    ones = [part for part in list_ranges(episodes.store, "transcripts", None) if part.key == some[0].key]
    assert measure(some) == approximately(measure(ones[: some[-1].stop]))
    pairs = [
        SummaryPair(
            tuple(turn["text"] for turn in row["turns"]),
            tuple(row["sentences"]),
            frozenset(speaker for turn in row["turns"] for speaker in turn["speakers"]),
        )
        for row in films.rows("subtitles")
    ]
    assert measure(list_ranges(films.store, "subtitles", None)) == approximately(report_measures(measure_pairs(pairs)))


def test_the_config_is_the_one_with_pairs_or_the_one_named(episodes: Example, tmp_path: Path) -> None:
    store = episodes.store
    assert count_pairs(list_ranges(store, "transcripts", "train_on")) == len(episodes.rows("train_on"))
    with pytest.raises(ConfigError, match=r"no config 'silver'; it has dialogues, .*pairs"):
        list_ranges(store, "transcripts", "silver")
    with pytest.raises(ConfigError, match="has no dataset 'tails'; it has transcripts"):
        list_ranges(store, "tails", None)
    copy = episodes.copy(tmp_path).store
    copy.delete(f"{episodes.folder}/README.md")
    with pytest.raises(ConfigError, match="no card that names its default config; name one with --config; it has dialogues"):
        list_ranges(copy, "transcripts", None)


def test_a_sample_is_the_same_every_time_and_of_the_size_asked_for(ranges: list[PairRange]) -> None:
    sample = draw_sample(ranges, 7)
    assert count_pairs(sample) == 7
    assert sample == draw_sample(ranges, 7)
    assert measure(sample)["measured"] == 7
    assert draw_sample(ranges, count_pairs(ranges)) == draw_sample(ranges, 9_999) == ranges
