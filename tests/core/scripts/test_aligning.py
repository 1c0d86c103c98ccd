from collections.abc import Sequence
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.errors import SourceError
from core.scripts.aligning import (
    HeardSentence,
    LocatedStory,
    combine,
    group_scenes,
    link_located,
    link_story,
    measure_posteriors,
    weigh_evidence,
)
from core.scripts.confidence import LINK
from core.scripts.config import SceneAlignmentConfig, ScriptsConfig, Weights
from core.scripts.story import Scene
from infra.settings import load_config
from tests.core.scripts.letter import LETTER, SCENES, SENTENCES, HashedTerms, tell

CONFIG = ScriptsConfig()
PAPER = load_config(ScriptsConfig, "scripts", "sumtitles")


@pytest.mark.parametrize("config", [CONFIG, PAPER])
def test_links_sentences_to_their_scenes(config: ScriptsConfig) -> None:
    links = link_story(LETTER, HashedTerms(), config)
    assert links.scenes == (0, 2, 3)
    assert [sentence for group in links.groups for sentence in group.sentences] == [0, 1, 2]


def test_embeds_distinct_texts_in_one_call_and_settings_leave_some_for_their_places() -> None:
    embed = HashedTerms()
    link_story(LETTER, embed, CONFIG)
    [texts] = embed.calls
    assert len(set(texts)) == len(texts) >= len(SENTENCES)
    assert "Some Actor" not in " ".join(text for text in texts if text not in SENTENCES)
    config = SceneAlignmentConfig(elsewhere=0.7, background=0.7)
    assert config.list_problems() == [("background", "with elsewhere it adds up to 1.4; expected less than 1")]
    assert SceneAlignmentConfig(elsewhere=0.5, background=0.4).list_problems() == []


@pytest.mark.parametrize(("scenes", "sentences"), [(SCENES, ()), ((), SENTENCES)])
def test_refuses_to_align_without_scenes_or_sentences(scenes: Sequence[Scene], sentences: Sequence[str]) -> None:
    with pytest.raises(SourceError, match="at least one"):
        link_story(tell(sentences, scenes), HashedTerms(), CONFIG)


def test_scenes_gain_from_their_neighbours_and_background_bounds_the_evidence() -> None:
    combined = np.array([[0.0, 4, 0, 0]])
    assert weigh_evidence(combined, 0.1, 0.5) == pytest.approx(weigh_evidence(np.array([[1.0, 4, 1, 0]]), 0.1))
    assert weigh_evidence(np.array([[3.0]]), 0.1, 0.5).tolist() == [[0.0]]
    combined = np.array([[0.0, 40, 0, 0]])
    evidence = weigh_evidence(combined, 0.1)
    assert np.ptp(evidence) == pytest.approx(np.log((0.9 * 4 + 0.1) / 0.1))
    assert np.isfinite(weigh_evidence(np.array([[0.0, 4000]]), 0.0)).all()
    assert combine({}, Weights(), (2, 3)).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(("elsewhere", "background"), [(0.1, 0.0), (0.0, 0.1), (0.05, 0.2)])
def test_posteriors_are_those_of_all_stories_that_the_model_can_tell(elsewhere: float, background: float) -> None:
    """All maps of three sentences to four scenes, where each sentence is told at its place, elsewhere or nowhere."""
    combined = np.random.default_rng(0).normal(0, 2, (3, 4))
    config = SceneAlignmentConfig(elsewhere=elsewhere, background=background, neighbours=0.0)
    shares = np.exp(combined) / np.exp(combined).sum(axis=1, keepdims=True)
    told, total = np.zeros((3, 4)), 0.0
    for places in combinations_with_replacement(range(4), 3):
        for scenes in product(range(-1, 5), repeat=3):  # −1: its place; 0: none; 1 to 4: a scene elsewhere
            chosen = [place if scene == -1 else scene - 1 for place, scene in zip(places, scenes, strict=True)]
            weight = 1.0
            for sentence, (told_at, spot) in enumerate(zip(scenes, chosen, strict=True)):
                if told_at == 0:
                    weight *= background
                elif told_at == -1:
                    weight *= (1 - elsewhere - background) * 4 * shares[sentence, spot]
                else:
                    weight *= elsewhere / 4 * 4 * shares[sentence, spot]
            total += weight
            for sentence, (told_at, spot) in enumerate(zip(scenes, chosen, strict=True)):
                if told_at:
                    told[sentence, spot] += weight
    assert measure_posteriors(combined, config) == pytest.approx(told / total)


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


def test_a_readers_scenes_take_the_place_of_the_posteriors_with_his_weight() -> None:
    posteriors = np.array([[0.0, 0.6, 0.3, 0.1, 0.0], [0.0, 0.1, 0.8, 0.1, 0.0], [0.0, 0.0, 0.0, 0.1, 0.9]])
    located = LocatedStory(np.zeros((3, 5)), (1, 2, 4), (0.6, 0.8, 0.9), posteriors)
    heard = {0: HeardSentence("m", 0.9, 1.0, 0.8, 4, {3: 0.5, 4: 1.0}), 1: HeardSentence("m", 0.9, 0.0, 0.0, None, {})}
    links = link_located(located, heard)
    assert links.scenes == (4, 2, 4), "where he finds none, the aligner's scene stays, and is hardly likely"
    assert links.similarities == pytest.approx((0.9, 0.08, 0.9))
    found = [{each.scene: each.posterior for each in row} for row in links.candidates]
    assert found == [pytest.approx({1: 0.06, 3: 0.46, 4: 0.9}), pytest.approx({2: 0.08}), pytest.approx({3: 0.1, 4: 0.9})]
    assert links.candidates[0][1].probability == pytest.approx(0.1 * float(LINK(0.1)) + 0.45)
    assert sorted(sentence for group in links.groups for sentence in group.sentences) == [0, 1, 2]
    told = [(each.found, each.posteriors) for each in links.heard.values()]
    assert told == [(1, {1: 0.6, 2: 0.3, 3: 0.1}), (2, {1: 0.1, 2: 0.8, 3: 0.1})]
    assert link_located(located).candidates[2] == links.candidates[2]
