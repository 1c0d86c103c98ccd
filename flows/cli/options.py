"""Options that several subcommands of `fabula` share."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import ConfigError

if TYPE_CHECKING:
    from infra.store.objects import Store

DEFAULT_STORE = "fabula-store"

StoreOption = Annotated[str, typer.Option(help="Folder or fsspec URL of the store.", metavar="URL", envvar="FABULA_STORE")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON on standard output.")]
WorkersOption = Annotated[int | None, typer.Option(min=1, help="Worker processes; default: one per core.")]
SchedulerOption = Annotated[
    str | None, typer.Option(help="Use this running Dask scheduler instead of local workers.", metavar="tcp://HOST:PORT")
]
ConfigOption = Annotated[str | None, typer.Option(help="TOML file; its settings override the profile's.", metavar="FILE")]
LimitOption = Annotated[int | None, typer.Option(min=1, help="Process at most this many units, in order of id.")]
UnitSecondsOption = Annotated[
    float, typer.Option(min=1, help="Stop and quarantine a unit that takes longer than this.", metavar="SECONDS")
]
AllowEmptyOption = Annotated[bool, typer.Option(help="Let a release without rows take the place of one that has some.")]
AllowRemovalOption = Annotated[
    bool, typer.Option(help="Let more than a fifth of the dataset's units leave it since the sources lack them.")
]
StrictOption = Annotated[bool, typer.Option(help="Exit with status 1 if a unit is quarantined.")]
WordNetOption = Annotated[
    str | None, typer.Option("--wordnet", help="Folder with WordNet's noun files (index.noun, noun.exc).", metavar="DIR")
]
InProcessOption = Annotated[
    bool, typer.Option("--in-process", help="Compute in this process, one after the other: no Prefect, no Dask, for debugging.")
]

TakenDownOption = Annotated[
    bool, typer.Option("--with-taken-down", help="Go on though the release holds what was taken down since it was made.")
]


def refuse_beside(chosen: str, given: Mapping[str, object]) -> None:
    """ConfigError where an option was given (its value is neither None nor False) that a call with `chosen` would pass over."""
    named = [option for option, value in given.items() if value is not None and value is not False]
    if named:
        raise ConfigError(f"{chosen} and {' and '.join(named)} do not go together; leave one out")


def open_store(url: str) -> "Store":
    """Return the store at a URL; what reads it is imported now."""
    from infra.store.objects import Store

    return Store(url)


def open_release(url: str, dataset: str, version: str | None = None, with_taken_down: bool = False) -> "Store":
    """Return the store of a release that may be handed out: ConfigError where it holds what was taken down."""
    from tasks.frame.taken_down import refuse_taken_down

    store = open_store(url)
    refuse_taken_down(store, dataset, version, with_taken_down)
    return store


def repeat_command() -> str:
    """Return the command line of this call, quoted for a shell."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
