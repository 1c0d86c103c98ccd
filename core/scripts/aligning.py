"""Aligns a synopsis with its screenplay: adds up weighted similarities, then links every sentence to a scene."""

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

_FLOOR = -700.0  # the smallest evidence, so that log(0) stays finite; reached only if background is 0


@dataclass(frozen=True, slots=True)
class ScriptAlignment:
    """The alignment of a synopsis: one link per sentence.

    `scenes[i]` is the position of sentence i's scene in the list of scenes.
    `links[i]` is the similarity of this link: for the decoder `posterior` its probability (0 to 1, `measure_posteriors`), for
    `dtw` the weighted sum of similarities.
    `combined` (n_sentences × n_scenes) is the score matrix that was decoded; BestSplit uses it too.
    `similarities` are the unweighted similarities by name, each n_sentences × n_scenes.
    `posteriors` (n_sentences × n_scenes) are the probabilities of all links, where the similarities count by `trust`; None for
    `dtw`.
    """

    scenes: NDArray[np.int64]
    links: NDArray[np.float64]
    combined: Matrix
    similarities: Matrices
    posteriors: Matrix | None = None


def align_screenplay(
    scenes: Sequence[Scene], sentences: Sequence[str], cast: Sequence[CastMember], embed: Embedder, config: ScriptsConfig
) -> ScriptAlignment:
    """Link every sentence of a synopsis to a scene, in order.

    `embed` returns the vectors of the texts of `list_texts`. It is not called if no weight needs vectors.

    Raises:
        SourceError: there is no sentence or no scene.

    Reference: SumTitles, algorithm 1 up to Annot; `core.scripts.merging` does the rest.
    """
    if not scenes or not sentences:
        raise SourceError(f"found {len(sentences)} synopsis sentences and {len(scenes)} scenes; expected at least one of each")
    weights = config.alignment.weights
    similarities = measure_similarities(scenes, sentences, cast, embed, named_weights(weights), config)
    combined = combine(similarities, weights, (len(sentences), len(scenes)))
    if config.alignment.decoder == "dtw":
        combined, found, links = decode(combined, config.alignment)
        return ScriptAlignment(found, links, combined, similarities)
    evidence, found, links = decode(combined, config.alignment)
    return ScriptAlignment(found, links, evidence, similarities, trust_links(combined, config.alignment))


def combine(similarities: Mapping[str, Matrix], weights: Weights, shape: tuple[int, int]) -> Matrix:
    """Return the weighted sum of the similarities; `shape` is (n_sentences, n_scenes), which is needed if all weights are 0."""
    total = np.zeros(shape)
    for name, weight in named_weights(weights).items():
        total += weight * similarities[name]
    return total


def decode(combined: Matrix, config: SceneAlignmentConfig) -> tuple[Matrix, NDArray[np.int64], NDArray[np.float64]]:
    """Choose a scene for each sentence. Return the decoded matrix, the scenes, and the similarity of each link.

    The scenes never go back. Under the decoder `posterior` they are the map with the highest sum of `measure_posteriors`.
    """
    rows = np.arange(len(combined))
    if config.decoder == "dtw":
        found = assign_scenes(combined)
        return combined, found, combined[rows, found]
    posteriors = measure_posteriors(combined, config)
    found = assign_scenes(posteriors)
    return _weigh(combined, config), found, posteriors[rows, found]


def trust_links(combined: Matrix, config: SceneAlignmentConfig) -> Matrix:
    """Return the posteriors of all links (n_sentences × n_scenes), where the weighted similarities count by `trust`."""
    return measure_posteriors(config.trust * combined, config)


def measure_posteriors(combined: Matrix, config: SceneAlignmentConfig) -> Matrix:
    """Return P(sentence i tells of scene k) for all links (n_sentences × n_scenes), by the weighted similarities `combined`.

    Each sentence i has a place f(i) in the script; f never decreases, and all such f are alike likely. The sentence tells

    - its place with the probability 1 − ε − β,
    - any other time a scene that is drawn from all n scenes alike, with the probability ε (`elsewhere`),
    - or no scene, with the probability β (`background`).

    Let S be the softmax of a sentence's similarities over the scenes, with the neighbours' share. The sentence is n · S_ik times
    as likely as chance if it tells scene k, and once if it tells none. Summed over the scenes elsewhere, this is
    Σ_k ε/n · n · S_ik = ε, so that a place j explains the sentence by

        e_ij = (1 − ε − β) · n · S_ij + ε + β,

    and the maps' forward–backward stays that of `link_posteriors`, in time O(n_sentences · n). With its π_ij = P(f(i) = j),

        P(i tells k) = π_ik · (1 − ε − β) · n · S_ik / e_ik + ε · S_ik · Σ_j π_ij / e_ij.

    So a sentence that its place does not explain credits the scenes that it resembles, wherever they are, and its neighbours'
    places do not move. A row sums to 1 less the probability that no scene tells the sentence.
    """
    evidence = _weigh(combined, config)
    places = link_posteriors(evidence)
    astray = places * np.exp(-evidence)
    lost = config.elsewhere + config.background
    elsewhere = config.elsewhere * _share_out(combined, config.neighbours) * astray.sum(axis=1, keepdims=True)
    return np.asarray(np.maximum(places - lost * astray, 0.0) + elsewhere, dtype=np.float64)


def _weigh(combined: Matrix, config: SceneAlignmentConfig) -> Matrix:
    return weigh_evidence(combined, config.elsewhere + config.background, config.neighbours)


def weigh_evidence(combined: Matrix, background: float, neighbours: float = 0.0) -> Matrix:
    """Return the evidence log(n · P) in nats: how much likelier than chance it is that sentence i describes scene j.

    The shape is n_sentences × n_scenes. P = (1 − background) · softmax over the n scenes + background / n. A synopsis sometimes
    tells what the screenplay shows elsewhere or not at all. The background bounds how much such a sentence can count against its
    true scene, so that it cannot move the links of its neighbours.

    First, each scene gains `neighbours` times the mean similarity of the scenes before and after it, since a sentence often
    describes several scenes in a row. At either end, the scene itself replaces the missing neighbour.
    """
    shares = _share_out(combined, neighbours)
    with np.errstate(divide="ignore"):
        evidence = np.log((1 - background) * combined.shape[1] * shares + background)
    return np.asarray(np.maximum(evidence, _FLOOR), dtype=np.float64)


def _share_out(combined: Matrix, neighbours: float) -> Matrix:
    """Return the softmax of each sentence's similarities over the scenes, with the neighbours' share of them."""
    if neighbours and combined.size:
        padded = np.pad(combined, ((0, 0), (1, 1)), mode="edge")
        combined = combined + neighbours * (padded[:, :-2] + padded[:, 2:]) / 2
    shares = np.exp(combined - combined.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), dtype=np.float64)
