"""The subcommands of the takedown list: add, remove, list, and apply, which makes it true of everything that is out already."""

import json
import shlex
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from math import inf
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import ConfigError, FabulaError
from flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption, open_store
from flows.cli.tables import print_table
from tasks.pipelines import find_pipeline

if TYPE_CHECKING:
    from core.dataset.takedown import Takedown
    from infra.store.objects import Store

takedown = typer.Typer(
    no_args_is_help=True,
    help="Keep units, rows, comments or people out of every later release, and take them out of those that are there.\n\n"
    "Example: fabula takedown add C1E001 --pipeline transcripts --reason 'asked for by its author'",
)

IdsArgument = Annotated[
    list[str],
    typer.Argument(
        help="Units (C1E001), rows (C1E001_2_0_0017), comments (t1_abc) or people (a pseudonym, u/NAME), in any spelling.",
        metavar="ID...",
    ),
]
PipelineOption = Annotated[str, typer.Option(help="Pipeline that the ids belong to: transcripts, scripts, ...", metavar="NAME")]


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
    """Add ids to the takedown list; later releases leave them out. The name of an author is hashed at once and not stored.

    Example: fabula takedown add C1E001_2_0_0017 --pipeline transcripts --reason 'a private name'
    """
    from infra.store.running import UNREADABLE, list_running
    from infra.store.takedown import add_takedown
    from tasks.frame.taken_down import apply_command
    from tasks.store.known_names import read_names

    opened, chosen = open_store(store), find_pipeline(pipeline)
    known = read_names(opened, chosen)
    names = known.resolve(ids, force)
    for told in filter(None, map(known.describe_unknown, names)):
        print(f"note: {told}", file=sys.stderr)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    new = add_takedown(opened, chosen.name, names, reason, now, known.find_texts(names))
    print(f"added: {len(new)}, already on the list: {len(names) - len(new)} ({', '.join(names)})")
    for run in list_running(opened):
        if run.pipeline in (chosen.name, UNREADABLE):
            print(
                f"note: run {run.run_id} is in progress; it reads the list once more just before it publishes, and leaves them "
                "out unless it has published already",
                file=sys.stderr,
            )
    print("Releases, the store and published copies may hold them still. This takes them out of all:", file=sys.stderr)
    print(apply_command(opened, chosen.name))


@takedown.command("apply")
def apply(pipeline: PipelineOption, store: StoreOption = DEFAULT_STORE) -> None:
    """Make the list true everywhere: a new release, nothing left in the store, and published copies made anew.

    Each dataset's last run is made once more, as its record tells.

    Example: fabula takedown apply --pipeline transcripts
    """
    from infra.store.catalog import find_pipeline_of, list_cataloged
    from infra.store.takedown import read_takedown
    from tasks.frame.taken_down import refuse_taken_down
    from tasks.store.prune import PruneRules, plan_prune, prune_store

    opened, name = open_store(store), find_pipeline(pipeline).name
    listed = read_takedown(opened, name)
    if not listed:
        print(f"the takedown list of {name} is empty", file=sys.stderr)
        return
    datasets = [dataset for dataset in list_cataloged(opened) if find_pipeline_of(opened, dataset) == name]
    for dataset in datasets:
        _run_again(opened, dataset)
    plan = plan_prune(opened, PruneRules(time.time(), sys.maxsize, inf))
    for removal in prune_store(opened, plan):
        print(f"removed   {removal.what}: {len(removal.objects):,} objects")
    failed = [line for dataset in datasets for line in _renew_copies(opened, dataset, listed)]
    for line in failed:
        print(line, file=sys.stderr)
    for dataset in opened.list_folders("datasets"):
        if dataset in datasets and opened.exists(f"datasets/{dataset}/latest.json"):
            refuse_taken_down(opened, dataset)
    print(f"done: no release and nothing else in {opened.url} holds what is on the takedown list of {name}")
    raise typer.Exit(int(bool(failed)))


def _run_again(store: "Store", dataset: str) -> None:
    """Make the last run of a dataset once more."""
    from flows.cli.run import run
    from tasks.store.inspect import read_last_run

    command = str((read_last_run(store, dataset) or {}).get("resume") or "")
    if not command:
        raise ConfigError(
            f"store {store.url} has no record of a run of {dataset}: run its pipeline on its source, then this again"
        )
    print(f"running   {command}", file=sys.stderr)
    words = shlex.split(command)
    words[words.index("--store") + 1] = store.url  # as it was named here
    if "--allow-empty" not in words:
        words.append("--allow-empty")  # else the latest release would stay where nothing but what is taken down had passed
    try:
        run(words[2:], standalone_mode=False)
    except FabulaError as error:
        raise ConfigError(
            f"{error}\nThe last run of {dataset} cannot be made here. Make it where its source is, and then this again: {command}"
        ) from error


def _renew_copies(store: "Store", dataset: str, listed: "Takedown") -> Iterator[str]:
    """Publish the new release wherever the dataset was published, and take old ones away; yield what was left to do."""
    from infra.store.hub import is_hub_url
    from infra.store.releases import list_copies
    from tasks.store.publish import withdraw_releases

    released = store.exists(f"datasets/{dataset}/latest.json")
    for copy in list_copies(store, dataset):
        try:
            if released:
                publish_release(store, dataset, None, copy.url)
            if not is_hub_url(copy.url):
                gone = withdraw_releases(open_store(copy.url), dataset, listed)
                print(f"published {dataset} at {copy.url}: {len(gone)} releases that held it are gone")
            else:
                yield (
                    f"{copy.url} has the new release; earlier commits and tags still hold what was taken down: remove them there "
                    "(HfApi().super_squash_history, delete_tag)"
                )
        except FabulaError as error:
            yield f"{copy.url}: {error}. This copy of {dataset} may hold what was taken down; call this again, or remove it there"


def publish_release(store: "Store", dataset: str, version: str | None, target: str) -> dict[str, object]:
    """Publish a release to a store or the Hub, remember where, and return what was done."""
    from flows.cli.terminal import waiting_shown
    from infra.store.hub import is_hub_url
    from infra.store.releases import PublishedCopy, remember_copy
    from tasks.store.publish import publish_copy, publish_to_hub

    with waiting_shown() as say:
        if is_hub_url(target):
            url, done = target, publish_to_hub(store, dataset, version, target, say)
        else:
            opened = open_store(target)
            url, done = opened.url, publish_copy(store, dataset, version, opened, lambda path: say(f"copying {path}"))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    remember_copy(store, dataset, PublishedCopy(url, done.version, now))
    return asdict(done)


@takedown.command("remove")
def remove(ids: IdsArgument, pipeline: PipelineOption, store: StoreOption = DEFAULT_STORE) -> None:
    """Remove ids from the takedown list; later releases may contain them again.

    Example: fabula takedown remove C1E001 --pipeline transcripts
    """
    from infra.store.takedown import remove_takedown
    from tasks.store.known_names import read_names

    opened, chosen = open_store(store), find_pipeline(pipeline)
    names = read_names(opened, chosen).resolve_listed(ids)
    remove_takedown(opened, chosen.name, names)
    print(f"removed: {len(names)}; the next `fabula run {pipeline}` may release them again")


@takedown.command("list")
def list_ids(
    pipeline: Annotated[str | None, typer.Option(help="Pipeline whose list is shown; default: all.", metavar="NAME")] = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Show the takedown list with times and reasons.

    Example: fabula takedown list --pipeline transcripts
    """
    from infra.store.takedown import list_listed, list_takedown

    opened = open_store(store)
    names = [find_pipeline(pipeline).name] if pipeline is not None else list_listed(opened)
    lines = [(name, line) for name in names for line in list_takedown(opened, name)]
    if as_json:
        print(json.dumps([{"pipeline": name, **asdict(line)} for name, line in lines]))
        return
    if not lines:
        print(f"the takedown list of {pipeline or 'every pipeline'} is empty", file=sys.stderr)
        return
    print_table(["id", "pipeline", "since", "reason"], [], ((line.id, name, line.time, line.reason) for name, line in lines))
