"""Numeric kernels compiled by numba, cached on disk where there is a place to write."""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(kernel: Kernel) -> Kernel:
    """Compile `kernel` at its first call. The machine code is kept beside its module, else in the user's cache folder.

    Where neither can be written (an image with a read-only file system), each process compiles anew: a few seconds, same results.
    """
    try:
        return cast(Kernel, njit(cache=True, error_model="numpy")(kernel))
    except RuntimeError:  # numba: "no locator available"
        return cast(Kernel, njit(error_model="numpy")(kernel))
