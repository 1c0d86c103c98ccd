"""`fabula run` and `fabula demo`: the subcommands that make datasets."""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import ConfigError
from flows.cli.options import (
    DEFAULT_STORE,
    ConfigOption,
    JsonOption,
    LimitOption,
    SchedulerOption,
    StoreOption,
    StrictOption,
    WordNetOption,
    WorkersOption,
    repeat_command,
)

if TYPE_CHECKING:
    from tasks.frame.ledger import RunSummary

PIPELINES = ("transcripts", "scripts", "subtitles")

run = typer.Typer(
    no_args_is_help=True,
    help="Bring a store up to date with a source, and release the dataset.\n\nExample: fabula run transcripts --source DIR",
)


@run.command("transcripts")
def run_transcripts(
    source: Annotated[
        list[str], typer.Option(help="Folder, URL or wiki with transcripts/ and recaps/; may be repeated.", metavar="URL")
    ],
    store: StoreOption = DEFAULT_STORE,
    config: ConfigOption = None,
    profile: Annotated[
        str, typer.Option(help="Named settings that ship with fabula: default, crd3.", metavar="NAME")
    ] = "default",
    dataset: Annotated[str, typer.Option(help="Name of the released dataset.", metavar="NAME")] = "transcripts",
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    limit: LimitOption = None,
    wordnet: WordNetOption = None,
    strict: StrictOption = False,
    as_json: JsonOption = False,
) -> None:
    """Align episode transcripts with their recaps.

    Example: fabula run transcripts --source examples/transcripts --store ./fabula-store
    """
    options = _collect(source, store, config, profile, dataset, workers, scheduler, limit) | {"wordnet": wordnet}
    raise typer.Exit(_conclude(_run("transcripts", options), store, strict, as_json))


@run.command("scripts")
def run_scripts(
    source: Annotated[
        list[str],
        typer.Option(
            help="Folder or fsspec URL with movies/ID/, books/ID/, friends/*.json, gold/*.jsonl; may be repeated.", metavar="URL"
        ),
    ],
    store: StoreOption = DEFAULT_STORE,
    config: ConfigOption = None,
    profile: Annotated[
        str, typer.Option(help="Named settings that ship with fabula: default, sumtitles.", metavar="NAME")
    ] = "default",
    dataset: Annotated[str, typer.Option(help="Name of the released dataset.", metavar="NAME")] = "scripts",
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    limit: LimitOption = None,
    strict: StrictOption = False,
    as_json: JsonOption = False,
) -> None:
    """Align screenplays, series and books scene by scene with their synopses.

    Example: fabula run scripts --source examples/scripts --store ./fabula-store
    """
    options = _collect(source, store, config, profile, dataset, workers, scheduler, limit)
    raise typer.Exit(_conclude(_run("scripts", options), store, strict, as_json))


@run.command("subtitles")
def run_subtitles(
    source: Annotated[
        list[str],
        typer.Option(help="Folder or fsspec URL: OPUS's layout, or a folder per film; may be repeated.", metavar="URL"),
    ],
    store: StoreOption = DEFAULT_STORE,
    config: ConfigOption = None,
    profile: Annotated[str, typer.Option(help="Named settings that ship with fabula: default.", metavar="NAME")] = "default",
    dataset: Annotated[str, typer.Option(help="Name of the released dataset.", metavar="NAME")] = "subtitles",
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many shards of films, in order.")] = None,
    strict: StrictOption = False,
    as_json: JsonOption = False,
) -> None:
    """Pair films' subtitles with their summaries, as whole dialogues.

    Example: fabula run subtitles --source examples/subtitles --store ./fabula-store
    """
    options = _collect(source, store, config, profile, dataset, workers, scheduler, limit)
    raise typer.Exit(_conclude(_run("subtitles", options), store, strict, as_json))


def demo(store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False) -> None:
    """Run every pipeline on the examples that come with fabula.

    Example: fabula demo
    """
    examples = Path(__file__).parents[2] / "examples"
    if not examples.is_dir():
        raise ConfigError(f"no examples at {examples}; run the demo from a checkout of fabula")
    from flows.cli.interruption import ending_on_signals
    from infra.orchestration.embedded_server import embedded_server
    from infra.orchestration.prefect import prepare_prefect

    summaries = []
    prepare_prefect(quiet=True)
    with ending_on_signals(repeat_command()), embedded_server():  # one server for all
        for pipeline in PIPELINES:
            source = examples / pipeline
            options = {"source": [str(source)], "store": store, "dataset": pipeline, "config_file": str(source / "settings.toml")}
            summaries.append(_run(pipeline, options))
            if not as_json:
                _tell(summaries[-1], store)
    if as_json:
        print(json.dumps({"runs": [summary.as_json() for summary in summaries]}))
    raise typer.Exit(int(any(summary.landed == 0 for summary in summaries)))


def _collect(
    source: list[str],
    store: str,
    config: str | None,
    profile: str,
    dataset: str,
    workers: int | None,
    scheduler: str | None,
    limit: int | None,
) -> dict[str, Any]:
    """Return the parameters that every pipeline's flow has, by name."""
    return {
        "source": source,
        "store": store,
        "config_file": config,
        "profile": profile,
        "dataset": dataset,
        "workers": workers,
        "scheduler": scheduler,
        "limit": limit,
    }


def _conclude(summary: "RunSummary", store: str, strict: bool, as_json: bool) -> int:
    """Print what a run did; return the exit status."""
    if as_json:
        from flows.cli.terminal import list_exceptions

        list_exceptions(summary)
        print(json.dumps(summary.as_json()))
    else:
        _tell(summary, store)
    return 1 if summary.landed == 0 or (strict and summary.quarantined) else 0


def _tell(summary: "RunSummary", store: str) -> None:
    from flows.cli.terminal import list_exceptions, print_outcome

    list_exceptions(summary)
    print_outcome(summary, store)


def _run(pipeline: str, options: dict[str, Any]) -> "RunSummary":
    """Run the flow `build_<pipeline>`; an interrupted run ends the command with the line that resumes it."""
    from flows.cli.interruption import ending_on_signals
    from infra.orchestration.embedded_server import embedded_server
    from infra.orchestration.prefect import prepare_prefect
    from infra.sources.opening import open_source
    from infra.store.objects import Store
    from infra.store.releases import check_dataset_name

    # A wrong call is answered at once, not after Prefect's server has started.
    check_dataset_name(options["dataset"])
    Store(options["store"])
    for source in options["source"]:
        open_source(source)
    check_settings = import_module(f"tasks.{pipeline}.build").check_settings
    check_settings(options.get("profile", "default"), options["config_file"], options.get("wordnet"))
    prepare_prefect(quiet=True)
    from flows.cli.terminal import progress_shown

    with ending_on_signals(repeat_command()), progress_shown(), embedded_server():
        build: Callable[..., RunSummary] = getattr(import_module(f"flows.{pipeline}"), f"build_{pipeline}")
        summary = build(**options)
    if summary.discovered == 0:
        sources = ", ".join(options["source"])
        print(f"nothing found in {sources}: fabula run {pipeline} --help says what a source holds", file=sys.stderr)
    return summary
