"""The subcommand `fabula fit`: a dataset's own curves of confidence, fitted on what is known of its rows."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption, open_release

if TYPE_CHECKING:  # scipy takes half a second, which `fabula --help` must not
    from core.metrics.fitting import FittedSettings
    from infra.store.objects import Store

fit = typer.Typer(
    no_args_is_help=True,
    help="Fit a dataset's own settings on what is known of its rows.\n\nExample: fabula fit transcripts --to fitted.toml",
)
ToOption = Annotated[Path | None, typer.Option(help="Write the curves as a file of settings.", metavar="FILE")]
DatasetOption = Annotated[str, typer.Option(help="Dataset whose landed units are compared.", metavar="NAME")]


@fit.command("transcripts")
def fit_transcripts(
    gold: Annotated[str | None, typer.Option(help="Folder with one gold file EPISODE.json an episode.", metavar="DIR")] = None,
    to: ToOption = None,
    store: StoreOption = DEFAULT_STORE,
    dataset: DatasetOption = "transcripts",
    as_json: JsonOption = False,
) -> None:
    """Fit the curve by which a span's expected F1 becomes its confidence, and say what it brings on unseen episodes.

    Known are spans of gold, of a reader who is believed (fabula read), and of people (fabula review).

    Example: fabula fit transcripts --to fitted.toml --store ./fabula-store
    """
    from tasks.transcripts.evaluation import fit_stored

    _tell(fit_stored(_open(store, dataset), gold, dataset), "transcripts", dataset, to, as_json)


@fit.command("scripts")
def fit_scripts(
    gold: Annotated[str | None, typer.Option(help="Folder with files of gold links, *.jsonl.", metavar="DIR")] = None,
    to: ToOption = None,
    store: StoreOption = DEFAULT_STORE,
    dataset: DatasetOption = "scripts",
    as_json: JsonOption = False,
) -> None:
    """Fit the curves of a sentence's two probabilities: that its scenes tell it, and that they are all that do.

    Known are sentences of gold, of a reader who is believed (fabula read), and of people (fabula review).

    Example: fabula fit scripts --to fitted.toml --store ./fabula-store
    """
    from tasks.scripts.evaluation import fit_stored

    _tell(fit_stored(_open(store, dataset), gold, dataset), "scripts", dataset, to, as_json)


@fit.command("rooms")
def fit_rooms(
    to: ToOption = None, store: StoreOption = DEFAULT_STORE, dataset: DatasetOption = "rooms", as_json: JsonOption = False
) -> None:
    """Fit the curve of the probability that a sentence describes a place.

    Known are sentences of a reader who is believed (fabula read), and of people (fabula review).

    Example: fabula fit rooms --to fitted.toml --store ./fabula-store
    """
    from tasks.rooms.evaluation import fit_stored

    _tell(fit_stored(_open(store, dataset), dataset), "rooms", dataset, to, as_json)


def _open(url: str, dataset: str) -> "Store":
    """Return the store of a dataset; ConfigError where it has none of that name, or may not be handed out."""
    from infra.store.releases import name_latest, tell_absent

    store = open_release(url, dataset)
    if name_latest(store, dataset) is None:
        raise tell_absent(store, dataset)
    return store


def _tell(fitted: "FittedSettings", pipeline: str, dataset: str, to: Path | None, as_json: bool) -> None:
    """Write the curves to the file `to`, and print what is known and what each curve brings on units that it has not seen."""
    from infra.named_files import write_named_text

    told = ", ".join(f"{count:,} by {source}" for source, count in fitted.given.items() if count)
    curves = {name: [round(value, 3) for value in each.curve] for name, each in fitted.curves.items()}
    if to is not None:
        tables: dict[str, list[str]] = {}
        for name, curve in curves.items():
            table, _, setting = name.rpartition(".")
            tables.setdefault(table, []).append(f"{setting} = {curve}\n")
        settings = "".join(f"[{table}]\n{''.join(lines)}" for table, lines in tables.items())
        write_named_text(to, "--to", f"# fabula fit {pipeline}, on what is known of {dataset}: {told}\n{settings}")
    if as_json:
        print(json.dumps(asdict(fitted)))
        return
    print(f"known      {told}")
    for name, each in fitted.curves.items():
        print(f"curve      {name} = {curves[name]}, by {each.rows:,} rows of {each.units:,} units")
        print("           on units that took no part in the fit:")
        for measure, key in (("error", "calibration_error"), ("Brier", "brier")):
            before, after = getattr(each.before, key), getattr(each.after, key)
            print(f"{measure:<10} {before:.3f} by today's curve, {after:.3f} by the fitted one")
    if to is not None:
        named = "" if dataset == pipeline else f" --dataset {dataset}"
        print(f"written to {to}; use it with fabula run {pipeline}{named} --config {to}")
