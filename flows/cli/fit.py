"""The subcommand `fabula fit`: a dataset's own curves of confidence, fitted on what is known of its rows."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption, open_release, refuse_beside
from tasks.frame.pipeline import Part
from tasks.pipelines import find_pipeline

if TYPE_CHECKING:  # scipy takes half a second, which `fabula --help` must not
    from core.metrics.fitting import FittedSettings

_FIT: Part[Callable[..., "FittedSettings"]] = Part("fit_stored", ("evaluation",))


def fit(
    pipeline: Annotated[Literal["transcripts", "scripts", "rooms"], typer.Argument(help="Whose curves to fit.")],
    gold: Annotated[
        str | None,
        typer.Option(help="Folder of gold: spans (transcripts: EPISODE.json) or links (scripts: *.jsonl).", metavar="DIR"),
    ] = None,
    to: Annotated[Path | None, typer.Option(help="Write the curves as a file of settings.", metavar="FILE")] = None,
    store: StoreOption = DEFAULT_STORE,
    dataset: Annotated[str | None, typer.Option(help="Dataset of landed units; default: the pipeline's.", metavar="NAME")] = None,
    as_json: JsonOption = False,
) -> None:
    """Fit a dataset's own curves of confidence on what is known of its rows, and say what they bring on unseen units.

    Known are spans, sentences of a synopsis, or sentences of rooms: by gold, by a reader who is believed (fabula read), and by
    people (fabula review).

    Example: fabula fit transcripts --to fitted.toml --store ./fabula-store
    """
    from infra.store.releases import name_latest, tell_absent

    dataset = dataset or pipeline
    if pipeline == "rooms":
        refuse_beside("rooms", {"--gold": gold})
    opened = open_release(store, dataset)
    if name_latest(opened, dataset) is None:
        raise tell_absent(opened, dataset)
    given = () if pipeline == "rooms" else (gold,)
    _tell(find_pipeline(pipeline).load(_FIT)(opened, *given, dataset), pipeline, dataset, to, as_json)


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
