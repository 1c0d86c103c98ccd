"""Buckets: made once, what is wrong is named, what is waited for is told, and everything has an end."""

import logging
import threading
from collections.abc import Iterator
from time import sleep
from uuid import uuid4

import fsspec
import pytest

from core.errors import StoreError
from infra.store import filesystems
from infra.store.objects import Store
from infra.store.running import mark_run
from infra.store.s3 import PatientS3, make_bucket, name_buckets
from tests.infra.sources.servers import Handler, serving, serving_s3

ENDED = threading.Event()


class _Dribbling(Handler):
    """An S3 server that says its answer a byte at a time, and never all of it; of a stream, it tells the size."""

    def reply(self) -> None:
        self.answer(status=206 if "Range" in self.headers else 200, Content_Length="1000000")
        while not (ENDED.is_set() or (self.command == "HEAD" and "stream" in self.path)):
            try:
                self.wfile.write(b" ")
            except OSError:
                return
            sleep(0.05)


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, value in (("ACCESS_KEY_ID", "test"), ("SECRET_ACCESS_KEY", "test"), ("DEFAULT_REGION", "us-east-1")):
        monkeypatch.setenv(f"AWS_{name}", value)
    PatientS3.clear_instance_cache()  # a cached one asks another test's server
    yield
    PatientS3.clear_instance_cache()


@pytest.mark.usefixtures("keys")
def test_a_bucket_that_dribbles_is_told_and_given_up(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filesystems, "MOST_SECONDS", 1.5)
    monkeypatch.setattr(PatientS3, "most_seconds", 1.5)  # put back afterwards
    monkeypatch.setattr(filesystems, "TELL_SECONDS", 0.3)
    ENDED.clear()
    with serving(_Dribbling) as address, caplog.at_level(logging.WARNING):
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        store = Store(f"s3://{uuid4().hex}/store")
        with pytest.raises(StoreError, match="could not read a/b"):
            store.read("a/b")
        with pytest.raises(StoreError, match="could not list a"):
            store.list_keys("a")
        with (
            pytest.raises(StoreError, match=r"could not read stream: (get|head)_object .* no end after"),
            store.reading("stream") as stream,
        ):
            stream.read(10)
        ENDED.set()
    for name in ("a/b", "stream"):
        assert f"still waiting to read {store.url}/{name}" in caplog.text


@pytest.mark.usefixtures("keys")
def test_a_bucket_is_made_once_and_a_missing_one_is_told_and_not_a_missing_object(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"tales-{uuid4().hex}"  # moto keeps the buckets of a process, whichever server made them
    store = Store(f"s3://{name}/store")
    with serving_s3(monkeypatch):
        for act in (lambda: store.read("a"), lambda: store.write("a", b"b"), lambda: mark_run(store, "transcripts", "20260101")):
            with pytest.raises(StoreError, match="this bucket does not exist; make it, or correct the store's URL"):
                act()
        assert [make_bucket(name), make_bucket(name)] == [True, False]
    urls = ["s3://tales/store", "/srv/films", "s3://tales/sources/films", "https://example.org/x", "s3://raw"]
    assert name_buckets(urls) == ["raw", "tales"]


@pytest.mark.usefixtures("keys")
def test_a_server_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setitem(fsspec.config.conf, "s3", {"config_kwargs": {"retries": {"max_attempts": 1}}})
    with pytest.raises(StoreError, match=r"bucket tales: .*127.0.0.1:9.*AWS_ENDPOINT_URL"):
        make_bucket("tales")
