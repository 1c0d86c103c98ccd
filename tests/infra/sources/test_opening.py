"""Several sources as one list: where each file is from, one path in two places, and a source that is not there."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from core.errors import ConfigError, SourceError, StoreError
from infra.sources.opening import OpenedSources, list_sources, open_source, read_file
from tests.infra.sources.servers import serving_folder


def write(root: Path, path: str, text: str) -> str:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return str(root)


def test_files_know_the_source_they_are_read_from(tmp_path: Path) -> None:
    one = write(tmp_path / "one", "transcripts/S01E01.txt", "first")
    two = write(tmp_path / "two", "recaps/S01E01.md", "second")
    files = list_sources([one, two])
    assert [(file.path, file.source) for file in files] == [("recaps/S01E01.md", two), ("transcripts/S01E01.txt", one)]
    assert [read_file(file, 100) for file in files] == [b"second", b"first"]


def test_the_same_path_in_two_sources_stands_once_and_has_to_be_the_same(tmp_path: Path) -> None:
    one = write(tmp_path / "one", "recaps/S01E01.md", "same")
    two = write(tmp_path / "two", "recaps/S01E01.md", "same")
    (file,) = list_sources([one, two])
    assert (file.source, [copy.source for copy in file.copies]) == (one, [two])
    assert read_file(file, 100) == b"same"
    write(tmp_path / "two", "recaps/S01E01.md", "else")
    with pytest.raises(SourceError) as refused:
        read_file(file, 100)
    assert f"recaps/S01E01.md in {one} and recaps/S01E01.md in {two}" in str(refused.value)


def test_one_source_that_is_not_there_fails_the_whole_list(tmp_path: Path) -> None:
    one = write(tmp_path / "one", "recaps/S01E01.md", "same")
    (file,) = list_sources([one, one + "/"])
    assert file.copies == (), "a source that is given twice counts once"
    for sources, message in (([one, f"{one}/nowhere"], "nowhere"), ([], "no source is given"), ([""], "a source is empty")):
        with pytest.raises(ConfigError, match=message):
            list_sources(sources)


FOLDERS = ("transcripts", "recaps")


def test_a_source_that_is_one_of_the_folders_counts_as_it(tmp_path: Path) -> None:
    write(tmp_path, "Recaps/S01E01.md", "second")
    write(tmp_path, "Recaps/more/S01E02.md", "third")
    files = list_sources([str(tmp_path / "Recaps")], FOLDERS)
    assert [file.path for file in files] == ["Recaps/S01E01.md", "Recaps/more/S01E02.md"]
    assert [read_file(file, 100) for file in files] == [b"second", b"third"]
    for name in ("transcripts", "season"):  # one that holds such folders, and any other
        root = write(tmp_path / name, "recaps/S01E01.md", "second")
        assert [file.path for file in list_sources([root], FOLDERS)] == ["recaps/S01E01.md"]


def test_a_folder_of_a_web_server_or_an_archive_counts_as_it(tmp_path: Path) -> None:
    write(tmp_path, "recaps/S01E01 one.md", "second")
    with zipfile.ZipFile(tmp_path / "tales.zip", "w") as archive:
        archive.writestr("season/recaps/S01E01 one.md", "second")
    with serving_folder(tmp_path) as address:
        for url in (f"{address}/recaps/", f"zip://season/recaps::{tmp_path}/tales.zip"):
            (file,) = list_sources([url], FOLDERS)
            assert file.path == "recaps/S01E01 one.md"
            assert read_file(file, 100) == b"second"


def test_an_archive_with_one_top_folder_counts_as_that_folder(tmp_path):
    def listed(name, *paths, folders=("transcripts", "recaps")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for path in paths:
                archive.writestr(path, path)
        files = list_sources([str(tmp_path / name)], folders)
        assert all(open_source(file.source).read(file, 99).decode() in paths for file in files)
        return [file.path for file in files]

    show = ("My Show/transcripts/a.txt", "My Show/recaps/a.md", "My Show/speakers.tsv", "__MACOSX/._a.txt")
    assert listed("a.zip", *show) == ["recaps/a.md", "speakers.tsv", "transcripts/a.txt"]
    assert listed("b.zip", "recaps/a.md", "recaps/b.md") == ["recaps/a.md", "recaps/b.md"]
    assert listed("c.zip", "films/Panic Room/script.txt", folders=("movies",)) == ["Panic Room/script.txt"]
    assert listed("d.zip", "Panic Room/script.txt", folders=("movies",)) == ["Panic Room/script.txt"]
    assert listed("e.zip", "en/2001/0123/4.xml.gz", folders=("summaries",)) == ["en/2001/0123/4.xml.gz"]


def test_a_file_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("word")
    source = OpenedSources((str(tmp_path),))
    (file,) = source.list_files()
    assert source.read(file, 4) == b"word"
    with pytest.raises(SourceError, match=r"a\.txt: too large; at most 3 bytes are read"):
        source.read(file, 3)


@pytest.mark.parametrize("url", ["records+other+a.jsonl", "records+rooms+", "records+rooms+a.txt", "records+"])
def test_the_inner_form_of_a_source_is_refused_where_it_names_no_file_of_records(url: str) -> None:
    with pytest.raises(ConfigError, match="expected the name of a file of records"):
        list_sources([url], records="rooms")


@pytest.mark.parametrize("url", ["hf://datasets/../../etc", "hf://datasets/a/../b", "hf://"])
def test_a_name_that_the_hub_cannot_have_is_told(url: str) -> None:
    pytest.importorskip("huggingface_hub")
    with pytest.raises(StoreError, match="could not be listed in full"):
        list_sources([url])


def test_one_file_is_a_source_as_if_it_lay_alone(tmp_path: Path) -> None:
    for name in ("list.mbox", "other.mbox"):
        (tmp_path / name).write_text(f"From {name}")
    (file,) = list_sources([str(tmp_path / "list.mbox")])
    assert (file.path, file.source) == ("list.mbox", str(tmp_path))
    assert read_file(file, 100) == b"From list.mbox"
    source = open_source(str(tmp_path / "list.mbox"))
    assert source.read(file, 100) == b"From list.mbox"
    assert source.checksum(file) == hashlib.sha256(b"From list.mbox").hexdigest()
    with source.open(file) as stream:
        assert stream.read() == b"From list.mbox"


def test_a_file_that_is_a_link_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("From me")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside/list.mbox").symlink_to(tmp_path / "secret")
    (file,) = list_sources([str(tmp_path / "inside/list.mbox")])
    assert file.fault
