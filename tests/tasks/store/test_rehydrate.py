"""Releases in other forms: an index holds no text of its source, and a copy of the source fills it byte for byte."""

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from core.errors import ConfigError, SourceError
from core.review.judgements import Judgement
from flows.frame.rehydrate import rehydrate_release
from infra.store.objects import Store
from infra.store.reviews import add_judgements
from infra.store.takedown import add_takedown
from tasks.store.export import export_release, find_writers, read_index
from tasks.store.rehydrate import check_versions
from tasks.transcripts.crd3 import list_episodes, read_chunkings, read_split, read_turns
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.toy import LETTERS, NOTES, write_text, write_texts

TIME = "2026-01-01T00:00:00+00:00"
EXAMPLES = pytest.mark.parametrize("name", ["episodes", "stories", "films", "threads", "descriptions"])


def find_texts(value: Any) -> Iterator[str]:
    """Yield the texts in a row, at any depth."""
    match value:
        case str():
            yield value
        case dict():
            for part in value.values():
                yield from find_texts(part)
        case list():
            for part in value:
                yield from find_texts(part)


def read_whole(folder: Path) -> str:
    """Return everything that a folder's files say, tables as JSON."""
    tables = [pq.read_table(path).to_pylist() for path in sorted(folder.rglob("*.parquet"))]
    others = [path.read_text() for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".parquet"]
    return json.dumps(tables, ensure_ascii=False, default=str) + "\n".join(others)


@pytest.fixture
def indexed(request: pytest.FixtureRequest, name: str, tmp_path: Path) -> tuple[Example, Path]:
    example: Example = request.getfixturevalue(name)
    export_release(example.store, example.pipeline.name, "index", Store(str(tmp_path / "index")))
    return example, tmp_path / "index"


@EXAMPLES
def test_no_sentence_of_the_source_is_in_any_file_of_an_index(indexed: tuple[Example, Path]) -> None:
    example, folder = indexed
    told = read_whole(folder)
    release = Path(example.store.url, example.folder)
    spoken = re.compile(r"\w\W*\s\W*\w+\W*\s\W*\w+\W*\s\W*\w")  # four words and more
    own = {"license", "attribution", "source", "reason"}
    released = {
        text
        for path in release.rglob("*.parquet")
        for row in pq.read_table(path).to_pylist()
        for text in find_texts({key: value for key, value in row.items() if key not in own})
        if spoken.search(text)
    }
    assert len(released) > 10
    sources = {
        sentence.strip()
        for path in example.source.rglob("*")
        if path.suffix in (".txt", ".md", ".jsonl", ".ndjson", ".srt", ".vtt", ".html", ".xml") and path.is_file()
        for sentence in re.split(r"[.!?\n\"]+", path.read_text(errors="replace"))
        if spoken.search(sentence)
    }
    assert [text for text in released | sources if text in told] == []
    ids = {row["id"] for row in example.rows(_default(release))}
    assert all(json.dumps(each, ensure_ascii=False) in told for each in ids)


def _default(release: Path) -> str:
    header = (release / "README.md").read_text()
    return re.search(r"config_name: (\S+)\n\s+default: true", header)[1]


@pytest.mark.parametrize("name", ["episodes", "films"])
def test_a_copy_of_the_source_fills_an_index_byte_for_byte_and_one_that_differs_is_refused_by_unit(
    indexed: tuple[Example, Path], tmp_path: Path
) -> None:
    example, folder = indexed
    copy = shutil.copytree(example.source, tmp_path / "copy")
    (copy / "notes-of-my-own.txt").write_text("This file is no part of the release, and stays out of it.")
    filled = rehydrate_release(str(folder), [str(copy)], str(tmp_path / "store"), {})
    original = Path(example.store.url, example.folder)
    files = sorted(path.relative_to(original) for path in original.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(filled.url) for path in Path(filled.url).rglob("*") if path.is_file())
    assert all((original / path).read_bytes() == Path(filled.url, path).read_bytes() for path in files)
    (record,) = (json.loads(path.read_text()) for path in (tmp_path / "store" / "runs").glob("*.json"))
    assert f"--source {copy} " in record["resume"], "the files were copied from there; the copy itself is gone"

    index = read_index(Store(str(folder)))
    changed, missing = [file for file in index.files if file.units][:2]
    with (copy / changed.path).open("a") as stream:
        stream.write("\nOne line more.\n")
    (copy / missing.path).unlink()
    with pytest.raises(SourceError) as caught:
        rehydrate_release(str(folder), [str(copy)], str(tmp_path / "other"), {})
    for said in (
        f"2 of {len(index.files)} files",
        f"{changed.units[0]}: {changed.path}: SHA-256 is",
        f"expected {changed.sha256[:16]}",
        f"{missing.units[0]}: {missing.path}: missing",
    ):
        assert said in str(caught.value)
    assert not (tmp_path / "other").exists(), "nothing is done"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Texts of the toy pipelines, which count as fabula's own."""
    monkeypatch.setattr("tasks.pipelines.PIPELINES", (LETTERS, NOTES))
    return write_texts(tmp_path / "source", "abcdefgh")


@pytest.fixture
def index(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "index"))


def break_off(*_: Any) -> bool:
    raise KeyboardInterrupt


def test_splits_takedowns_and_waiting_units_are_held_fixed(
    source: Path, store: Store, index: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_texts(source, (f"early-{number}" for number in range(20)))
    in_process.run(NOTES, source, store, upper=True)
    for number in range(12):  # the splits of those that stay are as they were when these were there
        (source / f"early-{number}.txt").unlink()
    write_text(source, "half-of-it")
    add_takedown(store, "notes", ["B", "c_0001", "of-another-source"], "asked for", TIME)
    summary = in_process.run(NOTES, source, store, upper=True)
    export_release(store, "notes", "index", index)
    assert sorted(read_index(index).takedown) == ["B", "c_0001"]
    assert read_index(index).version == in_process.name_version(summary)
    write_text(source, "later", "A text that came later.")
    fill = partial(rehydrate_release, index.url, [str(source)], str(tmp_path / "filled"), {})
    with monkeypatch.context() as broken:
        broken.setattr("flows.frame.release.publish_tables", break_off)
        with pytest.raises(KeyboardInterrupt):
            fill()
    assert fill().version == read_index(index).version
    with pytest.raises(ConfigError, match="has the dataset notes"):
        fill()


@pytest.mark.parametrize("left", [None, "[removed]"])
def test_the_text_of_what_is_taken_down_is_not_asked_of_a_copy_and_every_other_is(
    source: Path, store: Store, index: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture, left: str | None
) -> None:
    add_takedown(store, "letters", ["b"], "asked for", TIME)
    in_process.run(LETTERS, source, store)
    export_release(store, "letters", "index", index)
    (source / "b.txt").unlink()
    if left is not None:
        write_text(source, "b", left)
    filled = rehydrate_release(index.url, [str(source)], str(tmp_path / "filled"), {})
    assert filled.version == read_index(index).version
    assert "b.txt: " in caplog.text
    (source / "c.txt").unlink()
    with pytest.raises(SourceError, match=r"c: c\.txt: missing"):
        rehydrate_release(index.url, [str(source)], str(tmp_path / "again"), {})


@pytest.mark.parametrize("changed", ["source", "takedown", "program"])
def test_an_index_that_would_give_another_release_is_not_made(
    source: Path, store: Store, index: Store, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    version = in_process.name_version(in_process.run(LETTERS, source, store))
    told = rf"come out as \w+ by now, not as {version}: .* Run the pipeline on its source again"
    if changed == "source":
        write_text(source, "b", "Another text.")
        told = r"is not what letters \w+ was made from: b differ"
    elif changed == "takedown":  # of a row: the units and their splits stay
        add_takedown(store, "letters", ["c_0001"], "asked for", TIME)
    else:
        monkeypatch.setattr("tasks.frame.release.RELEASE_VERSION", 1000)
    with pytest.raises(ConfigError, match=told):
        export_release(store, "letters", "index", index)
    assert not Path(index.url).exists()
    in_process.run(LETTERS, source, store)
    export_release(store, "letters", "index", index)


def test_another_version_of_what_decides_the_bytes_is_refused(source: Path, store: Store, index: Store) -> None:
    in_process.run(LETTERS, source, store)
    export_release(store, "letters", "index", index)
    found = read_index(index)
    assert check_versions(found) == []
    found.versions["numpy"] = "1.0"
    assert check_versions(found) == [f"numpy: 1.0 there, {__import__('numpy').__version__} here"]
    found.versions["pyarrow"] = "1.0"
    with pytest.raises(ConfigError, match=r"cannot come out the same: pyarrow: 1\.0 there"):
        check_versions(found)


def test_what_readers_decided_is_held_fixed_and_their_names_and_notes_stay_out(store: Store, tmp_path: Path) -> None:
    version = in_process.name_version(in_process.make_example(store, "transcripts"))
    row = in_process.read_rows(store, "transcripts", "pairs")[0]
    told = Judgement(
        item=row["id"], dataset="transcripts", version=version, question="pair", answer=False, annotator="anna.quill",
        at="2026-01-01T00:00:00+00:00", note="Says nothing of the lighthouse keeper at all.", unit=row["unit"],
        digest=row.get("digest", ""),
    )  # fmt: skip
    add_judgements(store, [told])
    assert in_process.name_version(in_process.make_example(store, "transcripts")) != version
    add_judgements(store, [replace(told, annotator="bert.quill", answer=True, at="2026-01-02T00:00:00+00:00")])
    with pytest.raises(ConfigError, match="reviews, the takedown list"):
        export_release(store, "transcripts", "index", Store(str(tmp_path / "early")))
    summary = in_process.make_example(store, "transcripts")
    export_release(store, "transcripts", "index", Store(str(tmp_path / "index")))
    written = read_whole(tmp_path / "index")
    assert "anna" not in written
    assert "lighthouse keeper at all" not in written
    source = in_process.EXAMPLES / "transcripts"
    filled = rehydrate_release(str(tmp_path / "index"), [str(source)], str(tmp_path / "filled"), {})
    assert filled.version == in_process.name_version(summary)


def test_every_row_is_a_line_of_json(episodes: Example, tmp_path: Path) -> None:
    done = export_release(episodes.store, "transcripts", "jsonl", Store(str(tmp_path / "lines")))
    paths = sorted((tmp_path / "lines").rglob("*.jsonl"))
    assert done.files == len(paths)
    for table in ("pairs", "dialogues", "rejects"):
        files = [path for path in paths if path.parent.name == table]
        rows = [json.loads(line) for path in files for line in path.read_text("utf-8").split("\n") if line]
        assert sorted(map(json.dumps, rows)) == sorted(map(json.dumps, episodes.rows(table)))


def test_crd3s_reader_finds_turns_chunks_splits_and_recaps(episodes: Example, tmp_path: Path) -> None:
    layout = tmp_path / "crd3"
    export_release(episodes.store, "transcripts", "crd3", Store(str(layout)))
    texts = defaultdict(list)
    for row in episodes.rows("dialogues"):
        texts[row["episode"]].append((tuple(row["speakers"]), row["text"]))
    units = list_episodes(layout)
    assert {unit: [(turn.speakers, turn.text) for turn in read_turns(layout, unit)] for unit in units} == texts
    aligned = episodes.rows("alignments")
    assert any(not row["chunk_size"] for row in aligned), "chunks of a fixed size are exported"
    columns = ("episode", "chunk_size", "offset", "summary", "turn_start", "turn_end", "score")
    assert {
        (unit, chunking.size, chunking.offset, pair.chunk, pair.start, pair.end, pair.score)
        for unit in units
        for chunking in read_chunkings(layout, unit)
        for pair in chunking.pairs
    } == {tuple(row[name] for name in columns) for row in aligned if row["chunk_size"] and row["turn_start"] is not None}
    split = {unit: name for name, members in read_split(layout).items() for unit in members}
    assert split == in_process.read_splits(episodes.store, "transcripts")
    recap = json.loads((layout / "cleaned data" / "S01E01.json").read_text("utf-8"))["METADATA"]
    told = [part["content"] for section in recap["Synopsis"] for part in section["content"]]
    sections = [row for row in episodes.rows("summaries") if row["episode"] == "S01E01" and row["kind"] != "blurb"]
    assert told == [row["text"] for row in sorted(sections, key=lambda row: row["position"])]


def test_a_wrong_form_release_or_folder_is_refused(episodes: Example, stories: Example, tmp_path: Path) -> None:
    assert [*find_writers(episodes.store, "transcripts")] == ["jsonl", "crd3"]
    with pytest.raises(ConfigError, match="has no form 'crd3'; it can be exported as jsonl, sumtitles, index"):
        export_release(stories.store, "scripts", "crd3", Store(str(tmp_path / "a")))
    with pytest.raises(ConfigError, match="no whole release v9 of transcripts"):
        export_release(episodes.store, "transcripts", "jsonl", Store(str(tmp_path / "a")), "v9")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "mine.txt").write_text("mine")
    with pytest.raises(ConfigError, match="is not empty"):
        export_release(episodes.store, "transcripts", "jsonl", Store(str(tmp_path / "a")))
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["mine.txt"]
