"""The report of made-up units: parts that are the same twice, rows that are withheld, text that would be HTML."""

import gzip
import json
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa
import pytest

from core.dataset.report import MEASURES, ReportSpec, Threshold
from core.dataset.splits import SplitConfig
from core.dataset.takedown import Takedown
from core.errors import UnfitUnitsError
from infra.store.history import Publication
from infra.store.objects import Store
from infra.tables.columns import TURNS
from infra.tables.parquet import Provenance, Rows
from tasks.frame import report as module
from tasks.frame.publish import ReleaseFacts, publish_tables
from tasks.frame.release import plan_release, write_shard
from tasks.frame.release_spec import ReleasePlan, ReleaseUnit, Reporter, TableSpec
from tasks.frame.report import ASSETS, ReportPart, TableColumns, TablePresenter, identify_report, plan_report, write_report_part

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
SCHEMA = pa.schema([("id", pa.string()), ("title", pa.string()), ("summary", pa.string()), ("turns", TURNS)])
REJECTS = pa.schema([("id", pa.string()), ("summary", pa.string()), ("reason", pa.string())])


def turn(number: int) -> dict[str, Any]:
    return {"number": number, "speakers": ["ODILE"], "text": f"turn {number} {HOSTILE}"}


def build_pairs(_: Store, unit: ReleaseUnit) -> Rows:
    """Two rows whose turns overlap."""
    rows = [
        {"id": f"{unit.unit}_{place}", "title": HOSTILE, "summary": f"summary {place}", "turns": [turn(n) for n in span]}
        for place, span in enumerate(([0, 1, 2], [1, 2, 3]))
    ]
    return Rows(pa.Table.from_pylist(rows, schema=SCHEMA))


def build_rejects(count: int, _: Store, unit: ReleaseUnit) -> Rows:
    rows = [{"id": f"{unit.unit}_r{place}", "summary": "dropped", "reason": "too short"} for place in range(count)]
    return Rows(pa.Table.from_pylist(rows, schema=REJECTS))


def build_nameless(_: Store, unit: ReleaseUnit) -> Rows:
    return Rows(pa.Table.from_pylist([{"unit": unit.unit, "reason": "too short"}] * 2))


def fail(_: Store, unit: ReleaseUnit) -> Rows:
    raise ValueError(f"{unit.unit} is odd")


PAIRS = TableSpec(name="pairs", schema=SCHEMA, build=build_pairs, config=True, expansion=1)
LEFT = TableSpec(name="rejects", schema=REJECTS, build=partial(build_rejects, 300), config=False, expansion=1)
REPORTER = Reporter(
    present=TablePresenter(kept=PAIRS, rejects=LEFT, columns=TableColumns(facts={"title": "title"})),
    spec=ReportSpec(thresholds=(Threshold(measure="turns", reason="too short", setting="filter.min_turns", value=2),)),
)


@pytest.fixture
def plan(store: Store) -> ReleasePlan:
    unit = ReleaseUnit(unit="", artifacts={}, checksums=("a",), size=10, provenance=Provenance("a.txt", "CC BY 4.0", "somebody"))
    units = {name: replace(unit, unit=name) for name in ("S01E01", "S01E02", "S01E03")}
    units["S01E02"] = replace(units["S01E02"], withheld=Takedown({"S01E02_1": "asked"}))
    return plan_release(store, "show", units, (PAIRS, LEFT), SplitConfig(), {}, told=identify_report(REPORTER))


def read(store: Store, plan: ReleasePlan, path: str) -> Any:
    return json.loads(gzip.decompress(store.read(f"{plan.folder}/report/{path}")))


def write(plan: ReleasePlan, reporter: Reporter = REPORTER) -> list[ReportPart]:
    return [write_report_part(request) for request in plan_report(plan, reporter).values()]


def test_a_part_has_shared_turns_once_every_count_and_no_row_that_is_taken_down(store: Store, plan: ReleasePlan) -> None:
    (part,) = write(plan)
    index = read(store, plan, part.index)
    chunk = read(store, plan, index["units"][0][3])
    assert [number for number, *_ in chunk["units"]["S01E01"]["turns"]] == [0, 1, 2, 3]
    assert [row["spans"] for row in chunk["rows"][:2]] == [[[0, 3]], [[1, 4]]]
    assert [row["id"] for row in chunk["rows"]] == index["rows"]["id"]
    assert part.counts.reasons == {"": 5, "too short": 900}
    assert part.listed == 5 + 3 * 200
    assert [unit[5:] for unit in index["units"]] == [[2, 300], [1, 300], [2, 300]]
    packed = [store.read(f"{plan.folder}/{file.path}") for file in part.files]
    texts = [gzip.decompress(content).decode() for content in packed]
    assert any('"S01E01_1"' in text for text in texts)
    assert not any("S01E02_1" in text for text in texts)
    assert {content[4:10:5] for content in packed} == {b"\x00\xff"}, "a time or another Python would write another release"


def test_rows_without_ids_get_some_that_no_other_unit_has(store: Store, plan: ReleasePlan) -> None:
    nameless = replace(LEFT, build=build_nameless)
    (part,) = write(plan, replace(REPORTER, present=TablePresenter(kept=PAIRS, rejects=nameless)))
    ids = read(store, plan, part.index)["rows"]["id"]
    assert len(ids) == len(set(ids)) == 5 + 3 * 2
    assert "S01E03#00002" in ids


def test_parts_and_chunks_are_divided_by_size_and_no_unit_is(
    store: Store, plan: ReleasePlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PART_BYTES", 15)
    monkeypatch.setattr(module, "CHUNK_BYTES", 1)
    parts = write(plan)
    assert len(parts) == 3
    units = [unit for part in parts for unit in read(store, plan, part.index)["units"]]
    assert [unit[0] for unit in units] == ["S01E01", "S01E02", "S01E03"]
    for name, _, split, chunk, *_ in units:
        assert split == plan.splits[name]
        assert list(read(store, plan, chunk)["units"]) == [name]


def test_a_unit_that_cannot_be_shown_is_named(plan: ReleasePlan) -> None:
    broken = Reporter(present=TablePresenter(kept=replace(PAIRS, build=fail)))
    with pytest.raises(UnfitUnitsError) as error:
        write(plan, broken)
    assert [failure.unit for failure in error.value.failures] == ["S01E01", "S01E02", "S01E03"]


def test_the_page_has_its_figures_and_no_text_of_the_data_as_html(
    store: Store, plan: ReleasePlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = [write_shard(request) for request in plan.requests.values()]
    facts = ReleaseFacts(statistics={}, report=write(plan), words=REPORTER.spec, figures=[{"metric": HOSTILE, "value": "1"}])
    publish_tables(store, plan, shards, facts, Publication(run=1, started="2026-01-01", parent=None))
    page = store.read(f"{plan.folder}/report/index.html").decode()
    told = json.loads(page.split('<script type="application/json" id="release">')[1].split("</script>")[0])
    assert told["figures"] == [{"metric": HOSTILE, "value": "1"}]
    assert told["sharded"] is False
    assert told["counts"] == {"units": 3, "turns": 12, "reasons": {"": 5, "too short": 900}}
    assert told["thresholds"][0]["setting"] == "filter.min_turns"
    assert [measure["name"] for measure in told["measures"]] == [measure.name for measure in MEASURES]
    assert "<img" not in page
    assert "onerror" in page  # it is there, as text
    before = identify_report(REPORTER)
    monkeypatch.setitem(ASSETS, "report.css", "common.css")
    assert identify_report(REPORTER) != before, "another page makes another version"
