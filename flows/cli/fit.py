"""The subcommand `fabula fit`: a dataset's own curve of confidence, fitted on what is known of its rows."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption, open_store

fit = typer.Typer(
    no_args_is_help=True,
    help="Fit a dataset's own settings on what is known of its rows.\n\nExample: fabula fit transcripts --to fitted.toml",
)


@fit.command("transcripts")
def fit_transcripts(
    gold: Annotated[str | None, typer.Option(help="Folder with one gold file EPISODE.json an episode.", metavar="DIR")] = None,
    to: Annotated[Path | None, typer.Option(help="Write the curve as a file of settings.", metavar="FILE")] = None,
    store: StoreOption = DEFAULT_STORE,
    dataset: Annotated[str, typer.Option(help="Dataset whose landed units are compared.", metavar="NAME")] = "transcripts",
    as_json: JsonOption = False,
) -> None:
    """Fit the curve by which a span's expected F1 becomes its confidence, and say what it brings on unseen episodes.

    Known are spans of gold, of a reader who is believed (fabula read), and of people (fabula review).

    Example: fabula fit transcripts --to fitted.toml --store ./fabula-store
    """
    from infra.named_files import write_named_text
    from tasks.transcripts.evaluation import fit_stored

    fitted, given = fit_stored(open_store(store), gold, dataset)
    slope, offset = (round(value, 3) for value in fitted.curve)
    told = ", ".join(f"{count:,} by {source}" for source, count in given.items() if count)
    if to is not None:
        text = f"# fabula fit transcripts, on {fitted.spans:,} spans of {fitted.episodes:,} episodes: {told}\n"
        write_named_text(to, "--to", f"{text}[alignment.windows]\ncurve = [{slope}, {offset}]\n")
    if as_json:
        print(json.dumps(asdict(fitted) | {"given": given}))
        return
    before, after = fitted.before, fitted.after
    print(f"known      {fitted.spans:,} spans of {fitted.episodes:,} episodes: {told}")
    print(f"curve      slope {slope}, offset {offset}")
    print("           on episodes that took no part in the fit:")
    print(f"error      {before.calibration_error:.3f} by the default curve, {after.calibration_error:.3f} by the fitted one")
    print(f"Brier      {before.brier:.3f} by the default curve, {after.brier:.3f} by the fitted one")
    if to is not None:
        print(f"written to {to}; use it with fabula run {dataset} --config {to}")
