"""The errors fabula raises. A message names the unit, what was found, what was expected and what to do."""


class FabulaError(Exception):
    """Base of every error that fabula raises on purpose."""


class ConfigError(FabulaError):
    """The user's call or settings are wrong; the run cannot start (exit status 2)."""


class SourceError(FabulaError):
    """One input is bad. Its unit is quarantined with the message; the other units continue."""


class WorkerError(FabulaError):
    """The worker processes were lost; repeating the call would lose them again."""


class StoreError(FabulaError):
    """The store did not answer as expected; a retry may help."""


class UnreadableFileError(StoreError):
    """One file of a source cannot be read (deleted, no permission, circular links), although the source answers."""


class DamagedArtifactError(StoreError):
    """An artifact that a release needs is missing or damaged; building its unit again makes it anew."""

    def __init__(self, unit: str, key: str, state: str) -> None:
        """Name the unit, the artifact's key, and what is wrong with it."""
        super().__init__(unit, key, state)
        self.unit = unit

    def __str__(self) -> str:
        """Return the message."""
        unit, key, state = self.args
        return f"{unit}: the artifact {key} is {state}; the next run computes it again"
