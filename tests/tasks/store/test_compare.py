"""What differs between two releases, and why: each cause is brought about by a real run of a toy pipeline."""

from pathlib import Path
from shutil import copytree

import pytest

from core.errors import ConfigError
from infra.store.objects import Store
from infra.store.takedown import add_takedown
from tasks.pipelines import TRANSCRIPTS
from tasks.store.compare import Comparison, compare_releases
from tests.tasks import toy
from tests.tasks.in_process import run
from tests.tasks.toy import LETTERS, NOTES, build_letter, list_texts, make_pipeline, tabulate, write_text, write_texts


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_texts(tmp_path / "source", ("a", "b", "c"))


def summarise(found: Comparison) -> set[tuple[str, str, str]]:
    return {(row.change, row.id, ", ".join(causes)) for row, causes in found.changes}


def test_an_input_that_changed_came_or_went_is_named(source: Path, store: Store) -> None:
    run(LETTERS, source, store)
    write_text(source, "b", "The first line of b.", "Another second line.", "A third line.")
    write_text(source, "d", "Something new.")
    (source / "c.txt").unlink()
    run(LETTERS, source, store)
    found = compare_releases(store, "letters")
    assert summarise(found) == {
        ("changed", "b_0001", "input"),
        ("added", "b_0002", "input"),
        ("added", "d_0000", "new unit"),
        ("removed", "c_0000", "unit is gone"),
        ("removed", "c_0001", "unit is gone"),
    }
    assert {row.id: row.columns for row, _ in found.changes}["b_0001"] == ("text",)
    assert (found.rows, found.settings) == ((6, 6), {})
    back = compare_releases(store, "letters", found.new, found.old)
    assert {(change, name) for change, name, _ in summarise(back)} >= {("added", "c_0000"), ("removed", "d_0000")}


def test_a_file_with_another_name_is_told_though_no_row_differs(repository: Path, tmp_path: Path, store: Store) -> None:
    source = tmp_path / "show"
    copytree(repository / "examples" / "transcripts", source)
    run(TRANSCRIPTS, source, store)
    (source / "recaps" / "S01E03_The_Door_That_Never_Lost.md").rename(source / "recaps" / "S01E03.md")
    run(TRANSCRIPTS, source, store, allow_removal=False)
    found = compare_releases(store, "transcripts")
    assert (found.changes, found.renamed) == ([], {"S01E03"})
    for recap in sorted((source / "recaps").iterdir())[:2]:
        recap.unlink()
    with pytest.raises(ConfigError, match=r"lack 2 of the 4 units .* half of each\): S01E01, S01E02"):
        run(TRANSCRIPTS, source, store, allow_removal=False)


def test_a_setting_is_named_with_both_values_and_another_version_of_a_stage_is_told_from_it(
    source: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(LETTERS, source, store)
    run(LETTERS, source, store, upper=True)
    found = compare_releases(store, "letters")
    assert found.settings == {"upper": (False, True)}
    assert {causes for _, _, causes in summarise(found)} == {"setting"}
    assert len(found.changes) == 6
    monkeypatch.setattr(toy, "tabulate", lambda unit, path, content, _: tabulate(unit, path, content, False))
    run(make_pipeline("letters", list_texts, build_letter, {"text": 2, "size": 1}), source, store, upper=True)
    found = compare_releases(store, "letters")
    assert found.settings == {}
    assert {(change, causes) for change, _, causes in summarise(found)} == {("changed", "algorithm")}


def test_a_row_and_a_unit_on_the_takedown_list_are_named_so(source: Path, store: Store) -> None:
    run(LETTERS, source, store)
    add_takedown(store, "letters", ["a_0001", "c"], "asked for", "2026-01-01T00:00:00+00:00")
    run(LETTERS, source, store)
    assert summarise(compare_releases(store, "letters")) == {
        ("removed", "a_0001", "takedown"),
        ("removed", "c_0000", "takedown"),
        ("removed", "c_0001", "takedown"),
    }


def test_a_small_unit_on_the_takedown_list_is_named_so_though_its_shard_stays(source: Path, store: Store) -> None:
    shards = {"shards": 1}
    run(NOTES, source, store, **shards)
    add_takedown(store, "notes", ["B"], "asked for", "2026-01-01T00:00:00+00:00")
    write_text(source, "a", "The first line of a.")
    run(NOTES, source, store, **shards)
    assert summarise(compare_releases(store, "notes")) == {
        ("removed", "a_0001", "input"),
        ("removed", "b_0000", "takedown"),
        ("removed", "b_0001", "takedown"),
    }


def test_a_release_that_is_not_there_is_an_error_that_names_those_that_are(source: Path, store: Store) -> None:
    with pytest.raises(ConfigError, match="has no dataset 'letters'"):
        compare_releases(store, "letters")
    version = (run(LETTERS, source, store).release or "").rsplit("/", 1)[-1]
    with pytest.raises(ConfigError, match=f"release {version} of letters followed no other"):
        compare_releases(store, "letters")
    with pytest.raises(ConfigError, match=f"no whole release nosuch of letters; its releases: {version}"):
        compare_releases(store, "letters", "nosuch")
