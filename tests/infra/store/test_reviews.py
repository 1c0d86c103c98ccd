"""Decisions in the store: each is there once it is acknowledged, whoever else writes, and bad lines are refused alone."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import ConfigError
from core.review.judgements import Judgement, TurnSpan
from infra.store.objects import Store
from infra.store.reviews import add_judgements, check_annotator, read_reviews


def judge(item: str, annotator: str = "anna", hour: int = 1) -> Judgement:
    return Judgement(
        item=item, dataset="d", version="v", question="span", answer=TurnSpan(1, 2), annotator=annotator,
        at=f"2026-11-22T{hour:02}:00:00.123456+00:00", unit="E1", digest="b",
    )  # fmt: skip


@pytest.mark.parametrize("local", [True, False])
def test_every_decision_is_there_whatever_is_written_at_the_same_time(local: bool, tmp_path: Path) -> None:
    store = Store(str(tmp_path) if local else "memory://reviews-at-once")
    wanted = [judge(f"i{number}", name) for number in range(20) for name in ("anna", "ben")]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda each: add_judgements(store, [each]), [*wanted, *wanted]))
    assert sorted(read_reviews(store, "d").judgements, key=repr) == sorted(wanted, key=repr)


def test_a_half_line_is_told_and_the_others_count(store: Store) -> None:
    (key,) = add_judgements(store, [judge("one")])
    line = store.read(key)
    store.write("reviews/d/ben.jsonl", line.replace(b"anna", b"ben") + line[:40])
    store.write("reviews/d/other.jsonl", line.replace(b'"d"', b'"e"'))
    found = read_reviews(store, "d")
    assert [entry.annotator for entry in found.judgements] == ["anna", "ben"]
    assert len(found.refused) == 2
    assert "ben.jsonl, line 2" in found.refused[0]
    assert "another dataset" in found.refused[1]


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a..b", ".hidden", "x" * 65])
def test_an_annotator_whose_name_is_no_files_name_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="annotator"):
        check_annotator(name)
