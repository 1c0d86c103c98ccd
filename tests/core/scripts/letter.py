"""A made-up film of four scenes, and vectors without a model, for tests of similarities, links and the search of weights."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.dialogue import Turn
from core.scripts.story import CastMember, Scene, Story
from core.text.terms import content_terms

SENTENCES = (
    "Ada mends the lighthouse lamp in the storm.",
    "Tobias (Some Actor) rows to the island, and Ada refuses his letter.",
    "They burn the letter together.",
)


def scene(index: int, heading: str = "", speaker: str = "", text: str = "", narration: str = "") -> Scene:
    turns = (Turn(index, (speaker,), (text,), speaker, text),) if text else ()
    return Scene(index, index, heading, turns, (narration,) if narration else ())


SCENES = (
    scene(0, "INT. LIGHTHOUSE - NIGHT", "ADA", "The lamp is out again. This storm!", "Ada mends the lamp."),
    scene(1, "EXT. SEA", "", "", "A grey morning."),
    scene(2, "EXT. ISLAND JETTY - DAY", "TOBIAS", "I rowed all the way. Read the letter.", "Ada shakes her head."),
    scene(3, "INT. LIGHTHOUSE KITCHEN - NIGHT", "ADA", "Let it burn.", "The letter burns in the stove."),
)
CAST = (CastMember("Ada Lindqvist"), CastMember("Tobias Marr"))
LETTER = Story("letter", "movie", "The Letter", "", SCENES, SENTENCES, CAST)


def tell(sentences: Sequence[str], scenes: Sequence[Scene] = SCENES, cast: tuple[CastMember, ...] | None = CAST) -> Story:
    return Story("told", "movie", "Told", "", tuple(scenes), tuple(sentences), cast)


def show(*narration: str) -> list[Scene]:
    """Return a scene for each paragraph of action."""
    return [scene(index, narration=text) for index, text in enumerate(narration)]


class HashedTerms:
    """An `Embedder` without a model: each term adds 1 to one of 64 dimensions. It records its calls."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        vectors = np.zeros((len(texts), 64), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for term in content_terms(text):
                vector[sum(map(ord, term)) % 64] += 1
        return vectors


TALK = (
    "INT. BARN - DAY\n\nA cow looks up.\n\n" + "               ANNA\n     Hello there.\n\n               BEN\n     Hello.\n\n" * 5
)
"""A short screenplay with columns, before what a test adds; `INDENTED` ends with action."""
INDENTED = (
    "INT. BARN - DAY\n\nA cow looks up.\n\n"
    "               ANNA\n     Hello there.\n\n               BEN\n     Hello.\n\nThey look at the cow.\n\n"
) * 6
