"""Compiles numeric kernels with numba and caches the machine code on disk if a folder is writable."""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(kernel: Kernel) -> Kernel:
    """Return `kernel` as a function that numba compiles at the first call.

    Numba caches the machine code beside the kernel's module, or else in the user's cache folder. If neither is writable (an image
    with a read-only file system), each process compiles the kernel again. This takes a few seconds and gives the same results.
    """
    try:
        return cast(Kernel, njit(cache=True, error_model="numpy")(kernel))
    except RuntimeError:  # numba: "no locator available"
        return cast(Kernel, njit(error_model="numpy")(kernel))
