"""Units that a release cannot take: named, with what does not fit, so that the others are released."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.errors import SourceError
from core.references import UnitFailure
from tasks.frame.building import explain_misfit
from tasks.frame.release_spec import Landed

if TYPE_CHECKING:
    from tasks.frame.release import ShardReference


class UnfitUnitsError(SourceError):
    """Units whose rows do not fit their table, or break the statistics: the release goes on without them."""

    def __init__(self, failures: tuple[UnitFailure, ...]) -> None:
        """Name the units, with what does not fit."""
        super().__init__(failures)
        self.failures = failures

    def __str__(self) -> str:
        """Return the message."""
        return "; ".join(failure.reason for failure in self.failures)


def describe_unfit(unit: str, what: str, error: Exception) -> UnitFailure:
    """Return the failure of a unit that a release cannot take: `what` of it ended with `error`."""
    reason = (
        f"{unit}: {what} ({explain_misfit(error)}), so it stays out of the release; look at its files, and report it if they are "
        "in order"
    )
    return UnitFailure(unit, (), "release", reason, type(error).__name__, permanent=True)


def find_unfit(
    summarise: Callable[[Landed[Any], Sequence["ShardReference"]], dict[str, Any]], landed: Landed[Any], error: Exception
) -> tuple[UnitFailure, ...]:
    """Return the units that alone end the statistics with the error that all together end them with; none where all do."""
    found = []
    for unit, reference in landed.references.items():
        try:
            summarise(replace(landed, references={unit: reference}), ())
        except Exception as other:  # whatever it was
            if (type(other), str(other)) == (type(error), str(error)):
                found.append(describe_unfit(unit, "its statistics cannot be computed", other))
    return tuple(found) if len(found) < max(len(landed.references), 2) else ()
