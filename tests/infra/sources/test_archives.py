"""Sources that are zip archives: on this machine, behind a web server, replaced, hostile."""

import tracemalloc
import zipfile
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from core.errors import ConfigError, SourceError
from infra.sources.folder import FolderSource
from tests.infra.sources.servers import Quiet, serving, serving_folder
from tests.infra.sources.tales import FILES, read_contents


def pack(archive: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(archive, "w") as packed:
        for path, content in files.items():
            packed.writestr(path, content)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_an_archive_would_unpack_without_bounds_is_refused(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "tales.zip", "w", method) as packed:
        packed.writestr("transcripts/C1E001.txt", bytes(2**20))
    source = FolderSource(str(tmp_path / "tales.zip"))
    (file,) = source.list_files()
    with pytest.raises(SourceError, match=f"transcripts/C1E001.txt: compressed by method {method}"):
        source.read(file, 100)
    assert source.checksum(file) == ""


def test_of_a_bomb_no_more_is_unpacked_than_asked_for(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "tales.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("transcripts/C1E001.txt", bytes(2**26))
    source = FolderSource(str(tmp_path / "tales.zip"))
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


def test_a_folder_within_an_archive(tmp_path: Path) -> None:
    pack(tmp_path / "tales.zip", {f"season 1/{path}": content for path, content in FILES.items()})
    assert read_contents(FolderSource(f"zip://season 1::{tmp_path}/tales.zip")) == FILES
    with pytest.raises(ConfigError, match="no such folder"):
        FolderSource(f"zip://season 2::{tmp_path}/tales.zip")


def test_a_replaced_archive_is_read_anew(tmp_path: Path) -> None:
    pack(tmp_path / "tales.zip", FILES)
    here, on_a_worker = (FolderSource(str(tmp_path / "tales.zip")) for _ in range(2))
    before = here.list_files()
    assert read_contents(on_a_worker) == FILES
    pack(tmp_path / "new.zip", dict.fromkeys(FILES, b"changed"))
    (tmp_path / "new.zip").rename(tmp_path / "tales.zip")
    after = here.list_files()
    assert not set(before) & set(after)
    assert [on_a_worker.read(file, 100) for file in after] == [b"changed", b"changed"]


def test_what_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "tales.zip").write_text("not packed")
    with pytest.raises(ConfigError, match="expected a zip archive"):
        FolderSource(str(tmp_path / "tales.zip"))
    with pytest.raises(ConfigError, match="no such archive"):
        FolderSource(str(tmp_path / "nowhere.zip"))


class _Ranges(Quiet, BaseHTTPRequestHandler):
    """Serves one archive in pieces, as web servers do."""

    archive = b""

    def do_GET(self) -> None:
        first, last = (int(end) for end in self.headers["Range"].removeprefix("bytes=").split("-"))
        body = self.archive[first : last + 1]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{first + len(body) - 1}/{len(self.archive)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(self.archive)))
        self.end_headers()


def test_an_archive_behind_a_web_server(tmp_path: Path) -> None:
    pack(tmp_path / "tales.zip", FILES)
    _Ranges.archive = (tmp_path / "tales.zip").read_bytes()
    with serving(_Ranges) as address:
        assert read_contents(FolderSource(f"{address}/tales.zip")) == FILES
    with serving_folder(tmp_path) as address, pytest.raises(ConfigError, match="range requests"):
        FolderSource(f"{address}/tales.zip")
