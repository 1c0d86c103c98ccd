"""Buckets: made once, what is wrong is named, what is waited for is told, and everything has an end."""

import logging
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from uuid import uuid4

import fsspec
import pytest

from core.errors import StoreError
from infra.store import filesystems
from infra.store.objects import Store
from infra.store.running import mark_run
from infra.store.s3 import PatientS3, make_bucket, name_buckets
from tests.infra.sources.servers import serving

ENDED = threading.Event()


class _Dribbling(BaseHTTPRequestHandler):
    """An S3 server that says its answer a byte at a time, and never all of it."""

    def do_GET(self) -> None:
        self.send_response(206 if "Range" in self.headers else 200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while not ENDED.is_set():
            try:
                self.wfile.write(b" ")
            except OSError:
                return
            time.sleep(0.05)

    def do_HEAD(self) -> None:
        if "stream" not in self.path:
            self.do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def dribbling(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    ENDED.clear()
    with serving(_Dribbling) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        monkeypatch.setattr(filesystems, "MOST_SECONDS", 1.0)
        monkeypatch.setattr(PatientS3, "most_seconds", 1.0)
        monkeypatch.setattr(filesystems, "TELL_SECONDS", 0.5)
        PatientS3.clear_instance_cache()  # a cached one asks another test's server
        yield
        PatientS3.clear_instance_cache()
        ENDED.set()


@pytest.mark.usefixtures("dribbling")
def test_a_bucket_that_dribbles_is_told_and_given_up(caplog: pytest.LogCaptureFixture) -> None:
    store = Store(f"s3://{uuid4().hex}/store")
    with caplog.at_level(logging.WARNING), pytest.raises(StoreError, match="could not read a/b"):
        store.read("a/b")
    assert f"still waiting to read {store.url}/a/b" in caplog.text
    with pytest.raises(StoreError, match="could not list a"):
        store.list_keys("a")


@pytest.mark.usefixtures("dribbling")
def test_a_stream_of_a_bucket_that_dribbles_is_told_and_given_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = Store(f"s3://{uuid4().hex}/store")
    with (
        caplog.at_level(logging.WARNING),
        pytest.raises(StoreError, match=r"could not read stream: (get|head)_object .* no end after 1 s"),
        store.reading("stream") as stream,
    ):
        stream.read(10)
    assert f"still waiting to read {store.url}/stream" in caplog.text


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An S3 server in memory, named by the environment."""
    server = pytest.importorskip("moto.server", reason="moto[server] is not installed").ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    PatientS3.clear_instance_cache()  # a cached one asks another test's server
    yield
    PatientS3.clear_instance_cache()
    server.stop()


def test_buckets_of_urls_are_named_once() -> None:
    urls = ["s3://tales/store", "/srv/films", "s3://tales/sources/films", "https://example.org/x", "s3://raw"]
    assert name_buckets(urls) == ["raw", "tales"]


@pytest.mark.usefixtures("s3")
def test_a_bucket_is_made_once() -> None:
    name = f"tales-{uuid4().hex}"  # moto keeps the buckets of a process, whichever server made them
    assert [make_bucket(name), make_bucket(name)] == [True, False]


def test_a_server_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setitem(fsspec.config.conf, "s3", {"config_kwargs": {"retries": {"max_attempts": 1}}})
    with pytest.raises(StoreError, match=r"bucket tales: .*127.0.0.1:9.*AWS_ENDPOINT_URL"):
        make_bucket("tales")


@pytest.mark.usefixtures("s3")
def test_a_missing_bucket_is_told_and_not_a_missing_object() -> None:
    store = Store(f"s3://{uuid4().hex}/store")
    for act in (lambda: store.read("a"), lambda: store.write("a", b"b"), lambda: mark_run(store, "transcripts", "20260101")):
        with pytest.raises(StoreError, match="this bucket does not exist; make it, or correct the store's URL"):
            act()
