"""What people say of the rows of a release, for every pipeline: as figures, and for card and report of the next release."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from core.dataset.report import Quality, name_figures
from core.dataset.units import find_shard
from core.errors import ConfigError
from core.review.agreement import Rating, measure_questions, rate_rows, score_answer
from core.review.decisions import REVIEWED, is_hasty, settle
from core.review.judgements import MEASURED, Judgement, is_model, keep_latest
from core.review.question_study import tabulate_study
from infra.store.catalog import find_pipeline_of, read_catalog
from infra.store.objects import Store
from infra.store.reviews import read_reviews, write_evaluation
from infra.tables.parquet import read_rows
from tasks.frame.model import INGESTION
from tasks.frame.release_spec import RELEASE, Released, ReviewSource
from tasks.frame.review import REVIEWED as GOLD
from tasks.frame.review import find_compared, keep_valid, tell_judged, tell_today
from tasks.pipelines import find_pipeline
from tasks.review.session import open_source

NAMES = {
    "accepted": "share of the rows read that readers accept",
    "interactions": "good replies, from 1 (none) to 5 (all)",
    "sense": "sense of the dialogue, from 1 to 5",
}
"""What people say, as a card calls it."""
_QUESTIONS = {"accepted": ("pair", "room"), "interactions": ("interactions",), "sense": ("sense",)}
_NOT_COMPARED = ("provenance", "split")
"""Settings by which no row is found or left out."""


def rate_release(store: Store, dataset: str) -> dict[str, Any]:
    """Return what people say of the rows of the latest release, as JSON values.

    `accepted`, `interactions` and `sense` have `rows`, `units` and the `mean` with its interval (None: nobody has said);
    `judged_units` are the units of the rows, and `readers` tells how far people agree. A row that annotators have rejected counts
    also where the release has left it out for that reason. Answers that were too fast, or about other texts than the rows have
    now, do not count.
    """
    released, source = open_source(store, dataset)
    people = [entry for entry in read_reviews(store, dataset).judgements if not is_model(entry.annotator)]
    valid = keep_valid(source, people)
    owners = {entry.item: entry.unit or entry.item for entry in people}
    accepted = _list_verdicts(released, source, people, valid)
    found: dict[str, Rating | None] = {"accepted": rate_rows([*accepted.values()], [owners[item] for item in accepted])}
    judged = set(accepted)
    for question in ("interactions", "sense"):
        levels = _list_levels(valid, question)
        found[question] = rate_rows([*levels.values()], [owners[item] for item in levels])
        judged |= levels.keys()
    if not judged:
        raise ConfigError(f"store {store.url}: nobody has judged a row of {dataset}; do so with fabula review {dataset}")
    return {
        **{name: None if rating is None else asdict(rating) for name, rating in found.items()},
        "judged_units": sorted({owners[item] for item in judged}),
        "readers": [asdict(entry) for entry in measure_questions(people)],
    }


def _list_verdicts(released: Released, source: ReviewSource, people: list[Judgement], valid: list[Judgement]) -> dict[str, float]:
    """Return 1 for each row that annotators accept and 0 for one that they reject; rows in dispute are left out.

    Of a row that the release has left out the text is gone, so only answers about the text that annotators rejected last count.
    """
    out = {
        str(row.get("id") or row.get("film"))
        for key in released.list_keys("rejects")
        for row in read_rows(released.store, key, ("reason",), ("id", "film"))
        if row["reason"] == REVIEWED
    }
    out -= {row.item for row in source.rows}
    counted = [entry for entry in valid if entry.question in _QUESTIONS["accepted"]]
    left = [entry for entry in people if entry.question in _QUESTIONS["accepted"] and entry.item in out]
    rejected = {(each.item, each.digest) for each in settle(left).decisions if each.verdict == "reject"}
    last = {entry.item: entry.digest for entry in left if (entry.item, entry.digest) in rejected}  # in the order of their times
    counted += [entry for entry in left if last.get(entry.item) == entry.digest]
    settled = settle(counted)
    return {each.item: float(each.verdict == "accept") for each in settled.decisions if each.verdict != "correct"}


def _list_levels(valid: list[Judgement], question: str) -> dict[str, float]:
    """Return the mean level of each row, over the last answer of each of its annotators."""
    counted = [entry for entry in valid if entry.question == question and not is_hasty(entry)]
    levels: defaultdict[str, list[float]] = defaultdict(list)
    for entry in keep_latest(counted, ("item", "annotator")):
        levels[entry.item].append(score_answer(entry.answer))
    return {item: sum(values) / len(values) for item, values in levels.items()}


def record_ratings(store: Store, dataset: str, figures: Mapping[str, Any], judged: str = "") -> Quality:
    """Keep what people say of the rows (`rate_release`) for the card of the next release; return what is kept.

    It holds as long as the settings, the versions of the stages and the artifacts of the judged units are the same.
    """
    released, _ = open_source(store, dataset)
    pipeline = find_pipeline(find_pipeline_of(store, dataset) or "")
    stage = pipeline.load(RELEASE).released_stages[0]
    catalog = read_catalog(store, dataset)
    units = {unit if unit in catalog else find_shard(unit, catalog) or unit for unit in figures["judged_units"]}
    rated = {name: figures[name] for name in NAMES if figures[name] is not None}
    questions = {question for name in rated for question in _QUESTIONS[name]}
    settings: Mapping[str, object] = released.manifest.says["configuration"]
    quality = Quality(
        gold=GOLD,
        figures=name_figures({name: rating["mean"] for name, rating in rated.items()}, NAMES),
        judged=judged or tell_judged(store, dataset, questions),
        measured=tell_today(),
        counted="; ".join(f"{NAMES[name]}: {rating['rows']} rows of {rating['units']} units" for name, rating in rated.items()),
        stage=stage,
        artifacts=find_compared(store, dataset, units, stage),
        settings={name: value for name, value in settings.items() if name not in _NOT_COMPARED},
        versions=dict(pipeline.load(INGESTION).stage_versions),
    )
    write_evaluation(store, dataset, "reviews", quality)
    return quality


def describe_reviews(store: Store, dataset: str) -> dict[str, Any]:
    """Return the figures of all judgements of a dataset, as JSON values.

    `readers` counts answers by annotator and question, `decisions` the rows by verdict and by who decided, `disputed` names the
    rows on which annotators do not agree, `agreement` of people has a row a question, `models` tells how far each is believed,
    `study` is CRD3's table 4 (empty without one), and `refused` are the lines that are no judgements.
    """
    reviews = read_reviews(store, dataset)
    people = [entry for entry in reviews.judgements if not is_model(entry.annotator)]
    settled = settle(reviews.judgements)
    annotators = Counter((entry.annotator, entry.question) for entry in reviews.judgements)
    decisions = Counter((decision.verdict, decision.decided_by) for decision in settled.decisions)
    study = tabulate_study(reviews.judgements)
    return {
        "dataset": dataset,
        "readers": [{"reader": who, "question": what, "answers": count} for (who, what), count in sorted(annotators.items())],
        "decisions": [{"verdict": what, "decided_by": by, "rows": count} for (what, by), count in sorted(decisions.items())],
        "disputed": [dispute.item for dispute in settled.disputes],
        "too_fast": settled.hasty,
        "agreement": [asdict(entry) for entry in measure_questions(people)],
        "models": {entry.annotator: entry.note for entry in reviews.judgements if entry.question == MEASURED},
        "study": [
            asdict(row) | {"precision": row.precision}
            for row in study
            if sum((row.correct, row.wrong, row.declined, row.ungraded))
        ],
        "refused": list(reviews.refused),
    }
