"""Buckets are made once, and what is wrong is named."""

from collections.abc import Iterator
from uuid import uuid4

import fsspec
import pytest

from core.errors import StoreError
from infra.store.buckets import make_bucket, name_buckets
from infra.store.objects import Store
from infra.store.patient_s3 import PatientS3
from infra.store.running import mark_run


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
