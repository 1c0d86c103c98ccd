"""Runs numeric kernels as machine code, which numba compiles once and caches on disk."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

Kernel = TypeVar("Kernel", bound=Callable[..., object])

PATIENCE = 200_000
"""Elements that a kernel goes through in plain Python, all calls of a process together, before the process counts as busy. That
takes a second; the largest count of the demo is 135,000. To compile all kernels of a pipeline takes 10 seconds, and to load them
from the cache half a second."""

_busy = False


def compiled(kernel: Kernel) -> Kernel:
    """Return `kernel` as a function that numba compiles at the first call.

    Numba caches the machine code beside the kernel's module, or else in the user's cache folder. If neither is writable (an image
    with a read-only file system), each process compiles the kernel again. This takes a few seconds and gives the same results.
    As in numpy, a division by zero is no error.
    """
    try:
        return cast(Kernel, njit(cache=True, error_model="numpy")(kernel))
    except RuntimeError:  # numba: "no locator available"
        return cast(Kernel, njit(error_model="numpy")(kernel))


def compiled_when_busy(kernel: Kernel) -> Kernel:
    """Return `kernel` as a function that runs in plain Python until a process is busy, so that small work waits for no compiler.

    The size of the first argument, an array, measures the work of a call. Both ways give the same bits, if the kernel adds up in
    loops (`numpy.sum` has another order) and takes `exp` and `log` from `math` (numpy's may differ in the last bit).
    """
    machine = compiled(kernel)
    done = 0  # elements so far

    @wraps(kernel)
    def run(first: NDArray[np.generic], *others: object) -> object:
        global _busy
        nonlocal done
        done += first.size
        _busy = _busy or done > PATIENCE
        if _busy:
            return machine(first, *others)
        with np.errstate(all="ignore"):
            return kernel(first, *others)

    return cast(Kernel, run)


def kernel_part(function: Kernel) -> Kernel:
    """Return a function that kernels may call: compiled as a part of each of them, plain Python elsewhere."""
    return register_jitable(function)
