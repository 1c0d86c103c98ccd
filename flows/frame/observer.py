"""Whoever watches a run: the terminal, Prefect's UI, or nobody."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from core.dataset.pictures import Picture
from core.references import UnitReference
from flows.frame.ingestion import Progress
from tasks.frame.ledger import RunSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class Illustration:
    """`changes` say how many rows differ, and why."""

    changes: Sequence[str] = ()
    pictures: Sequence[Picture] = ()


class Observer(Progress):
    """Watches a run."""

    def show_statistics(self, dataset: str, url: str, rows: Sequence[Mapping[str, str]]) -> None:
        """Show the statistics of a new release at `url`: rows with `metric` and `value`."""

    def conclude(
        self, summary: RunSummary, references: Mapping[str, UnitReference], illustrate: Callable[[], Illustration]
    ) -> None:
        """Show what became of the run; `illustrate` reads the store, so only who shows changes and pictures calls it."""


Nobody = Observer

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
