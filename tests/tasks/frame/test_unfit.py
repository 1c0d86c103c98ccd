"""A release never dies of one unit: it names and quarantines it, and goes on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from core.errors import SourceError
from infra.store.objects import Store
from infra.tables.codecs import check_table, decode_table, json_codec, table_codec
from infra.tables.columns import required
from infra.tables.parquet import Rows, assemble
from tasks.frame.build import run_stage
from tasks.frame.pipeline import Pipeline
from tasks.frame.release import UnfitUnitsError
from tasks.frame.release_spec import RELEASE, Landed, ReleaseUnit, ShardReference, Summary, TableSpec
from tests.tasks.in_process import name_version, read_rows, run
from tests.tasks.toy import LETTERS, NOTES, TEXTS, write_text

SCHEMA = pa.schema([required("id", pa.string()), required("words", pa.list_(pa.field("element", pa.string(), nullable=False)))])


@dataclass(frozen=True, slots=True)
class Page:
    """A page with a title."""

    title: str


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for letter in "abc":
        write_text(tmp_path / "source", letter)
    return tmp_path / "source"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


def test_what_does_not_fit_its_types_is_not_stored(store: Store) -> None:
    page: Any = Page(5)  # type: ignore[arg-type]
    with pytest.raises(
        SourceError, match=r"S01: what the stage 'page' made of it does not fit its schema \(title is 5; .*string"
    ):
        run_stage(store, "toys", "page", "S01", "f", json_codec(Page), lambda: page)
    assert store.list_keys("artifacts") == []


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"id": [None], "words": [["a"]]}, "column id has rows without a value"),
        ({"id": ["a"], "words": [None]}, "column words has rows without a value"),
        ({"id": ["a"], "words": [["a", None]]}, "column words: element has rows without a value"),
    ],
)
def test_a_table_without_a_value_that_it_must_have_is_not_stored(store: Store, columns: dict[str, Any], told: str) -> None:
    arrays = [pa.array(columns[field.name], field.type) for field in SCHEMA]
    table = pa.Table.from_arrays(arrays, schema=SCHEMA)
    with pytest.raises(SourceError, match=f"S01: what the stage 'rows' made of it does not fit its schema .*{told}"):
        run_stage(store, "toys", "rows", "S01", "f", table_codec(SCHEMA), lambda: table)


def build_unfit(store: Store, unit: ReleaseUnit) -> Rows:
    """Return rows as the toy does; those of a text with the word `odd` are of another type."""
    table = decode_table(unit.read(store, "text"))
    if any("odd" in text for text in table.column("text").to_pylist()):
        return Rows(pa.table({"id": [5]}))
    return Rows(assemble(TEXTS, table, {"id": table.column("id")}, unit.provenance))


def count_letters(landed: Landed[Any], _: Sequence[ShardReference]) -> Summary:
    """Return a figure; it cannot be had of a text with the word `odd`."""
    for reference in landed.references.values():
        table = decode_table(landed.store.read(reference.artifacts["text"].key))
        if any("odd" in text for text in table.column("text").to_pylist()):
            raise ZeroDivisionError("no words")
    return Summary({"units": len(landed.references)}, [])


TABLE = TableSpec(name="texts", schema=TEXTS, build=build_unfit, config=True, expansion=1.0)
UNFIT = LETTERS.change(RELEASE=replace(LETTERS.load(RELEASE), tables=lambda _: (TABLE,)))


@pytest.mark.parametrize("pipeline", [UNFIT, LETTERS.change(summarise=count_letters)], ids=["rows", "statistics"])
def test_a_unit_that_the_release_cannot_take_is_named_and_the_others_are_released(
    source: Path, store: Store, pipeline: Pipeline
) -> None:
    write_text(source, "b", "an odd text")
    first = run(pipeline, source, store)
    (failure,) = first.quarantined
    assert (failure.unit, failure.stage, failure.paths) == ("b", "release", ("b.txt",))
    assert "stays out of the release" in failure.reason
    assert {row["unit"] for row in read_rows(store, "letters", "texts")} == {"a", "c"}
    again = run(pipeline, source, store)  # it is remembered
    assert (name_version(again), again.new_release, [entry.unit for entry in again.quarantined]) == (
        name_version(first),
        False,
        ["b"],
    )
    write_text(source, "b", "a text", "and another line")
    healed = run(pipeline, source, store)
    assert healed.quarantined == ()
    assert {row["unit"] for row in read_rows(store, "letters", "texts")} == {"a", "b", "c"}


def test_the_last_good_state_stands_in(source: Path, store: Store) -> None:
    before = name_version(run(UNFIT, source, store))
    write_text(source, "b", "an odd text")
    summary = run(UNFIT, source, store)
    assert [failure.unit for failure in summary.quarantined] == ["b"]
    assert name_version(summary) == before


def test_where_no_unit_fits_it_is_not_the_units(source: Path, store: Store) -> None:
    for letter in "abc":
        write_text(source, letter, "an odd text")
    with pytest.raises(UnfitUnitsError, match="a: its rows do not fit the table texts"):
        run(UNFIT, source, store)


def test_a_member_whose_rows_do_not_fit_fails_alone(source: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    import tests.tasks.toy as toy

    def tabulate(unit: str, *_: Any) -> pa.Table:
        return pa.Table.from_pylist([{"id": unit, "unit": unit, "text": 5 if unit == "b" else "a text"}], schema=toy.ARTIFACT)

    monkeypatch.setattr(toy, "tabulate", tabulate)
    summary = run(NOTES, source, store, shards=1)
    (failure,) = summary.quarantined
    assert failure.unit == "b"
    assert "does not fit the schema (ArrowTypeError" in failure.reason
    assert {row["unit"] for row in read_rows(store, "notes", "texts")} == {"a", "c"}


def test_a_table_of_another_schema_is_told_by_its_column() -> None:
    with pytest.raises(ValueError, match="column id is int64; expected string"):
        check_table(pa.table({"id": [5], "words": pa.array([["a"]], SCHEMA.field(1).type)}), SCHEMA)
