"""A release is read by the programs that its card names, each without a word of configuration."""

import logging
import re
from collections.abc import Callable
from pathlib import Path

import datasets
import duckdb
import mlcroissant
import pandas
import polars
import pyarrow.parquet as pq
import pytest
import yaml

from core.dataset.card import SHARED
from tasks.frame.release_spec import RELEASE
from tests.tasks.conftest import Example

NAMES = ("episodes", "stories", "films", "threads", "descriptions")
READERS: dict[str, Callable[[Path], pandas.DataFrame]] = {
    "datasets": lambda folder: pandas.concat(split.to_pandas() for split in datasets.load_dataset(str(folder)).values()),
    "pandas": lambda folder: pandas.read_parquet(find_default(folder)),
    "polars": lambda folder: polars.read_parquet(find_default(folder) / "*.parquet").to_pandas(),
    "duckdb": lambda folder: duckdb.sql(f"SELECT * FROM '{find_default(folder)}/*.parquet'").df(),
}


def find_example(request: pytest.FixtureRequest, name: str) -> tuple[Path, dict[str, int]]:
    """Return the folder of an example's release, and the rows of each config that its card lists."""
    example: Example = request.getfixturevalue(name)
    folder = Path(example.store.url, example.folder)
    header = yaml.safe_load((folder / "README.md").read_text().split("\n---\n")[0])
    configs = [entry["config_name"] for entry in header["configs"]]
    rows = {each: sum(pq.read_metadata(path).num_rows for path in (folder / "data" / each).glob("*.parquet")) for each in configs}
    assert rows
    return folder, rows


def find_default(folder: Path) -> Path:
    """Return the folder of the config that loads by default."""
    header = yaml.safe_load((folder / "README.md").read_text().split("\n---\n")[0])
    return folder / "data" / next(entry["config_name"] for entry in header["configs"] if entry.get("default"))


@pytest.mark.parametrize(
    ("name", "reader"), [*(("episodes", reader) for reader in READERS), *((name, "pandas") for name in NAMES[1:])]
)
def test_the_same_lines_read_what_a_summariser_needs_from_any_pipeline(
    request: pytest.FixtureRequest, name: str, reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, rows = find_example(request, name)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    table = READERS[reader](folder)
    assert len(table) == rows[find_default(folder).name]
    assert table["id"].is_unique
    lacks = request.getfixturevalue(name).pipeline.load(RELEASE).description.lacks
    for column in SHARED:
        assert (column in table) == (column not in lacks), column
    for row in table.to_dict("records"):
        assert re.match(rf"{re.escape(row['unit'])}(_|$)", row["id"])
        assert row["title"].strip()
        if "dialogue" in row:
            lines = row["dialogue"].split("\n")
            assert len(lines) == len(row["turns"])
            for line, turn in zip(lines, row["turns"], strict=True):
                said = " ".join(turn["text"].split())
                assert line == (f"{', '.join(turn['speakers'])}: {said}" if len(turn["speakers"]) else said)
        if "summary" in row:
            assert row["summary"].strip()


@pytest.mark.parametrize("name", NAMES)
def test_croissant_is_valid_and_its_records_are_the_rows(
    request: pytest.FixtureRequest, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder, rows = find_example(request, name)
    with caplog.at_level(logging.WARNING, logger="absl"):
        described = mlcroissant.Dataset(str(folder / "croissant.json"))
    warned = set(re.findall(r'Property "https://schema.org/(\w+)" is recommended', caplog.text))
    assert warned <= {"datePublished", "license"}, "the same release has the same bytes whenever it is made: it has no date"
    config, count = next(iter(rows.items()))
    records = list(described.records(config))
    assert len(records) == count
    assert {record[f"{config}/split"].decode() for record in records} <= {"train", "validation", "test"}
    table = pandas.concat(pandas.read_parquet(path) for path in (folder / "data" / config).glob("*.parquet"))
    turns = {row["id"]: [(turn["number"], turn["text"]) for turn in row.get("turns", ())] for row in table.to_dict("records")}
    part = f"{config}/turns"
    assert turns == {
        record[f"{config}/id"].decode(): [
            (turn[f"{part}/number"], turn[f"{part}/text"].decode()) for turn in record.get(part, ())
        ]
        for record in records
    }
