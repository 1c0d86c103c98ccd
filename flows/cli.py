"""The `fabula` command.

Prefect, Dask and the pipelines are imported by the subcommand that needs them: `fabula --help` answers at once, and a Dask
worker, which imports this module as its main program, does not load Prefect.
"""

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from core.errors import ConfigError, FabulaError, StoreError

if TYPE_CHECKING:
    from tasks.ledger import RunSummary

Pipeline = Literal["transcripts", "scripts", "subtitles"]
PIPELINES: tuple[Pipeline, ...] = ("transcripts", "scripts", "subtitles")

app = typer.Typer(
    name="fabula",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Datasets of stories told in dialogue, aligned with their summaries.",
)
run = typer.Typer(
    no_args_is_help=True,
    help="Bring a store up to date with a source, and release the dataset.\n\nExample: fabula run transcripts --source DIR",
)
reproduce = typer.Typer(
    no_args_is_help=True, help="Recompute published results and compare.\n\nExample: fabula reproduce crd3 --root ~/CRD3/data"
)
evaluate = typer.Typer(
    no_args_is_help=True, help="Compare results with gold.\n\nExample: fabula evaluate scripts --gold examples/scripts/gold"
)
tune = typer.Typer(
    no_args_is_help=True, help="Search settings on gold.\n\nExample: fabula tune scripts --gold examples/scripts/gold --on ID"
)
app.add_typer(run, name="run")
app.add_typer(evaluate, name="evaluate")
app.add_typer(tune, name="tune")
app.add_typer(reproduce, name="reproduce")

DEFAULT_STORE = "fabula-store"

StoreOption = Annotated[str, typer.Option(help="Folder or fsspec URL of the store.", metavar="URL", envvar="FABULA_STORE")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object to standard output.")]
WorkersOption = Annotated[int | None, typer.Option(min=1, help="Worker processes; default: one per core.")]
SchedulerOption = Annotated[str | None, typer.Option(help="A running Dask scheduler instead.", metavar="tcp://HOST:PORT")]
ConfigOption = Annotated[str | None, typer.Option(help="TOML file with settings over the profile's.", metavar="FILE")]
LimitOption = Annotated[int | None, typer.Option(min=1, help="At most so many units, in order.")]
StrictOption = Annotated[bool, typer.Option(help="Exit with 1 if a unit is quarantined.")]
WordNetOption = Annotated[str | None, typer.Option("--wordnet", help="Folder of WordNet's noun files.", metavar="DIR")]


@run.command("transcripts")
def run_transcripts(
    source: Annotated[str, typer.Option(help="Folder or fsspec URL with transcripts/ and recaps/.", metavar="URL")],
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
    options: dict[str, Any] = {
        "source": source,
        "store": store,
        "profile": profile,
        "config_file": config,
        "dataset": dataset,
        "workers": workers,
        "scheduler": scheduler,
        "limit": limit,
        "wordnet": wordnet,
    }
    raise typer.Exit(_conclude(_run("transcripts", options), store, strict, as_json))


@run.command("scripts")
def run_scripts(
    source: Annotated[
        str, typer.Option(help="Folder or fsspec URL with movies/ID/, books/ID/, friends/*.json, gold/*.jsonl.", metavar="URL")
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
    options: dict[str, Any] = {
        "source": source,
        "store": store,
        "profile": profile,
        "config_file": config,
        "dataset": dataset,
        "workers": workers,
        "scheduler": scheduler,
        "limit": limit,
    }
    raise typer.Exit(_conclude(_run("scripts", options), store, strict, as_json))


@run.command("subtitles")
def run_subtitles(
    source: Annotated[str, typer.Option(help="Folder or fsspec URL: OPUS's layout, or a folder per film.", metavar="URL")],
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
    options: dict[str, Any] = {
        "source": source,
        "store": store,
        "profile": profile,
        "config_file": config,
        "dataset": dataset,
        "workers": workers,
        "scheduler": scheduler,
        "limit": limit,
    }
    raise typer.Exit(_conclude(_run("subtitles", options), store, strict, as_json))


@app.command()
def demo(store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False) -> None:
    """Run every pipeline on the examples that come with fabula.

    Example: fabula demo
    """
    examples = Path(__file__).parent.parent / "examples"
    if not examples.is_dir():
        raise ConfigError(f"no examples at {examples}; run the demo from a checkout of fabula")
    summaries = []
    for pipeline in PIPELINES:
        source = examples / pipeline
        options = {"source": str(source), "store": store, "dataset": pipeline, "config_file": str(source / "settings.toml")}
        summaries.append(_run(pipeline, options))
        if not as_json:
            _tell(summaries[-1], store)
    if as_json:
        print(json.dumps({"runs": [summary.as_json() for summary in summaries]}))
    raise typer.Exit(int(any(summary.landed == 0 for summary in summaries)))


@reproduce.command("crd3")
def reproduce_crd3(
    root: Annotated[Path, typer.Option(help="CRD3's repository: `cleaned data`, `aligned data`.", metavar="DIR")],
    wordnet: WordNetOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
) -> None:
    """Recompute CRD3's published alignments from its published chunks; prints one JSON object.

    Example: fabula reproduce crd3 --root ~/CRD3/data --wordnet /usr/share/wordnet
    """
    from flows.reproduction import reproduce_alignments
    from flows.terminal import progress_shown

    with progress_shown():
        figures = reproduce_alignments(root, wordnet, workers, scheduler)
    print(json.dumps(figures))


@evaluate.command("scripts")
def evaluate_scripts(
    gold: Annotated[str, typer.Option(help="Folder with *.jsonl gold links.", metavar="DIR")],
    store: StoreOption = DEFAULT_STORE,
    leave_out: Annotated[
        list[str] | None, typer.Option(help="Stories that leave the rates; default: those that the weights were tuned on.")
    ] = None,
) -> None:
    """Compare the links of the landed stories with gold; prints one JSON object.

    Example: fabula evaluate scripts --gold examples/scripts/gold --store ./fabula-store
    """
    from core.scripts.config import TUNED_ON
    from tasks.script_evaluation import evaluate_scripts as evaluate_links

    print(json.dumps(evaluate_links(store, gold, TUNED_ON if leave_out is None else leave_out)))


@tune.command("scripts")
def tune_scripts(
    gold: Annotated[str, typer.Option(help="Folder with *.jsonl gold links.", metavar="DIR")],
    on: Annotated[list[str], typer.Option(help="A story to tune on; give it once for each.", metavar="ID")],
    store: StoreOption = DEFAULT_STORE,
    config: ConfigOption = None,
    profile: Annotated[str, typer.Option(help="Where the search starts: default, sumtitles.", metavar="NAME")] = "default",
) -> None:
    """Search the weights of the similarities on some gold stories; prints them and the rates over the others as one JSON object.

    Example: fabula tune scripts --gold examples/scripts/gold --on ID --store ./fabula-store
    """
    from core.scripts.config import ScriptsConfig
    from infra.settings import load_config
    from tasks.script_evaluation import tune_scripts as tune_weights

    settings = load_config(ScriptsConfig, "scripts", profile, config)
    print(json.dumps(tune_weights(store, gold, on, settings)))


@app.command()
def measure(
    dataset: Annotated[str, typer.Argument(help="A dataset of the store.")],
    store: StoreOption = DEFAULT_STORE,
    config: Annotated[str | None, typer.Option(help="A config of the dataset; default: its pairs.", metavar="NAME")] = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
) -> None:
    """Measure a dataset: sizes, extractive score, oracles, summary-input and the Extractiveness Coefficient, as one JSON object.

    Example: fabula measure transcripts --store ./fabula-store
    """
    from flows.measures import measure_dataset
    from flows.terminal import progress_shown

    with progress_shown():
        figures = measure_dataset(store, dataset, config, workers, scheduler)
    print(json.dumps(figures))


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="An episode (C1E001) or a pair (C1E001_2_0_0017).")],
    store: StoreOption = DEFAULT_STORE,
    dataset: Annotated[str | None, typer.Option(help="Dataset of a pair; default: the only one.", metavar="NAME")] = None,
    diff: Annotated[bool, typer.Option(help="What cleaning changed, raw against clean.")] = False,
) -> None:
    """Show an episode's turns, what cleaning changed in it, or one pair with its turns.

    Example: fabula show C1E001 --diff
    """
    from tasks.inspection import describe_dialogue, describe_differences, describe_pair, is_pair_id

    if diff:
        lines = describe_differences(store, name)
    else:
        lines = describe_pair(store, name, dataset) if is_pair_id(name) else describe_dialogue(store, name)
    for line in lines:
        print(line)


@app.command()
def datasets(
    name: Annotated[str | None, typer.Argument(help="A dataset; without one, all are listed.")] = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """List the datasets of a store, or one dataset's files.

    Example: fabula datasets transcripts --store ./fabula-store
    """
    from tasks.inspection import describe_dataset, list_datasets

    found = list_datasets(store) if name is None else [describe_dataset(store, name)]
    if as_json:
        print(json.dumps(found))
        return
    for entry in found:
        print(f"{entry['name']}  {entry['version']}  {entry['url']}")
        for config, rows in entry["rows"].items():
            print(f"  {config:<12} {rows:>9} rows")


def _conclude(summary: "RunSummary", store: str, strict: bool, as_json: bool) -> int:
    """Print what a run did; return the exit status."""
    if as_json:
        from flows.terminal import list_exceptions

        list_exceptions(summary)
        print(json.dumps(summary.as_json()))
    else:
        _tell(summary, store)
    return 1 if summary.landed == 0 or (strict and summary.quarantined) else 0


def _tell(summary: "RunSummary", store: str) -> None:
    from flows.terminal import list_exceptions, print_outcome

    list_exceptions(summary)
    print_outcome(summary, store)


def _run(pipeline: Pipeline, options: dict[str, Any]) -> "RunSummary":
    """Run a pipeline's flow; an interrupted run ends the command with the line that resumes it."""
    from infra.prefect import prepare_prefect, start_embedded_server
    from infra.release import check_dataset_name
    from infra.sources import FolderSource
    from infra.store import Store

    # A wrong call is answered at once, not after Prefect's server has started.
    check_dataset_name(options["dataset"])
    Store(options["store"])
    FolderSource(options["source"])
    _check_settings(pipeline, options)
    prepare_prefect(quiet=True)
    from flows.terminal import progress_shown

    build = _load_flow(pipeline)
    try:
        start_embedded_server()
        with progress_shown():
            return build(**options)
    except KeyboardInterrupt:
        print(f"interrupted; nothing that was finished is lost. Go on with:\n{shlex.join(_command())}", file=sys.stderr)
        raise typer.Exit(130) from None


def _check_settings(pipeline: Pipeline, options: dict[str, Any]) -> None:
    settings = (options.get("profile", "default"), options["config_file"])
    if pipeline == "transcripts":
        from tasks.transcripts import check_settings

        check_settings(*settings, options.get("wordnet"))
    elif pipeline == "scripts":
        from tasks.scripts import check_settings as check_script_settings

        check_script_settings(*settings)
    else:
        from tasks.subtitles import check_settings as check_subtitle_settings

        check_subtitle_settings(*settings)


def _load_flow(pipeline: Pipeline) -> Callable[..., "RunSummary"]:
    if pipeline == "transcripts":
        from flows.transcripts import build_transcripts

        return build_transcripts
    if pipeline == "scripts":
        from flows.scripts import build_scripts

        return build_scripts
    from flows.subtitles import build_subtitles

    return build_subtitles


def _command() -> list[str]:
    return [Path(sys.argv[0]).name, *sys.argv[1:]]


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
            print(f"try again with:\n{shlex.join(_command())}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # Whoever read the output has seen enough (fabula show … | head).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
