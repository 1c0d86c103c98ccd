"""Folders in a bucket and in a repository on GitHub, and addresses that have a password."""

import base64
import hashlib
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from fsspec.implementations.github import GithubFileSystem

from core.errors import ConfigError
from infra.sources.folder import FolderSource
from tests.infra.sources.servers import Quiet, serving
from tests.infra.sources.tales import FILES, read_contents


@pytest.mark.parametrize("url", ["https://anna:secret@wiki.invalid/show", "zip://::http://secret@wiki.invalid/show.zip"])
def test_a_password_in_an_address_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(ConfigError, match="carries a password") as refused:
        FolderSource(url)
    assert "secret" not in str(refused.value)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = pytest.importorskip("moto.server", reason="moto[server] is not installed").ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    yield "s3://tales"
    server.stop()


def test_a_prefix_of_a_bucket(bucket: str) -> None:
    import s3fs

    files = s3fs.S3FileSystem(skip_instance_cache=True)
    files.mkdir("tales")
    for path, content in FILES.items():
        files.pipe(f"tales/season 1/{path}", content)
    source = FolderSource(f"{bucket}/season 1")
    assert read_contents(source) == FILES
    before = source.list_files()
    assert source.list_files() == before
    files.pipe("tales/season 1/transcripts/C1E001 one.txt", b"other")
    assert [file.path for file in set(source.list_files()) - set(before)] == ["transcripts/C1E001 one.txt"]
    with pytest.raises(ConfigError, match="no such folder"):
        FolderSource(f"{bucket}/season 2")


class _Repository(Quiet, BaseHTTPRequestHandler):
    """Answers as GitHub's interface does for a repository of one file in one folder."""

    content = b"first"

    def do_GET(self) -> None:
        blob = hashlib.sha1(self.content, usedforsecurity=False).hexdigest()
        answers = {
            "/trees/main": {"tree": [{"path": "transcripts", "type": "tree", "mode": "040000", "sha": "t1"}]},
            "/trees/t1": {"tree": [{"path": "a.txt", "type": "blob", "mode": "100644", "sha": blob, "size": 5}]},
            "/contents/transcripts/a.txt": {"content": base64.b64encode(self.content).decode()},
        }
        answer = answers.get(self.path)
        body = json.dumps(answer or {}).encode()
        self.send_response(200 if answer else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def test_a_repository_on_github(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(_Repository) as address:
        monkeypatch.setattr(GithubFileSystem, "url", address + "/trees/{sha}")
        monkeypatch.setattr(GithubFileSystem, "content_url", address + "/contents/{path}")
        source = FolderSource("github://anna:tales@main/")
        assert read_contents(source) == {"transcripts/a.txt": b"first"}
        (before,) = source.list_files()
        _Repository.content = b"other"
        (after,) = source.list_files()
        assert (after.path, after.size) == (before.path, before.size)
        assert after.version != before.version
