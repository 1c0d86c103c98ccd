"""The probability that a sentence describes a place: a logistic regression on its words and on the parts of its score.

The weights are a packaged file, made by `lab/fitting/room_places.py`. It holds numbers alone: a word is known by its hash.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from core.bounds import UNCHANGED, Curve
from core.rooms.ranker import make_features, name_features
from core.rooms.score import Part, cut_tokens

WORDS = 2**13
"""Different hashes of words."""
PLAIN = name_features(0)
"""The other features: those of the ranker (`core.rooms.ranker`) without a sentence vector."""
DIGITS = 4
"""Of a probability: sums of floating-point numbers differ a little between machines."""


@dataclass(frozen=True, slots=True)
class PlaceWeights:
    """Weights of the hashes of words (`WORDS`) and of the features `PLAIN`, and the intercepts of speech and of written text.

    People speak of places in other words than they write, and say less that describes one.
    """

    words: NDArray[np.float64]
    plain: NDArray[np.float64]
    speech: float
    written: float


def hash_words(text: str) -> tuple[int, ...]:
    """Return the hashes (0 to `WORDS` − 1) of the different words, numbers and signs of a text, in order."""
    tokens = dict.fromkeys(token.lower() for token in cut_tokens(text))
    return tuple(crc32(token.encode("utf-8", "surrogatepass")) % WORDS for token in tokens)


def rate_sentences(
    texts: Sequence[str], parts: Sequence[Sequence[Part]], spoken: Sequence[bool], weights: PlaceWeights, curve: Curve = UNCHANGED
) -> list[float]:
    """Return the probability that each text describes a place.

    Args:
        texts: sentences (n).
        parts: of the score of each (n).
        spoken: which are from a dialogue; the others are written text (n).
        weights: the packaged ones, or fitted ones.
        curve: by which the log odds of all are moved.
    """
    if not texts:
        return []
    values = make_features(texts, parts, np.zeros((len(texts), 0), np.float32)) @ weights.plain
    values += [weights.speech if said else weights.written for said in spoken]
    for place, text in enumerate(texts):
        hashes = hash_words(text)
        values[place] += sum(weights.words[number] for number in hashes) / max(len(hashes), 1) ** 0.5
    return [round(float(value), DIGITS) for value in expit(curve[0] * values + curve[1])]


def write_weights(weights: PlaceWeights) -> str:
    """Return weights as the text of a file: a name and a number a line, words by their hash; what is 0 is left out."""
    named = [("speech", weights.speech), ("written", weights.written)]
    named += zip(PLAIN, weights.plain.tolist(), strict=True)
    named += ((str(number), weight) for number, weight in enumerate(weights.words.tolist()))
    return "".join(f"{name}\t{text}\n" for name, value in named if float(text := f"{value:.3f}"))


def parse_weights(text: str) -> PlaceWeights:
    """Read the text of a file of weights (`write_weights`)."""
    found = dict(line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    words, plain = (np.array([float(found.get(name, 0)) for name in names]) for names in (map(str, range(WORDS)), PLAIN))
    return PlaceWeights(words, plain, float(found["speech"]), float(found["written"]))
