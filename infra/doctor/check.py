"""What a check of `fabula doctor` says."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

from core.errors import FabulaError

State = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `problem`: a run would fail; `warning`: some runs would, or be slow; `remedy` is what to do ("" where ok)."""

    name: str
    state: State
    finding: str
    remedy: str = ""
    seconds: float = 0.0


def run_check(name: str, look: Callable[[], Check]) -> Check:
    """Look, and time it; an error is a problem whose message says what to do."""
    started = perf_counter()
    try:
        found = look()
    except FabulaError as error:
        found = Check(name, "problem", str(error))
    except Exception as error:
        # Whatever a broken installation raises: the other checks are still of use.
        found = Check(name, "problem", f"{type(error).__name__}: {error}", "see the message; report it if it says nothing to you")
    return Check(found.name, found.state, found.finding, found.remedy, round(perf_counter() - started, 3))
