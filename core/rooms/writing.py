"""Descriptions that are written: near copies of the training data, their measures, and a table-based baseline.

Reference: Rooms, section 4 (a fine-tuned GPT-2), table 1 (its prompts), section 2 (table-based generators).
"""

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.rooms.config import CopyConfig
from core.rooms.copies import digest_words, sign_text

_WORD = re.compile(r"[^\W_]+")
_SAME_RUN = 8
"""A text that shares a run of so many words with the training data repeats it, whatever stands around the run."""


@dataclass(frozen=True, slots=True)
class NearCopy:
    """A written text that repeats a training text: `share` is their estimated Jaccard similarity, 1 where words are the same."""

    text: str
    original: str
    share: float


def find_near_copies(texts: Sequence[str], training: Sequence[str], config: CopyConfig) -> list[NearCopy | None]:
    """Return for each text the training text that it repeats, or None.

    A text repeats another if their words are the same, their Jaccard similarity reaches `config.near`, or they share a run of
    eight words.
    """
    exact = {digest_words(text): text for text in training}
    runs: dict[str, str] = {}
    for text in training:
        for run in _grams(text, _SAME_RUN):
            runs.setdefault(run, text)
    signatures = [sign_text(text, config) for text in training]
    found: list[NearCopy | None] = []
    for text in texts:
        if (same := exact.get(digest_words(text))) is not None:
            found.append(NearCopy(text, same, 1.0))
            continue
        signature = sign_text(text, config)
        shares = [float((signature == other).mean()) for other in signatures]
        best = max(range(len(shares)), key=shares.__getitem__, default=None)
        shared = next((runs[run] for run in _grams(text, _SAME_RUN) if run in runs), None)
        if best is not None and shares[best] >= config.near:
            found.append(NearCopy(text, training[best], shares[best]))
        elif shared is not None:
            found.append(NearCopy(text, shared, float((signature == sign_text(shared, config)).mean())))
        else:
            found.append(None)
    return found


def measure_writing(texts: Sequence[str], training: Iterable[str]) -> dict[str, Any] | None:
    """Return the measures of written texts, None where there are none.

    `novelty`: share of word 4-grams that the training data lacks. `repetition`: share of word 4-grams that repeat one of the same
    text. `distinct`: different n-grams among all, for n of 1, 2 and 3 (Li et al., 2016). `words`: mean length.
    """
    if not texts:
        return None
    known = {gram for text in training for gram in _grams(text, 4)}
    grams = [_grams(text, 4) for text in texts]
    total = sum(map(len, grams))
    new = sum(gram not in known for found in grams for gram in found)
    repeated = sum(len(found) - len(set(found)) for found in grams)
    every = [[gram for text in texts for gram in _grams(text, size)] for size in (1, 2, 3)]
    return {
        "texts": len(texts),
        "novelty": new / total if total else 0.0,
        "repetition": repeated / total if total else 0.0,
        "distinct": [len(set(found)) / len(found) if found else 0.0 for found in every],
        "words": sum(len(_WORD.findall(text)) for text in texts) / len(texts),
    }


def _grams(text: str, size: int) -> list[str]:
    words = _WORD.findall(text.lower())
    return [" ".join(words[start : start + size]) for start in range(len(words) - size + 1)]


_SIZES = ("low", "vast", "narrow", "round", "long", "cramped", "square", "vaulted")
_PLACES = ("chamber", "hall", "cellar", "gallery", "corridor", "library", "kitchen", "shrine", "guardroom", "storeroom")
_MATERIALS = ("grey stone", "black brick", "damp oak", "rough clay", "green marble", "packed earth", "rusted iron")
_CONTENTS = (
    "a table with three chairs", "an empty weapon rack", "a dry fountain", "a heap of broken crates", "a cold fireplace",
    "a statue without a face", "two sleeping mats", "a loom with a half-finished cloth", "a cracked mirror",
)  # fmt: skip
_AIR = ("smells of smoke", "smells of wet wool", "is bitterly cold", "is warm and still", "hums faintly", "tastes of salt")
_EXITS = ("north", "east", "south", "west")
_DOORS = ("stands ajar", "is barred from this side", "has no handle", "is carved with fish", "leads to a spiral staircase")


def roll_room(prompt: str, generator: random.Random) -> str:
    """Return a description from tables of our own, by throws of dice: the baseline that a trained writer is compared with."""
    tables = (_SIZES, _PLACES, _MATERIALS, _CONTENTS, _AIR, _EXITS, _DOORS)
    size, place, material, content, air, way, door = map(generator.choice, tables)
    if prompt.lower().startswith("the door"):
        return f"The door to the {way} {door}, and behind it lies a {size} {place} of {material}."
    if prompt.lower().startswith("the room"):
        return f"The room is a {size} {place} of {material}, the air {air}, and along the {way} wall stands {content}."
    return f"You enter a {size} {place} with walls of {material}, and in the middle stands {content}; the air {air}."
