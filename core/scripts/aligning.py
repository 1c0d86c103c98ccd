"""Aligns a synopsis with its scenes: adds up weighted similarities, links every sentence to scenes, and groups the scenes.

Reference: SumTitles, section 4, algorithm 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.alignment.scene_maps import assign_scenes, link_posteriors
from core.errors import SourceError
from core.scripts.confidence import LINK
from core.scripts.config import SceneAlignmentConfig, ScriptsConfig, Weights
from core.scripts.similarities import Matrix, measure_similarities, named_weights
from core.scripts.story import Story
from core.similarity.cosine import Embedder

_FLOOR = -700.0  # the smallest evidence, so that log(0) stays finite; reached only if background is 0
LEAST_POSTERIOR = 0.05
"""A scene with a lower posterior is no candidate of a sentence, unless it is the sentence's only one."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scene that a sentence may tell of: its position, and its probability over all monotone alignments.

    `posterior` counts similarities by `alignment.trust`; `probability` is calibrated. Both are None under the decoder `dtw`.
    """

    scene: int
    posterior: float | None
    probability: float | None


@dataclass(frozen=True, slots=True)
class SceneGroup:
    """Neighbouring scenes to merge, `start` ≤ scene < `stop`, around the scene `anchor`, to which `sentences` are linked."""

    start: int
    stop: int
    anchor: int
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HeardSentence:
    """What a reader who is believed says of a sentence (`core.scripts.reading`), and what the aligner finds by itself.

    `model` is the reader, `weight` the probability that he is right. `shares` has by scene the share of his answers that name it,
    `told` is the share of those that name any, `best` the scene that tells most (None: no answer names one). `whole` is the
    probability that his scenes are all that tell the sentence.
    `found` is the aligner's scene, `posteriors` has those of its candidates, by scene. `part` is the sentence without what none
    of the reader's scenes tells ("": they tell all of it).
    """

    model: str
    weight: float
    told: float
    whole: float
    best: int | None
    shares: Mapping[int, float]
    found: int = 0
    posteriors: Mapping[int, float] = field(default_factory=dict)
    part: str = ""


@dataclass(frozen=True, slots=True)
class StoryLinks:
    """The links of a story by sentence: its scene's position, the link's similarity, and the scenes that it may tell of.

    `heard` has by sentence what a reader says; posteriors and probabilities of these sentences' candidates count it.
    """

    scenes: tuple[int, ...]
    similarities: tuple[float, ...]
    groups: tuple[SceneGroup, ...]
    candidates: tuple[tuple[Candidate, ...], ...] = ()
    heard: Mapping[int, HeardSentence] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LocatedStory:
    """Where the aligner finds a story's sentences: a scene for each, and the similarity of the link.

    `scores` are what it decoded (n_sentences × n_scenes), `posteriors` the probabilities of all links, where similarities count
    by `alignment.trust`; the decoder `dtw` gives none.
    """

    scores: Matrix
    scenes: tuple[int, ...]
    similarities: tuple[float, ...]
    posteriors: Matrix | None


def link_story(story: Story, embed: Embedder, config: ScriptsConfig) -> StoryLinks:
    """Link every sentence of a story's synopsis to scenes, and group the scenes around those that have a sentence.

    `embed` is not called if no weight needs vectors. The similarity of a link is its posterior for the decoder `posterior`, for
    `dtw` the weighted sum of similarities.

    Reference: SumTitles, algorithm 1.
    """
    return link_located(locate_story(story, embed, config))


def locate_story(story: Story, embed: Embedder, config: ScriptsConfig) -> LocatedStory:
    """Find the scene of every sentence, and the probability of every link; `embed` as in `link_story`."""
    n_sentences, n_scenes = len(story.sentences), len(story.scenes)
    if not n_scenes or not n_sentences:
        raise SourceError(f"found {n_sentences} synopsis sentences and {n_scenes} scenes; expected at least one of each")
    settings = config.alignment
    similarities = measure_similarities(story, embed, named_weights(settings.weights), config)
    combined = combine(similarities, settings.weights, (n_sentences, n_scenes))
    scores, found, links = decode(combined, settings)
    posteriors = None if settings.decoder == "dtw" else trust_links(combined, settings)
    return LocatedStory(scores, tuple(found.tolist()), tuple(links.tolist()), posteriors)


def link_located(located: LocatedStory, heard: Mapping[int, HeardSentence] | None = None) -> StoryLinks:
    """Link the located sentences of a story, and group its scenes; for the `heard` sentences, a reader's scenes count too.

    His answers count by his weight, the posteriors by the rest. His best scene, if he names one, replaces the aligner's.
    """
    scenes, similarities, posteriors = list(located.scenes), list(located.similarities), located.posteriors
    if posteriors is None:
        candidates: tuple[tuple[Candidate, ...], ...] = tuple((Candidate(scene, None, None),) for scene in scenes)
        return StoryLinks(located.scenes, located.similarities, tuple(group_scenes(scenes, located.scores)), candidates)
    own, probabilities = posteriors, LINK(posteriors)
    posteriors = own.copy()
    told: dict[int, HeardSentence] = {}
    for sentence, said in (heard or {}).items():
        found = scenes[sentence]
        likely = {place: float(own[sentence, place]) for place in _list_likely(own[sentence], found)}
        told[sentence] = replace(said, found=found, posteriors=likely)
        shares = np.zeros(own.shape[1])
        shares[list(said.shares)] = list(said.shares.values())
        for matrix in (posteriors, probabilities):
            matrix[sentence] = (1 - said.weight) * matrix[sentence] + said.weight * shares
        scenes[sentence] = found if said.best is None else said.best
        similarities[sentence] = float(posteriors[sentence, scenes[sentence]])
    candidates = tuple(
        tuple(Candidate(place, float(row[place]), float(calibrated[place])) for place in _list_likely(row, scene))
        for scene, row, calibrated in zip(scenes, posteriors, probabilities, strict=True)
    )
    return StoryLinks(tuple(scenes), tuple(similarities), tuple(group_scenes(scenes, located.scores)), candidates, told)


def forget_reader(links: StoryLinks) -> StoryLinks:
    """Return the scenes and candidates as the aligner finds them by itself; what else a reader has moved stays."""
    scenes, candidates = list(links.scenes), list(links.candidates)
    for sentence, heard in links.heard.items():
        scenes[sentence] = heard.found
        candidates[sentence] = tuple(Candidate(*each, float(LINK(each[1]))) for each in sorted(heard.posteriors.items()))
    return StoryLinks(tuple(scenes), links.similarities, links.groups, tuple(candidates))


def _list_likely(posteriors: NDArray[np.float64], chosen: int) -> list[int]:
    return sorted({*np.flatnonzero(posteriors >= LEAST_POSTERIOR).tolist(), chosen})


def combine(similarities: Mapping[str, Matrix], weights: Weights, shape: tuple[int, int]) -> Matrix:
    """Return the weighted sum of the similarities; `shape` is needed if all weights are 0."""
    return sum((weight * similarities[name] for name, weight in named_weights(weights).items()), start=np.zeros(shape))


def decode(combined: Matrix, config: SceneAlignmentConfig) -> tuple[Matrix, NDArray[np.int64], NDArray[np.float64]]:
    """Choose a scene for each sentence; scenes never go back. Return the decoded matrix, the scenes, and the similarities."""
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
    """Return the evidence log(n · P) in nats (n_sentences × n_scenes): how much likelier than chance sentence i tells scene j.

    P = (1 − background) · softmax over the n scenes + background / n. The background bounds how much a sentence that is told
    elsewhere or not at all can count against its true scene, and so move its neighbours' links.

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


def split_between(similarity: Matrix, left: int, right: int, last_left: int, first_right: int) -> int:
    """Divide the scenes between two anchors: return the first scene that belongs to the right anchor.

    The cut maximises a sum of similarities: of the scenes before it with the left anchor's last sentence `last_left`, and of the
    scenes from it on with the right anchor's first sentence `first_right`. Ties go to the lowest.

    Reference: SumTitles, algorithm 5 (BestSplit).
    """
    to_left = np.append(0.0, np.cumsum(similarity[last_left, left + 1 : right]))
    to_right = similarity[first_right, left + 1 : right]
    remaining = np.append(np.cumsum(to_right[::-1])[::-1], 0.0)
    return left + 1 + int(np.argmax(to_left + remaining))


def group_scenes(sentence_scenes: Sequence[int], similarity: Matrix) -> list[SceneGroup]:
    """Group all scenes, in order: one group per distinct scene that has sentences, each scene in exactly one group.

    Scenes before the first anchor belong to the first group, scenes after the last anchor to the last group. `sentence_scenes`
    need not be in order; `similarity` is n_sentences × n_scenes.

    Reference: SumTitles, algorithms 1 and 4 (Annot), with the slices of algorithm 1 corrected (`papers/README.md`).
    """
    told: dict[int, list[int]] = {}
    for sentence, scene in enumerate(sentence_scenes):
        told.setdefault(scene, []).append(sentence)
    anchors = sorted(told)
    cuts = [split_between(similarity, left, right, told[left][-1], told[right][0]) for left, right in pairwise(anchors)]
    starts, stops = [0, *cuts], [*cuts, similarity.shape[1]]
    return [
        SceneGroup(start, stop, anchor, tuple(told[anchor])) for start, stop, anchor in zip(starts, stops, anchors, strict=True)
    ]
