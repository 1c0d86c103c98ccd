"""Kernels that compile in busy processes only run as plain Python here; `test_compiled.py` compares the two ways."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def plain_kernels() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("core.compiled.PATIENCE", 10**12)
        patched.setattr("core.compiled._busy", False)
        yield
