"""The trained selector: features, rates without the own episode, and that it learns what can be learned."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import ConfigError
from lab.summarisation.dialogue import SpokenTurn, SummarisedDialogue, list_spoken
from lab.summarisation.selecting import trained_selection
from tests.lab.summarisation.rows import make_dialogue

WORDS = tuple("anchor bell candle door ember fog gull hook inn jetty keel lamp mast net oar pier".split())  # noqa: SIM905


def embed(_: str, texts: Sequence[str]) -> NDArray[np.float32]:
    vectors = np.array([[text.count(word) + 0.01 for word in WORDS] for text in texts], np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def make_told(name: str, seed: int) -> SummarisedDialogue:
    """A dialogue in which the summary repeats what TELLER says and nothing else."""
    random = Random(seed)
    said = [("TELLER" if place % 3 == 0 else "PLAYER", " ".join(random.sample(WORDS, 4)) + ".") for place in range(12)]
    told = tuple(text for speaker, text in said if speaker == "TELLER")
    turns = tuple(SpokenTurn((speaker,), text) for speaker, text in said)
    return SummarisedDialogue(id=name, unit=name, split="train", turns=turns, sentences=told)


def test_it_learns_who_tells_the_story() -> None:
    pytest.importorskip("sklearn", reason="the extra `lab` is not installed")
    train, test = ([make_told(str(first + place), first + place) for place in range(size)] for first, size in ((0, 8), (90, 4)))
    labelled, held_out = trained_selection.label_units(train, "sentence"), trained_selection.label_units(test, "sentence")
    assert labelled.labels.reshape(32, 3).tolist() == [[True, False, False]] * 32
    rows = trained_selection.gather_features(train, "sentence", embed, labelled, same=True)
    assert rows.shape == (96, len(WORDS) + len(trained_selection.PLAIN))
    selector = trained_selection.fit_selector(rows, labelled.labels, trained_selection.count_rates(labelled), 0.1)
    scores = selector.score(trained_selection.gather_features(test, "sentence", embed, labelled, same=False))
    assert trained_selection.measure_average_precision(held_out.labels, scores) > 0.95


def test_one_kind_of_unit_cannot_be_learned_from() -> None:
    pytest.importorskip("sklearn", reason="the extra `lab` is not installed")
    with pytest.raises(ConfigError, match="found 0 selected units among 5"):
        trained_selection.fit_selector(np.zeros((5, 3)), np.zeros(5, bool), trained_selection.SpeakerRates(0.0), 0.1)


def test_the_rates_of_an_episode_leave_its_own_labels_out() -> None:
    labels = np.array([True, True, False, False])
    labelled = trained_selection.LabelledUnits(labels, ["ANNA", "ANNA", "BEN", "BEN"], ["one", "one", "two", "two"])
    others = trained_selection.count_rates_of_others(labelled)
    assert "ANNA" not in others["one"].by_speaker
    assert others["one"].overall == 0.0
    assert others["two"].find(["ANNA"]) == 1.0
    rates = trained_selection.count_rates(labelled)
    assert rates.find(["ANNA"]) > rates.overall > rates.find(["BEN"])
    assert rates.find([]) == 0.5


def test_features_say_where_a_unit_stands_and_who_says_it() -> None:
    row = make_dialogue()
    spoken = list_spoken(row, "sentence")
    rates = trained_selection.SpeakerRates(0.1, {"BRAM": 0.7})
    found = trained_selection.make_features(row, spoken, embed, rates)[:, -len(trained_selection.PLAIN) :]
    column = dict(zip(trained_selection.PLAIN, found.T, strict=True))
    assert column["position"][0] == 0
    assert column["position"][-1] == 1
    assert column["first_in_turn"].tolist() == [1, 0, 1, 1, 0, 1]
    assert column["question"].tolist() == [0, 0, 0, 1, 0, 0]
    assert column["main_speaker"].tolist() == [1, 1, 0, 0, 0, 1]
    assert column["speaker_rate"].tolist() == [0.1, 0.1, 0.7, 0.1, 0.1, 0.1]
    assert np.isfinite(found).all()


def test_average_precision_is_that_of_the_ranking() -> None:
    labels = np.array([True, False, True, False])
    assert trained_selection.measure_average_precision(labels, np.array([4.0, 3.0, 2.0, 1.0])) == pytest.approx((1 + 2 / 3) / 2)
    assert trained_selection.measure_average_precision(np.zeros(3, bool), np.arange(3.0)) == 0.0
