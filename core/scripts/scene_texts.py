"""Collects the texts that similarities compare: the speech and narration of each scene, and the clauses of the synopsis."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.scripts.story import Scene
from core.text.sentences import SentenceSplitter
from core.text.terms import content_words

_MIN_CLAUSE_WORDS = 3
_ASIDE = re.compile(r"(?<!\s)\s*[(\[][^)\]]*[)\]]")  # from the first of several blanks, so that each is read once
_REMARK = re.compile(r"[(\[]([^)\]]*)[)\]]")
_JOINT = re.compile(
    r"[;,:]|\s[–—-]{1,2}\s|\b(?:and|but|while|when|after|before|until|as|because|who|whom|where|that|which|so)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Lines:
    """The texts of several groups in a row: group j has the texts `bounds[j]` ≤ text < `bounds[j + 1]`. A group may be empty."""

    texts: tuple[str, ...]
    bounds: NDArray[np.int64]


def gather(groups: Iterable[Sequence[str]]) -> Lines:
    """Put the texts of all groups in one row, and note the bounds of each group."""
    listed = [tuple(group) for group in groups]
    bounds = np.append(0, np.cumsum([len(group) for group in listed], dtype=np.int64))
    return Lines(tuple(text for group in listed for text in group), bounds)


def told_texts(scene: Scene) -> list[str]:
    """Return what a scene tells besides its speech: heading, narration, and the remarks in brackets in the turns' raw text."""
    remarks = (" ".join(remark.split()) for turn in scene.turns for remark in _REMARK.findall(turn.raw_text))
    return [text for text in (scene.heading.strip("[] "), *scene.narration, *remarks) if text]


def spoken_lines(scenes: Sequence[Scene], split: SentenceSplitter) -> Lines:
    """Return the spoken sentences of each scene, the paper's "scene sentences"."""
    return gather([line for turn in scene.turns for line in split(turn.text)] for scene in scenes)


def story_lines(scenes: Sequence[Scene], split: SentenceSplitter) -> Lines:
    """Return the sentences of each scene's speech and narration, but for a heading in capitals (a place and a time)."""
    return gather([line for text in _texts(scene) if not _is_slug(text, scene) for line in split(text)] for scene in scenes)


def clauses(sentences: Sequence[str]) -> Lines:
    """Split each synopsis sentence, without asides in brackets, into clauses of three words or more, or leave it whole."""
    return gather(_clauses(sentence) for sentence in sentences)


def without_asides(sentence: str) -> str:
    """Remove asides in brackets from a synopsis sentence; on Wikipedia these are the actors' names."""
    end = max(sentence.rfind(mark) for mark in ")]") + 1  # a bracket that is open after it is searched no further
    return (_ASIDE.sub("", sentence[:end]) + sentence[end:]).strip() or sentence


def scene_words(scene: Scene) -> int:
    """Return the number of words in a scene's speech, heading and narration."""
    return sum(len(text.split()) for text in _texts(scene))


def list_content_words(scene: Scene) -> list[str]:
    """Return the content words of a scene's speakers, speech, heading and narration, in lower case."""
    names = " ".join(speaker for turn in scene.turns for speaker in turn.speakers)
    return content_words(" ".join((names, *_texts(scene))))


def _texts(scene: Scene) -> list[str]:
    return [*(turn.text for turn in scene.turns), *told_texts(scene)]


def _is_slug(text: str, scene: Scene) -> bool:
    return text.isupper() and text == scene.heading.strip("[] ")


def _clauses(sentence: str) -> list[str]:
    bare = without_asides(sentence)
    parts = [part.strip() for part in _JOINT.split(bare)]
    return [part for part in parts if len(part.split()) >= _MIN_CLAUSE_WORDS] or [bare]
