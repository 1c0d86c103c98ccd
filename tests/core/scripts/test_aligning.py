from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from numpy.typing import NDArray

from core.bounds import Checked
from core.dialogue import Turn
from core.errors import ConfigError, SourceError
from core.scripts.aligning import align_screenplay, combine, decode, measure_posteriors, weigh_evidence
from core.scripts.config import SceneAlignmentConfig, ScriptsConfig, Weights, default_config, sumtitles_config
from core.scripts.merging import group_scenes
from core.scripts.scenes import CastMember, Scene
from core.scripts.similarities import list_texts, measure_similarities, named_weights
from core.scripts.tuning import GoldMovie, tune
from core.text.terms import content_terms

CAST = (CastMember("Ada Lindqvist"), CastMember("Tobias Marr"))
SENTENCES = (
    "Ada mends the lighthouse lamp in the storm.",
    "Tobias (Some Actor) rows to the island, and Ada refuses his letter.",
    "They burn the letter together.",
)
NAMES = [entry.name for entry in fields(Weights)]


def scene(index: int, heading: str, speaker: str, text: str, narration: str) -> Scene:
    turns = (Turn(index, (speaker,), (text,), speaker, text),) if text else ()
    return Scene(index, index, heading, turns, (narration,) if narration else ())


SCENES = (
    scene(0, "INT. LIGHTHOUSE - NIGHT", "ADA", "The lamp is out again. This storm!", "Ada mends the lamp."),
    scene(1, "EXT. SEA", "", "", "A grey morning."),
    scene(2, "EXT. ISLAND JETTY - DAY", "TOBIAS", "I rowed all the way. Read the letter.", "Ada shakes her head."),
    scene(3, "INT. LIGHTHOUSE KITCHEN - NIGHT", "ADA", "Let it burn.", "The letter burns in the stove."),
)


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


@pytest.mark.parametrize("config", [default_config(), sumtitles_config()])
def test_links_sentences_to_their_scenes(config: ScriptsConfig) -> None:
    alignment = align_screenplay(SCENES, SENTENCES, CAST, HashedTerms(), config)
    assert alignment.scenes.tolist() == [0, 2, 3]
    assert alignment.combined.shape == (3, 4)
    assert set(alignment.similarities) == set(named_weights(config.alignment.weights))
    groups = group_scenes(alignment.scenes, alignment.combined)
    assert [sentence for group in groups for sentence in group.sentences] == [0, 1, 2]


def test_posterior_links_are_probabilities() -> None:
    links = align_screenplay(SCENES, SENTENCES, CAST, HashedTerms(), default_config()).links
    assert ((links > 0.3) & (links <= 1)).all()


def test_without_a_cast_the_cast_similarities_are_zero() -> None:
    alignment = align_screenplay(SCENES, SENTENCES, (), HashedTerms(), sumtitles_config())
    assert not alignment.similarities["jac"].any()
    assert not alignment.similarities["osj"].any()


def test_embeds_the_listed_texts_in_one_call() -> None:
    embed = HashedTerms()
    config = default_config()
    align_screenplay(SCENES, SENTENCES, CAST, embed, config)
    assert embed.calls == [list_texts(SCENES, SENTENCES, CAST, named_weights(config.alignment.weights), config)]
    assert len(set(embed.calls[0])) == len(embed.calls[0])
    assert "Some Actor" not in " ".join(text for text in embed.calls[0] if text not in SENTENCES)


def test_masked_similarities_compare_what_happens_whoever_it_is() -> None:
    """Without names, a sentence resembles the scene where somebody does the same, and not another scene of the same person."""
    scenes = [
        scene(0, "", "", "", "Ada sleeps."),
        scene(1, "", "", "", "Tobias mends a boat."),
        scene(2, "", "", "", "Rain falls."),
    ]
    masked = ["story_masked", "clause_masked"]
    measured = measure_similarities(
        scenes, ["Ada mends a boat.", "Rain."], CAST, HashedTerms(), [*masked, "story_max"], default_config()
    )
    assert measured["story_max"][0, 0] > measured["story_max"][0, 2]
    for name in masked:
        assert measured[name][0, 1] > measured["story_max"][0, 1]
        assert measured[name][0].argmax() == 1


def test_a_scene_with_more_of_a_person_has_more_of_people_by_a_bound() -> None:
    turns = [Turn(number, ("ADA",), ("Yes.",), "ADA", "Yes.") for number in range(30)]
    told = ("Ada rows. Ada sings.", "Tobias waits.")
    scenes = (Scene(0, 0, "", tuple(turns[:1]), ()), Scene(1, 1, "", tuple(turns), ()), Scene(2, 2, "", (), told))
    (row,) = measure_similarities(scenes, ["Ada mends a boat."], CAST, HashedTerms(), ["people"], default_config())["people"]
    assert 0 < row[0] < row[2] < row[1] < 2.5 * row[0]
    assert row[2] / row[0] == pytest.approx(2 / 3.5 * 2.5)


def test_embeds_nothing_if_no_weight_needs_vectors() -> None:
    embed = HashedTerms()
    config = default_config()
    config = replace(config, alignment=replace(config.alignment, weights=Weights(bm25=1.0)))
    assert align_screenplay(SCENES, SENTENCES, CAST, embed, config).scenes.tolist() == [0, 2, 3]
    assert embed.calls == []


def test_all_similarities_have_one_shape_and_are_finite() -> None:
    measured = measure_similarities(SCENES, SENTENCES, CAST, HashedTerms(), NAMES, default_config())
    assert list(measured) == NAMES
    assert all(matrix.shape == (3, 4) and np.isfinite(matrix).all() for matrix in measured.values())
    assert measured["location"][0].argmax() in (0, 3)
    assert measured["roles"][1, 2] > measured["roles"][1, 1] == 0


def test_silent_scenes_and_more_sentences_than_scenes() -> None:
    silent = [scene(0, "", "", "", ""), scene(1, "EXT. SEA", "", "", "")]
    for config in (default_config(), sumtitles_config()):
        alignment = align_screenplay(silent, SENTENCES, CAST, HashedTerms(), config)
        assert (np.diff(alignment.scenes) >= 0).all()
        assert np.isfinite(alignment.links).all()


@pytest.mark.parametrize(("scenes", "sentences"), [(SCENES, ()), ((), SENTENCES)])
def test_refuses_to_align_without_scenes_or_sentences(scenes: Sequence[Scene], sentences: Sequence[str]) -> None:
    with pytest.raises(SourceError, match="at least one"):
        align_screenplay(scenes, sentences, CAST, HashedTerms(), default_config())


def test_bm25_prefers_the_same_form_and_finds_other_forms() -> None:
    told = ["He refused.", "A refusal.", "They refuse.", "Rain falls.", "Wind blows.", "Snow drifts."]
    scenes = [scene(index, "", "", "", text) for index, text in enumerate(told)]
    (row,) = measure_similarities(scenes, ["He refused."], (), HashedTerms(), ["bm25"], default_config())["bm25"]
    assert row[0] > row[2] > row[1] > row[3] == 0


def test_long_words_do_not_count_more_for_their_letter_ngrams() -> None:
    scenes = [scene(index, "", "", "", word) for index, word in enumerate(["Rendezvous.", "Fog.", "Lamp.", "Sea."])]
    long, short = measure_similarities(scenes, ["Rendezvous.", "Fog."], (), HashedTerms(), ["bm25"], default_config())["bm25"]
    assert 0 < long[0] < 2 * short[1]


def test_a_sentence_without_terms_matches_no_scene_by_bm25() -> None:
    assert not measure_similarities(SCENES, ["And so it was."], (), HashedTerms(), ["bm25"], default_config())["bm25"].any()


def test_scenes_gain_from_their_neighbours() -> None:
    combined = np.array([[0.0, 4, 0, 0]])
    assert weigh_evidence(combined, 0.1, 0.5) == pytest.approx(weigh_evidence(np.array([[1.0, 4, 1, 0]]), 0.1))
    assert weigh_evidence(np.array([[3.0]]), 0.1, 0.5).tolist() == [[0.0]]


def test_background_bounds_the_evidence_of_a_sentence() -> None:
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
            for sentence, (scene, spot) in enumerate(zip(scenes, chosen, strict=True)):
                if scene == 0:
                    weight *= background
                elif scene == -1:
                    weight *= (1 - elsewhere - background) * 4 * shares[sentence, spot]
                else:
                    weight *= elsewhere / 4 * 4 * shares[sentence, spot]
            total += weight
            for sentence, (scene, spot) in enumerate(zip(scenes, chosen, strict=True)):
                if scene:
                    told[sentence, spot] += weight
    assert measure_posteriors(combined, config) == pytest.approx(told / total)


def test_a_sentence_told_out_of_order_credits_its_scene_and_moves_no_other() -> None:
    combined = np.full((5, 10), 0.0)
    combined[range(5), [1, 3, 9, 5, 7]] = 9.0  # the third sentence is told at the end
    without = SceneAlignmentConfig(elsewhere=0.0, background=0.05, neighbours=0.0)
    told = measure_posteriors(combined, replace(without, elsewhere=0.05, background=0.0))
    assert told[2, 9] > 0.9 > 0.1 > measure_posteriors(combined, without)[2, 9]
    assert told[[0, 1, 3, 4], [1, 3, 5, 7]].min() > 0.9
    _, found, _ = decode(combined, replace(without, elsewhere=0.05, background=0.0))
    assert found[[0, 1, 3, 4]].tolist() == [1, 3, 5, 7]


def test_people_who_are_meant_count_less_than_names() -> None:
    sentences = ("Ada mends the lamp.", "She burns it.")
    config = default_config()
    measured = measure_similarities(SCENES, sentences, CAST, HashedTerms(), ["osj", "roles", "people"], config)
    by_names = replace(config, alignment=replace(config.alignment, mentions=0.0))
    plain = measure_similarities(SCENES, sentences, CAST, HashedTerms(), ["osj", "roles"], by_names)
    assert not plain["roles"][1].any()
    assert measured["roles"][1] == pytest.approx(config.alignment.mentions * measured["roles"][0])
    assert (measured["osj"] >= plain["osj"]).all()
    assert measured["roles"][0] == pytest.approx(plain["roles"][0])
    assert measured["people"][1] == pytest.approx(config.alignment.mentions * measured["people"][0])


def gold_movie(name: str) -> GoldMovie:
    measured = measure_similarities(SCENES, SENTENCES, CAST, HashedTerms(), NAMES, default_config())
    return GoldMovie(name, "made-up", measured, np.arange(4), 4, {0: (0,), 1: (2,), 2: (2, 3)})


def test_tuning_judges_only_the_other_movies_and_is_reproducible() -> None:
    movies = [gold_movie("first"), gold_movie("second")]
    config = default_config().alignment
    tuned = tune(movies, ["first"], config, ["bm25", "people"], max_rounds=2)
    assert list(tuned.links) == ["second"]
    assert all(link.hit for link in tuned.links["second"])
    assert tuned.weights.story_max == config.weights.story_max
    assert tuned == tune(movies, ["first"], config, ["bm25", "people"], max_rounds=2)


@pytest.mark.parametrize(("chosen", "names"), [(["third"], ["bm25"]), ([], ["bm25"]), (["first"], ["jac"])])
def test_tuning_refuses_unknown_movies_and_weights_of_zero(chosen: list[str], names: list[str]) -> None:
    with pytest.raises(ConfigError):
        tune([gold_movie("first")], chosen, default_config().alignment, names)


def test_sentences_told_elsewhere_or_nowhere_leave_some_for_their_places():
    config = SceneAlignmentConfig(elsewhere=0.7, background=0.7)
    assert isinstance(config, Checked)
    assert config.list_problems() == [("background", "with elsewhere it adds up to 1.4; expected less than 1")]
    assert SceneAlignmentConfig(elsewhere=0.5, background=0.4).list_problems() == []
