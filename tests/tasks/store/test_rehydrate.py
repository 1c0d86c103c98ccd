"""An index holds no text of its source; a copy of the source fills it, byte for byte; a copy that differs is refused by name."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from core.errors import ConfigError, FabulaError, SourceError
from core.review.judgements import Judgement
from flows.frame.rehydrate import rehydrate_release
from infra.store.objects import Store
from infra.store.reviews import add_judgements
from infra.store.takedown import add_takedown
from tasks.pipelines import TRANSCRIPTS
from tasks.store.export import export_release, read_index
from tasks.store.rehydrate import check_versions
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.toy import LETTERS, NOTES, write_text

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
    found = re.search(r"config_name: (\S+)\n\s+default: true", header)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("name", ["episodes", "films"])
def test_a_copy_of_the_source_fills_an_index_byte_for_byte(indexed: tuple[Example, Path], tmp_path: Path) -> None:
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


@pytest.mark.parametrize("name", ["episodes", "films"])
def test_a_copy_that_differs_is_refused_by_unit(indexed: tuple[Example, Path], tmp_path: Path) -> None:
    example, folder = indexed
    index = read_index(Store(str(folder)))
    changed, missing = [file for file in index.files if file.units][:2]
    copy = shutil.copytree(example.source, tmp_path / "copy")
    with (copy / changed.path).open("a") as stream:
        stream.write("\nOne line more.\n")
    (copy / missing.path).unlink()
    with pytest.raises(SourceError) as caught:
        rehydrate_release(str(folder), [str(copy)], str(tmp_path / "store"), {})
    said = str(caught.value)
    assert f"2 of {len(index.files)} files" in said
    assert f"{changed.units[0]}: {changed.path}: SHA-256 is" in said
    assert f"expected {changed.sha256[:16]}" in said
    assert f"{missing.units[0]}: {missing.path}: missing" in said
    assert not (tmp_path / "store").exists(), "nothing is done"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for unit in "abcdefgh":
        write_text(tmp_path / "source", unit)
    return tmp_path / "source"


def test_splits_takedowns_and_waiting_units_are_held_fixed(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.pipelines.PIPELINES", (LETTERS, NOTES))
    store = Store(str(tmp_path / "store"))
    for number in range(20):
        write_text(source, f"early-{number}")
    in_process.run(NOTES, source, store, upper=True)
    for number in range(12):  # the splits of those that stay are as they were when these were there
        (source / f"early-{number}.txt").unlink()
    write_text(source, "half-of-it")
    add_takedown(store, "notes", ["B", "c_0001", "of-another-source"], "asked for", "2026-01-01T00:00:00+00:00")
    summary = in_process.run(NOTES, source, store, upper=True)
    export_release(store, "notes", "index", Store(str(tmp_path / "index")))
    index = read_index(Store(str(tmp_path / "index")))
    assert sorted(index.takedown) == ["B", "c_0001"]
    assert index.version == in_process.name_version(summary)
    write_text(source, "later", "A text that came later.")
    with monkeypatch.context() as broken:
        broken.setattr("flows.frame.release.publish_tables", break_off)
        with pytest.raises(KeyboardInterrupt):
            rehydrate_release(str(tmp_path / "index"), [str(source)], str(tmp_path / "filled"), {})
    filled = rehydrate_release(str(tmp_path / "index"), [str(source)], str(tmp_path / "filled"), {})
    assert filled.version == index.version
    with pytest.raises(ConfigError, match="has the dataset notes"):
        rehydrate_release(str(tmp_path / "index"), [str(source)], str(tmp_path / "filled"), {})


@pytest.mark.parametrize("left", [None, "[removed]"])
def test_the_text_of_what_is_taken_down_is_not_asked_of_a_copy_and_every_other_is(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, left: str | None
) -> None:
    monkeypatch.setattr("tasks.pipelines.PIPELINES", (LETTERS, NOTES))
    store = Store(str(tmp_path / "store"))
    add_takedown(store, "letters", ["b"], "asked for", "2026-01-01T00:00:00+00:00")
    in_process.run(LETTERS, source, store)
    export_release(store, "letters", "index", Store(str(tmp_path / "index")))
    (source / "b.txt").unlink()
    if left is not None:
        write_text(source, "b", left)
    filled = rehydrate_release(str(tmp_path / "index"), [str(source)], str(tmp_path / "filled"), {})
    assert filled.version == read_index(Store(str(tmp_path / "index"))).version
    assert "b.txt: " in caplog.text
    (source / "c.txt").unlink()
    with pytest.raises(SourceError, match=r"c: c\.txt: missing"):
        rehydrate_release(str(tmp_path / "index"), [str(source)], str(tmp_path / "again"), {})


def break_off(*_: Any) -> bool:
    raise KeyboardInterrupt


def test_a_takedown_list_of_another_index_or_of_ones_own_is_refused(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.pipelines.PIPELINES", (LETTERS, NOTES))
    store, filled = Store(str(tmp_path / "store")), Store(str(tmp_path / "filled"))
    add_takedown(store, "letters", ["b"], "asked for", "2026-01-01T00:00:00+00:00")
    in_process.run(LETTERS, source, store)
    export_release(store, "letters", "index", Store(str(tmp_path / "index")))
    add_takedown(filled, "letters", ["b"], "another reason", "2026-01-01T00:00:00+00:00")
    with pytest.raises(ConfigError, match="a takedown list of letters of its own"):
        rehydrate_release(str(tmp_path / "index"), [str(source)], filled.url, {})
    add_takedown(filled, "letters", ["b"], "asked for", "2026-01-01T00:00:00+00:00")
    rehydrate_release(str(tmp_path / "index"), [str(source)], filled.url, {})


def test_an_index_is_made_of_what_the_release_was_made_from(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.pipelines.PIPELINES", (LETTERS, NOTES))
    store = Store(str(tmp_path / "store"))
    in_process.run(LETTERS, source, store)
    write_text(source, "b", "Another text.")
    with pytest.raises(ConfigError, match=r"is not what letters \w+ was made from: b differ"):
        export_release(store, "letters", "index", Store(str(tmp_path / "index")))


@pytest.mark.parametrize("changed", ["takedown", "program"])
def test_an_index_that_would_give_another_release_is_not_made(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    monkeypatch.setattr("tasks.pipelines.PIPELINES", (LETTERS, NOTES))
    store = Store(str(tmp_path / "store"))
    version = in_process.name_version(in_process.run(LETTERS, source, store))
    if changed == "takedown":  # of a row: the units and their splits stay
        add_takedown(store, "letters", ["c_0001"], "asked for", "2026-01-01T00:00:00+00:00")
    else:
        monkeypatch.setattr("tasks.frame.release.RELEASE_VERSION", 1000)
    with pytest.raises(ConfigError, match=rf"come out as \w+ by now, not as {version}: .* Run the pipeline on its source again"):
        export_release(store, "letters", "index", Store(str(tmp_path / "index")))
    assert not (tmp_path / "index").exists()
    in_process.run(LETTERS, source, store)
    export_release(store, "letters", "index", Store(str(tmp_path / "index")))


def test_another_version_of_what_decides_the_bytes_is_refused(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.pipelines.PIPELINES", (LETTERS, NOTES))
    store = Store(str(tmp_path / "store"))
    in_process.run(LETTERS, source, store)
    export_release(store, "letters", "index", Store(str(tmp_path / "index")))
    index = read_index(Store(str(tmp_path / "index")))
    assert check_versions(index) == []
    index.versions["numpy"] = "1.0"
    assert check_versions(index) == [f"numpy: 1.0 there, {__import__('numpy').__version__} here"]
    index.versions["pyarrow"] = "1.0"
    with pytest.raises(ConfigError, match=r"cannot come out the same: pyarrow: 1\.0 there"):
        check_versions(index)


def test_results_that_differ_are_named_by_unit(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another processor may do: the same files and settings, and another result."""
    monkeypatch.setattr("tasks.pipelines.PIPELINES", (LETTERS, NOTES))
    store = Store(str(tmp_path / "store"))
    in_process.run(LETTERS, source, store)
    export_release(store, "letters", "index", Store(str(tmp_path / "index")))
    from tests.tasks import toy

    tabulate = toy.tabulate

    def lose(unit: str, path: str, content: bytes, upper: bool) -> Any:
        table = tabulate(unit, path, content, upper)
        return table.slice(0, 1) if unit == "d" else table

    monkeypatch.setattr(toy, "tabulate", lose)
    with pytest.raises(FabulaError, match="the rows of these units differ: d"):
        rehydrate_release(str(tmp_path / "index"), [str(source)], str(tmp_path / "filled"), {})


def test_what_readers_decided_is_held_fixed_and_their_names_and_notes_stay_out(
    run_example: Callable[..., Example], tmp_path: Path
) -> None:
    example = run_example(TRANSCRIPTS)
    rows = example.rows("pairs")
    version = in_process.release_folder(example.store, "transcripts").rsplit("/", 1)[-1]
    told = [
        Judgement(
            item=row["id"], dataset="transcripts", version=version, question="pair", answer=False, reader="anna.quill",
            at="2026-01-01T00:00:00+00:00", note="Says nothing of the lighthouse keeper at all.", unit=row["unit"],
            basis=row.get("basis", ""),
        )
        for row in rows[:1]
    ]  # fmt: skip
    add_judgements(example.store, told)
    summary = in_process.run(TRANSCRIPTS, example.source, example.store, config_file=example.source / "settings.toml")
    assert in_process.name_version(summary) != version
    add_judgements(example.store, [replace(told[0], reader="bert.quill", answer=True, at="2026-01-02T00:00:00+00:00")])
    with pytest.raises(ConfigError, match="reviews, the takedown list"):
        export_release(example.store, "transcripts", "index", Store(str(tmp_path / "early")))
    summary = in_process.run(TRANSCRIPTS, example.source, example.store, config_file=example.source / "settings.toml")
    export_release(example.store, "transcripts", "index", Store(str(tmp_path / "index")))
    written = read_whole(tmp_path / "index")
    assert "anna" not in written
    assert "lighthouse keeper at all" not in written
    filled = rehydrate_release(str(tmp_path / "index"), [str(example.source)], str(tmp_path / "store"), {})
    assert filled.version == in_process.name_version(summary)
