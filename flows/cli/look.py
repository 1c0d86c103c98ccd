"""The subcommands that make no dataset: look at one, measure it, compare it with gold or with what was published."""

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from core.errors import ConfigError
from flows.cli.options import (
    DEFAULT_STORE,
    ConfigOption,
    InProcessOption,
    JsonOption,
    SchedulerOption,
    StoreOption,
    WordNetOption,
    WorkersOption,
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


@reproduce.command("crd3")
def reproduce_crd3(
    root: Annotated[Path, typer.Option(help="CRD3's repository: `cleaned data`, `aligned data`.", metavar="DIR")],
    wordnet: WordNetOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    in_process: InProcessOption = False,
) -> None:
    """Recompute CRD3's published alignments from its published chunks; prints one JSON object.

    Example: fabula reproduce crd3 --root ~/CRD3/data --wordnet /usr/share/wordnet
    """
    from flows.cli.reproduction import reproduce_alignments
    from flows.cli.terminal import progress_shown
    from flows.frame.computing import computing

    with progress_shown(), computing(workers, scheduler, in_process) as compute:
        figures = reproduce_alignments(root, wordnet, compute)
    print(json.dumps(figures))


@evaluate.command("scripts")
def evaluate_scripts(
    gold: Annotated[str, typer.Option(help="Folder with *.jsonl gold links.", metavar="DIR")],
    store: StoreOption = DEFAULT_STORE,
    leave_out: Annotated[
        list[str] | None, typer.Option(help="Stories that leave the rates; default: those that the weights were tuned on.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare the links of the landed stories with gold, the profile `sumtitles` beside them.

    Example: fabula evaluate scripts --gold examples/scripts/gold --store ./fabula-store
    """
    from core.scripts.config import TUNED_ON
    from flows.cli.evaluation import print_agreement
    from tasks.scripts.evaluation import evaluate_scripts as evaluate_links

    evaluation = evaluate_links(store, gold, TUNED_ON if leave_out is None else leave_out)
    for note in evaluation.notes:
        typer.echo(note, err=True)
    if as_json:
        print(json.dumps(evaluation.figures))
    else:
        print_agreement(evaluation.figures)


@evaluate.command("transcripts")
def evaluate_transcripts(
    gold: Annotated[str, typer.Option(help="Folder with EPISODE.json gold spans.", metavar="DIR")],
    store: StoreOption = DEFAULT_STORE,
    config: ConfigOption = None,
    profile: Annotated[str, typer.Option(help="Whose filter decides what is kept: as in the run.", metavar="NAME")] = "default",
    wordnet: WordNetOption = None,
    diagram: Annotated[Path | None, typer.Option(help="Draw stated against observed confidence.", metavar="FILE.svg")] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare the alignments of the landed episodes with spans read by hand, the profile `crd3` beside them.

    Example: fabula evaluate transcripts --gold my-show/gold --store ./fabula-store --diagram confidence.svg
    """
    from core.transcripts.config import TranscriptsConfig
    from flows.cli.evaluation import print_quality, write_diagram
    from infra.settings import load_config
    from tasks.transcripts.evaluation import evaluate_transcripts as evaluate_spans

    evaluation = evaluate_spans(store, gold, load_config(TranscriptsConfig, "transcripts", profile, config).filter, wordnet)
    if diagram is not None:
        write_diagram(evaluation, diagram)
    for note in evaluation.notes:
        typer.echo(note, err=True)
    if as_json:
        print(json.dumps(evaluation.figures))
    else:
        print_quality(evaluation.figures)


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
    from tasks.scripts.evaluation import tune_scripts as tune_weights

    settings = load_config(ScriptsConfig, "scripts", profile, config)
    print(json.dumps(tune_weights(store, gold, on, settings)))


def measure(
    dataset: Annotated[str, typer.Argument(help="A dataset of the store.")],
    store: StoreOption = DEFAULT_STORE,
    config: Annotated[str | None, typer.Option(help="A config of the dataset; default: its pairs.", metavar="NAME")] = None,
    bert_score: Annotated[
        bool, typer.Option("--bert-score", help="BERTScore with idf too: needs the extra `embeddings`; see --limit.")
    ] = False,
    model: Annotated[
        str | None, typer.Option(help="BERTScore's model: a folder or a name; default: the packaged MiniLM.", metavar="NAME")
    ] = None,
    optimal: Annotated[bool, typer.Option("--optimal", help="The best extract of all too, seconds a pair; see --limit.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Measure so many pairs, drawn at random by a fixed seed.")] = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    in_process: InProcessOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure a dataset: sizes, extractive score, oracles, summary-input, the Extractiveness Coefficient, and BERTScore if asked.

    Example: fabula measure transcripts --store ./fabula-store --bert-score --limit 500
    """
    from flows.cli.terminal import print_figures, progress_shown
    from flows.frame.computing import computing
    from flows.frame.measures import MeasureOptions, measure_dataset
    from infra.models.sentence_embedder import PACKAGED_MODEL

    options = MeasureOptions(model or PACKAGED_MODEL if bert_score or model else None, optimal, limit)
    with progress_shown(), computing(workers, scheduler, in_process) as compute:
        figures = measure_dataset(store, dataset, config, options, compute)
    if as_json:
        print(json.dumps(figures))
    else:
        print_figures(figures)


def show(
    names: Annotated[list[str], typer.Argument(help="A unit (C1E001) or a row (C1E001_2_0_0017), after its dataset if need be.")],
    store: StoreOption = DEFAULT_STORE,
    diff: Annotated[bool, typer.Option(help="What cleaning changed, raw against clean.")] = False,
) -> None:
    """Show a unit (an episode, a movie, a film), what cleaning changed in it, or one row of a release with its turns.

    Example: fabula show C1E001 --diff
    """
    from tasks.store.inspect import describe_row, describe_unit

    if len(names) > 2:
        raise ConfigError(f"{len(names)} names; expected a unit or a row, or a dataset and one of these")
    dataset, name = names if len(names) == 2 else (None, names[0])
    lines = None if diff else describe_row(store, name, dataset)
    for line in describe_unit(store, name, dataset, diff) if lines is None else lines:
        print(_printable(line))


def datasets(
    name: Annotated[str | None, typer.Argument(help="A dataset; without one, all are listed.")] = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """List the datasets of a store, or one dataset's files.

    Example: fabula datasets transcripts --store ./fabula-store
    """
    from tasks.store.inspect import describe_dataset, list_datasets

    found = list_datasets(store) if name is None else [describe_dataset(store, name)]
    if as_json:
        print(json.dumps(found))
        return
    for entry in found:
        print(f"{entry['name']}  {entry['version']}  {entry['url']}")
        for config, rows in entry["rows"].items():
            print(f"  {config:<12} {rows:>9} rows")


def _printable(line: str) -> str:
    """Return a line that cannot drive a terminal, whatever a transcript holds."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "\N{REPLACEMENT CHARACTER}", line)
