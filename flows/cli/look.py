"""The subcommands that look: at a source (inspect), and at a store (show, datasets, measure)."""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import PurePosixPath
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import ConfigError
from flows.cli.options import (
    DEFAULT_STORE,
    InProcessOption,
    JsonOption,
    SchedulerOption,
    StoreOption,
    TakenDownOption,
    WorkersOption,
    open_release,
    open_store,
)
from flows.cli.tables import print_result, print_table, show_plain

if TYPE_CHECKING:
    from tasks.store.look_at import SourceView


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
    limit: Annotated[
        int | None, typer.Option(min=1, help="Measure only this many pairs, drawn at random with a fixed seed.")
    ] = None,
    with_taken_down: TakenDownOption = False,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    in_process: InProcessOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure a dataset: its size, how extractive its summaries are, ROUGE of oracle extracts and, on request, BERTScore.

    Example: fabula measure transcripts --store ./fabula-store --bert-score --limit 500
    """
    from flows.cli.terminal import progress_shown
    from flows.frame.measures import computing, measure_dataset
    from infra.models.sentence_embedder import PACKAGED_MODEL
    from tasks.store.measures import list_pair_configs

    opened = open_release(store, dataset, None, with_taken_down)
    bert_model = model or PACKAGED_MODEL if bert_score or model else None
    if config is None and not list_pair_configs(opened, dataset):
        raise ConfigError(f"{dataset} has no summaries to measure; its figures are in stats.json and in its report")
    with progress_shown(), computing(workers, scheduler, in_process) as compute:
        figures = measure_dataset(opened, dataset, config, bert_model, limit, compute)
    print_result(figures, as_json)


def show(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="A unit (C1E001) or a row (C1E001_2_0_0017), after its dataset if need be; or a dataset."),
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    diff: Annotated[bool, typer.Option("--diff", help="What cleaning changed, raw against clean.")] = False,
    listing: Annotated[
        bool, typer.Option("--list", help="Every unit of a dataset: landed, waiting, quarantined, and why.")
    ] = False,
    sample: Annotated[int | None, typer.Option(min=1, help="Rows of a dataset, drawn with a fixed seed.", metavar="N")] = None,
    rejects: Annotated[bool, typer.Option("--rejects", help="What the dataset left out, by reason, and some of it.")] = False,
    speakers: Annotated[
        bool, typer.Option("--speakers", help="A unit's speakers with their turns, and rows that correct probable slips.")
    ] = False,
    with_taken_down: TakenDownOption = False,
) -> None:
    """Show a unit (an episode, a movie, a film), a row, or what a dataset holds and left out.

    Example: fabula show C1E001 --diff
    """
    from infra.store.catalog import list_cataloged
    from tasks.frame.taken_down import refuse_taken_down
    from tasks.store.inspect import describe_row, describe_unit, describe_unit_speakers

    given = names or []
    if listing or sample is not None or rejects:
        if len(given) > 1 or diff or speakers or (listing and (rejects or sample is not None)):
            raise ConfigError("--list, --sample and --rejects take a dataset at most, and --list stands alone")
        return _show_dataset(store, given[0] if given else None, listing, sample, rejects, with_taken_down)
    if not 1 <= len(given) <= 2:
        raise ConfigError(f"{len(given)} names; expected a unit or a row, or a dataset and one of these")
    if diff and speakers:
        raise ConfigError("--diff and --speakers are two views of a unit; choose one")
    dataset, name = given if len(given) == 2 else (None, given[0])
    opened = open_store(store)
    for each in [dataset] if dataset is not None else list_cataloged(opened):
        refuse_taken_down(opened, each, None, with_taken_down, name)
    if speakers:
        for line in describe_unit_speakers(opened, name, dataset):
            print("\t".join(map(show_plain, line.split("\t"))))  # a row of speakers.tsv keeps its tab
        return None
    lines = None if diff else describe_row(opened, name, dataset)
    shown = describe_unit(opened, name, dataset, diff) if lines is None else lines
    for line in shown:
        print(show_plain(line))
    if diff and not shown:
        print(f"cleaning changed nothing in {name}", file=sys.stderr)
    return None


def _show_dataset(store: str, dataset: str | None, listing: bool, sample: int | None, rejects: bool, allowed: bool) -> None:
    from core.dataset.rejects import RejectedRows
    from tasks.store.inspect import choose_dataset, draw_rows, list_row_lines, list_units, read_last_run

    opened = open_store(store)
    name = choose_dataset(opened, dataset)
    if listing:
        states = list_units(opened, name, read_last_run(opened, name))
        print_table(["unit", "state", "why"], [], ((state.unit, state.state, state.why) for state in states))
        print(", ".join(f"{count:,} {state}" for state, count in sorted(Counter(state.state for state in states).items())))
        return
    open_release(store, name, None, allowed)
    record = read_last_run(opened, name) or {}
    if rejects:
        for entry in record.get("rejects", ()):
            print(show_plain(RejectedRows(**entry).describe()))
    drawn = draw_rows(opened, name, rejects, sample or (5 if rejects else 10))
    if not drawn:
        print(f"{name} {'left nothing out' if rejects else 'has no rows'}", file=sys.stderr)
    for row in drawn:
        print()
        identity = row.get("id") or row.get("film") or row.get("path") or ""
        for line in list_row_lines(str(identity), row):
            print(show_plain(line))


def inspect(
    source: Annotated[list[str], typer.Argument(help="Folders, files of records, archives, URLs or wikis.", metavar="SOURCE…")],
    as_json: JsonOption = False,
) -> None:
    """Tell what lies in a source, what each pipeline would read of it, what is missing, and the line to run next.

    Nothing is computed or stored. The exit status is 1 if no pipeline finds a unit.

    Example: fabula inspect ./my-show
    """
    from flows.cli.terminal import waiting_shown
    from tasks.store.look_at import look_at

    with waiting_shown("looking at " + ", ".join(source)):
        view = look_at(source)
    advised = view.advised
    if as_json:
        unread = [{"path": path, "reason": reason} for path, reason in view.list_unread()]
        findings = [asdict(each) | {"files": sorted(each.files)} for each in view.findings]
        print(
            json.dumps(
                {"files": len(view.files), "findings": findings, "unread": unread, "advised": advised and advised.pipeline}
            )
        )
    else:
        for line in describe_view(source, view):
            print(show_plain(line))
    raise typer.Exit(int(advised is None))


_MOST_SHOWN = 5
"""Units, and files that are not read, which `fabula inspect` names one by one."""


_LONGEST_REASON = 200  # characters


def describe_view(source: Sequence[str], view: "SourceView") -> list[str]:
    """Return what `fabula inspect` says, by lines."""
    from tasks.store.look_at import READS_ANYTHING

    endings = Counter(PurePosixPath(file.path).suffix.lower() or "without an ending" for file in view.files)
    kinds = ", ".join(f"{count:,} {ending}" for ending, count in endings.most_common(_MOST_SHOWN))
    guessed = view.advised is not None and view.advised.pipeline == READS_ANYTHING
    lines = [f"{', '.join(source)}: {_count(view.files, 'file')}" + (f" ({kinds})" if kinds else "")]
    for each in view.findings:
        told = [f"{_count(each.units, 'unit')}: {_name_some(each.units)}"] if each.units else []
        missing: dict[str, list[str]] = {}
        for unit in each.waiting:
            missing.setdefault(unit.missing, []).append(unit.id)
        told += [f"{len(units):,} without {_name_one(half)} yet: {_name_some(units)}" for half, units in missing.items()]
        reason = f": {each.refused[0].reason[:_LONGEST_REASON]}" if guessed and each.refused and not told else ""
        told += [f"{len(each.refused):,} cannot be read{reason}"] if each.refused else []
        lines.append(f"  {each.pipeline:<12} {'; '.join(told) or each.fault or 'nothing'}")
    if view.loose:
        advice = "To align it, put it into a folder `transcripts`, and its summary into `recaps`"
        lines.append(f"  a dialogue   {_name_some(view.loose)}. {advice}")
    if view.scripts:
        advice = "To align it, give it a folder with its synopsis: movies/ID/ and in it the file and synopsis.txt"
        lines.append(f"  a script     {_name_some(view.scripts)}. {advice}")
    unread = list(view.list_unread())
    lines += [f"  not read     {path}: {reason}" for path, reason in unread[:_MOST_SHOWN]]
    lines += [f"  not read     {len(unread) - _MOST_SHOWN:,} more"] if len(unread) > _MOST_SHOWN else []
    if view.advised is None:
        return [*lines, "no pipeline finds a unit here; docs/own-data.md shows what each one reads"]
    options = " ".join(f"--source {quote(each)}" for each in source)
    return [*lines, f"next: fabula run {view.advised.pipeline} {options} --store ./my-store"]


def _count(things: Sequence[object], noun: str) -> str:
    return f"{len(things):,} {noun}{'s' * (len(things) != 1)}"


def _name_one(half: str) -> str:
    return f"{'an' if half[0] in 'AEIOUaeiou' else 'a'} {half}"


def _name_some(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_SHOWN]) + (", …" if len(names) > _MOST_SHOWN else "")


def datasets(
    name: Annotated[str | None, typer.Argument(help="Name of a dataset; default: list all.")] = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """List the datasets of a store with their tables, rows and the folder of the latest release.

    Example: fabula datasets transcripts --store ./fabula-store
    """
    from tasks.store.inspect import describe_dataset, list_datasets

    opened = open_store(store)
    if not opened.exists(""):
        raise ConfigError(f"there is no store at {store}; `fabula run … --store {store}` makes one")
    found = list_datasets(opened) if name is None else [describe_dataset(opened, name)]
    if as_json:
        print(json.dumps(found))
        return
    if not found:
        print(f"store {store} has no dataset yet; `fabula run` makes one", file=sys.stderr)
        return
    tables = (
        (entry["name"], entry["version"], table, f"{rows:,}")
        for entry in found
        for table, rows in entry["rows"].items()
        if rows or not any(entry["rows"].values())
    )
    print_table(["dataset", "version", "table"], ["rows"], tables)
    print()
    print_table(["dataset", "folder of the release"], [], ((entry["name"], entry["url"]) for entry in found))
