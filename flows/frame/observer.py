"""Whoever watches a run: the terminal, Prefect's UI, or nobody."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from core.dataset.report import Picture
from core.references import UnitReference
from flows.frame.ingestion import Progress
from tasks.frame.ledger import RunSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class Illustration:
    """`changes` say how many rows differ, and why."""

    changes: Sequence[str] = ()
    pictures: Sequence[Picture] = ()


class Observer(Progress, Protocol):
    """Watches a run."""

    def show_statistics(self, dataset: str, url: str, rows: Sequence[Mapping[str, str]]) -> None:
        """Show the statistics of a new release at `url`: rows with `metric` and `value`."""

    def illustrate(self, make: Callable[[], Illustration]) -> None:
        """Note how to make examples, changes and pictures of the run; `make` reads the store, so only who shows them calls it."""

    def conclude(self, summary: RunSummary, references: Mapping[str, UnitReference]) -> None:
        """Show what became of the run."""


class Nobody:
    """Watches nothing; other observers need to say only what they do."""

    def start(self, step: str, total: int) -> None:
        """Do nothing."""

    def advance(self, part: str = "") -> None:
        """Do nothing."""

    def show_statistics(self, dataset: str, url: str, rows: Sequence[Mapping[str, str]]) -> None:
        """Do nothing."""

    def illustrate(self, make: Callable[[], Illustration]) -> None:
        """Do nothing."""

    def conclude(self, summary: RunSummary, references: Mapping[str, UnitReference]) -> None:
        """Do nothing."""


class Several(Nobody):
    """Lets several observers watch a run."""

    def __init__(self, *observers: Observer) -> None:
        """Tell each of `observers`, in their order."""
        self._observers = observers

    def start(self, step: str, total: int) -> None:
        """Tell each."""
        for observer in self._observers:
            observer.start(step, total)

    def advance(self, part: str = "") -> None:
        """Tell each."""
        for observer in self._observers:
            observer.advance(part)

    def show_statistics(self, dataset: str, url: str, rows: Sequence[Mapping[str, str]]) -> None:
        """Tell each."""
        for observer in self._observers:
            observer.show_statistics(dataset, url, rows)

    def illustrate(self, make: Callable[[], Illustration]) -> None:
        """Tell each."""
        for observer in self._observers:
            observer.illustrate(make)

    def conclude(self, summary: RunSummary, references: Mapping[str, UnitReference]) -> None:
        """Tell each."""
        for observer in self._observers:
            observer.conclude(summary, references)


_OBSERVER: ContextVar[Observer] = ContextVar("observer", default=Nobody())  # noqa: B039 -- it holds no state


def current_observer() -> Observer:
    """Return who watches the runs of this context: a Prefect flow has no parameter for it."""
    return _OBSERVER.get()


@contextmanager
def observed_by(observer: Observer) -> Iterator[None]:
    """Let `observer` watch the runs inside the block."""
    token = _OBSERVER.set(observer)
    try:
        yield
    finally:
        _OBSERVER.reset(token)
