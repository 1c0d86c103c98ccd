"""Garbage collection rests while a command imports, and starts again whatever ends the imports."""

import gc
from collections.abc import Iterator
from contextlib import suppress

import pytest

from infra.orchestration.large_imports import importing


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """Let other tests' objects be collected as before."""
    yield
    gc.unfreeze()


def test_what_is_imported_is_left_out_of_later_collections() -> None:
    before = gc.get_freeze_count()
    with importing():
        assert not gc.isenabled()
        kept = [[] for _ in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(kept)


def test_an_error_leaves_garbage_collection_on() -> None:
    with suppress(ModuleNotFoundError), importing():
        import no_such_module  # type: ignore[import-not-found]  # noqa: F401
    assert gc.isenabled()
