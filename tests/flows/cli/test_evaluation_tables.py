"""The tables of an evaluation, from figures as `tasks` returns them."""

from typing import Any

import pytest

from flows.cli.evaluation_tables import print_agreement, print_quality


def estimate(value: float) -> dict[str, float]:
    return {"value": value, "low": value - 0.1, "high": value + 0.1}


def agreement(hit_rate: float) -> dict[str, Any]:
    rates = {"links": 1200, "hit_rate": estimate(hit_rate), "distance_percent": estimate(2.5)}
    return {"rates": rates, "iou": 0.3, "recall": 0.4, "precision": 0.5, "f1": 0.6, "accuracy": None}


def quality(**further: Any) -> dict[str, Any]:
    rates = {"precision": estimate(0.5), "recall": estimate(0.6), "f1": estimate(0.7)}
    kinds = {"pooled": rates, "macro": rates}
    return {"chunks": 40, "kept_chunks": 0, "kept_share": 0.0, "all": kinds, "kept": None, **further}


def read_rows(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    return [line.split() for line in lines]


def test_agreement_of_the_store_and_the_paper_in_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    nothing = agreement(0.0) | {"rates": None}
    parts = {"all": agreement(0.5), "by_source": {"": agreement(0.5)}, "by_story": {"a-story": nothing}}
    print_agreement({"store": parts, "sumtitles": parts | {"all": agreement(0.25)}, "left_out": ["tuned"]})
    rows = read_rows(capsys)
    assert ["store", "1,200", "0.500", "0.40–0.60", "2.5", "%", "2.4–2.6"] in rows
    assert ["sumtitles", "1,200", "0.250", "0.15–0.35", "2.5", "%", "2.4–2.6"] in rows
    assert rows.count(["gold:", "own", "1,200", "0.500", "0.40–0.60", "2.5", "%", "2.4–2.6"]) == 2
    assert rows.count(["a-story", "0", "–", "–", "–", "–"]) == 2
    assert ["store", "0.300", "0.400", "0.500", "0.600", "–"] in rows
    assert rows[-1] == ["left", "out", "tuned"]


def test_a_profile_that_was_not_computed_has_no_rows(capsys: pytest.CaptureFixture[str]) -> None:
    parts = {"all": agreement(0.5), "by_source": {}, "by_story": {}}
    print_agreement({"store": parts, "sumtitles": None, "left_out": []})
    firsts = [row[0] for row in read_rows(capsys) if row]
    assert ("store" in firsts, "sumtitles" in firsts, "left" in firsts) == (True, False, False)


def test_quality_with_no_chunk_kept_and_the_reliability_in_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    bins = [{"low": 0.7, "high": 0.8, "stated": 0.75, "observed": 0.5, "count": 40}]
    reliability = {"calibration_error": 0.25, "brier": 0.3, "bins": bins}
    found = quality(by_episode={"S01E01": quality()}, coverage=0.5)
    print_quality({"store": found | {"reliability": reliability}, "crd3": found | {"reliability": None}})
    rows = read_rows(capsys)
    assert ["store", "all", "pooled", "40", "0.500", "0.600", "0.700", "0.60–0.80"] in rows
    assert rows.count(["S01E01", "all", "macro", "40", "0.500", "0.600", "0.700", "0.60–0.80"]) == 2
    assert ["crd3", "kept", "–", "0", "–", "–", "–", "–"] in rows
    assert ["crd3", "0.0%", "50.0%"] in rows
    assert rows[-1] == ["0.7–0.8", "0.750", "0.500", "40"]
