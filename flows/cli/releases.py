"""The subcommands for releases: diff, verify, publish, export, rehydrate, report."""

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import ConfigError
from flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption, TakenDownOption, open_release, open_store
from flows.cli.tables import print_table, show_plain

if TYPE_CHECKING:
    from infra.pages.server import Site
    from tasks.store.compare import Comparison
    from tasks.store.health import Verdict

_MOST_NAMED = 20
_STYLES = {"whole": "green", "damaged": "bold red"}

DatasetArgument = Annotated[str, typer.Argument(help="Name of a dataset in the store.")]
ResourceOption = Annotated[
    list[str] | None,
    typer.Option("--resource", help="A thing that the settings need on this machine; may be repeated.", metavar="NAME=PLACE"),
]
VersionOption = Annotated[str | None, typer.Option("--version", help="A release; default: the latest.", metavar="VERSION")]


def diff(
    dataset: DatasetArgument,
    versions: Annotated[
        list[str] | None,
        typer.Argument(help="Old and new version; default: the latest and the one before.", metavar="[OLD [NEW]]"),
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    rows: Annotated[bool, typer.Option("--rows", help="Name every row that differs.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what differs between two releases of a dataset: rows that were added, removed, moved or changed, and why.

    Example: fabula diff transcripts --store ./fabula-store
    """
    from flows.cli.terminal import waiting_shown
    from tasks.store.compare import compare_releases

    given = versions or []
    if len(given) > 2:
        raise ConfigError(f"{len(given)} versions; expected an old one and a new one at most")
    with waiting_shown("comparing the releases"):
        found = compare_releases(open_store(store), dataset, *given)
    if as_json:
        print(json.dumps(found.as_json()))
        return
    _print_comparison(found, rows)


def verify(
    datasets: Annotated[list[str] | None, typer.Argument(help="Names of datasets; default: all of the store.")] = None,
    store: StoreOption = DEFAULT_STORE,
    version: Annotated[str | None, typer.Option("--version", help="Only this release.", metavar="VERSION")] = None,
    as_json: JsonOption = False,
) -> None:
    """Read every file of releases and compare it with its checksum; exit with status 1 if a file is damaged or missing.

    Example: fabula verify transcripts --store ./fabula-store
    """
    from flows.cli.terminal import waiting_shown
    from tasks.store.health import list_versions, verify_release

    opened = open_store(store)
    verdicts = []
    with waiting_shown() as say:
        for name, each in list_versions(opened, datasets or (), version):
            say(f"reading {name} {each}")
            verdicts.append(verify_release(opened, name, each))
    if as_json:
        print(json.dumps([asdict(verdict) for verdict in verdicts]))
    else:
        _print_verdicts(verdicts)
    raise typer.Exit(int(any(verdict.faults for verdict in verdicts)))


def publish(
    dataset: DatasetArgument,
    target: Annotated[str, typer.Argument(help="Folder or URL of a store, or hf://datasets/USER/NAME.", metavar="TARGET")],
    store: StoreOption = DEFAULT_STORE,
    version: VersionOption = None,
    with_taken_down: TakenDownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Copy a release to another store or to the Hugging Face Hub (token: HF_TOKEN); what is there already is kept.

    Example: fabula publish transcripts s3://bucket/published --store ./fabula-store
    """
    from flows.cli.takedown import publish_release

    opened = open_release(store, dataset, version, with_taken_down)
    done = publish_release(opened, dataset, version, target)
    if as_json:
        print(json.dumps(done))
    else:
        told = f"{done['copied']} files copied ({done['bytes']:,} bytes), {done['kept']} were there already"
        print(f"{done['url']}: {told}" + (f", {done['removed']} removed" if done["removed"] else ""))
    if not done["latest"]:
        print(f"note: latest.json of {dataset} at {target} names a later release; load this one by its folder", file=sys.stderr)


def export(
    form: Annotated[str, typer.Argument(help="jsonl, index, or a form of the pipeline (crd3, sumtitles).", metavar="FORM")],
    dataset: DatasetArgument,
    target: Annotated[str, typer.Argument(help="Empty folder or fsspec URL that gets the files.", metavar="TARGET")],
    store: StoreOption = DEFAULT_STORE,
    version: VersionOption = None,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", help="For an index: sources of the release; default: those its run names.", metavar="URL"),
    ] = None,
    resource: ResourceOption = None,
    with_taken_down: TakenDownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a release in another form: JSON Lines, an index without text, or as CRD3 or SumTitles was published.

    Example: fabula export crd3 transcripts ./as-crd3 --store ./fabula-store
    """
    from flows.cli.terminal import waiting_shown
    from tasks.store.export import INDEX_ONLY, export_release

    if form != INDEX_ONLY and (source or resource):
        named = "--source" if source else "--resource"
        raise ConfigError(f"{named} is for the form {INDEX_ONLY} alone: {form} is made of the release's own rows; leave it out")
    opened = open_release(store, dataset, version, with_taken_down)
    with waiting_shown(f"writing {dataset} as {form}"):
        done = export_release(opened, dataset, form, open_store(target), version, source or (), _read_resources(resource))
    print(json.dumps(asdict(done)) if as_json else f"{done.url}: {done.files} files of {dataset} {done.version}")


def rehydrate(
    index: Annotated[str, typer.Argument(help="Folder or URL of what `fabula export index` wrote.", metavar="INDEX")],
    source: Annotated[list[str], typer.Option("--source", help="A copy of the source; may be repeated.", metavar="URL")],
    store: StoreOption = DEFAULT_STORE,
    resource: ResourceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fill an index from your own copy of its source; the release is equal byte for byte, or the differing units are named.

    Example: fabula rehydrate ./index --source my-show --store ./filled
    """
    from flows.cli.terminal import progress_shown
    from flows.frame.rehydrate import rehydrate_release

    with progress_shown():
        done = rehydrate_release(index, source, store, _read_resources(resource))
    print(json.dumps(asdict(done)) if as_json else f"{done.url}: {done.files} files, byte for byte those of the index")


def _read_resources(given: list[str] | None) -> dict[str, str]:
    """Return `NAME=PLACE` by name."""
    found = {}
    for each in given or ():
        name, equals, place = each.partition("=")
        if not (name and equals and place):
            raise ConfigError(f"--resource {each}: expected NAME=PLACE, such as wordnet=/usr/share/wordnet")
        found[name] = place
    return found


def _print_comparison(found: "Comparison", rows: bool) -> None:
    from core.dataset.release_changes import count_changes

    same = found.rows[1] - sum(row.change != "removed" for row, _ in found.changes)
    print(f"{found.dataset}: {found.old} -> {found.new}")
    print(f"{found.table}: {found.rows[0]:,} -> {found.rows[1]:,} rows, {same:,} the same")
    counts = count_changes(found.changes)
    if counts:
        told = ((change, why, f"{count:,}") for (change, why), count in counts.items())
        print_table(["rows that were", "because of"], ["rows"], told)
    for what, units in (
        ("new units", found.units[1] - found.units[0]),
        ("units that are gone", found.units[0] - found.units[1]),
        ("units whose source, licence or attribution is another", found.renamed),
    ):
        if units:
            named = ", ".join(sorted(units)[:_MOST_NAMED])
            print(show_plain(f"{what}: {named}" + (f" and {len(units) - _MOST_NAMED} more" if len(units) > _MOST_NAMED else "")))
    for name, (old, new) in found.settings.items():
        print(show_plain(f"setting {name}: {json.dumps(old, ensure_ascii=False)} -> {json.dumps(new, ensure_ascii=False)}"))
    if rows and found.changes:
        listed = ((row.change, row.id, ", ".join(causes), ", ".join(row.columns)) for row, causes in found.changes)
        print_table(["change", "row", "because of", "columns that differ"], [], listed)


def _print_verdicts(verdicts: "list[Verdict]") -> None:
    rows = []
    for verdict in verdicts:
        state = "damaged" if verdict.faults else "whole"
        told = f"{verdict.files} files read ({verdict.bytes:,} bytes)"
        rows.append((state, f"{verdict.dataset} {verdict.version}", told))
        rows += [("", path, fault) for path, fault in verdict.faults.items()]
        rows += [("", path, "no file of the release: the manifest does not name it") for path in verdict.foreign]
    print_table(["state", "release", "finding"], [], rows, _STYLES)


def show_site(site: "Site", port: int, browser: bool, ending: str) -> None:
    """Serve a site on a port of loopback (0: any that is free) until Ctrl-C; print its address, then `ending`."""
    from infra.pages.server import open_socket, serve_site

    with open_socket(port) as listening:
        listening.listen(128)  # the browser may ask before the server does
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/{site.home}"
        print(address, flush=True)
        print(ending, file=sys.stderr)
        if browser:
            typer.launch(address)
        serve_site(site, listening)


def report(
    dataset: DatasetArgument,
    store: StoreOption = DEFAULT_STORE,
    version: VersionOption = None,
    with_taken_down: TakenDownOption = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of 127.0.0.1; 0: any that is free.")] = 0,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser of this machine.")] = True,
) -> None:
    """Show the report of a release in a browser: figures, what was left out and why, every row with its dialogue. Ctrl-C ends it.

    The page is served to this machine only.

    Example: fabula report transcripts --store ./fabula-store
    """
    from tasks.store.report_site import make_report_site

    site = make_report_site(open_release(store, dataset, version, with_taken_down), dataset, version)
    show_site(site, port, browser, "Ctrl-C ends it.")
