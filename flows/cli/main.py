"""The `fabula` command: its subcommands put together, and the exit statuses.

Prefect, Dask and the pipelines are imported by the subcommand that needs them: `fabula --help` answers at once, and a Dask
worker, which imports this module as its main program, does not load Prefect.
"""

import os
import sys

import typer

from core.errors import ConfigError, FabulaError, StoreError
from flows.cli.evaluate import evaluate, reproduce, tune
from flows.cli.housekeeping import doctor, prune, takedown
from flows.cli.look import datasets, measure, show
from flows.cli.options import repeat_command
from flows.cli.run import demo, run
from flows.cli.serve import serve

# One thread for each process, as on Dask's workers: with several, sums are rounded in another order, and a release made by
# `--in-process` would differ in its last digits. The libraries read this when they are first imported, which is later.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

app = typer.Typer(
    name="fabula",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Datasets of stories told in dialogue, aligned with their summaries.",
)
app.add_typer(run, name="run")
app.command()(demo)
app.command()(serve)
app.command()(show)
app.command()(datasets)
app.command()(measure)
app.command()(doctor)
app.command()(prune)
app.add_typer(takedown, name="takedown")
app.add_typer(evaluate, name="evaluate")
app.add_typer(tune, name="tune")
app.add_typer(reproduce, name="reproduce")


def main() -> None:
    """Run the command; errors that fabula knows end it with one line and the exit status that DESIGN names."""
    try:
        app()
    except ConfigError as error:
        print(f"fabula: {error}", file=sys.stderr)
        sys.exit(2)
    except FabulaError as error:
        print(f"fabula: {error}", file=sys.stderr)
        if isinstance(error, StoreError):
            print(f"try again with:\n{repeat_command()}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # Whoever read the output has seen enough (fabula show … | head).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
