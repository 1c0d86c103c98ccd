"""The subcommand that tunes the weights of `scripts`."""

import json
from typing import Annotated

import typer

from flows.cli.options import DEFAULT_STORE, ConfigOption, StoreOption

tune = typer.Typer(
    no_args_is_help=True,
    help="Tune settings on gold annotations.\n\nExample: fabula tune scripts --gold examples/scripts/gold --on ID",
)


@tune.command("scripts")
def tune_scripts(
    gold: Annotated[str, typer.Option(help="Folder with *.jsonl gold links.", metavar="DIR")],
    on: Annotated[list[str], typer.Option(help="Story to tune on; repeat the option for several.", metavar="ID")],
    store: StoreOption = DEFAULT_STORE,
    dataset: Annotated[str, typer.Option(help="Dataset whose landed units are compared.", metavar="NAME")] = "scripts",
    config: ConfigOption = None,
    profile: Annotated[
        str, typer.Option(help="Profile whose weights the search starts from: default, sumtitles.", metavar="NAME")
    ] = "default",
) -> None:
    """Tune the weights of the similarities on some gold stories; print the weights and the rates on the other stories as JSON.

    Example: fabula tune scripts --gold examples/scripts/gold --on ID --store ./fabula-store
    """
    from core.scripts.config import ScriptsConfig
    from infra.settings import load_config
    from lab.fitting.weights import tune_stored

    settings = load_config(ScriptsConfig, "scripts", profile, config)
    print(json.dumps(tune_stored(store, gold, on, settings, dataset)))
