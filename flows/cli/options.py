"""Options that several subcommands of `fabula` share."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

DEFAULT_STORE = "fabula-store"

StoreOption = Annotated[str, typer.Option(help="Folder or fsspec URL of the store.", metavar="URL", envvar="FABULA_STORE")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object to standard output.")]
WorkersOption = Annotated[int | None, typer.Option(min=1, help="Worker processes; default: one per core.")]
SchedulerOption = Annotated[str | None, typer.Option(help="A running Dask scheduler instead.", metavar="tcp://HOST:PORT")]
ConfigOption = Annotated[str | None, typer.Option(help="TOML file with settings over the profile's.", metavar="FILE")]
LimitOption = Annotated[int | None, typer.Option(min=1, help="At most so many units, in order.")]
StrictOption = Annotated[bool, typer.Option(help="Exit with 1 if a unit is quarantined.")]
InProcessOption = Annotated[
    bool, typer.Option("--in-process", help="Compute in this process, one after the other: no Prefect, no Dask, for debugging.")
]
WordNetOption = Annotated[str | None, typer.Option("--wordnet", help="Folder of WordNet's noun files.", metavar="DIR")]


def repeat_command() -> str:
    """Return the command that was called, to be pasted again."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
