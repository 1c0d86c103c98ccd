"""Estimates whether the scenes that a sentence is linked to tell all of it, or whether a part of it is told in other scenes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from core.scripts.link_probability import logit
from core.scripts.scene_texts import list_content_words, scene_words, without_asides
from core.scripts.story import Story
from core.text.terms import content_words, stem_words

_RARE = 0.2  # a word that more than a fifth of the scenes have says little about where a sentence is told


@dataclass(frozen=True, slots=True)
class CompletenessCurve:
    """The probability that a sentence's scenes tell it, and are all that do: σ of a constant and its weighted signs.

    The weights belong to the signs of `measure_signs`, in their order.
    """

    constant: float
    posterior: float
    share: float
    skipped: float
    missing: float

    def __call__(self, signs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of each sentence; `signs` has the shape n_sentences × 4."""
        odds = self.constant + signs @ np.array([self.posterior, self.share, self.skipped, self.missing])
        return np.asarray(expit(odds), dtype=np.float64)


WHOLE = CompletenessCurve(constant=-0.203, posterior=0.475, share=0.395, skipped=-0.402, missing=-0.170)
"""The curve of the default. `lab/fitting/completeness.py` fits it on films that were read for it, and measures it by folds."""


def measure_signs(
    story: Story, best: Sequence[int], linked: Sequence[Sequence[int]], posteriors: Sequence[float]
) -> NDArray[np.float64]:
    """Return four signs of whether a sentence's scenes tell all of it, for each sentence of a story (n_sentences × 4).

    - posterior: the log odds of `posteriors`, the sum over the sentence's scenes.
    - share: the logarithm of the words of its scenes over the words that the script has for each sentence. Scenes with less than
      a sentence's share of the script rarely have all that it tells.
    - skipped: log(1 + scenes from the best scene of the sentence before to its own; 1 for the first sentence). A sentence that
      skips scenes often tells some of them.
    - missing: how many of its content words (stems) another scene has, but none of its own; words that are in more than a fifth
      of the scenes do not count (of fewer than five scenes, none counts).

    Args:
        story: the story.
        best: the best scene of each sentence, as a position among the story's scenes.
        linked: all scenes of each sentence, the best among them.
        posteriors: the sum of their posteriors.
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
                float(logit(posterior)),
                np.log(max(1, sum(lengths[scene] for scene in scenes)) / mean),
                np.log1p(skipped),
                sum(0 < spread[stem] <= _RARE * len(stems) for stem in lacking),
            )
        )
    return np.array(rows, dtype=np.float64).reshape(len(rows), 4)
