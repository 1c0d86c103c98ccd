"""The subcommands that read a store: show, datasets, measure."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from core.errors import ConfigError
from flows.cli.options import DEFAULT_STORE, InProcessOption, JsonOption, SchedulerOption, StoreOption, WorkersOption


def measure(
    dataset: Annotated[str, typer.Argument(help="Name of a dataset in the store.")],
    store: StoreOption = DEFAULT_STORE,
    config: Annotated[
        str | None, typer.Option(help="Config of the dataset; default: the one with its pairs.", metavar="NAME")
    ] = None,
    bert_score: Annotated[
        bool,
        typer.Option("--bert-score", help="Also compute BERTScore with idf. Needs the extra `embeddings`; slow: see --limit."),
    ] = False,
    model: Annotated[
        str | None, typer.Option(help="Model for BERTScore: a folder or a name; default: the packaged MiniLM.", metavar="NAME")
    ] = None,
    optimal: Annotated[
        bool, typer.Option("--optimal", help="Also search the optimal extract. Takes seconds per pair: see --limit.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Measure only this many pairs, drawn at random with a fixed seed.")
    ] = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    in_process: InProcessOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure a dataset: its size, how extractive its summaries are, ROUGE of oracle extracts and, on request, BERTScore.

    Example: fabula measure transcripts --store ./fabula-store --bert-score --limit 500
    """
    from flows.cli.tables import print_figures
    from flows.cli.terminal import progress_shown
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
    name: Annotated[str | None, typer.Argument(help="Name of a dataset; default: list all.")] = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """List the datasets of a store with their tables, rows and the folder of the latest release.

    Example: fabula datasets transcripts --store ./fabula-store
    """
    from tasks.store.inspect import describe_dataset, list_datasets

    found = list_datasets(store) if name is None else [describe_dataset(store, name)]
    if as_json:
        print(json.dumps(found))
        return
    if not found:
        print(f"store {store} has no dataset yet; `fabula run` makes one", file=sys.stderr)
        return
    _print_datasets(found)


def _print_datasets(found: Sequence[Mapping[str, Any]]) -> None:
    from flows.cli.tables import add_row, make_table, print_table

    contents, places = make_table(["dataset", "version", "table"], ["rows"]), make_table(["dataset", "folder of the release"])
    for entry in found:
        for table, rows in entry["rows"].items():
            add_row(contents, entry["name"], entry["version"], table, f"{rows:,}")
        add_row(places, entry["name"], entry["url"])
    print_table(contents)
    print()
    print_table(places)


def _printable(line: str) -> str:
    """Return a line that cannot drive a terminal, whatever a transcript holds."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "\N{REPLACEMENT CHARACTER}", line)
