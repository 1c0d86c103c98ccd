"""Computing where no dataset is made: on Dask alone, without a Prefect flow, or in this process."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

Compute = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""Calls a function on each of many requests; the results come in any order."""


@contextmanager
def computing(workers: int | None, scheduler: str | None, in_process: bool) -> Iterator[Compute]:
    """Give the way to compute inside the block: a Dask cluster, which starts with the first call, or this process."""
    if in_process:
        yield map
        return
    from infra.orchestration.dask import Cluster

    with Cluster(workers, scheduler) as cluster:
        yield cluster.map_unordered
