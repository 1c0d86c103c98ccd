"""Folders on a disk, in a bucket, on GitHub and in archives, several as one list: how changes show, what is refused."""

import base64
import hashlib
import json
import os
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from fsspec.implementations.github import GithubFileSystem

from core.errors import ConfigError, SourceError, StoreError
from infra.sources.folder import FolderSource
from infra.sources.opening import list_sources, open_source, read_file
from infra.store.objects import Store
from infra.store.running import mark_run
from tests.infra.sources.servers import FILES, Handler, read_contents, serving, serving_folder, serving_s3


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("{}/nowhere", "no such folder; give a folder, or a URL of one"),
        ("{}/file", "is a file; give a folder, or a URL of one"),
        ("{}/file.zip", "expected a zip archive"),
        ("{}/nowhere.zip", "no such archive"),
        ("nosuch://x", "source nosuch://x"),
        *((url, "names no bucket or host .is a variable empty") for url in ("s3://", "s3:///", "http://", "hf://")),
        ("https://anna:secret@wiki.invalid/show", "carries a password"),
        ("zip://::http://secret@wiki.invalid/show.zip", "carries a password"),
    ],
)
def test_what_is_no_source_is_the_callers_error(tmp_path: Path, place: str, message: str) -> None:
    for name in ("file", "file.zip"):
        (tmp_path / name).write_text("not packed")
    with pytest.raises(ConfigError, match=message) as refused:
        FolderSource(place.format(tmp_path))
    assert "secret" not in str(refused.value)


def test_a_changed_file_has_another_version_and_is_read_up_to_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("word")
    source = FolderSource(str(tmp_path))
    before = source.list_files()
    assert source.list_files() == before
    assert [len(source.read(before[0], limit)) for limit in (2, 4)] == [3, 4]  # a byte more, so that the caller sees it
    assert read_file(before[0], 4) == b"word"
    with pytest.raises(SourceError, match=r"a\.txt: too large; at most 3 bytes are read"):
        read_file(before[0], 3)
    file.write_text("note")
    os.utime(file, (1, 1))
    assert source.list_files()[0].version != before[0].version


def test_a_prefix_of_a_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    import s3fs

    with serving_s3(monkeypatch):
        files = s3fs.S3FileSystem(skip_instance_cache=True)
        files.mkdir("tales")
        for path, content in FILES.items():
            files.pipe(f"tales/season 1/{path}", content)
        source = FolderSource("s3://tales/season 1")
        assert read_contents(source) == FILES
        before = source.list_files()
        assert source.list_files() == before
        files.pipe("tales/season 1/transcripts/C1E001 one.txt", b"other")
        assert [file.path for file in set(source.list_files()) - set(before)] == ["transcripts/C1E001 one.txt"]
        with pytest.raises(ConfigError, match="no such folder"):
            FolderSource("s3://tales/season 2")


def test_a_repository_on_github(monkeypatch: pytest.MonkeyPatch) -> None:
    """GitHub's interface answers for a repository of one file in one folder."""
    contents = [b"first"]

    class Repository(Handler):
        def reply(self) -> None:
            blob = hashlib.sha1(contents[-1], usedforsecurity=False).hexdigest()
            answers = {
                "/trees/main": {"tree": [{"path": "transcripts", "type": "tree", "mode": "040000", "sha": "t1"}]},
                "/trees/t1": {"tree": [{"path": "a.txt", "type": "blob", "mode": "100644", "sha": blob, "size": 5}]},
                "/contents/transcripts/a.txt": {"content": base64.b64encode(contents[-1]).decode()},
            }
            answer = answers.get(self.path)
            self.answer(json.dumps(answer or {}).encode(), 200 if answer else 404)

    with serving(Repository) as address:
        monkeypatch.setattr(GithubFileSystem, "url", address + "/trees/{sha}")
        monkeypatch.setattr(GithubFileSystem, "content_url", address + "/contents/{path}")
        source = FolderSource("github://anna:tales@main/")
        assert read_contents(source) == {"transcripts/a.txt": b"first"}
        (before,) = source.list_files()
        contents.append(b"other")
        (after,) = source.list_files()
        assert (after.path, after.size) == (before.path, before.size)
        assert after.version != before.version


def pack(archive: Path, files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> FolderSource:
    with zipfile.ZipFile(archive, "w", method) as packed:
        for path, content in files.items():
            packed.writestr(path, content)
    return FolderSource(str(archive))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_an_archive_would_unpack_without_bounds_is_refused(tmp_path: Path, method: int) -> None:
    source = pack(tmp_path / "tales.zip", {"transcripts/C1E001.txt": bytes(2**20)}, method)
    (file,) = source.list_files()
    with pytest.raises(SourceError, match=f"transcripts/C1E001.txt: packed by method {method}"):
        source.read(file, 100)
    assert source.checksum(file) == ""


def test_of_a_bomb_no_more_is_unpacked_than_asked_for(tmp_path: Path) -> None:
    source = pack(tmp_path / "tales.zip", {"transcripts/C1E001.txt": bytes(2**26)})
    (file,) = source.list_files()
    tracemalloc.start()
    assert len(source.read(file, 1000)) == 1001
    assert tracemalloc.get_traced_memory()[1] < 2**22
    tracemalloc.stop()


@pytest.mark.parametrize("form", ["{0}", "zip://::{0}", "relative"])
def test_an_archive_is_the_folder_that_it_holds(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "tales.ZIP" if form == "{0}" else tmp_path / "tales.zip"
    pack(archive, FILES)
    monkeypatch.chdir(tmp_path)
    source = FolderSource(archive.name if form == "relative" else form.format(archive))
    monkeypatch.chdir("/")
    assert read_contents(source) == FILES
    assert read_contents(FolderSource(source.url)) == FILES


def test_a_replaced_archive_is_read_anew(tmp_path: Path) -> None:
    here, on_a_worker = pack(tmp_path / "tales.zip", FILES), FolderSource(str(tmp_path / "tales.zip"))
    before = here.list_files()
    assert read_contents(on_a_worker) == FILES
    pack(tmp_path / "new.zip", dict.fromkeys(FILES, b"changed"))
    (tmp_path / "new.zip").rename(tmp_path / "tales.zip")
    after = here.list_files()
    assert not set(before) & set(after)
    assert [on_a_worker.read(file, 100) for file in after] == [b"changed", b"changed"]


def test_an_archive_behind_a_web_server(tmp_path: Path) -> None:
    pack(tmp_path / "tales.zip", FILES)
    archive = (tmp_path / "tales.zip").read_bytes()

    class Ranges(Handler):
        """Serves the archive in pieces, as web servers do."""

        def reply(self) -> None:
            if self.command == "HEAD":
                self.answer(Accept_Ranges="bytes", Content_Length=str(len(archive)))
                return
            first, last = (int(end) for end in self.headers["Range"].removeprefix("bytes=").split("-"))
            body = archive[first : last + 1]
            self.answer(body, 206, Content_Range=f"bytes {first}-{first + len(body) - 1}/{len(archive)}")

    with serving(Ranges) as address:
        assert read_contents(FolderSource(f"{address}/tales.zip")) == FILES
    with serving_folder(tmp_path) as address, pytest.raises(ConfigError, match="range requests"):
        FolderSource(f"{address}/tales.zip")


def write(root: Path, path: str, text: str) -> str:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return str(root)


def test_files_know_their_source_and_a_path_in_two_sources_stands_once_and_has_to_be_the_same(tmp_path: Path) -> None:
    one, two = (write(tmp_path / name, "recaps/S01E01.md", "same") for name in ("one", "two"))
    write(tmp_path / "two", "transcripts/S01E01.txt", "second")
    both, other = list_sources([one, two])
    assert [(file.source, [copy.source for copy in file.copies]) for file in (both, other)] == [(one, [two]), (two, [])]
    assert [read_file(file, 100) for file in (both, other)] == [b"same", b"second"]
    write(tmp_path / "two", "recaps/S01E01.md", "else")
    with pytest.raises(SourceError) as refused:
        read_file(both, 100)
    assert f"recaps/S01E01.md in {one} and recaps/S01E01.md in {two}" in str(refused.value)


def test_one_source_that_is_not_there_fails_the_whole_list(tmp_path: Path) -> None:
    one = write(tmp_path / "one", "recaps/S01E01.md", "same")
    (file,) = list_sources([one, one + "/"])
    assert file.copies == (), "a source that is given twice counts once"
    for sources, message in (([one, f"{one}/nowhere"], "nowhere"), ([], "no source is given"), ([""], "a source is empty")):
        with pytest.raises(ConfigError, match=message):
            list_sources(sources)


def test_the_store_of_the_run_itself_is_no_source(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(str(tmp_path / "fabula-store"))
    mark_run(store, "rooms", "20261127T114220-890259")  # from its first moment on a run has this much
    store.write("landing/rooms/a/5e/a.txt", b"landed")
    write(tmp_path, "a.txt", "told")
    write(tmp_path, "running/a.txt", "told")
    for _ in range(2):
        assert [file.path for file in list_sources([str(tmp_path)])] == ["a.txt", "running/a.txt"]
    assert caplog.text.count("fabula-store is a store of fabula; nothing in it counts as source") == 1
    with pytest.raises(ConfigError, match="this is a store of fabula; expected what it was made from"):
        list_sources([store.url])


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
    pack(tmp_path / "tales.zip", {"season/recaps/S01E01 one.md": b"second"})
    with serving_folder(tmp_path) as address:
        for url in (f"{address}/recaps/", f"zip://season/recaps::{tmp_path}/tales.zip"):
            (file,) = list_sources([url], FOLDERS)
            assert file.path == "recaps/S01E01 one.md"
            assert read_file(file, 100) == b"second"


@pytest.mark.parametrize(
    ("folders", "members", "listed"),
    [
        (
            FOLDERS,
            ("My Show/transcripts/a.txt", "My Show/recaps/a.md", "My Show/speakers.tsv", "__MACOSX/._a.txt"),
            ["recaps/a.md", "speakers.tsv", "transcripts/a.txt"],
        ),
        (FOLDERS, ("recaps/a.md", "recaps/b.md"), ["recaps/a.md", "recaps/b.md"]),
        (("movies",), ("films/Panic Room/script.txt",), ["Panic Room/script.txt"]),
        (("movies",), ("Panic Room/script.txt",), ["Panic Room/script.txt"]),
        (("summaries",), ("en/2001/0123/4.xml.gz",), ["en/2001/0123/4.xml.gz"]),
    ],
)
def test_an_archive_with_one_top_folder_counts_as_that_folder(
    tmp_path: Path, folders: tuple[str, ...], members: tuple[str, ...], listed: list[str]
) -> None:
    pack(tmp_path / "a.zip", {path: path.encode() for path in members})
    files = list_sources([str(tmp_path / "a.zip")], folders)
    assert [file.path for file in files] == listed
    assert all(open_source(file.source).read(file, 99).decode() in members for file in files)


@pytest.mark.parametrize("url", ["records+other+a.jsonl", "records+rooms+", "records+rooms+a.txt", "records+"])
def test_the_inner_form_of_a_source_is_refused_where_it_names_no_file_of_records(url: str) -> None:
    with pytest.raises(ConfigError, match="expected the name of a file of records"):
        list_sources([url], records="rooms")


@pytest.mark.parametrize("url", ["hf://datasets/../../etc", "hf://datasets/a/../b"])
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
