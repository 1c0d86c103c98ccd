"""What a person sees of a run: progress on standard error, the outcome on standard output."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from threading import Event, Thread

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from core.references import describe_notices
from flows.cli.tables import show_plain
from flows.frame.observer import Observer, observed_by
from infra.orchestration.time_limit import count_seconds
from tasks.frame.ledger import RunSummary

ERRORS = Console(stderr=True, highlight=False, soft_wrap=True)
OUTPUT = Console(highlight=False, soft_wrap=True)
_MOST_LEFT_OUT = 20
_MOST_LISTED = 100
SILENT_SECONDS = 3.0
"""How long a step may take in a pipe before it is told that it goes on."""


class _Printer(logging.Handler):
    """Prints records on standard error, above the bars."""

    def emit(self, record: logging.LogRecord) -> None:
        ERRORS.print(show_plain(record.getMessage()), markup=False)


class _Bars(Observer):
    """Draws one bar per step of a run."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._current: TaskID | None = None
        self._counts = False

    def start(self, step: str, total: int) -> None:
        if self._current is not None and not self._counts:
            self._progress.remove_task(self._current)  # a step of unknown length is over
        self._counts = total > 0
        self._current = self._progress.add_task(step, total=total or None, part="")

    def advance(self, part: str = "") -> None:
        if self._current is not None:
            self._progress.update(self._current, advance=1, part=show_plain(part))


class _Lines(Observer):
    """Prints a line for each step of a run when it begins, with the seconds since the command began.

    A step that goes on is told again after `SILENT_SECONDS`, and each time after twice as long.
    """

    def __init__(self) -> None:
        self._step, self._done, self._total = "", 0, 0
        self._begun, self._over = Event(), False

    def start(self, step: str, total: int) -> None:
        self._step, self._done, self._total = step, 0, total
        _print_step(step + (f": {total:,}" if total else ""))
        self._begun.set()

    def advance(self, _: str = "") -> None:
        self._done += 1

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Tell inside the block of steps that go on."""
        thread = Thread(target=self._tell, name="steps that go on", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over = True
            self._begun.set()
            thread.join()

    def _tell(self) -> None:
        pause = SILENT_SECONDS
        while not self._over:
            if self._begun.wait(pause):
                self._begun.clear()
                pause = SILENT_SECONDS
            else:
                _print_step(f"{self._step} goes on" + (f": {self._done:,} of {self._total:,}" if self._total else ""))
                pause *= 2


def _print_step(text: str) -> None:
    ERRORS.print(f"{count_seconds():8.1f} s  {text}", markup=False)


@contextmanager
def progress_shown(lines: bool = False) -> Iterator[None]:
    """Draw progress bars for the runs inside the block on a terminal; in a pipe, print warnings and, with `lines`, each step."""
    with _warnings_shown():
        if not ERRORS.is_terminal:
            told = _Lines()
            with told.going_on() if lines else nullcontext(), observed_by(told if lines else Observer()):
                yield
            return
        step, part = TextColumn("  {task.description:<10}"), TextColumn("{task.fields[part]}", markup=False)
        columns = (step, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), part)
        with Progress(*columns, console=ERRORS) as progress, observed_by(_Bars(progress)):
            yield


@contextmanager
def waiting_shown(doing: str = "") -> Iterator[Callable[[str], None]]:
    """Show on a terminal what a command without progress bars is `doing`: it says more through the function that it gets."""
    if not ERRORS.is_terminal:
        yield lambda _: None
        return
    with ERRORS.status(Text(doing)) as status:
        yield lambda doing: status.update(Text(doing))


@contextmanager
def _warnings_shown() -> Iterator[None]:
    """Print warnings at once, for example that a run waits for workers."""
    printer, loggers = _Printer(logging.WARNING), [logging.getLogger(name) for name in ("flows", "tasks", "infra")]
    for logger in loggers:
        logger.addHandler(printer)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(printer)


def list_exceptions(summary: RunSummary) -> None:
    """List on standard error the units that are quarantined, left out, removed or waiting, and why; and what to look at."""

    def tell(kind: str, text: str) -> None:
        ERRORS.print(show_plain(f"{kind:<12} {text}"), markup=False)

    def tell_some(kind: str, lines: Sequence[str], most: int, where: str) -> None:
        for line in lines[:most]:
            tell(kind, line)
        if len(lines) > most:
            tell(kind, f"{len(lines) - most:,} more; {where} names all")

    stale = "; its last good state stays in the dataset"
    failed = sorted(summary.quarantined, key=lambda failure: failure.unit)
    reasons = [f"{failure.unit}: {failure.reason}{stale if failure.unit in summary.stale else ''}" for failure in failed]
    whole = f"fabula show {summary.dataset} --list"
    tell_some("quarantined", reasons, _MOST_LISTED, whole)
    tell_some("left out", [f"{unit}: {why}" for unit, why in summary.left_out], _MOST_LEFT_OUT, "stats.json of the release")
    gone = [f"{unit}: no source has it any more; later releases leave it out" for unit in summary.removed]
    tell_some("removed", gone, _MOST_LISTED, "the run's record")
    tell_some("waiting", [f"{unit}: no {missing} yet" for unit, missing in summary.waiting], _MOST_LISTED, whole)
    for line in describe_notices(summary.notices):
        tell("look at", line)


def _tell_state(summary: RunSummary) -> str:
    if not summary.latest:
        return " (not the latest: the run had a limit)" if summary.limited else " (not the latest: a later run has released)"
    return "" if summary.new_release else " (unchanged)"


def print_outcome(summary: RunSummary, store: str, seconds: float) -> None:
    """Print the outcome of a run for a person; `seconds` is how long the person has waited for it."""
    counts = summary.as_json()["units"]
    OUTPUT.print(
        f"{summary.pipeline}: {counts['discovered']} units, " + ", ".join(f"{counts[name]} {name}" for name in list(counts)[1:])
    )
    for name, value in summary.highlights:
        OUTPUT.print(f"  {name:<10} {value}", markup=False)
    if summary.release is not None:
        OUTPUT.print(f"  release    {summary.release}{_tell_state(summary)}", markup=False)
    if empty := summary.explain_empty():
        OUTPUT.print(f"  note       {empty}", markup=False)
    for rows in summary.rejects:
        OUTPUT.print(f"  left out   {show_plain(rows.describe())}", markup=False)
    OUTPUT.print(f"  time       {seconds:.1f} s")
    if summary.computed:
        OUTPUT.print(f"  look at    fabula show {summary.computed[0]} --store {store}", markup=False)
