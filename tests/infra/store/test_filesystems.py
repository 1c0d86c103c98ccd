"""Waits for buckets: what is waited for is told, and everything has an end."""

import logging
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from uuid import uuid4

import pytest

from core.errors import ConfigError, StoreError
from infra.store import filesystems
from infra.store.objects import Store
from infra.store.patient_s3 import PatientS3
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


def test_a_store_within_a_file_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"store a::b: '::' names a file within another one"):
        Store("a::b")
