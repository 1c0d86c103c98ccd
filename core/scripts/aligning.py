"""Aligns a synopsis with its screenplay: similarities weighted and added, then the map of sentences to scenes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.posterior import link_posteriors
from core.alignment.restricted_dtw import assign_scenes
from core.errors import SourceError
from core.scripts.config import SceneAlignmentConfig, ScriptsConfig, Weights
from core.scripts.scenes import CastMember, Scene
from core.scripts.similarities import Matrices, Matrix, measure_similarities, named_weights
from core.similarity.cosine import Embedder

_FLOOR = -700.0  # the logarithm of the smallest share that exp can give; reached only without background


@dataclass(frozen=True, slots=True)
class ScriptAlignment:
    """A link for every synopsis sentence.

    `scenes[i]` is the position of sentence i's scene in the list that was aligned. `links[i]` is the similarity of that link: for
    the decoder `posterior` its probability over all monotone maps, 0 to 1, for `dtw` its weighted sum. `combined`
    (n_sentences × n_scenes) is what was decoded and what BestSplit cuts by; `similarities` are its parts, by name, unweighted.
    """

    scenes: NDArray[np.int64]
    links: NDArray[np.float64]
    combined: Matrix
    similarities: Matrices


def align_screenplay(
    scenes: Sequence[Scene], sentences: Sequence[str], cast: Sequence[CastMember], embed: Embedder, config: ScriptsConfig
) -> ScriptAlignment:
    """Link every sentence of a synopsis to a scene, in order.

    `embed` gives the vectors of `list_texts`, computed or looked up; it is not called where no weight needs it. Raises
    SourceError where there is no sentence or no scene.

    Reference: SumTitles, algorithm 1 up to Annot; `core.scripts.merging` does the rest.
    """
    if not scenes or not sentences:
        raise SourceError(f"there are {len(sentences)} synopsis sentences and {len(scenes)} scenes: both need at least one")
    weights = config.alignment.weights
    similarities = measure_similarities(scenes, sentences, cast, embed, named_weights(weights), config)
    combined = combine(similarities, weights, (len(sentences), len(scenes)))
    combined, found, links = decode(combined, config.alignment)
    return ScriptAlignment(found, links, combined, similarities)


def combine(similarities: Mapping[str, Matrix], weights: Weights, shape: tuple[int, int]) -> Matrix:
    """Return the weighted sum of the similarities, of that shape (n_sentences × n_scenes) also where all weights are 0."""
    total = np.zeros(shape)
    for name, weight in named_weights(weights).items():
        total += weight * similarities[name]
    return total


def decode(combined: Matrix, config: SceneAlignmentConfig) -> tuple[Matrix, NDArray[np.int64], NDArray[np.float64]]:
    """Return the matrix that is decoded, the scene of each sentence, and the similarity of each link."""
    rows = np.arange(len(combined))
    if config.decoder == "dtw":
        found = assign_scenes(combined)
        return combined, found, combined[rows, found]
    evidence = weigh_evidence(combined, config.background, config.neighbours)
    posteriors = link_posteriors(evidence)
    found = assign_scenes(posteriors)
    return evidence, found, posteriors[rows, found]


def weigh_evidence(combined: Matrix, background: float, neighbours: float = 0.0) -> Matrix:
    """Return log(n · P), how much likelier than by chance sentence i tells scene j, in nats (n_sentences × n_scenes).

    P = (1 − background) · softmax over the n scenes + background / n: a sentence whose similarities mislead, as where a synopsis
    says what the screenplay shows elsewhere or not at all, counts against its true scene by a bounded amount, so that it cannot
    drag its neighbours along. Before that, a scene gains `neighbours` times the mean similarity of the scenes before and after it
    (at either end itself stands in for the one that lacks): what a sentence tells often runs on over several scenes.
    """
    if neighbours and combined.size:
        padded = np.pad(combined, ((0, 0), (1, 1)), mode="edge")
        combined = combined + neighbours * (padded[:, :-2] + padded[:, 2:]) / 2
    n_scenes = combined.shape[1]
    shares = np.exp(combined - combined.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        evidence = np.log((1 - background) * n_scenes * shares + background)
    return np.asarray(np.maximum(evidence, _FLOOR), dtype=np.float64)
