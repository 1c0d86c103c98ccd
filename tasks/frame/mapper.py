"""Mapping units: one protocol, and the way that needs neither Prefect nor Dask."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from infra.orchestration.time_limit import time_limit

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class UnitOutcome(Generic[Result]):
    """What became of a unit: its result, or the error that ended its last attempt."""

    unit: str
    result: Result | None
    error: BaseException | None


class Mapper(Protocol):
    """Calls one function of `tasks/` on many requests, somewhere."""

    def map_units(
        self, function: Callable[[Any], Result], requests: Mapping[str, Any], seconds: float | None = None
    ) -> Iterator[UnitOutcome[Result]]:
        """Yield an outcome for every request, in any order.

        Args:
            function: takes a request and returns a reference. It must be safe to call twice.
            requests: request by unit id.
            seconds: how long one request may take before it is broken off with a `TimeLimitError`; None: as long as it takes.
        """


class InProcessMapper:
    """Calls the function in this process, one request after the other: for debugging, for tests and for tiny data."""

    def map_units(
        self, function: Callable[[Any], Result], requests: Mapping[str, Any], seconds: float | None = None
    ) -> Iterator[UnitOutcome[Result]]:
        """Yield the outcomes in the order of the requests. An error of one unit does not end the others."""
        for unit, request in requests.items():
            try:
                with time_limit(seconds):
                    result = function(request)
            except Exception as error:
                yield UnitOutcome(unit, None, error)
            else:
                yield UnitOutcome(unit, result, None)
