"""Evaluating and tuning `scripts` on gold: what is in the store against what people have read."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.errors import ConfigError
from core.metrics.alignment_quality import rate_links
from core.references import UnitReference
from core.review.agreement import measure_questions
from core.review.curves import simulate_review
from core.review.decisions import PEOPLE
from core.review.model_readers import is_model
from core.scripts.config import ScriptsConfig
from core.scripts.evaluation import describe_agreement, find_answers, find_sentences, grade_reviewed
from core.scripts.gold import GoldLink, read_gold
from core.scripts.links import StoryLinks, link_story
from core.scripts.looks import LOOKED_AT, list_looks
from core.scripts.rows import decide_rows
from core.scripts.similarities import measure_similarities, named_weights
from core.scripts.story import Story
from core.scripts.tuning import GoldMovie, tune
from core.text.decoding import decode_text
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.settings import load_config
from infra.sources.opening import list_sources, read_file
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.store.reviews import read_reviews
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.release import read_artifact
from tasks.frame.reviews import collect_reviews
from tasks.scripts.plan import TEXT_LIMIT
from tasks.scripts.quality import read_release_config
from tasks.scripts.statistics import grade_stories, list_gold_looks


@dataclass(frozen=True, slots=True)
class ScriptEvaluation:
    """What was found: figures for a program, and what to tell a person beside them.

    `figures` has the `units` that were compared, the agreement of the `store` and of the profile `sumtitles` (None: it was not
    computed), and the `review_curve` of a review simulated with this gold (None: there is too little).
    """

    figures: dict[str, Any]
    notes: tuple[str, ...]


def evaluate_reviewed(store_url: str, dataset: str = "scripts") -> ScriptEvaluation:
    """Compare the aligner's links with what people decided (`fabula review`), and the readers with each other.

    Models that are believed decide rows of a release, but they are no gold.

    Raises:
        ConfigError: nothing that was decided is of a story in the store.
    """
    store = Store(store_url)
    references = _list_references(store, dataset)
    config = read_release_config(store, dataset)
    graded, looks, untold = [], [], 0
    for unit, decisions in collect_reviews(store, dataset, references).items():
        story = STORY.decode(read_artifact(store, unit, references[unit].artifacts["story"]))
        links = STORY_LINKS.decode(read_artifact(store, unit, references[unit].artifacts["links"]))
        answers = find_answers(story, [each for each in decisions if each.decided_by == PEOPLE])
        if answers:
            graded.append(grade_reviewed(story, links, answers))
            looks += list_looks(story, links, decide_rows(story, links, config), answers, range(len(story.scenes)))
            untold += sum(not scenes for scenes in answers.values())
    if not any(story.links for story in graded):
        raise ConfigError(
            f"store {store.url}: readers have linked no sentence of {dataset}; do so with fabula review {dataset} --reader NAME"
        )
    reviews = read_reviews(store, dataset)
    curve = simulate_review(looks, *LOOKED_AT)
    figures: dict[str, Any] = {
        "units": [story.unit for story in graded],
        "left_out": [],
        "missing": [],
        "store": describe_agreement(graded),
        "sumtitles": None,
        "review_curve": None if curve is None else asdict(curve),
        "readers": [entry.as_json() for entry in measure_questions(e for e in reviews.judgements if not is_model(e.reader))],
    }
    note = "readers look first at what a look is worth most, so these sentences are harder than the others; for the quality of "
    note += "the release, review in random order (fabula review --order random)"
    told = f"sentences that no scene tells of, by the readers: {untold}; they are left out, as in gold files"
    return ScriptEvaluation(figures, (note, *([told] if untold else []), *reviews.refused))


def evaluate_scripts(store_url: str, gold_url: str, left_out: Collection[str], dataset: str = "scripts") -> ScriptEvaluation:
    """Compare the links of the landed stories with gold, but for the stories `left_out`.

    Gold is every `*.jsonl` under `gold_url`, and what series carry themselves. The profile `sumtitles` is computed on the spot
    from the stored stories and vectors; its figures are None where its model is not at hand.

    Raises:
        ConfigError: no gold folder, or no story with gold has landed.
        SourceError: a gold file is malformed.
    """
    store = Store(store_url)
    references = _list_references(store, dataset)
    gold = _read_gold(gold_url)
    kept = {unit: reference for unit, reference in references.items() if unit not in left_out}
    graded = grade_stories(store, kept, gold)
    if not graded:
        raise ConfigError(f"store {store.url}: no story with gold has landed; run `fabula run scripts` on a source that has some")
    judged = {link.unit for link in gold} | {story.unit for story in graded}
    curve = simulate_review(list_gold_looks(store, kept, gold, read_release_config(store, dataset)), *LOOKED_AT)
    figures: dict[str, Any] = {
        "units": sorted({story.unit for story in graded}),
        "left_out": sorted(set(left_out) & set(references)),
        "missing": sorted(judged - set(references)),
        "store": describe_agreement(graded),
        "sumtitles": None,
        "review_curve": None if curve is None else asdict(curve),
    }
    notes = [f"gold {unit}: the store lacks the story" for unit in figures["missing"]]
    try:
        figures["sumtitles"] = describe_agreement(grade_stories(store, kept, gold, _sumtitles(store)))
    except ConfigError as error:
        notes.append(f"profile sumtitles was not computed beside it: {error}")
    return ScriptEvaluation(figures, tuple(notes))


def _sumtitles(store: Store) -> Callable[[Story], StoryLinks]:
    config = load_config(ScriptsConfig, "scripts", "sumtitles")
    embedder = SentenceEmbedder(config.alignment.embedding_model)
    embedder.check()
    return lambda story: link_story(story, StoredEmbedder(store, "scripts", story.unit, embedder), config)


def tune_scripts(
    store_url: str, gold_url: str, tuned_on: Collection[str], config: ScriptsConfig, dataset: str = "scripts"
) -> dict[str, Any]:
    """Search the weights on the gold of the stories `tuned_on`; return them, and the rates over all others, never over these.

    Similarities are measured anew from the stored stories and vectors; nothing is embedded twice.

    Raises:
        ConfigError: no gold folder, a story to tune on has not landed or has no gold, or the embedding model is missing.
        SourceError: a gold file is malformed.
    """
    store = Store(store_url)
    by_unit: dict[str, list[GoldLink]] = {}
    for link in _read_gold(gold_url):
        by_unit.setdefault(link.unit, []).append(link)
    embedder = SentenceEmbedder(config.alignment.embedding_model)
    movies = []
    for unit, reference in sorted(_list_references(store, dataset).items()):
        story = STORY.decode(store.read(reference.artifacts["story"].key))
        if answers := by_unit.get(unit, list(story.gold)):
            movies.append(_measure(story, answers, StoredEmbedder(store, "scripts", unit, embedder), config))
    found = tune(movies, tuned_on, config.alignment, list(named_weights(config.alignment.weights)))
    links = [link for judged in found.links.values() for link in judged]
    rates = rate_links(links)
    return {
        "tuned_on": sorted(tuned_on),
        "weights": named_weights(found.weights),
        "objective": found.objective,
        "others": None if rates is None else asdict(rates),
        "by_story": {unit: asdict(rates) for unit, judged in found.links.items() if (rates := rate_links(judged)) is not None},
    }


def _measure(story: Story, gold: Iterable[GoldLink], embed: StoredEmbedder, config: ScriptsConfig) -> GoldMovie:
    names = named_weights(config.alignment.weights)
    similarities = measure_similarities(story.scenes, story.sentences, story.cast or (), embed, names, config)
    answers = find_sentences(story, gold)
    strict = np.array([scene.strict_index for scene in story.scenes], np.int64)
    return GoldMovie(story.unit, story.kind, similarities, strict, max(story.scene_count, 1), answers)


def _list_references(store: Store, dataset: str) -> dict[str, UnitReference]:
    return {unit: entry.reference for unit, entry in read_catalog(store, dataset).items() if entry.reference is not None}


def _read_gold(url: str) -> list[GoldLink]:
    links: list[GoldLink] = []
    for file in list_sources([url]):
        if file.path.endswith(".jsonl"):
            links += read_gold(file.path, decode_text(file.path, read_file(file, TEXT_LIMIT.bytes)))
    return links
