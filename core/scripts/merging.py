"""BestSplit, Annot and Merge: every scene joins the scene of a synopsis sentence near it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.dialogue import Turn
from core.scripts.scenes import Scene


@dataclass(frozen=True, slots=True)
class SceneGroup:
    """Neighbouring scenes that become one: `start` ≤ scene < `stop`, around `anchor`, to which `sentences` are linked.

    Scenes and sentences are positions in the lists that were aligned, 0-based, the sentences ascending.
    """

    start: int
    stop: int
    anchor: int
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MergedScene:
    """The scenes of a group as one: all in order of appearance, each speaker once."""

    group: SceneGroup
    headings: tuple[str, ...]
    speakers: tuple[str, ...]
    turns: tuple[Turn, ...]
    narration: tuple[str, ...]


def annotate_scenes(sentence_scenes: Sequence[int] | NDArray[np.int64]) -> dict[int, tuple[int, ...]]:
    """Return the sentences of each scene that has any, scenes and sentences ascending.

    Reference: SumTitles, algorithm 4 (Annot).
    """
    sentences: dict[int, list[int]] = {}
    for sentence, scene in enumerate(sentence_scenes):
        sentences.setdefault(int(scene), []).append(sentence)
    return {scene: tuple(sentences[scene]) for scene in sorted(sentences)}


def split_between(similarity: NDArray[np.float64], left: int, right: int, last_left: int, first_right: int) -> int:
    """Return the scene s, `left` < s ≤ `right`, from which on the scenes between two anchors belong to the right one.

    The cut maximises the similarity of the scenes before s with the left anchor's last sentence, `last_left`, plus that of the
    scenes from s on with the right anchor's first sentence, `first_right`. Ties go to the lowest s. `similarity` is
    n_sentences × n_scenes.

    Reference: SumTitles, algorithm 5 (BestSplit).
    """
    to_left = np.append(0.0, np.cumsum(similarity[last_left, left + 1 : right]))
    to_right = similarity[first_right, left + 1 : right]
    remaining = np.append(np.cumsum(to_right[::-1])[::-1], 0.0)
    return left + 1 + int(np.argmax(to_left + remaining))


def group_scenes(sentence_scenes: Sequence[int] | NDArray[np.int64], similarity: NDArray[np.float64]) -> list[SceneGroup]:
    """Return the groups into which the scenes fall, in order: one per distinct anchor, each scene in exactly one.

    Scenes before the first anchor join it, scenes after the last join that; between two anchors `split_between` cuts once. The
    map need not be monotone. Raises ValueError without sentences, or where map and matrix (n_sentences × n_scenes) do not fit.

    Reference: SumTitles, algorithm 1, its slices corrected (`papers/README.md`).
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
    """Return one scene per group: headings, turns and narration of its scenes in order, speakers in order of appearance.

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
