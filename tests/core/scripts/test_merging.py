from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.dialogue import Turn
from core.scripts.merging import annotate_scenes, group_scenes, merge_scenes, split_between
from core.scripts.scenes import Scene


@st.composite
def alignments(draw: st.DrawFn) -> tuple[list[int], NDArray[np.float64]]:
    n_sentences, n_scenes = draw(st.integers(1, 6)), draw(st.integers(1, 9))
    links = draw(st.lists(st.integers(0, n_scenes - 1), min_size=n_sentences, max_size=n_sentences))
    cells = draw(st.lists(st.integers(-8, 8), min_size=n_sentences * n_scenes, max_size=n_sentences * n_scenes))
    return links, np.array(cells, float).reshape(n_sentences, n_scenes) / 4


@given(alignments())
def test_every_scene_is_in_exactly_one_group(alignment: tuple[list[int], NDArray[np.float64]]) -> None:
    links, similarity = alignment
    groups = group_scenes(links, similarity)
    assert [scene for group in groups for scene in range(group.start, group.stop)] == list(range(similarity.shape[1]))
    assert all(group.start <= group.anchor < group.stop for group in groups)
    assert [group.anchor for group in groups] == sorted(set(links))
    assert sorted(sentence for group in groups for sentence in group.sentences) == list(range(len(links)))
    assert all(links[sentence] == group.anchor for group in groups for sentence in group.sentences)


@given(alignments())
def test_the_lowest_of_the_best_cuts_is_taken(alignment: tuple[list[int], NDArray[np.float64]]) -> None:
    links, similarity = alignment
    groups = group_scenes(links, similarity)
    for left, right in pairwise(groups):
        before, after = similarity[left.sentences[-1]], similarity[right.sentences[0]]
        splits = range(left.anchor + 1, right.anchor + 1)
        gains = [before[left.anchor + 1 : split].sum() + after[split : right.anchor].sum() for split in splits]
        assert left.stop == right.start == splits[int(np.argmax(gains))]


def test_the_scene_at_the_cut_belongs_to_the_right_group() -> None:
    similarity = np.array([[9.0, 1, 0, 0, 0], [0, 0, 1, 1, 9]])
    assert split_between(similarity, 0, 4, 0, 1) == 2
    assert split_between(np.zeros((2, 5)), 0, 4, 0, 1) == 1
    assert split_between(similarity, 0, 1, 0, 1) == 1


def test_annotation_sorts_scenes_and_keeps_all_sentences() -> None:
    assert annotate_scenes([4, 1, 4]) == {1: (1,), 4: (0, 2)}


def test_merged_scene_keeps_order_and_names_speakers_once() -> None:
    def scene(index: int, *speakers: str) -> Scene:
        turns = tuple(Turn(index * 10 + k, (name,), ("Aye.",), name, "Aye.") for k, name in enumerate(speakers))
        return Scene(index, index, f"INT. ROOM {index}" if index else "", turns, (f"Rain {index}.",))

    scenes = [scene(0, "Ada"), scene(1, "Bo", "Ada"), scene(2), scene(3, "Cy")]
    first, second = merge_scenes(scenes, group_scenes([1, 3], np.array([[0.0, 1, 1, 0], [0, 0, 0, 1]])))
    assert first.headings == ("INT. ROOM 1", "INT. ROOM 2")
    assert first.speakers == ("Ada", "Bo")
    assert [turn.number for turn in first.turns] == [0, 10, 11]
    assert first.narration == ("Rain 0.", "Rain 1.", "Rain 2.")
    assert (second.group.start, second.group.stop, second.speakers) == (3, 4, ("Cy",))


@pytest.mark.parametrize("links", [[], [0, 3], [0, -1], [0]])
def test_refuses_links_that_do_not_fit(links: list[int]) -> None:
    with pytest.raises(ValueError, match="sentence"):
        group_scenes(links, np.zeros((len(links) if len(links) != 1 else 2, 3)))
