"""Merges every scene into a nearby scene that has a synopsis sentence (BestSplit, Annot and Merge of SumTitles)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.dialogue import Turn
from core.scripts.scenes import Scene


@dataclass(frozen=True, slots=True)
class SceneGroup:
    """Neighbouring scenes to merge, `start` ≤ scene < `stop`, around the scene `anchor`, to which `sentences` are linked.

    Scenes and sentences are 0-based positions in the lists that were aligned; the sentences are in ascending order.
    """

    start: int
    stop: int
    anchor: int
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MergedScene:
    """The scenes of a group as one scene. Everything is in order of appearance, and each speaker is listed once."""

    group: SceneGroup
    headings: tuple[str, ...]
    speakers: tuple[str, ...]
    turns: tuple[Turn, ...]
    narration: tuple[str, ...]


def annotate_scenes(sentence_scenes: Sequence[int] | NDArray[np.int64]) -> dict[int, tuple[int, ...]]:
    """Return the sentences of each scene that has sentences; scenes and sentences are in ascending order.

    Reference: SumTitles, algorithm 4 (Annot).
    """
    sentences: dict[int, list[int]] = {}
    for sentence, scene in enumerate(sentence_scenes):
        sentences.setdefault(int(scene), []).append(sentence)
    return {scene: tuple(sentences[scene]) for scene in sorted(sentences)}


def split_between(similarity: NDArray[np.float64], left: int, right: int, last_left: int, first_right: int) -> int:
    """Divide the scenes between two anchors: return the first scene s that belongs to the right anchor, `left` < s ≤ `right`.

    The cut maximises a sum of similarities: of the scenes before s with the left anchor's last sentence `last_left`, and of the
    scenes from s on with the right anchor's first sentence `first_right`. Ties go to the lowest s. `similarity` has the shape
    n_sentences × n_scenes.

    Reference: SumTitles, algorithm 5 (BestSplit).
    """
    to_left = np.append(0.0, np.cumsum(similarity[last_left, left + 1 : right]))
    to_right = similarity[first_right, left + 1 : right]
    remaining = np.append(np.cumsum(to_right[::-1])[::-1], 0.0)
    return left + 1 + int(np.argmax(to_left + remaining))


def group_scenes(sentence_scenes: Sequence[int] | NDArray[np.int64], similarity: NDArray[np.float64]) -> list[SceneGroup]:
    """Group all scenes, in order: one group per distinct anchor, each scene in exactly one group.

    Scenes before the first anchor belong to the first group, scenes after the last anchor to the last group. Between two anchors
    `split_between` makes one cut.

    Args:
        sentence_scenes: the scene of each sentence; they need not be in order.
        similarity: shape n_sentences × n_scenes.

    Raises:
        ValueError: there are no sentences, or `sentence_scenes` does not fit the matrix.

    Reference: SumTitles, algorithm 1, with its slices corrected (`papers/README.md`).
    """
    n_sentences, n_scenes = similarity.shape
    if not n_sentences or len(sentence_scenes) != n_sentences:
        raise ValueError(f"one scene per sentence is needed: {len(sentence_scenes)} for {n_sentences} sentences")
    annotated = annotate_scenes(sentence_scenes)
    anchors = list(annotated)
    if anchors[0] < 0 or anchors[-1] >= n_scenes:
        raise ValueError(f"the sentences are linked to scenes {anchors[0]} to {anchors[-1]}, but there are {n_scenes}")
    cuts = [split_between(similarity, left, right, annotated[left][-1], annotated[right][0]) for left, right in pairwise(anchors)]
    starts, stops = [0, *cuts], [*cuts, n_scenes]
    return [
        SceneGroup(start, stop, anchor, annotated[anchor]) for start, stop, anchor in zip(starts, stops, anchors, strict=True)
    ]


def merge_scenes(scenes: Sequence[Scene], groups: Sequence[SceneGroup]) -> list[MergedScene]:
    """Merge the scenes of each group into one, with their headings, turns and narration in order.

    Reference: SumTitles, section 4 (Merge).
    """
    return [_merge(scenes[group.start : group.stop], group) for group in groups]


def _merge(scenes: Sequence[Scene], group: SceneGroup) -> MergedScene:
    turns = tuple(turn for scene in scenes for turn in scene.turns)
    return MergedScene(
        group=group,
        headings=tuple(scene.heading for scene in scenes if scene.heading),
        speakers=tuple(dict.fromkeys(speaker for turn in turns for speaker in turn.speakers)),
        turns=turns,
        narration=tuple(paragraph for scene in scenes for paragraph in scene.narration),
    )
