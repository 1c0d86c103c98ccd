"""The subcommands that maintain an installation and a store: doctor, prune, takedown."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.options import DEFAULT_STORE, JsonOption, SchedulerOption, StoreOption, WordNetOption

if TYPE_CHECKING:
    from infra.doctor.check import Check
    from tasks.store.prune import Removal

takedown = typer.Typer(
    no_args_is_help=True,
    help="Keep units or pairs out of every later release.\n\n"
    "Example: fabula takedown add C1E001 --pipeline transcripts --reason 'asked for by its author'",
)

_STATE_STYLES = {"ok": "green", "warning": "yellow", "problem": "bold red"}

IdsArgument = Annotated[list[str], typer.Argument(help="Ids of units (C1E001) or pairs (C1E001_2_0_0017).", metavar="ID...")]
PipelineOption = Annotated[str, typer.Option(help="Pipeline that the ids belong to: transcripts, scripts, ...", metavar="NAME")]


def doctor(
    store: StoreOption = DEFAULT_STORE,
    scheduler: SchedulerOption = None,
    wordnet: WordNetOption = None,
    deep: Annotated[bool, typer.Option("--deep", help="Read all data of the store, and compare its checksums.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Check that everything a run needs is there, and that nothing in the store is damaged; say what to do.

    Example: fabula doctor --store ./fabula-store
    """
    from flows.cli.terminal import waiting_shown
    from infra.doctor.check import Check, run_check
    from infra.doctor.machine import check_kernels, check_machine, check_packages, check_sentence_model, check_wordnet
    from infra.doctor.services import check_dask, check_disk, check_prefect, check_store
    from tasks.pipelines import describe_versions
    from tasks.store.health import examine_store

    looks: dict[str, Callable[[], Check]] = {
        "packages": check_packages,
        "sentence model": check_sentence_model,
        "WordNet": lambda: check_wordnet(wordnet),
        "compiled kernels": check_kernels,
        "machine": check_machine,
        "store": lambda: check_store(store),
        "disk": lambda: check_disk(store),
        "Prefect": check_prefect,
    }
    if scheduler is not None:
        looks["Dask"] = lambda: check_dask(scheduler, describe_versions)
    checks = []
    with waiting_shown() as say:
        for name, look in looks.items():
            say(f"checking: {name}")
            checks.append(run_check(name, look))
        say("examining the store")
        checks += examine_store(store, deep)
    if not as_json:
        _print_checks(checks)
    problems = sum(check.state == "problem" for check in checks)
    if as_json:
        from dataclasses import asdict

        print(json.dumps({"ok": not problems, "checks": [asdict(check) for check in checks]}))
    raise typer.Exit(int(problems > 0))


def prune(
    store: StoreOption = DEFAULT_STORE,
    keep_releases: Annotated[int, typer.Option(min=1, help="Number of releases to keep per dataset, including the latest.")] = 3,
    older_than: Annotated[float, typer.Option(min=0, help="Keep everything younger than this.", metavar="DAYS")] = 7.0,
    dataset: Annotated[str | None, typer.Option(help="Remove only releases of this dataset.", metavar="NAME")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Really remove; without this option nothing is removed.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a store no longer needs (old releases, unused artifacts and landed files); with --yes, remove it.

    Example: fabula prune --store ./fabula-store --keep-releases 2 --yes
    """
    from flows.cli.terminal import waiting_shown
    from infra.store.objects import Store
    from tasks.store.prune import PruneRules, plan_prune, prune_store

    opened = Store(store)
    plan = plan_prune(opened, PruneRules(time.time(), keep_releases, older_than, dataset))
    for remark in plan.remarks:
        print(remark, file=sys.stderr)
    done: list[Removal] = []
    try:
        with waiting_shown() as say:
            for removal in prune_store(opened, plan) if yes else plan.removals:
                done.append(removal)
                say(f"{'removed' if yes else 'found'}: {removal.what}")
    finally:  # if the store fails half-way, the user still learns what was removed
        if done and not as_json:
            _print_removals(done, removed=yes)
    if as_json:
        listed = [{"what": removal.what, "objects": len(removal.objects), "bytes": removal.size} for removal in done]
        print(json.dumps({"removed": yes, "parts": listed, "bytes": sum(removal.size for removal in done)}))
    elif not done:
        print("nothing to remove")


@takedown.command("add")
def add(
    ids: IdsArgument,
    pipeline: PipelineOption,
    reason: Annotated[
        str, typer.Option(help="Reason in one line; releases publish how many ids each reason has.", metavar="TEXT")
    ],
    store: StoreOption = DEFAULT_STORE,
    force: Annotated[bool, typer.Option("--force", help="Add ids that the store does not know yet, too.")] = False,
) -> None:
    """Add ids to the takedown list; later releases leave them out.

    Example: fabula takedown add C1E001_2_0_0017 --pipeline transcripts --reason 'a private name'
    """
    from infra.store.objects import Store
    from infra.store.running import UNREADABLE, list_running
    from infra.store.takedown import add_takedown
    from tasks.store.known_names import read_names

    opened, checked = Store(store), _check_pipeline(pipeline)
    known = read_names(opened, checked)
    names = list(dict.fromkeys(known.spell(ids) if force else known.resolve(ids)))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    new = add_takedown(opened, checked, names, reason, now, known.find_texts(names))
    print(f"added: {len(new)}, already on the list: {len(names) - len(new)}; the next `fabula run {checked}` leaves them out")
    for run in list_running(opened):
        if run.pipeline in (checked, UNREADABLE):
            print(
                f"note: run {run.run_id} is in progress; it reads the list once more just before it publishes, and leaves them "
                "out unless it has published already",
                file=sys.stderr,
            )
    print("note: earlier releases still contain them; `fabula prune` removes old releases", file=sys.stderr)


@takedown.command("remove")
def remove(ids: IdsArgument, pipeline: PipelineOption, store: StoreOption = DEFAULT_STORE) -> None:
    """Remove ids from the takedown list; later releases may contain them again.

    Example: fabula takedown remove C1E001 --pipeline transcripts
    """
    from infra.store.objects import Store
    from infra.store.takedown import remove_takedown

    remove_takedown(Store(store), _check_pipeline(pipeline), ids)
    print(f"removed: {len(set(ids))}; the next `fabula run {pipeline}` may release them again")


@takedown.command("list")
def list_ids(pipeline: PipelineOption, store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False) -> None:
    """Show the takedown list with times and reasons.

    Example: fabula takedown list --pipeline transcripts
    """
    from dataclasses import asdict

    from flows.cli.tables import add_row, make_table, print_table
    from infra.store.objects import Store
    from infra.store.takedown import list_takedown

    lines = list_takedown(Store(store), _check_pipeline(pipeline))
    if as_json:
        print(json.dumps([asdict(line) for line in lines]))
        return
    if not lines:
        print(f"the takedown list of {pipeline} is empty", file=sys.stderr)
        return
    table = make_table(["id", "since", "reason"])
    for line in lines:
        add_row(table, line.id, line.time, line.reason)
    print_table(table)


def _check_pipeline(name: str) -> str:
    from tasks.pipelines import find_pipeline

    return find_pipeline(name).name


def _print_checks(checks: Sequence["Check"]) -> None:
    from flows.cli.tables import add_row, make_table, print_table

    table = make_table(["state", "check", "finding"])
    for check in checks:
        add_row(table, check.state, check.name, check.finding, style=_STATE_STYLES[check.state])
        if check.remedy:
            add_row(table, "", "", f"do: {check.remedy}")
    print_table(table)


def _print_removals(removals: Sequence["Removal"], removed: bool) -> None:
    from flows.cli.tables import add_row, make_table, print_table

    table = make_table(["removed" if removed else "would remove"], ["objects", "size"])
    for removal in removals:
        add_row(table, removal.what, f"{len(removal.objects):,}", _measure(removal.size))
    objects, size = sum(len(removal.objects) for removal in removals), sum(removal.size for removal in removals)
    add_row(table, "total", f"{objects:,}", _measure(size))
    print_table(table)
    if not removed:
        print("Nothing was removed. To remove this, call the command again with --yes.")


def _measure(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"
