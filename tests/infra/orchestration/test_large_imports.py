"""Garbage collection rests while a command imports, and starts again whatever ends the imports."""

import gc
from contextlib import suppress

from infra.orchestration.large_imports import importing


def test_what_is_imported_is_left_out_of_later_collections_and_an_error_leaves_them_on() -> None:
    before = gc.get_freeze_count()
    try:
        with importing():
            assert not gc.isenabled()
            kept = [[] for _ in range(1000)]
        assert gc.isenabled()
        assert gc.get_freeze_count() >= before + len(kept)
        with suppress(ModuleNotFoundError), importing():
            import no_such_module  # type: ignore[import-not-found]  # noqa: F401
        assert gc.isenabled()
    finally:
        gc.unfreeze()  # other tests' objects are collected as before
