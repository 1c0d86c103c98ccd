"""Tells whether a synopsis is of its script: by how well its order fits the scenes, and by how many of its words a scene has."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.alignment.scene_maps import sum_maps
from core.errors import SourceError
from core.scripts.aligning import combine, weigh_evidence
from core.scripts.config import ScriptsConfig, Weights
from core.scripts.similarities import measure_similarities, named_weights
from core.scripts.story import Story

_WEIGHTS = Weights(osj=1.0, bm25=1.0, roles=0.5)
"""Names and words, without vectors: they cost seconds, and were not needed. The rates of error were measured with these."""
_BACKGROUND, _NEIGHBOURS = 0.05, 0.1
_SHUFFLES = 100
_SHARE = 3.0
"""What the share of words counts beside the gain. Shares differ by a third of what gains differ by (`docs/scripts.md`)."""


@dataclass(frozen=True, slots=True)
class Match:
    """How well a synopsis fits a script.

    `order` is the gain by the synopsis's own order over a random one, in nats a sentence. `words` is the mean share of a
    sentence's words, weighted by idf, that its best scene has.
    """

    order: float
    words: float

    @property
    def score(self) -> float:
        """Both figures as one."""
        return self.order + _SHARE * self.words


def check_match(name: str, story: Story, config: ScriptsConfig) -> None:
    """Check that a synopsis and a script are of one film; `name` is the synopsis's file, for the message."""
    match = rate_match(story, config)
    if match is not None and match.score < config.matching.least_match:
        raise SourceError(
            f"{name}: script and synopsis of {story.unit} do not match: the order of its {len(story.sentences)} sentences gains "
            f"{match.order:.2f} nats a sentence, and a scene has {match.words:.0%} of a sentence's words, which makes "
            f"{match.score:.2f}; expected {config.matching.least_match:g} or more. The script may be of another film, or an "
            "early draft. Put the right file in its place; if it is the right one, lower matching.least_match"
        )


def rate_match(story: Story, config: ScriptsConfig) -> Match | None:
    """Return how well a synopsis fits a script; None if nothing is judged, or too few sentences or scenes to tell."""
    settings, n_sentences, n_scenes = config.matching, len(story.sentences), len(story.scenes)
    if not settings.least_match or n_sentences < settings.least_sentences or n_scenes < settings.least_scenes:
        return None
    names = [*named_weights(_WEIGHTS), "coverage"]
    by_names = replace(config, alignment=replace(config.alignment, mentions=0.0))  # the rates of error were measured by names
    similarities = measure_similarities(story, _embed_nothing, names, by_names)
    combined = combine(similarities, _WEIGHTS, (n_sentences, n_scenes))
    evidence = weigh_evidence(combined, _BACKGROUND, _NEIGHBOURS)
    numbers = np.random.default_rng(0)
    shuffled = [sum_maps(evidence[numbers.permutation(len(evidence))]) for _ in range(_SHUFFLES)]
    order = (sum_maps(evidence) - float(np.mean(shuffled))) / n_sentences
    return Match(order, float(similarities["coverage"].max(axis=1).mean()))


def _embed_nothing(_: Sequence[str], /) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    raise AssertionError("words and names need no vectors")
