"""The errors fabula raises. A message names the unit, what was found, what was expected and what to do."""

from core.references import UnitFailure


class FabulaError(Exception):
    """Base of every error that fabula raises on purpose."""


class ConfigError(FabulaError):
    """The user's call or settings are wrong; the run cannot start (exit status 2)."""


class SourceError(FabulaError):
    """One input is bad. Its unit is quarantined with the message; the other units continue."""


class WorkerError(FabulaError):
    """The worker processes were lost; repeating the call would lose them again."""


class SchedulerLostError(FabulaError):
    """The Dask scheduler that a run computes on does not answer any more; what is finished stays, and a later run goes on."""


class TimeLimitError(FabulaError):
    """A unit took longer than a unit may take, and was broken off; the other units continue."""


class UnfitUnitsError(SourceError):
    """Units whose rows do not fit their table, or break the statistics: the release goes on without them."""

    def __init__(self, failures: tuple[UnitFailure, ...]) -> None:
        super().__init__(failures)
        self.failures = failures

    def __str__(self) -> str:
        return "; ".join(failure.reason for failure in self.failures)


class TakedownGrewError(FabulaError):
    """Something was put on the takedown list while a release was made that may hold it: it has to be planned again."""


class StoreError(FabulaError):
    """The store did not answer as expected; a retry may help."""


class DamagedObjectError(StoreError):
    """An object of the store is not what was written."""


class UnreadableFileError(StoreError):
    """One file of a source cannot be read (deleted, no permission, circular links), although the source answers."""


class DamagedArtifactError(StoreError):
    """What a unit was made into, or is made from, is missing or damaged in the store; it can be made anew."""

    def __init__(self, unit: str, key: str, state: str) -> None:
        """Name the unit, the key of the object, and what is wrong with it."""
        super().__init__(unit, key, state)
        self.unit = unit
        self.key = key

    def __str__(self) -> str:
        unit, key, state = self.args
        return f"{unit}: {key} is {state} in the store; restore it from a backup, or make its input readable again and run again"
