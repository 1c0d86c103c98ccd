"""Progress of a run, told to whoever watches: the terminal, or nobody."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Observer(Protocol):
    """Watches a run."""

    def start(self, what: str, total: int) -> None:
        """Note that a step of `total` parts begins."""
        ...

    def advance(self) -> None:
        """Note that one part of the current step is done."""
        ...


class _Nobody:
    def start(self, what: str, total: int) -> None:
        pass

    def advance(self) -> None:
        pass


_OBSERVER: ContextVar[Observer] = ContextVar("observer", default=_Nobody())  # noqa: B039 -- it holds no state


def current_observer() -> Observer:
    """Return who watches the run of this context."""
    return _OBSERVER.get()


@contextmanager
def observed_by(observer: Observer) -> Iterator[None]:
    """Let `observer` watch what runs inside the block."""
    token = _OBSERVER.set(observer)
    try:
        yield
    finally:
        _OBSERVER.reset(token)
