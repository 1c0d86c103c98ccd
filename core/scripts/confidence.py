"""Tells how surely a link is right, and how surely the scenes that a sentence is linked to tell it, and all of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from core.metrics.fitting import find_odds
from core.scripts.scene_texts import list_content_words, scene_words, without_asides
from core.scripts.story import Story
from core.text.terms import content_words, stem_words

CUT = (0.005, 0.995)
"""The least and the highest posterior whose odds count: what lies beyond says no more, on the films read."""
_END_SHARE = 50
_RARE = 0.2  # a word that more than a fifth of the scenes have says little about where a sentence is told


@dataclass(frozen=True, slots=True)
class Curve:
    """The logistic curve σ(constant + posterior · logit p) of a posterior p (Platt scaling)."""

    constant: float
    posterior: float

    def __call__(self, posteriors: ArrayLike) -> NDArray[np.float64]:
        """Return the probability for each posterior; the shape stays."""
        odds = self.constant + self.posterior * find_odds(posteriors, *CUT)
        return np.asarray(1 / (1 + np.exp(-odds)), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class SentenceCurves:
    """The probability that a sentence tells one of its scenes at least, by the sum of the posteriors.

    `at_end` is for sentences that are linked to the first or last scenes of a long script (`is_at_end`). A map cannot run on
    beyond an end, so posteriors are high there, even of a sentence that no scene tells (what was before, what becomes of people).
    """

    inside: Curve
    at_end: Curve

    def __call__(self, posterior: float, scenes: Sequence[int], n_scenes: int) -> float:
        """Return the probability; `posterior` is the sum, `scenes` are positions among the `n_scenes` scenes."""
        curve = self.at_end if is_at_end(scenes, n_scenes) else self.inside
        return float(curve(posterior))


def is_at_end(scenes: Sequence[int], n_scenes: int) -> bool:
    """Tell whether a scene is in the first or last fiftieth of a script; one of fewer than 50 scenes has no such ends."""
    end = n_scenes // _END_SHARE
    return min(scenes) < end or max(scenes) >= n_scenes - end


LINK = Curve(0.209, 0.555)
"""The probability that a sentence tells of one scene, by this link's posterior."""
SENTENCE = SentenceCurves(inside=Curve(0.160, 0.661), at_end=Curve(1.100, 0.259))
"""The curves of the default.

`lab/fitting/link_probability.py` fits the constants of all three curves on films that were read for it, measures them by folds
over these films, and on stories with gold, which choose nothing.
"""


@dataclass(frozen=True, slots=True)
class CompletenessCurve:
    """The probability that a sentence's scenes tell it, and are all that do: σ of a constant and weighted features."""

    constant: float
    posterior: float
    share: float
    skipped: float
    missing: float

    def __call__(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of each sentence by `measure_features`."""
        odds = self.constant + features @ np.array([self.posterior, self.share, self.skipped, self.missing])
        return np.asarray(expit(odds), dtype=np.float64)


WHOLE = CompletenessCurve(constant=-0.203, posterior=0.475, share=0.395, skipped=-0.402, missing=-0.170)
"""The curve of the default. `lab/fitting/completeness.py` fits it on films that were read for it, and measures it by folds."""


def measure_features(
    story: Story, best: Sequence[int], linked: Sequence[Sequence[int]], posteriors: Sequence[float]
) -> NDArray[np.float64]:
    """Return four features of whether a sentence's scenes tell all of it, for each sentence of a story (n_sentences × 4).

    - posterior: the log odds of `posteriors`, the sum over the sentence's scenes.
    - share: the logarithm of the words of its scenes over the words that the script has for each sentence. Scenes with less than
      a sentence's share of the script rarely have all that it tells.
    - skipped: log(1 + scenes from the `best` scene of the sentence before to its own; 1 for the first sentence). A sentence that
      skips scenes often tells some of them.
    - missing: how many of its content words (stems) another scene has, but none of its own (`linked`); words that are in more
      than a fifth of the scenes do not count.
    """
    stems = [set(stem_words(list_content_words(scene))) for scene in story.scenes]
    spread = Counter(stem for words in stems for stem in words)
    lengths = [scene_words(scene) for scene in story.scenes]
    mean = max(1, sum(lengths)) / max(1, len(story.sentences))
    rows = []
    for number, (sentence, scenes, posterior) in enumerate(zip(story.sentences, linked, posteriors, strict=True)):
        own = set().union(*(stems[scene] for scene in scenes))
        lacking = set(stem_words(content_words(without_asides(sentence)))) - own
        skipped = max(0, best[number] - best[number - 1]) if number else 1
        rows.append(
            (
                float(find_odds(posterior, *CUT)),
                np.log(max(1, sum(lengths[scene] for scene in scenes)) / mean),
                np.log1p(skipped),
                sum(0 < spread[stem] <= _RARE * len(stems) for stem in lacking),
            )
        )
    return np.array(rows, dtype=np.float64).reshape(len(rows), 4)
