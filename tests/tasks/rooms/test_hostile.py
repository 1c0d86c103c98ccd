"""Hostile sources: what is bad is refused alone and by name, and nothing withheld or donated without consent gets out."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import ConfigError
from infra.store.objects import Store
from infra.tables.columns import STRINGS
from tasks.pipelines import ROOMS
from tasks.rooms.labels import read_gold
from tests.tasks import in_process

GOOD = "The chamber has a stone floor, four doors and a vaulted ceiling of brick."
TURNS = {
    "episode": pa.array(["E1", "E1"]),
    "number": pa.array([0, 1], pa.int32()),
    "speakers": pa.array([["MAY"], ["TOM"]], STRINGS),
    "text": pa.array([GOOD, "The door is shut."]),
    "license": pa.array(["CC0", "CC0"]),
    "attribution": pa.array(["May", "May"]),
}


def release(folder: Path, content: pa.Table | bytes, pointer: str = '{"version": "v1"}') -> Path:
    """Lay down what a release of `transcripts` looks like, with these dialogues."""
    table = folder / "v1" / "data" / "dialogues" / "train-00000-of-00001.parquet"
    table.parent.mkdir(parents=True)
    if isinstance(content, bytes):
        table.write_bytes(content)
    else:
        pq.write_table(content, table)
    (folder / "latest.json").write_text(pointer, encoding="utf-8")
    return folder


def without(name: str, **changed: Any) -> pa.Table:
    return pa.table({key: value for key, value in (TURNS | changed).items() if key != name})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PAR1" + bytes(60), "no table of dialogues"),
        (without("number"), "it has no column number"),
        (without("", text=pa.array([1, 2])), "column text is int64"),
        (without("", speakers=pa.array([None, ["TOM"]], STRINGS)), "column speakers has rows without a value"),
    ],
)
def test_a_damaged_release_is_quarantined_and_other_files_are_read(
    content: pa.Table | bytes, message: str, tmp_path: Path
) -> None:
    source, store = release(tmp_path / "source", content), Store(str(tmp_path / "store"))
    (source / "good.txt").write_text(GOOD, encoding="utf-8")
    summary = in_process.run(ROOMS, source, store)
    (failure,) = summary.quarantined
    assert message in failure.reason
    assert "no fault of the input" not in failure.reason
    assert [row["text"] for row in in_process.read_rows(store, ROOMS.name, "rooms")] == [GOOD]


@pytest.mark.parametrize(("pointer", "message"), [("[]", "found no version"), ('{"version": "v2"}', "its version 'v2'")])
def test_a_pointer_that_leads_nowhere_is_told(pointer: str, message: str, tmp_path: Path) -> None:
    source = release(tmp_path / "source", pa.table(TURNS), pointer)
    with pytest.raises(ConfigError, match=message):
        in_process.run(ROOMS, source, Store(str(tmp_path / "store")))


def test_a_release_without_damage_is_read(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    assert not in_process.run(ROOMS, release(tmp_path / "source", pa.table(TURNS)), store).quarantined
    (row,) = in_process.read_rows(store, ROOMS.name, "rooms")
    assert (row["document"], row["speakers"], row["license"], row["attribution"]) == ("E1", ["MAY"], "CC0", "May")


HEAD = "author: Jane Roe\nlicense: CC BY 4.0\nconsent: yes, by letter\n---\n"


def test_no_form_of_a_donation_gets_round_the_consent(tmp_path: Path) -> None:
    """Records and tables of dialogues have no head; `sources.toml` may withhold what a donor gave."""
    source, store = tmp_path / "source", Store(str(tmp_path / "store"))
    files = {
        "contributions/given.txt": HEAD + GOOD,
        "Contributions/unasked.txt": GOOD.replace("brick", "slate"),
        "contributions/unasked.csv": f'text\n"{GOOD.replace("brick", "copper")}"\n',
        "contributions/unasked.jsonl": json.dumps({"text": GOOD.replace("brick", "bronze")}) + "\n",
        "contributions/marked.md": HEAD + GOOD.replace("brick", "marble"),
        "sources.toml": '[[source]]\nfiles = "contributions/marked.md"\nredistributable = false\n',
    }
    for name, text in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    release(source / "contributions" / "old", without("", text=pa.array([GOOD.replace("brick", "pewter"), "It is shut."])))
    summary = in_process.run(ROOMS, source, store)
    assert len(summary.quarantined) == 4
    assert [row["text"] for row in in_process.read_rows(store, ROOMS.name, "rooms")] == [GOOD]
    folder = in_process.release_folder(store, ROOMS.name)
    contents = ((key, store.read(key)) for key in store.list_keys(folder))
    released = b"".join(gzip.decompress(content) if key.endswith(".gz") else content for key, content in contents)
    assert not [
        word for word in ("slate", "copper", "bronze", "marble", "pewter") if re.search(rf"\b{word}\b".encode(), released)
    ]
    assert re.search(rb"\bbrick\b", released)
    assert b"- Jane Roe (CC BY 4.0)" in store.read(f"{folder}/ATTRIBUTION.md")


def test_labels_of_wrong_types_are_refused_by_line(tmp_path: Path) -> None:
    lines = [
        '{"text": 5, "label": 1}',
        "[1]",
        "null",
        '{"text": "A room.", "label": [1]}',
        "[" * 100_000,
        '{"text": "A.", "label": 0}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    labels = read_gold(str(tmp_path))
    assert [each.text for each in labels.sentences] == ["A."]
    assert [reason.split(":")[0] for reason in labels.refused] == [f"a.jsonl, line {number}" for number in range(1, 6)]


def test_files_in_a_form_that_is_not_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "hall.txt").write_text(GOOD)
    (tmp_path / "cellar.docx").write_bytes(b"PK")
    (tmp_path / "cover.png").write_bytes(b"PNG")
    (tmp_path / "mkdocs.yml").write_text("site_name: Halls")
    (tmp_path / ".site").mkdir()
    (tmp_path / ".site" / "index.html").write_text("no text of the source")
    (tmp_path / ".site" / "notes.md").write_text("Every room has a door.")
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "labels.html").write_text("no text of the source")
    summary = in_process.run(ROOMS, tmp_path, Store("memory://rooms-forms"))
    (failure,) = summary.quarantined
    assert failure.reason.startswith(
        "cellar.docx: found .docx; texts are read as .txt, .md, .json, .csv, .tsv and .jsonl; save it"
    )
