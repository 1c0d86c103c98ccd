"""Evaluating `scripts` on gold: what is in the store against what people have read, kept for the next card."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.bounds import UNCHANGED
from core.dataset.report import Quality, ReviewCurve, name_figures
from core.errors import ConfigError
from core.fingerprints import canonicalise
from core.metrics.fitting import FittedSettings, KnownRow, fit_confidence
from core.review.agreement import measure_questions
from core.review.curves import Look, simulate_review
from core.review.decisions import PEOPLE
from core.review.judgements import is_model
from core.scripts.aligning import StoryLinks, link_story
from core.scripts.config import ScriptsConfig
from core.scripts.evaluation import (
    LOOKED_AT,
    GradedStory,
    describe_agreement,
    find_answers,
    find_sentences,
    grade_reviewed,
    list_known,
    list_looks,
)
from core.scripts.json_files import read_gold
from core.scripts.rows import decide_rows
from core.scripts.story import GoldLink, Story
from core.text.decoding import decode_text
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.settings import load_config, validate_config
from infra.sources.opening import list_sources, read_file
from infra.store.objects import Store
from infra.store.releases import read_manifest
from infra.store.reviews import read_reviews, write_evaluation
from tasks.frame.publish import collect_reviews
from tasks.frame.review import REVIEWED, find_compared, tell_judged, tell_today
from tasks.scripts.ingestion import TEXT_LIMIT
from tasks.scripts.statistics import RATES, grade_stories, list_gold_looks, list_references, read_linked


@dataclass(frozen=True, slots=True)
class ScriptEvaluation:
    """What was found: figures for a program, and notes for a person.

    `figures` has the `units` that were compared, the agreement of the `store` and of the profile `sumtitles` (None: it was not
    computed), and the `review_curve` of a review simulated with this gold (None: there is too little).
    """

    figures: dict[str, Any]
    notes: tuple[str, ...]


def evaluate_reviewed(store: Store, dataset: str = "scripts") -> ScriptEvaluation:
    """Compare the aligner's links with what people decided (`fabula review`), and the annotators with each other.

    Models that are believed decide rows of a release, but they are no gold.
    """
    references = list_references(store, dataset)
    config = read_release_config(store, dataset)
    graded, looks, untold = [], [], 0
    for unit, decisions in collect_reviews(store, dataset, references).items():
        story, links = read_linked(store, references[unit])
        answers = find_answers(story, [each for each in decisions if each.decided_by == PEOPLE])
        if answers:
            graded.append(grade_reviewed(story, links, answers))
            looks += list_looks(story, links, decide_rows(story, links, config), answers, range(len(story.scenes)))
            untold += sum(not scenes for scenes in answers.values())
    if not any(story.links for story in graded):
        raise ConfigError(
            f"store {store.url}: annotators have linked no sentence of {dataset}; do so: fabula review {dataset} --annotator NAME"
        )
    reviews = read_reviews(store, dataset)
    readers = measure_questions(entry for entry in reviews.judgements if not is_model(entry.annotator))
    figures = _describe([story.unit for story in graded], graded, looks) | {"readers": [asdict(entry) for entry in readers]}
    note = "annotators see rows of high priority first, so these sentences are harder than the others; for the quality of "
    note += "the release, review in random order (fabula review --order random)"
    told = f"sentences that no scene tells of, by the annotators: {untold}; they are left out, as in gold files"
    return ScriptEvaluation(figures, (note, *([told] if untold else []), *reviews.refused))


def evaluate_scripts(store: Store, gold_url: str, left_out: Collection[str], dataset: str = "scripts") -> ScriptEvaluation:
    """Compare the links of the landed stories with gold, but for the stories `left_out`.

    Gold is every `*.jsonl` under `gold_url`, and what series carry themselves. The profile `sumtitles` is computed on the spot
    from the stored stories and vectors; its figures are None where its model is not at hand.
    """
    references = list_references(store, dataset)
    gold = read_gold_files(gold_url)
    kept = {unit: reference for unit, reference in references.items() if unit not in left_out}
    graded = grade_stories(store, kept, gold)
    if not graded:
        raise ConfigError(f"store {store.url}: no story with gold has landed; run `fabula run scripts` on a source that has some")
    judged = {link.unit for link in gold} | {story.unit for story in graded}
    looks = list_gold_looks(store, kept, gold, read_release_config(store, dataset))
    figures = _describe(sorted({story.unit for story in graded}), graded, looks)
    figures |= {"left_out": sorted(set(left_out) & set(references)), "missing": sorted(judged - set(references))}
    notes = [f"gold {unit}: the store lacks the story" for unit in figures["missing"]]
    try:
        figures["sumtitles"] = describe_agreement(grade_stories(store, kept, gold, _sumtitles(store)))
    except ConfigError as error:
        notes.append(f"profile sumtitles was not computed beside it: {error}")
    return ScriptEvaluation(figures, tuple(notes))


def _describe(units: list[str], graded: Sequence[GradedStory], looks: Sequence[Look]) -> dict[str, Any]:
    agreement, curve = describe_agreement(graded), simulate_review(looks, *LOOKED_AT)
    found = {"units": units, "left_out": [], "missing": [], "store": agreement, "sumtitles": None}
    return found | {"review_curve": None if curve is None else asdict(curve)}


def fit_stored(store: Store, gold_url: str | None, dataset: str = "scripts") -> FittedSettings:
    """Fit the curves of both probabilities of a sentence on all sentences of a dataset of which the scenes are known.

    Of a sentence the first of these counts: gold; what people have decided (`fabula review`); a reader who is believed.

    Raises:
        ConfigError: too little is known (`fit_confidence`).
    """
    references, config = list_references(store, dataset), read_release_config(store, dataset)
    gold, reviews = read_gold_files(gold_url) if gold_url else [], collect_reviews(store, dataset, references)
    today = config.filter
    plain = replace(config, filter=replace(today, told_curve=UNCHANGED, whole_curve=UNCHANGED))
    told: list[KnownRow] = []
    whole: list[KnownRow] = []
    given = {"gold": 0, "reader": 0, "people": 0}
    for unit, reference in references.items():
        story, links = read_linked(store, reference)
        named = find_sentences(story, [link for link in gold if link.unit == unit])
        places = {
            sentence: tuple(place for place, scene in enumerate(story.scenes) if scene.strict_index in scenes)
            for sentence, scenes in named.items()
        }
        people = find_answers(story, [each for each in reviews.get(unit, ()) if each.decided_by == PEOPLE])
        answers = {**people, **places}
        known = list_known(story, links, plain, answers)
        told += known[0]
        whole += known[1]
        given["gold"] += len(places)
        given["people"] += len(answers) - len(places)
        given["reader"] += len(known[0]) - len(answers)
    curves = {"told_curve": fit_confidence(told, today.told_curve), "whole_curve": fit_confidence(whole, today.whole_curve)}
    return FittedSettings({f"filter.{name}": fitted for name, fitted in curves.items()}, given)


def _sumtitles(store: Store) -> Callable[[Story], StoryLinks]:
    config = load_config(ScriptsConfig, "scripts", "sumtitles")
    embedder = SentenceEmbedder(config.alignment.embedding_model)
    embedder.check()
    return lambda story: link_story(story, StoredEmbedder(store, "scripts", story.unit, embedder), config)


def read_gold_files(url: str) -> list[GoldLink]:
    """Return the links of every `*.jsonl` under a folder or URL."""
    files = (file for file in list_sources([url]) if file.path.endswith(".jsonl"))
    return [link for file in files for link in read_gold(file.path, decode_text(file.path, read_file(file, TEXT_LIMIT.bytes)))]


def read_release_config(store: Store, dataset: str) -> ScriptsConfig:
    """Return the settings of a dataset's latest release, the default ones where it has none."""
    if (manifest := read_manifest(store, dataset)) is None:
        return ScriptsConfig()
    return validate_config(ScriptsConfig, manifest.says["configuration"], f"release of {dataset}")


def record_quality(store: Store, dataset: str, figures: dict[str, Any], reviews: bool, judged: str = "") -> Quality:
    """Keep the figures of an evaluation (`ScriptEvaluation.figures`) for the card of the next release; return what is kept.

    They hold as long as the links of the stories that were compared are the same, and the filter, on which the curve depends.
    """
    rates, curve = figures["store"]["all"]["rates"], figures["review_curve"]
    if rates is None:
        raise ConfigError(f"no link of {dataset} was compared, so there is nothing to record")
    artifacts = find_compared(store, dataset, figures["units"], "links")
    quality = Quality(
        gold=REVIEWED if reviews else "links that people read",
        figures=name_figures(rates, RATES),
        judged=judged or (tell_judged(store, dataset, ("links",)) if reviews else ""),
        measured=tell_today(),
        counted=f"{rates['links']} links of {', '.join(artifacts)}",
        stage="links",
        artifacts=artifacts,
        settings={"filter": canonicalise(read_release_config(store, dataset).filter)},
        curve=None if curve is None else ReviewCurve(**curve),
    )
    write_evaluation(store, dataset, "reviews" if reviews else "gold", quality)
    return quality
