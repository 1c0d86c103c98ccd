"""Makes the packaged weights by which `rooms` tells how probably a sentence describes a place (`core/rooms/places.py`).

    python -m lab.fitting.room_places labels.jsonl             # writes infra/profiles/default/rooms_places.tsv
    python -m lab.fitting.room_places labels.jsonl --figures   # only the figures on sentences held out

A line of the labels has `text`, `label` (the share of its judges who say that it describes a place: 0 to 1), `episode`, `kind`
and `written` (true: no dialogue). Kinds other than `judged` and `read` were labelled by their origin: they weigh less, and are
not rated. The texts are no part of the project, and the weights hold none.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from core.rooms.config import AnalysisConfig, ScoreWeights
from core.rooms.places import PLAIN, WORDS, PlaceWeights, hash_words, write_weights
from core.rooms.ranker import make_features, precision_at
from core.rooms.score import score_parts
from tasks.rooms.build import find_text_parts

TARGET = Path(__file__).parents[2] / "infra" / "profiles" / "default" / "rooms_places.tsv"
FOLDS = 8
STRENGTH = 0.15
"""Inverse strength of the regularisation, and below how large the features are: chosen on the folds."""
WORD_SCALE = 3.0
PLAIN_SCALE = 0.1
READ_WEIGHT = 10.0
"""Of a sentence that was read, against one that is labelled by its origin."""
DUNGEONS_WEIGHT = 0.2
"""Of a sentence of the report's own dataset, which has 2,000 and no other kind of sentence."""
PARTLY_WEIGHT = 0.6
"""Of a sentence whose judges say "partly", against one that is plainly no description: both are negative examples."""
LEAST_YES = 0.75
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class PlaceLabels:
    """Labelled sentences (n): features (n × (`WORDS` + `PLAIN`)), which describe a place, weights, episodes, which were read.

    `means` and `scales` are those of the features `PLAIN`.
    """

    rows: csr_matrix
    right: NDArray[np.bool_]
    weights: NDArray[np.float64]
    groups: list[str]
    read: NDArray[np.bool_]
    written: NDArray[np.bool_]
    scores: NDArray[np.float64]
    means: NDArray[np.float64]
    scales: NDArray[np.float64]


def read_labels(path: Path) -> PlaceLabels:
    """Return the labels of a file, with the features of their sentences."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    texts = [line["text"] for line in lines]
    parts = find_text_parts(texts, AnalysisConfig())
    plain = make_features(texts, parts, np.zeros((len(texts), 0), np.float32))
    means, scales = plain.mean(0), plain.std(0)
    scales[scales == 0] = 1.0
    hashes = [hash_words(text) for text in texts]
    values = [WORD_SCALE / len(found) ** 0.5 for found in hashes for _ in found]
    places = [place for place, found in enumerate(hashes) for _ in found]
    words = csr_matrix((values, (places, [number for found in hashes for number in found])), shape=(len(texts), WORDS))
    labels = np.array([line["label"] for line in lines])
    read = np.array([line["kind"] in ("judged", "read") for line in lines])
    weights = np.where(read, READ_WEIGHT, 1.0) * np.where((labels > 0.2) & (labels < 0.7), PARTLY_WEIGHT, 1.0)
    weights *= np.where([line["kind"] == "dungeons" for line in lines], DUNGEONS_WEIGHT, 1.0)
    return PlaceLabels(
        rows=csr_matrix(hstack([words, (plain - means) / scales * PLAIN_SCALE])),
        right=labels >= LEAST_YES,
        weights=weights,
        groups=[line["episode"] for line in lines],
        read=read,
        written=np.array([line["written"] for line in lines]),
        scores=np.array([score_parts(found, ScoreWeights()) for found in parts]),
        means=means,
        scales=scales,
    )


def fit(labels: PlaceLabels, chosen: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    """Return the weights of the features and the intercept, fitted on the chosen sentences."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=STRENGTH, max_iter=3_000)
    model.fit(labels.rows[chosen], labels.right[chosen], sample_weight=labels.weights[chosen])
    return model.coef_[0], float(model.intercept_[0])


def hold_out(labels: PlaceLabels) -> NDArray[np.float64]:
    """Return the decision value of each sentence by a model that was fitted without its episode (n)."""
    from sklearn.model_selection import GroupKFold

    values = np.zeros(len(labels.groups))
    for _, test in GroupKFold(FOLDS, shuffle=True, random_state=0).split(values, groups=labels.groups):
        chosen = np.ones(len(values), bool)
        chosen[test] = False
        weights, intercept = fit(labels, chosen)
        values[test] = labels.rows[test] @ weights + intercept
    return values


def calibrate(labels: PlaceLabels, values: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return slope and both intercepts (speech, written) of the probability, from values of sentences held out (Platt, 1999)."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1e6)
    model.fit(np.column_stack([values, labels.written])[labels.read], labels.right[labels.read])
    slope, written = model.coef_[0]
    offset = float(model.intercept_[0])
    return float(slope), offset, offset + float(written)


def make_weights(labels: PlaceLabels, calibration: tuple[float, float, float]) -> PlaceWeights:
    """Return the weights fitted on all sentences, with scales and calibration in them."""
    slope, speech, written = calibration
    found, intercept = fit(labels, np.ones(len(labels.groups), bool))
    words, plain = found[:WORDS] * WORD_SCALE, found[WORDS:] * PLAIN_SCALE / labels.scales
    assert len(plain) == len(PLAIN)
    shift = slope * (intercept - float(plain @ labels.means))
    return PlaceWeights(slope * words, slope * plain, shift + speech, shift + written)


def tell_figures(labels: PlaceLabels, values: NDArray[np.float64], calibration: tuple[float, float, float]) -> list[str]:
    """Return lines on the sentences that were read: quality beside the score's, and precision above each threshold."""
    from sklearn.metrics import average_precision_score

    slope, speech, written = calibration
    probabilities = 1 / (1 + np.exp(-slope * values - np.where(labels.written, written, speech)))
    lines = []
    for name, chosen in (("speech", labels.read & ~labels.written), ("written", labels.read & labels.written)):
        right = labels.right[chosen]
        for ranked, by in (("probability", probabilities[chosen]), ("score", labels.scores[chosen])):
            average = average_precision_score(right, by)
            quality = f"average precision {average:.3f}, precision at 100 {precision_at(right, by, 100):.2f}"
            lines.append(f"{name}: {len(right)} sentences, {right.sum()} descriptions; by {ranked}: {quality}")
        for least in THRESHOLDS:
            kept = probabilities[chosen] >= least
            lines.append(f"{name}: at least {least}: {kept.sum()} kept, {right[kept].mean() if kept.any() else 0:.2f} right")
    return lines


if __name__ == "__main__":
    found = read_labels(Path(sys.argv[1]))
    held_out = hold_out(found)
    calibration = calibrate(found, held_out)
    print("\n".join(tell_figures(found, held_out, calibration)))
    if "--figures" not in sys.argv:
        head = "# Weights of the probability that a sentence describes a place. Made by lab/fitting/room_places.py.\n"
        TARGET.write_text(head + write_weights(make_weights(found, calibration)), encoding="utf-8")
