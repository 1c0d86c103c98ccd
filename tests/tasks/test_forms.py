"""Every form of source is found and read at the first try: by `fabula inspect`, and by a run."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli.main import app
from flows.frame.rehydrate import rehydrate_release
from infra.store.objects import Store
from tasks.pipelines import find_pipeline
from tasks.store.export import export_release
from tasks.store.look_at import look_at
from tests import script_forms, thread_forms
from tests.record_files import write_lines, write_records
from tests.record_forms import SAMSUM
from tests.tasks import in_process
from tests.tasks.in_process import EXAMPLES
from tests.tasks.subtitled import make_srt
from tests.thread_forms import make_answers


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
SUBTITLED = [{"id": "the-tidy-ghost", "subtitles": make_srt(), "summary": "They look for the lantern. It is under the stone."}]
TEXTS = [json.loads(line) for line in read_text("rooms/rooms.jsonl").splitlines()[:4]]
RECORDS: dict[str, list[dict[str, Any]]] = {
    "scripts": MOVIES,
    "subtitles": SUBTITLED,
    "threads": [make_answers()],
    "rooms": TEXTS,
}
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
@pytest.mark.parametrize("name", ["data.jsonl", "data.json", "data.jsonl.gz", "data.csv", "data.parquet", "data.arrow"])
def test_every_kind_of_file_is_told_at_first_sight(pipeline: str, name: str, tmp_path: Path) -> None:
    write_records(tmp_path / name, RECORDS[pipeline])
    for source in (tmp_path, tmp_path / name):
        view = look_at([str(source)])
        assert view.advised is not None
        assert view.advised.pipeline == pipeline
        assert not list(view.list_unread())


@pytest.mark.parametrize(
    ("pipeline", "layout"), [("scripts", "movies/tt0000007"), ("subtitles", "the-tidy-ghost"), ("threads", ""), ("rooms", "")]
)
def test_rows_of_a_table_become_what_files_and_lines_become(pipeline: str, layout: str, tmp_path: Path) -> None:
    records, folder = RECORDS[pipeline], tmp_path / "files" / layout
    folder.mkdir(parents=True)
    if not layout:
        write_lines(folder / "data.jsonl", *records)
    else:
        (record,) = records
        (folder / ("script.txt" if "script" in record else "film.srt")).write_text(record.get("script") or record["subtitles"])
        (folder / "synopsis.txt").write_text(record["summary"])
        if "script" in record:
            (folder / "meta.json").write_text('{"title": "Lost Property"}')
    write_records(tmp_path / "data.parquet", records)
    rows = run(pipeline, tmp_path / "data.parquet", tmp_path / "records")
    assert rows
    assert rows == run(pipeline, tmp_path / "files", tmp_path / "store")


def test_a_bad_record_is_refused_by_its_number_and_the_others_land(tmp_path: Path) -> None:
    data, store = write_lines(tmp_path / "data.jsonl", *MOVIES, {"title": "No script"}), Store(str(tmp_path / "store"))
    summary = in_process.run(find_pipeline("scripts"), data, store, config_file=EXAMPLES / "scripts/settings.toml")
    assert summary.computed == ("tt0000007",)
    (failure,) = summary.quarantined
    assert "data.jsonl, record 2: found title; expected script and synopsis" in failure.reason


def test_rooms_take_the_turns_of_dialogues(tmp_path: Path) -> None:
    said = SAMSUM | {"dialogue": "Ines: You enter a large room with a dark ceiling.\nBo: Hello."}
    rows = run("rooms", write_lines(tmp_path / "data.jsonl", said), tmp_path / "store")
    assert [(row["document"], row["speakers"]) for row in rows] == [("13700001", ["Ines"])]


def test_rights_of_a_table_of_texts_are_those_of_its_name(source: Path, tmp_path: Path) -> None:
    source.mkdir()
    write_records(source / "data.parquet", [{"id": "1", "text": "You enter a large room with a dark ceiling."}])
    assert run("rooms", source, tmp_path / "store")
    (source / "sources.toml").write_text('[[source]]\nfiles = "data.parquet"\nredistributable = false\n')
    assert not run("rooms", source, tmp_path / "other")


@pytest.mark.parametrize("named", [True, False], ids=["the file", "its folder"])
@pytest.mark.parametrize("pipeline", ["subtitles", "rooms"])
def test_an_index_of_a_release_is_filled_from_the_same_records(
    pipeline: str, named: bool, source: Path, store: Store, tmp_path: Path
) -> None:
    source.mkdir()
    write_records(source / "data.parquet", RECORDS[pipeline])
    place = source / "data.parquet" if named else source
    in_process.run(find_pipeline(pipeline), place, store)
    export_release(store, pipeline, "index", Store(str(tmp_path / "index")))
    filled = rehydrate_release(str(tmp_path / "index"), [str(place)], str(tmp_path / "other"), {})
    assert filled.version == in_process.find_version(store, pipeline)


SYNOPSIS = (
    "Mara waits for Tom in the boathouse while rain drums on the roof. The ferryman has kept Tom. At dawn the boat is gone from "
    "the pier, and they walk over the ice. In the kitchen Tom takes three sugars. The ferryman wanted the lamp.\n"
)


def inspect_and_run(pipeline: str, source: Path, store: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what `fabula inspect` tells of a source, and the rows of a run of the command."""
    told = json.loads(CliRunner().invoke(app, ["inspect", str(source), "--json"]).stdout)
    assert told["advised"] == pipeline
    ended = CliRunner().invoke(app, ["run", pipeline, "--source", str(source), "--store", str(store), "--in-process"])
    assert ended.exit_code == 0, ended.stderr
    assert " 0 waiting, 0 quarantined" in ended.stdout
    return told, in_process.read_rows(Store(str(store)), pipeline, "alignments" if pipeline == "scripts" else "dialogues")


def test_every_form_of_scripts_is_found_and_read(tmp_path: Path) -> None:
    forms = [*script_forms.FORMS.items(), ("play.xml", script_forms.PLAY.encode())]
    for name, content in forms:
        folder = tmp_path / "source" / "movies" / f"The {Path(name).suffix[1:]}"
        folder.mkdir(parents=True)
        (folder / f"{folder.name}{Path(name).suffix}").write_bytes(content)
        (folder / "synopsis.txt").write_text(SYNOPSIS)
    told, rows = inspect_and_run("scripts", tmp_path / "source", tmp_path / "store")
    assert told["unread"] == []
    assert len({row["movie"] for row in rows}) == len(forms)
    linked = {
        form: [(row["sentence"], row["scene_index"]) for row in rows if row["movie"] == f"The-{form}"] for form in ("fdx", "pdf")
    }
    assert linked["fdx"] == linked["pdf"] != []


@pytest.mark.parametrize("form", thread_forms.FORMS)
def test_every_export_of_a_forum_is_found_and_read(form: str, tmp_path: Path) -> None:
    source = tmp_path / "lanterns"
    source.mkdir()
    for name, text in thread_forms.FORMS[form].items():
        (source / name).write_text(text, encoding="utf-8")
    seen, rows = inspect_and_run("threads", source, tmp_path / "store")
    assert [each["path"] for each in seen["unread"]] == (["Users.xml"] if form == "Stack Exchange" else [])
    turns = [[turn["text"] for turn in row["turns"]] for row in rows]
    told = [text for _, _, _, text in thread_forms.SAID[:4]]  # a dump does not say which of an answer's comments replies to which
    assert turns == ([] if form == "Stack Exchange" else [[f"{thread_forms.TITLE}. {told[0]}", *told[1:]]])
