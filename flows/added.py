"""What other packages of this distribution add to fabula, by entry points: subcommands and deployments. Today it is `lab`."""

from collections.abc import Iterable
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution


def list_added(group: str) -> Iterable[EntryPoint]:
    """Return the entry points of a group (`fabula.commands`, `fabula.deployments`); none where fabula is not installed.

    Only fabula's own distribution is read: to look through all that is installed takes a quarter of the time of `fabula --help`.
    """
    try:
        return distribution("fabula").entry_points.select(group=group)
    except PackageNotFoundError:
        return ()
