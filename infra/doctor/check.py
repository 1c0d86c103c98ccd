"""The result of a check of `fabula doctor`."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

from core.errors import FabulaError

State = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `problem`: a run would fail; `warning`: some runs would, or be slow. `remedy` says what to do ("" if ok)."""

    name: str
    state: State
    finding: str
    remedy: str = ""
    seconds: float = 0.0


def run_check(name: str, look: Callable[[], Check]) -> Check:
    """Run a check and time it. An error counts as a problem; its message says what to do."""
    started = perf_counter()
    try:
        found = look()
    except FabulaError as error:
        found = Check(name, "problem", str(error))
    except Exception as error:
        # A broken installation may raise anything, and the other checks are still useful.
        found = Check(
            name, "problem", f"{type(error).__name__}: {error}", "an unexpected error: if its message does not help, report it"
        )
    return Check(found.name, found.state, found.finding, found.remedy, round(perf_counter() - started, 3))
