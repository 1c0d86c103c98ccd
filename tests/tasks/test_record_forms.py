"""Records of films, forums and texts give what their pipeline makes of the same content in its own layout."""

import csv
import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from flows.frame.rehydrate import rehydrate_release
from infra.store.objects import Store
from tasks.pipelines import find_pipeline
from tasks.store.export import export_release
from tasks.store.look_at import look_at
from tests.record_forms import SAMSUM
from tests.tasks import in_process
from tests.tasks.in_process import EXAMPLES
from tests.tasks.subtitled import make_srt
from tests.thread_forms import make_answers

Records = Sequence[dict[str, Any]]


def write_lines(path: Path, records: Records) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def write_list(path: Path, records: Records) -> None:
    path.write_text(json.dumps(records))


def write_packed(path: Path, records: Records) -> None:
    path.write_bytes(gzip.compress("".join(json.dumps(record) + "\n" for record in records).encode()))


def tabulate(records: Records) -> pa.Table:
    columns = dict.fromkeys(key for record in records for key in record)
    return pa.table({key: [record.get(key) for record in records] for key in columns})


def write_parquet(path: Path, records: Records) -> None:
    pq.write_table(tabulate(records), path)


def write_arrow(path: Path, records: Records) -> None:
    table = tabulate(records)
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


def write_csv(path: Path, records: Records) -> None:
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, tabulate(records).column_names)
        writer.writeheader()
        for record in records:
            writer.writerow({key: json.dumps(value) if isinstance(value, list) else value for key, value in record.items()})


KINDS: dict[str, Callable[[Path, Records], None]] = {
    "data.jsonl": write_lines,
    "data.json": write_list,
    "data.jsonl.gz": write_packed,
    "data.csv": write_csv,
    "data.parquet": write_parquet,
    "data.arrow": write_arrow,
}


def read_text(path: str) -> str:
    return (EXAMPLES / path).read_text(encoding="utf-8")


FILM = "scripts/movies/lost-property/"
MOVIES = [
    {
        "imdb_id": "tt0000007",
        "movie_name": "Lost Property",
        "script": read_text(f"{FILM}script.txt"),
        "summary": read_text(f"{FILM}synopsis.txt"),
    }
]
SUBTITLED = [
    {
        "id": "the-tidy-ghost",
        "subtitles": make_srt(),
        "summary": "They look for the lantern. It is under the stone.",
    }
]
TEXTS = [json.loads(line) for line in read_text("rooms/rooms.jsonl").splitlines()[:4]]
RECORDS: dict[str, Records] = {"scripts": MOVIES, "subtitles": SUBTITLED, "threads": [make_answers()], "rooms": TEXTS}
TABLES = {"scripts": "alignments", "subtitles": "subtitles", "threads": "dialogues", "rooms": "rooms"}


def run(pipeline: str, source: Path, folder: Path, **settings: Any) -> list[dict[str, Any]]:
    """Run the real pipeline with the settings of its example, and return the rows without where they come from."""
    store = Store(str(folder))
    file = EXAMPLES / pipeline / "settings.toml"
    summary = in_process.run(find_pipeline(pipeline), source, store, config_file=file, **settings)
    assert not summary.quarantined, summary.quarantined
    rows = in_process.read_rows(store, pipeline, TABLES[pipeline])
    return [{key: value for key, value in row.items() if key not in ("source", "subtitle", "file")} for row in rows]


@pytest.mark.parametrize("pipeline", RECORDS)
@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_file_is_told_at_first_sight(pipeline: str, name: str, tmp_path: Path) -> None:
    KINDS[name](tmp_path / name, RECORDS[pipeline])
    for source in (tmp_path, tmp_path / name):
        view = look_at([str(source)])
        assert view.advised is not None
        assert view.advised.pipeline == pipeline
        assert not list(view.list_unread())


@pytest.mark.parametrize(("pipeline", "layout"), [("scripts", "movies/tt0000007"), ("subtitles", "the-tidy-ghost")])
def test_films_become_the_rows_that_their_files_become(pipeline: str, layout: str, tmp_path: Path) -> None:
    (record,) = RECORDS[pipeline]
    folder = tmp_path / "files" / layout
    folder.mkdir(parents=True)
    (folder / ("script.txt" if pipeline == "scripts" else "film.srt")).write_text(record.get("script") or record["subtitles"])
    (folder / "synopsis.txt").write_text(record["summary"])
    if pipeline == "scripts":
        (folder / "meta.json").write_text('{"title": "Lost Property"}')
    write_parquet(tmp_path / "data.parquet", [record])
    rows = run(pipeline, tmp_path / "data.parquet", tmp_path / "records")
    assert rows
    assert rows == run(pipeline, tmp_path / "files", tmp_path / "store")


@pytest.mark.parametrize("pipeline", ["threads", "rooms"])
def test_rows_of_a_table_become_what_lines_become(pipeline: str, tmp_path: Path) -> None:
    write_lines(tmp_path / "data.jsonl", RECORDS[pipeline])
    write_parquet(tmp_path / "data.parquet", RECORDS[pipeline])
    rows = run(pipeline, tmp_path / "data.parquet", tmp_path / "records")
    assert rows
    assert rows == run(pipeline, tmp_path / "data.jsonl", tmp_path / "store")


def test_a_bad_record_is_refused_by_its_number_and_the_others_land(tmp_path: Path) -> None:
    write_lines(tmp_path / "data.jsonl", [*MOVIES, {"title": "No script"}])
    store = Store(str(tmp_path / "store"))
    summary = in_process.run(
        find_pipeline("scripts"), tmp_path / "data.jsonl", store, config_file=EXAMPLES / "scripts/settings.toml"
    )
    assert summary.computed == ("tt0000007",)
    (failure,) = summary.quarantined
    assert "data.jsonl, record 2: found title; expected script and synopsis" in failure.reason


def test_rooms_take_the_turns_of_dialogues(tmp_path: Path) -> None:
    write_lines(tmp_path / "data.jsonl", [SAMSUM | {"dialogue": "Ines: You enter a large room with a dark ceiling.\nBo: Hello."}])
    rows = run("rooms", tmp_path / "data.jsonl", tmp_path / "store")
    assert [(row["document"], row["speakers"]) for row in rows] == [("13700001", ["Ines"])]


def test_rights_of_a_table_of_texts_are_those_of_its_name(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    write_parquet(source / "data.parquet", [{"id": "1", "text": "You enter a large room with a dark ceiling."}])
    assert run("rooms", source, tmp_path / "store")
    (source / "sources.toml").write_text('[[source]]\nfiles = "data.parquet"\nredistributable = false\n')
    assert not run("rooms", source, tmp_path / "other")


@pytest.mark.parametrize("named", [True, False], ids=["the file", "its folder"])
@pytest.mark.parametrize("pipeline", ["subtitles", "rooms"])
def test_an_index_of_a_release_is_filled_from_the_same_records(pipeline: str, named: bool, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    write_parquet(source / "data.parquet", RECORDS[pipeline])
    place, store = source / "data.parquet" if named else source, Store(str(tmp_path / "store"))
    in_process.run(find_pipeline(pipeline), place, store)
    export_release(store, pipeline, "index", Store(str(tmp_path / "index")))
    filled = rehydrate_release(str(tmp_path / "index"), [str(place)], str(tmp_path / "other"), {})
    assert filled.version == in_process.find_version(store, pipeline)
