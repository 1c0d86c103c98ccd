"""The subcommand by which people review a dataset: one local page for all pipelines."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import ConfigError, SourceError
from core.review.priority import Order, Task
from flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption, TakenDownOption, open_release, open_store, refuse_beside
from flows.cli.releases import DatasetArgument, show_site
from flows.cli.tables import print_table, tell_refused

if TYPE_CHECKING:
    from infra.store.objects import Store


def review(
    dataset: DatasetArgument,
    annotator: Annotated[str | None, typer.Option(help="Your name in the records; a pseudonym will do.", metavar="NAME")] = None,
    store: StoreOption = DEFAULT_STORE,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of 127.0.0.1; 0: any that is free.")] = 0,
    order: Annotated[Order, typer.Option(help="What comes first: highest priority, least confident, or at random.")] = "priority",
    task: Annotated[
        Task, typer.Option(help="decide rows, compare dialogues blind, or write, answer and grade questions (CRD3's study).")
    ] = "decide",
    against: Annotated[str | None, typer.Option(help="With --task compare: the other dataset.", metavar="NAME")] = None,
    again: Annotated[bool, typer.Option("--again", help="Judge blind what another has decided, to compare annotators.")] = False,
    seed: Annotated[str, typer.Option(help="Of the random order and the sides.", metavar="TEXT")] = "",
    status: Annotated[bool, typer.Option("--status", help="Show who has decided what, and how far annotators agree.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="With --export: rows of the queue at most.")] = None,
    write_tasks: Annotated[
        Path | None, typer.Option("--export", help="Write the queue as Label Studio's JSON instead.", metavar="FILE.json")
    ] = None,
    read_tasks: Annotated[
        Path | None, typer.Option("--import", help="Store the annotations of Label Studio's JSON instead.", metavar="FILE.json")
    ] = None,
    sheet: Annotated[
        str | None,
        typer.Option(help="Rate the texts of this blind sheet instead (fabula write rooms --sheet NAME).", metavar="NAME"),
    ] = None,
    with_taken_down: TakenDownOption = False,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser of this machine.")] = True,
    as_json: JsonOption = False,
) -> None:
    """Correct spans, accept or reject rows, and judge dialogues on a page in the browser. Ctrl-C ends it.

    Every decision is stored at once in `reviews/`, and the next `fabula run` honours it. The page is served to this machine
    only.

    Example: fabula review transcripts --annotator anna --store ./fabula-store
    """
    modes = {"--status": status, "--export": write_tasks, "--import": read_tasks, "--sheet": sheet}
    chosen = [name for name, value in modes.items() if value]
    if len(chosen) > 1 and chosen != ["--export", "--import"]:
        raise ConfigError(f"{' and '.join(chosen)} are different things to do; choose one")
    if status:
        from tasks.review.quality import describe_reviews

        found = describe_reviews(open_store(store), dataset)
        print(json.dumps(found)) if as_json else _print_status(found)
        return
    opened = open_release(store, dataset, None, with_taken_down)
    if write_tasks is not None or read_tasks is not None:
        _exchange(opened, dataset, write_tasks, read_tasks, annotator, order, limit)
        return
    if annotator is None:
        raise ConfigError("--annotator NAME is missing: decisions say whose they are; a pseudonym will do")
    if sheet is not None:
        passed_over = {"--order": order != "priority", "--task": task != "decide", "--seed": seed or None}
        refuse_beside("--sheet", passed_over | {"--against": against, "--again": again, "--limit": limit})
        from tasks.review.session import make_site, name_judged, open_sheet_session

        show_site(
            make_site(open_sheet_session(sheet, annotator)), port, browser, "Ctrl-C ends it; every answer is stored at once."
        )
        print(f"Answers are in {name_judged(sheet)}: fabula evaluate room-writer --sheet {sheet}", file=sys.stderr)
        return
    from tasks.review.session import SessionOptions, make_site, open_session

    options = SessionOptions(annotator=annotator, task=task, order=order, seed=seed, again=again, against=against)
    show_site(
        make_site(open_session(opened, dataset, options)), port, browser, "Ctrl-C ends it; every decision is stored at once."
    )
    print(f"What was decided counts in the next run: fabula run … --store {store}, then fabula diff {dataset}", file=sys.stderr)


def _exchange(
    store: "Store", dataset: str, target: Path | None, source: Path | None, annotator: str | None, order: Order, limit: int | None
) -> None:
    """Write the queue for Label Studio, or store what was annotated there."""
    from infra.named_files import read_named_text
    from tasks.review.session import export_tasks, import_tasks

    try:
        if target is not None:
            tasks = export_tasks(store, dataset, order, limit)
            target.write_text(json.dumps(tasks, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            print(f"{target}: {len(tasks):,} tasks; docs/review.md has the labelling configuration")
        if source is not None:
            content = read_named_text(source, "Label Studio's file", "name a file of its JSON", 2**30)
            done = import_tasks(store, dataset, json.loads(content), annotator)
            tell_refused(done.refused)
            print(f"{len(done.judgements):,} judgements of {dataset} stored, {len(done.refused):,} annotations refused")
            raise typer.Exit(int(bool(done.refused)))
    except (OSError, ValueError, RecursionError, SourceError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else error
        raise ConfigError(f"{target or source}: {said}; name a file of Label Studio's JSON") from error


def _print_status(found: dict[str, Any]) -> None:
    from flows.cli.evaluation_tables import print_annotators

    if not found["readers"]:
        print(f"nobody has reviewed {found['dataset']} yet: fabula review {found['dataset']} --annotator NAME")
    else:
        answers = ((row["reader"], row["question"], f"{row['answers']:,}") for row in found["readers"])
        print_table(["reader", "question"], ["answers"], answers)
    if found["decisions"]:
        decisions = ((row["verdict"], row["decided_by"], f"{row['rows']:,}") for row in found["decisions"])
        print_table(["the next release will", "decided by"], ["rows"], decisions)
    for name, told in found["models"].items():
        print(f"{name}: {told}")
    if found["disputed"]:
        shown = ", ".join(found["disputed"][:5]) + (", …" if len(found["disputed"]) > 5 else "")
        print(f"in dispute {len(found['disputed'])}: {shown}; these stay as they were found until a third annotator decides")
    print_annotators(found["agreement"])
    if found["study"]:
        counts, rows = ("correct", "wrong", "declined", "ungraded"), []
        for row in found["study"]:
            precision = "–" if row["precision"] is None else f"{row['precision']:.0%}"
            rows.append((row["kind"], *(str(row[name]) for name in counts), precision))
        print_table(["questions"], [*counts, "precision"], rows)
        for cause, count in found["study"][-1]["causes"].items():
            print(f"errors because of {cause}: {count}")
    tell_refused(found["refused"])
