"""The subcommands that maintain an installation and a store: doctor, prune."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.options import DEFAULT_STORE, JsonOption, SchedulerOption, StoreOption, WordNetOption, open_store
from flows.cli.tables import print_table

if TYPE_CHECKING:
    from infra.doctor import Check
    from tasks.store.prune import Removal

_STATE_STYLES = {"ok": "green", "warning": "yellow", "problem": "bold red"}


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
    from infra import doctor as checks
    from tasks.pipelines import describe_versions
    from tasks.store.health import examine_store

    looks: dict[str, Callable[[], Check]] = {
        "packages": checks.check_packages,
        "sentence model": checks.check_sentence_model,
        "WordNet": lambda: checks.check_wordnet(wordnet),
        "compiled kernels": checks.check_kernels,
        "machine": checks.check_machine,
        "store": lambda: checks.check_store(store),
        "disk": lambda: checks.check_disk(store),
        "Prefect": checks.check_prefect,
    }
    if scheduler is not None:
        looks["Dask"] = lambda: checks.check_dask(scheduler, describe_versions)
    found = []
    with waiting_shown() as say:
        for name, look in looks.items():
            say(f"checking: {name}")
            found.append(checks.run_check(name, look))
        say("examining the store")
        found += examine_store(store, deep)
    problem = any(check.state == "problem" for check in found)
    if as_json:
        print(json.dumps({"ok": not problem, "checks": [asdict(check) for check in found]}))
    else:
        _print_checks(found)
    raise typer.Exit(int(problem))


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
    from tasks.store.prune import PruneRules, plan_prune, prune_store

    opened = open_store(store)
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


def _print_checks(checks: Sequence["Check"]) -> None:
    rows: list[tuple[str, ...]] = []
    for check in checks:
        rows.append((check.state, check.name, check.finding))
        if check.remedy:
            rows.append(("", "", f"do: {check.remedy}"))
    print_table(["state", "check", "finding"], [], rows, _STATE_STYLES)


def _print_removals(removals: Sequence["Removal"], removed: bool) -> None:
    parts = [(removal.what, len(removal.objects), removal.size) for removal in removals]
    parts.append(("total", sum(objects for _, objects, _ in parts), sum(size for _, _, size in parts)))
    rows = ((what, f"{objects:,}", _measure(size)) for what, objects, size in parts)
    print_table(["removed" if removed else "would remove"], ["objects", "size"], rows)
    if not removed:
        print("Nothing was removed. To remove this, call the command again with --yes.")


def _measure(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"
