"""The subcommands that compare results with gold and with what annotators decided."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import ConfigError
from flows.cli.options import DEFAULT_STORE, ConfigOption, JsonOption, StoreOption, WordNetOption, open_store, refuse_beside
from flows.cli.tables import print_figures, print_result, tell_refused

if TYPE_CHECKING:
    from infra.store.objects import Store

ReviewsOption = Annotated[bool, typer.Option("--reviews", help="Compare with what annotators decided (fabula review).")]
RecordOption = Annotated[bool, typer.Option("--record", help="Keep the figures for card and report of the next release.")]
JudgedOption = Annotated[
    str, typer.Option(help="When people judged, for the card; not needed for reviews: answers have dates.", metavar="DATE")
]

evaluate = typer.Typer(
    no_args_is_help=True,
    help="Compare results with gold annotations.\n\nExample: fabula evaluate scripts --gold examples/scripts/gold",
)


@evaluate.command("scripts")
def evaluate_scripts(
    gold: Annotated[str | None, typer.Option(help="Folder with *.jsonl gold links.", metavar="DIR")] = None,
    reviews: ReviewsOption = False,
    store: StoreOption = DEFAULT_STORE,
    dataset: Annotated[str, typer.Option(help="Dataset whose landed units are compared.", metavar="NAME")] = "scripts",
    leave_out: Annotated[
        list[str] | None,
        typer.Option(
            help="Story to exclude from the averages; may be repeated. Default: the stories that the weights were tuned on."
        ),
    ] = None,
    record: RecordOption = False,
    judged: JudgedOption = "",
    as_json: JsonOption = False,
) -> None:
    """Compare the links of the stories in a store with gold links, and show the profile `sumtitles` for comparison.

    With --reviews, compare them with what annotators decided in `fabula review`, and the annotators with each other.

    Example: fabula evaluate scripts --gold examples/scripts/gold --store ./fabula-store
    """
    from core.scripts.config import TUNED_ON
    from flows.cli.evaluation_tables import print_agreement
    from tasks.scripts import evaluation

    _check_gold(gold, reviews, "links")
    opened = open_store(store)
    if gold is None:
        refuse_beside("--reviews", {"--leave-out": leave_out})
        found = evaluation.evaluate_reviewed(opened, dataset)
    else:
        found = evaluation.evaluate_scripts(opened, gold, TUNED_ON if leave_out is None else leave_out, dataset)
    if record:
        evaluation.record_quality(opened, dataset, found.figures, reviews, judged)
    _show_evaluation(opened, dataset, found.figures, found.notes, as_json, print_agreement)


@evaluate.command("transcripts")
def evaluate_transcripts(
    gold: Annotated[str | None, typer.Option(help="Folder with EPISODE.json gold spans.", metavar="DIR")] = None,
    reviews: ReviewsOption = False,
    store: StoreOption = DEFAULT_STORE,
    dataset: Annotated[str, typer.Option(help="Dataset whose landed units are compared.", metavar="NAME")] = "transcripts",
    config: ConfigOption = None,
    profile: Annotated[
        str, typer.Option(help="Profile whose filter decides which chunks are kept; use that of the run.", metavar="NAME")
    ] = "default",
    wordnet: WordNetOption = None,
    diagram: Annotated[
        Path | None,
        typer.Option(help="Write a reliability diagram (stated against observed confidence) to this file.", metavar="FILE.svg"),
    ] = None,
    record: RecordOption = False,
    judged: JudgedOption = "",
    as_json: JsonOption = False,
) -> None:
    """Compare the alignments of a store with spans annotated by hand, and show the profile `crd3` for comparison.

    With --reviews, compare them with what annotators decided in `fabula review`, and the annotators with each other.

    Example: fabula evaluate transcripts --gold my-show/gold --store ./fabula-store --diagram confidence.svg
    """
    from core.metrics.reliability import draw_reliability
    from core.transcripts.config import TranscriptsConfig
    from flows.cli.evaluation_tables import print_quality
    from infra.named_files import write_named_text
    from infra.settings import load_config
    from tasks.transcripts import evaluation

    settings = load_config(TranscriptsConfig, "transcripts", profile, config)
    _check_gold(gold, reviews, "spans")
    opened = open_store(store)
    if gold is None:
        found = evaluation.evaluate_reviewed(opened, settings.filter, dataset)
    else:
        found = evaluation.evaluate_transcripts(opened, gold, settings.filter, wordnet, dataset)
    if diagram is not None:
        if found.reliability is None:
            raise ConfigError("--diagram: the aligner of this store gives no confidence, so there is no diagram to draw")
        write_named_text(diagram, "--diagram", draw_reliability(found.reliability, "Confidence of the aligned chunks"))
    if record:
        evaluation.record_quality(opened, dataset, found.figures, settings.filter, reviews, judged)
    filtered = f"kept chunks are those of the filter of profile {profile}" + (f" and {config}" if config else "")
    _show_evaluation(opened, dataset, found.figures, (*found.notes, filtered), as_json, print_quality)


@evaluate.command("rooms")
def evaluate_rooms(
    gold: Annotated[
        str | None, typer.Option(help="Folder with *.jsonl: text, label (0 or 1), kind and episode.", metavar="DIR")
    ] = None,
    reviews: ReviewsOption = False,
    store: StoreOption = DEFAULT_STORE,
    dataset: Annotated[str, typer.Option(help="Dataset whose rows people judged, or whose card gets the figures.")] = "rooms",
    config: ConfigOption = None,
    record: RecordOption = False,
    judged: JudgedOption = "",
    as_json: JsonOption = False,
) -> None:
    """Rate the score and a ranker that is trained on other episodes on labelled sentences.

    With --reviews, tell which share of a release's sentences annotators found to be rooms (`fabula review rooms --order random`).

    Example: fabula evaluate rooms --gold examples/rooms/gold --json
    """
    from core.rooms.config import RoomsConfig
    from infra.settings import load_config
    from tasks.rooms import evaluation

    _check_gold(gold, reviews, "labels")
    if gold is None:
        refuse_beside("--reviews", {"--config": config})
        return _show_ratings(open_store(store), dataset, record, judged, as_json)
    opened, settings = open_store(store), load_config(RoomsConfig, "rooms", file=config)
    other = evaluation.find_other_settings(opened, dataset, settings) if record else ()
    figures = evaluation.evaluate_rooms(gold, settings)
    if record:
        evaluation.record_quality(opened, dataset, figures, settings, judged)
    if other:
        typer.echo(
            f"recorded, but the latest release of {dataset} was made with other settings ({', '.join(other)}): the figures stand "
            "on the card of a release with these alone; name the settings of its run with --config",
            err=True,
        )
    tell_refused(figures["refused"])
    print_result(figures, as_json)
    return None


@evaluate.command("room-writer")
def evaluate_room_writer(
    sheet: Annotated[str, typer.Option(help="Name that fabula write rooms --sheet was given.", metavar="NAME")],
    judgements: Annotated[
        str | None,
        typer.Option(
            help="Folder with *.jsonl judgements of the sheet's texts. Default: what fabula review --sheet has stored.",
            metavar="DIR",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how annotators judged a blind sheet: the mean level of the writer and of the tables, 1 (nonsensical) to 5 (perfect).

    Example: fabula evaluate room-writer --sheet blind
    """
    from tasks.review.session import name_judged
    from tasks.rooms.writer import rate_sheet

    figures = rate_sheet(sheet, judgements or name_judged(sheet))
    tell_refused(figures["refused"])
    print_result(figures if as_json else {name: value for name, value in figures.items() if name != "refused"}, as_json)


@evaluate.command("subtitles")
def evaluate_subtitles(
    store: StoreOption = DEFAULT_STORE,
    dataset: Annotated[str, typer.Option(help="Dataset whose rows people judged.", metavar="NAME")] = "subtitles",
    record: RecordOption = False,
    judged: JudgedOption = "",
    as_json: JsonOption = False,
) -> None:
    """Tell which share of a release's films annotators accepted in `fabula review`, and how far they agree.

    Example: fabula evaluate subtitles --store ./fabula-store --record
    """
    _show_ratings(open_store(store), dataset, record, judged, as_json)


def _show_ratings(store: "Store", dataset: str, record: bool, judged: str, as_json: bool) -> None:
    """Print what people say of the rows of a release, and keep it where that is wanted."""
    from tasks.review.quality import rate_release, record_ratings

    figures = rate_release(store, dataset)
    if record:
        record_ratings(store, dataset, figures, judged)
    note = "the figures tell of the whole release only where its rows were seen in random order (fabula review --order random)"

    def show(figures: Mapping[str, Any]) -> None:
        print_figures({name: value for name, value in figures.items() if name not in ("readers", "judged_units")})

    _show_evaluation(store, dataset, figures, (note,), as_json, show)


@evaluate.command("threads")
def evaluate_threads(
    store: StoreOption = DEFAULT_STORE,
    dataset: Annotated[
        list[str] | None,
        typer.Option(help="Dataset to evaluate, one a profile; may be repeated. Default: threads.", metavar="NAME"),
    ] = None,
    config: ConfigOption = None,
    profile: Annotated[str, typer.Option(help="Profile whose scorer is used.", metavar="NAME")] = "default",
    limit: Annotated[int, typer.Option(min=10, help="At most so many dialogues of a dataset.")] = 1000,
    record: RecordOption = False,
    judged: JudgedOption = "",
    as_json: JsonOption = False,
) -> None:
    """Measure how far the scorer tells dialogues from shuffled ones, and what annotators judged.

    With --record, what annotators judged of the rows as they are now stands on the card of the next release.

    Example: fabula evaluate threads --store ./fabula-store
    """
    from core.threads.config import ThreadsConfig
    from infra.settings import load_config
    from tasks.review.quality import rate_release, record_ratings
    from tasks.threads import evaluation

    settings = load_config(ThreadsConfig, "threads", profile, config)
    opened, datasets = open_store(store), dataset or ["threads"]
    ratings = {name: rate_release(opened, name) for name in datasets} if record else {}  # it fails before the long part
    figures = evaluation.evaluate_threads(opened, datasets, settings, limit)
    print_result(figures, as_json)
    for name, rating in ratings.items():
        record_ratings(opened, name, rating, judged)


def _check_gold(gold: str | None, reviews: bool, what: str) -> None:
    """ConfigError unless a call names just one kind of gold."""
    if (gold is None) == (not reviews):
        raise ConfigError(f"expected either --gold DIR, {what} that were read by hand, or --reviews, those of fabula review")


def _show_evaluation(
    store: "Store",
    dataset: str,
    figures: Mapping[str, Any],
    notes: Sequence[str],
    as_json: bool,
    show: Callable[[Mapping[str, Any]], None],
) -> None:
    """Print figures, and on standard error what they are of: the version of the release, the profile of the last run."""
    from flows.cli.evaluation_tables import print_annotators
    from infra.store.releases import read_manifest
    from tasks.store.inspect import read_last_run

    manifest, record = read_manifest(store, dataset), read_last_run(store, dataset)
    version, profile = manifest.version if manifest else None, record["profile"] if record else None
    made = f"made with profile {profile or 'unknown: no record of its last run'}"
    for note in (f"compared: dataset {dataset}, version {version or 'not released'}, {made}", *notes):
        typer.echo(note, err=True)
    if as_json:
        print(json.dumps({"dataset": dataset, "version": version, "profile": profile, **figures}))
    else:
        show(figures)
        print_annotators(figures.get("readers", ()))
