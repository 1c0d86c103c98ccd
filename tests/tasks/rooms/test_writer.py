"""The writer on the example's release: trained, sampled, measured beside the tables, and mixed blindly."""

import json
from pathlib import Path

import pytest

from core.errors import ConfigError
from infra.models.causal_model import Sampling, WriterConfig
from tasks.rooms.writer import train_room_writer, write_rooms
from tests.tasks.conftest import Example
from tests.tiny_transformer import save_tiny_writer

pytest.importorskip("torch", reason="the extra `embeddings` is not installed")


def test_a_writer_is_trained_on_a_release_and_writes_beside_the_tables(descriptions: Example, tmp_path: Path) -> None:
    texts = [row["text"] for row in descriptions.rows("rooms")]
    model = save_tiny_writer(tmp_path / "tiny", texts)
    settings = WriterConfig(epochs=1, batch=8)
    trained = train_room_writer(model, descriptions.store.url, "rooms", str(tmp_path / "out"), settings, lambda *_: None)
    assert trained["sentences"] == len(set(texts))
    sheet = str(tmp_path / "blind")
    found = write_rooms(str(tmp_path / "out"), ("You enter", "The door"), Sampling(count=3, max_tokens=12), sheet)
    assert len(found["texts"]) + len(found["near_copies"]) == 6
    assert (found["writer"]["texts"], found["tables"]["texts"]) == (len(found["texts"]), 6)
    shown = [json.loads(line) for line in Path(f"{sheet}.jsonl").read_text("utf-8").splitlines()]
    keys = [json.loads(line) for line in Path(f"{sheet}.key.jsonl").read_text("utf-8").splitlines()]
    assert [entry["position"] for entry in shown] == list(range(1, len(shown) + 1))
    assert sorted(entry["writer"] for entry in keys) == ["tables"] * 6 + ["writer"] * len(found["texts"])
    assert not any({"writer", "model"} & set(entry) for entry in shown)


def test_without_a_trained_writer_the_remedy_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="fabula train room-writer"):
        write_rooms(str(tmp_path), ("You enter",), Sampling(), None)
