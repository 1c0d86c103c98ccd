"""`fabula benchmark`: systems that summarise a dataset, side by side."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
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
    repeat_command,
)
from flows.cli.releases import DatasetArgument, VersionOption
from flows.cli.run import prepared_server, read_settings
from lab.summarisation.systems import SYSTEMS

if TYPE_CHECKING:
    from lab.summarisation.benchmark import BenchmarkOutcome
    from lab.summarisation.board.board import Board
    from lab.summarisation.plan import BenchmarkCall


def benchmark(
    dataset: DatasetArgument,
    systems: Annotated[
        str | None,
        typer.Option(
            help=f"Systems, separated by commas: {', '.join(entry.name for entry in SYSTEMS)}, or labels of --settings. "
            f"Default: those of --settings, else {', '.join(entry.name for entry in SYSTEMS if entry.default)}.",
            metavar="NAMES",
        ),
    ] = None,
    settings: Annotated[
        str | None,
        typer.Option(
            help="TOML file: a table [systems.LABEL] for each system with its settings, `system` where the label is another "
            "name, and [budget].",
            metavar="FILE",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A setting over the file's: budget.count=6, budget.unit=turn, lexrank.threshold=0.2. May be repeated.",
            metavar="NAME=VALUE",
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="Split that is summarised: train, validation, test.", metavar="SPLIT")] = "test",
    version: VersionOption = None,
    config: Annotated[
        str | None,
        typer.Option(
            help="Config of the release; default: train_on where there is one, else the default one. NAME:COLUMN takes the "
            "summaries of another column: scripts:anonymised_summary has no names.",
            metavar="NAME",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many rows of the split, drawn with the seed.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything that is drawn.")] = 0,
    compare: Annotated[bool, typer.Option("--compare", help="Show the runs that the store has; run nothing.")] = False,
    against: Annotated[
        str | None, typer.Option(help="The run that the others are compared with; default: lead.", metavar="LABEL")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write all tables to this file, in Markdown.", metavar="FILE.md", dir_okay=False)
    ] = None,
    wordnet: Annotated[
        str | None,
        typer.Option(
            "--wordnet", help="Folder with WordNet's index files (index.noun, index.verb, …), for METEOR.", metavar="DIR"
        ),
    ] = None,
    with_taken_down: TakenDownOption = False,
    bert: Annotated[bool, typer.Option("--bert/--no-bert", help="Measure BERTScore, which takes most of the time.")] = True,
    store: StoreOption = DEFAULT_STORE,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    in_process: InProcessOption = False,
    as_json: JsonOption = False,
) -> None:
    """Summarise a dataset with several systems and compare them, with intervals and significance.

    Example: fabula benchmark transcripts --store ./fabula-store
    """
    from infra.settings import read_toml, validate_config
    from infra.store.objects import Store
    from lab.summarisation.dialogue import Budget
    from lab.summarisation.plan import BenchmarkCall, check_split, check_table, merge_systems
    from tasks.frame.taken_down import refuse_taken_down

    if markdown is not None and not markdown.absolute().parent.is_dir():
        raise ConfigError(f"--markdown {markdown}: no folder {markdown.parent}; name a file in an existing folder")
    if compare:
        _compare(store, dataset, version, against, markdown, as_json)
        return
    refuse_taken_down(Store(store), dataset, version, with_taken_down)
    given = read_toml(settings) if settings else {}
    if unknown := sorted(set(given) - {"systems", "budget"}):
        raise ConfigError(f"{settings}: {unknown[0]} is not known; expected [systems.LABEL] and [budget]")
    over = read_settings(setting or ())
    budget = {
        **check_table(given.get("budget", {}), f"{settings}, budget"),
        **check_table(over.pop("budget", {}), "--set budget"),
    }
    chosen = [label.strip() for label in systems.split(",") if label.strip()] if systems is not None else None
    call = BenchmarkCall(
        store=store,
        dataset=dataset,
        systems=merge_systems(chosen, given.get("systems", {}), over),
        split=check_split(split),
        version=version,
        config=config,
        limit=limit,
        budget=validate_config(Budget, budget, origin="budget"),
        seed=seed,
        wordnet=wordnet,
        bert=bert,
    )
    outcome = _run(call, against, workers, scheduler, in_process)
    for label, reason in (*outcome.left_out.items(), *outcome.failed.items()):
        kind = "left out" if label in outcome.left_out else "failed"
        print(f"{kind:<9} {label}: {reason}", file=sys.stderr)
    if as_json:
        told = {name: getattr(outcome, name) for name in ("page", "computed", "reused", "left_out", "failed")}
        print(json.dumps({"board": None if outcome.board is None else outcome.board.as_json(), **told}))
    elif outcome.board is not None:
        _print_board(outcome.board)
        print(f"\ncomputed: {', '.join(outcome.computed) or 'nothing'}; from the store: {', '.join(outcome.reused) or 'nothing'}")
        print(f"page: {outcome.page}")
    if markdown is not None and outcome.board is not None:
        _write_markdown(markdown, [outcome.board])
    raise typer.Exit(int(bool(outcome.failed) or outcome.board is None))


def _run(
    call: "BenchmarkCall", against: str | None, workers: int | None, scheduler: str | None, in_process: bool
) -> "BenchmarkOutcome":
    """Run a benchmark in this process, or its flow; a wrong call is answered before Prefect's server has started."""
    from flows.cli.interruption import ending_on_signals
    from flows.cli.terminal import progress_shown
    from flows.frame.observer import current_observer

    with ending_on_signals(repeat_command()), progress_shown(lines=True):
        current_observer().start("checks", 0)
        from flows.frame.ingestion import InProcessMapper
        from lab.summarisation.benchmark import run_benchmark
        from lab.summarisation.plan import check_against, foresee_cost, plan_benchmark
        from lab.summarisation.run import is_stored

        plan = plan_benchmark(call)
        check_against(plan, against)
        print(foresee_cost(plan, [run for run in plan.runs if not is_stored(run)]), file=sys.stderr)
        if in_process:
            return run_benchmark(call, InProcessMapper(), current_observer(), against)
        current_observer().start("server", 0)
        with prepared_server():
            from lab.summarisation.flow import benchmark_datasets

            parameters = asdict(call) | {"datasets": [call.dataset]}
            del parameters["dataset"]
            outcomes: list[BenchmarkOutcome] = benchmark_datasets(
                **parameters, against=against, workers=workers, scheduler=scheduler
            )
            return outcomes[0]


def _compare(store: str, dataset: str, version: str | None, against: str | None, markdown: Path | None, as_json: bool) -> None:
    from infra.store.objects import Store
    from lab.summarisation.board.compare import compare_runs, write_page

    opened = Store(store)
    boards = compare_runs(opened, dataset, version, against)
    page = write_page(opened, boards)
    if as_json:
        print(json.dumps({"boards": [board.as_json() for board in boards], "page": page}))
    else:
        for board in boards:
            _print_board(board)
            print()
        print(f"page: {page}")
    if markdown is not None:
        _write_markdown(markdown, boards)


def _print_board(board: "Board") -> None:
    from flows.cli.tables import print_table, show_plain
    from lab.summarisation.board.tables import tabulate_briefly

    brief = tabulate_briefly(board)
    print(show_plain(brief.caption))
    print_table(brief.headings[:1], brief.headings[1:], brief.rows)
    published = " Published rows are of the data in brackets." if board.published else ""
    print(f"± is half the 95 % interval, drawn over {board.drawn}; differences are paired.{published}")


def _write_markdown(path: Path, boards: "list[Board]") -> None:
    from infra.named_files import write_named_text
    from lab.summarisation.board.tables import describe_board

    write_named_text(path, "--markdown", "\n".join(describe_board(board) for board in boards))
