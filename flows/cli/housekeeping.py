"""The subcommands that look after an installation and a store: doctor, prune, takedown."""

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.options import DEFAULT_STORE, JsonOption, SchedulerOption, StoreOption, WordNetOption

if TYPE_CHECKING:
    from tasks.store.prune import Removal

takedown = typer.Typer(
    no_args_is_help=True,
    help="Keep units or pairs out of every later release.\n\n"
    "Example: fabula takedown add C1E001 --pipeline transcripts --reason 'asked for by its author'",
)

IdsArgument = Annotated[list[str], typer.Argument(help="Ids of units (C1E001) or of pairs (C1E001_2_0_0017).", metavar="ID...")]
PipelineOption = Annotated[str, typer.Option(help="Whose releases: transcripts, scripts, ...", metavar="NAME")]


def doctor(
    store: StoreOption = DEFAULT_STORE,
    scheduler: SchedulerOption = None,
    wordnet: WordNetOption = None,
    deep: Annotated[bool, typer.Option("--deep", help="Read all data of the store, and compare its checksums.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Look for everything that a run would need, and for damage in the store; say what to do about it.

    Example: fabula doctor --store ./fabula-store
    """
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
    for check in chain((run_check(name, look) for name, look in looks.items()), examine_store(store, deep)):
        checks.append(check)
        if not as_json:
            print(f"{check.state:<8} {check.name:<16} {check.finding}")
            if check.remedy:
                print(f"{'':<8} {'':<16} do: {check.remedy}")
    problems = sum(check.state == "problem" for check in checks)
    if as_json:
        from dataclasses import asdict

        print(json.dumps({"ok": not problems, "checks": [asdict(check) for check in checks]}))
    raise typer.Exit(int(problems > 0))


def prune(
    store: StoreOption = DEFAULT_STORE,
    keep_releases: Annotated[int, typer.Option(min=1, help="Releases of a dataset that stay, the latest among them.")] = 3,
    older_than: Annotated[float, typer.Option(min=0, help="Nothing younger goes.", metavar="DAYS")] = 7.0,
    dataset: Annotated[str | None, typer.Option(help="Only releases of this dataset.", metavar="NAME")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Remove it; without this, nothing is.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a store no longer needs and, with --yes, remove it: old releases, artifacts and landed files that nothing names.

    Example: fabula prune --store ./fabula-store --keep-releases 2 --yes
    """
    from infra.store.objects import Store
    from tasks.store.prune import PruneRules, plan_prune, prune_store

    opened = Store(store)
    plan = plan_prune(opened, PruneRules(time.time(), keep_releases, older_than, dataset))
    for remark in plan.remarks:
        print(remark, file=sys.stderr)
    done: list[Removal] = []
    for removal in prune_store(opened, plan) if yes else plan.removals:
        done.append(removal)
        if not as_json:
            print(f"{'removed' if yes else 'would remove'} {_describe(removal)}")
    if as_json:
        listed = [{"what": removal.what, "objects": len(removal.objects), "bytes": removal.size} for removal in done]
        print(json.dumps({"removed": yes, "parts": listed, "bytes": sum(removal.size for removal in done)}))
    elif not done:
        print("nothing to remove")
    elif not yes:
        print(f"{_measure(sum(removal.size for removal in done))} in all; nothing was removed: call it again with --yes")


@takedown.command("add")
def add(
    ids: IdsArgument,
    pipeline: PipelineOption,
    reason: Annotated[str, typer.Option(help="Why, in one line; releases count by it.", metavar="TEXT")],
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Put ids on the list; the next run releases without them.

    Example: fabula takedown add C1E001_2_0_0017 --pipeline transcripts --reason 'a private name'
    """
    from infra.store.catalog import find_pipeline_of, list_cataloged
    from infra.store.objects import Store
    from infra.store.takedown import add_takedown

    opened, checked = Store(store), _check_pipeline(pipeline)
    new = add_takedown(opened, checked, ids, reason, datetime.now(UTC).isoformat(timespec="seconds"))
    print(f"{len(new)} ids added, {len(set(ids)) - len(new)} were on the list; the next `fabula run {checked}` leaves them out")
    if checked not in {find_pipeline_of(opened, dataset) for dataset in list_cataloged(opened)}:
        print(f"note: {checked} has not run on this store yet; was another --store or --pipeline meant?", file=sys.stderr)
    print("releases that are out already stay as they are: `fabula prune` removes old ones", file=sys.stderr)


@takedown.command("remove")
def remove(ids: IdsArgument, pipeline: PipelineOption, store: StoreOption = DEFAULT_STORE) -> None:
    """Take ids off the list; the next run may release them again.

    Example: fabula takedown remove C1E001 --pipeline transcripts
    """
    from infra.store.objects import Store
    from infra.store.takedown import remove_takedown

    remove_takedown(Store(store), _check_pipeline(pipeline), ids)
    print(f"{len(set(ids))} ids removed from the list; the next `fabula run {pipeline}` may release them again")


@takedown.command("list")
def list_ids(pipeline: PipelineOption, store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False) -> None:
    """Show the list, with times and reasons.

    Example: fabula takedown list --pipeline transcripts
    """
    from dataclasses import asdict

    from infra.store.objects import Store
    from infra.store.takedown import list_takedown

    lines = list_takedown(Store(store), _check_pipeline(pipeline))
    if as_json:
        print(json.dumps([asdict(line) for line in lines]))
        return
    for line in lines:
        print(f"{line.id}  {line.time}  {line.reason}")


def _check_pipeline(name: str) -> str:
    from tasks.pipelines import find_pipeline

    return find_pipeline(name).name


def _describe(removal: "Removal") -> str:
    return f"{removal.what}: {len(removal.objects):,} objects, {_measure(removal.size)}"


def _measure(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"
