"""Tiny networks are fastest with one thread, and its sums have one order, in this process and in those that tests start."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def one_thread() -> Iterator[None]:
    """Let torch compute with one thread."""
    torch = pytest.importorskip("torch", reason="the extra `lab` is not installed")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        yield
    torch.set_num_threads(before)
