"""Rates the score and the learned ranker on labelled sentences, and lists what to judge next."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.dataset.report import Quality, QualityFigure
from core.errors import ConfigError
from core.fingerprints import canonicalise
from core.metrics.fitting import FittedSettings, KnownRow, chain_curves, find_odds, fit_confidence
from core.reading.belief import READING as STAGE
from core.rooms.config import AnalysisConfig, RoomsConfig, ScoreWeights
from core.rooms.ranker import RoomRanker, choose_next, divide_folds, fit_ranker, make_features, name_features, rate_ranking
from core.rooms.reading import weigh_reader
from core.rooms.score import score_parts
from infra.models.sentence_embedder import SentenceEmbedder
from infra.settings import validate_config
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.store.releases import choose_release, read_manifest
from infra.store.reviews import write_evaluation
from infra.tables.codecs import decode_table
from tasks.frame.build import read_artifact
from tasks.frame.review import tell_today
from tasks.rooms.asking import READING
from tasks.rooms.build import find_text_parts
from tasks.rooms.ingestion import STAGE_VERSIONS
from tasks.rooms.labels import QUESTION, read_gold, read_judged, read_sentences

FOLDER = "models/room-ranker"
"""Rankers in a store, as plain arrays and JSON with checksums: `<version>/arrays.npz`, `<version>/model.json`, `latest.json`."""
ARRAYS = ("means", "scales", "weights")
NUMBERS = ("intercept", "slope", "offset")


def load_ranker(store: Store, expected: tuple[str, ...], embedder: SentenceEmbedder) -> tuple[RoomRanker, dict[str, Any]]:
    """Return the latest ranker of a store, and the content of its `model.json`.

    Args:
        store: where it is.
        expected: the names of the features that sentences have now, in order.
        embedder: the model whose vectors they hold.
    """
    pointer = store.read_if_there(f"{FOLDER}/latest.json")
    if pointer is None:
        raise ConfigError(f"store {store.url} has no ranker; train one: fabula train room-ranker --gold DIR --store {store.url}")
    version = json.loads(pointer[0])["version"]
    content, found = (store.read_if_there(f"{FOLDER}/{version}/{name}") for name in ("model.json", "arrays.npz"))
    if content is None or found is None:
        raise ConfigError(f"ranker {version} in store {store.url} is incomplete; train it again")
    facts: dict[str, Any] = json.loads(content[0])
    if facts["arrays_sha256"] != found[1]:
        raise ConfigError(
            f"ranker {version}: its arrays have the SHA-256 {found[1]}, not {facts['arrays_sha256']}; train it again"
        )
    if tuple(facts["features"]) != expected:
        raise ConfigError(f"ranker {version}: it was trained on other features, or in another order; train it again")
    if facts["embedding_sha256"] != embedder.checksum:
        raise ConfigError(f"ranker {version}: it was trained with another sentence model than {embedder.name!r}; train it again")
    arrays = np.load(io.BytesIO(found[0]), allow_pickle=False)
    ranker = RoomRanker(expected, *(arrays[name] for name in ARRAYS), *(float(facts[name]) for name in NUMBERS))
    return ranker, {**facts, "version": version}


def fit_stored(store: Store, dataset: str = "rooms") -> FittedSettings:
    """Fit the curve of the probability that a sentence describes a place, on all sentences of a dataset of which that is known.

    What raters have decided (`fabula review`) counts before what a reader says who is believed. Documents are the folds.

    Raises:
        ConfigError: too little is known (`fit_confidence`).
    """
    units = {unit: entry.reference for unit, entry in read_catalog(store, dataset).items() if entry.reference is not None}
    asked = {unit: found.artifacts[STAGE] for unit, found in units.items() if STAGE in found.artifacts}
    said = {unit: READING.decode(read_artifact(store, unit, artifact)) for unit, artifact in asked.items()}
    believed = weigh_reader([*said.values()]) > 0
    judged = {label.text: label.room for label in read_judged(store, dataset).sentences}
    known, given = [], {"reader": 0, "people": 0}
    for unit, reference in units.items():
        artifacts = (reference.artifacts[name] for name in ("sentences", "prints"))
        sentences, prints = (decode_table(read_artifact(store, unit, artifact)) for artifact in artifacts)
        places = said[unit].places if believed and unit in said else {}
        columns = (sentences.column("text"), sentences.column("document"), prints.column("probability"))
        for number, (text, document, probability) in enumerate(zip(*(column.to_pylist() for column in columns), strict=True)):
            if probability is None or (text not in judged and number not in places):
                continue
            given["people" if text in judged else "reader"] += 1
            right = judged[text] if text in judged else places[number] == "yes"
            known.append(KnownRow(document, float(find_odds(probability)), right))
    fitted = fit_confidence(known)
    made = validate_config(RoomsConfig, choose_release(store, dataset).says["configuration"], f"release of {dataset}")
    curve = chain_curves(made.selection.curve, fitted.curve)
    return FittedSettings({"selection.curve": replace(fitted, curve=curve)}, given)


def find_other_settings(store: Store, dataset: str, config: RoomsConfig) -> list[str]:
    """Return which settings of the score the latest release of a dataset was made with others of."""
    made: Mapping[str, object] = choose_release(store, dataset).says["configuration"]
    return [name for name, value in _list_settings(config).items() if made.get(name) != value]


def record_quality(store: Store, dataset: str, figures: Mapping[str, Any], config: RoomsConfig, judged: str = "") -> Quality:
    """Keep the figures of the score (`evaluate_rooms`) for the card of the next release; return what is kept.

    The labelled sentences are none of the release's own. So the figures hold for every release whose sentences were scored in the
    same way: by the same analysis, weights and versions of the stages.
    """
    score = figures["score"]
    told = QualityFigure(
        name="average precision of the score", value=score["average_precision"], low=score["low"], high=score["high"]
    )
    quality = Quality(
        gold="sentences that people labelled",
        figures=(told,),
        judged=judged,
        measured=tell_today(),
        counted=f"{figures['sentences']} sentences of {figures['episodes']} texts, {figures['rooms']} of them describe a room",
        settings=_list_settings(config),
        versions=dict(STAGE_VERSIONS),
    )
    write_evaluation(store, dataset, "gold", quality)
    return quality


def _list_settings(config: RoomsConfig) -> dict[str, object]:
    """Return the settings by which sentences are scored, as a release's configuration has them."""
    return {"analysis": canonicalise(config.analysis), "weights": canonicalise(config.weights)}


RankOrder = Literal["useful", "likely"]
MOST_RANKED = 20_000
"""Sentences that are embedded to choose those to judge next: the best by score, and as many others at random."""


@dataclass(frozen=True, slots=True)
class RankedFeatures:
    """Sentences made ready: the score of each (n), and its features (n × n_features)."""

    scores: NDArray[np.float64]
    rows: NDArray[np.float64]
    vectors: NDArray[np.float32]


def make_ready(
    texts: Sequence[str], analysis: AnalysisConfig, weights: ScoreWeights, embedder: SentenceEmbedder
) -> RankedFeatures:
    """Return the scores, features and vectors of sentences."""
    parts = find_text_parts(texts, analysis)
    vectors = embedder(texts)
    scores = np.array([score_parts(found, weights) for found in parts])
    return RankedFeatures(scores, make_features(texts, parts, vectors), vectors)


def evaluate_rooms(gold: str, config: RoomsConfig) -> dict[str, Any]:
    """Return the quality of the score, of sentence vectors alone, and of the ranker, as JSON values.

    Each is rated on sentences of episodes that it was not fitted on (5 folds by episode). Sentences of an unsure kind are
    reported apart: the share that the score keeps, and the mean probability by a ranker fitted on all others.
    """
    labels = read_gold(gold)
    sure = [each for each in labels.sentences if not each.apart]
    unsure = [each for each in labels.sentences if each.apart]
    embedder = SentenceEmbedder(config.analysis.embedding_model)
    ready = make_ready([each.text for each in sure], config.analysis, config.weights, embedder)
    rooms, groups = np.array([each.room for each in sure]), [each.episode for each in sure]
    features = name_features(ready.vectors.shape[1])
    first = features.index("vector_0")
    ranked = cross_validate(ready.rows, rooms, groups, features)
    embedded = cross_validate(ready.rows[:, first:], rooms, groups, features[first:])
    least = config.selection.min_score
    figures: dict[str, Any] = {
        "sentences": len(sure),
        "rooms": int(rooms.sum()),
        "episodes": len(set(groups)),
        "analysis": config.analysis.label,
        "score": asdict(rate_ranking(rooms, ready.scores, groups)),
        "vectors": asdict(rate_ranking(rooms, embedded, groups, probabilities=True)),
        "ranker": asdict(rate_ranking(rooms, ranked, groups, probabilities=True)),
        "kept_by_score": {
            "rooms": float(np.mean(ready.scores[rooms] >= least)),
            "others": float(np.mean(ready.scores[~rooms] >= least)),
        },
        "apart": {},
        "refused": list(labels.refused),
    }
    if unsure:
        fitted = fit_ranker(ready.rows, rooms, groups, features)
        apart = make_ready([each.text for each in unsure], config.analysis, config.weights, embedder)
        probabilities = fitted.rank(apart.rows)
        for kind in sorted({each.kind for each in unsure}):
            chosen = np.array([each.kind == kind for each in unsure])
            figures["apart"][kind] = {
                "sentences": int(chosen.sum()),
                "kept_by_score": float(np.mean(apart.scores[chosen] >= least)),
                "mean_probability": float(probabilities[chosen].mean()),
            }
    return figures


def cross_validate(
    rows: NDArray[np.float64], labels: NDArray[np.bool_], groups: Sequence[str], features: tuple[str, ...]
) -> NDArray[np.float64]:
    """Return the probability of each row by a ranker that was fitted and calibrated without its fold."""
    found = np.zeros(len(rows))
    for test in divide_folds(labels, groups):
        kept = [group for group, out in zip(groups, test, strict=True) if not out]
        ranker = fit_ranker(rows[~test], labels[~test], kept, features)
        found[test] = ranker.rank(rows[test])
    return found


def rank_sentences(
    store: Store, dataset: str, judgements: str | None, count: int, seed: int, order: RankOrder = "useful"
) -> dict[str, Any]:
    """Return the sentences of a release to judge next, by the latest ranker of the store.

    `order` is "useful" (`choose_next`) or "likely" (the highest probability first).
    """
    analysis = AnalysisConfig()
    embedder = SentenceEmbedder(analysis.embedding_model)
    judged = read_judged(store, dataset, judgements)
    known = {each.text for each in judged.sentences}
    rows = _draw([row for row in read_sentences(store, dataset) if row["text"] not in known], seed)
    if not rows:
        return {"ranker": None, "sentences": [], "refused": list(judged.refused)}
    ready = make_ready([row["text"] for row in rows], analysis, ScoreWeights(), embedder)
    ranker, facts = load_ranker(store, name_features(ready.vectors.shape[1]), embedder)
    if facts["analysis"] != canonicalise(analysis):
        raise ConfigError(f"ranker {facts['version']} was trained with another analysis of sentences; train it again")
    probabilities = ranker.rank(ready.rows)
    before = embedder([each.text for each in judged.sentences]) if judged.sentences else ready.vectors[:0]
    version = manifest.version if (manifest := read_manifest(store, dataset)) else ""
    if order == "likely":
        places = np.argsort(-probabilities, kind="stable")[:count].tolist()
    else:
        places = choose_next(probabilities, ready.vectors, before, count)
    chosen = [
        {
            "item": rows[place]["id"],
            "dataset": dataset,
            "version": version,
            "question": QUESTION,
            "position": position,
            "text": rows[place]["text"],
            "probability": float(probabilities[place]),
            "score": float(rows[place]["score"]),
        }
        for position, place in enumerate(places, 1)
    ]
    return {"ranker": facts["version"], "sentences": chosen, "refused": list(judged.refused)}


def _draw(rows: list[dict[str, Any]], seed: int) -> list[dict[str, Any]]:
    """Return at most `MOST_RANKED` rows: those of the highest score, and as many others at random."""
    if len(rows) <= MOST_RANKED:
        return rows
    ordered = sorted(rows, key=lambda row: -row["score"])
    half = MOST_RANKED // 2
    others = np.random.default_rng(seed).choice(len(rows) - half, half, replace=False)
    return [*ordered[:half], *(ordered[half + int(place)] for place in sorted(others))]
