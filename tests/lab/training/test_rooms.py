"""The writer on the example's release: trained, sampled, measured beside the tables, and mixed blindly."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from core.review.blind_sheet import write_sheet_line
from infra.models.language_models import Sampling
from lab.training.writer import WriterConfig, train_room_writer
from tasks.rooms.writer import rate_sheet, write_rooms
from tests.tasks.conftest import Example
from tests.tiny_transformer import save_tiny_writer

pytest.importorskip("torch", reason="the extra `lab` is not installed")


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
    assert found["near_copy_shares"] == {"writer": len(found["near_copies"]) / 6, "tables": 0.0}
    check_judged(sheet, shown, keys, tmp_path / "judged")


def check_judged(sheet: str, shown: list[dict[str, Any]], keys: list[dict[str, str]], folder: Path) -> None:
    """Readers fill in the sheet: what they answer becomes judgements, and each writer gets the mean of its own texts."""
    who = {entry["item"]: entry["writer"] for entry in keys}
    levels = {"writer": (1, 2), "tables": (4, 5)}
    common = {"at": "2026-11-22T18:40:00+00:00"}
    folder.mkdir()
    for place, reader in enumerate(("anna", "ben")):
        lines = [
            {**{name: entry[name] for name in entry if name != "text"}, **common}
            | {"reader": reader, "answer": levels[who[entry["item"]]][place]}
            for entry in shown
        ]
        foreign = {**lines[0], "item": "text-9999", "answer": 5}
        content = [*map(json.dumps, [*lines, foreign]), "{"]
        (folder / f"{reader}.jsonl").write_text("\n".join(content), encoding="utf-8")
    rated = rate_sheet(sheet, str(folder))
    assert rated["readers"] == 2
    assert [reason.split(":")[0] for reason in rated["refused"]] == [
        f"{name}.jsonl, line {len(shown) + 2}" for name in ("anna", "ben")
    ]
    assert rated["writers"]["tables"]["items"] == 6
    assert rated["writers"]["tables"]["score"]["value"] == 4.5
    if rated["writers"]["writer"] is not None:
        assert rated["writers"]["writer"]["score"]["value"] == 1.5


def test_a_sheet_without_key_or_answers_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"sheet .*No such file"):
        rate_sheet(str(tmp_path / "blind"), str(tmp_path))
    (tmp_path / "blind.jsonl").write_text(write_sheet_line("text-0001", "seed-1", 1, "A door.") + "\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"key of a sheet .*No such file"):
        rate_sheet(str(tmp_path / "blind"), str(tmp_path))
    (tmp_path / "blind.key.jsonl").write_text('{"item": "text-0001", "writer": "tables"}\n', encoding="utf-8")
    (tmp_path / "judged").mkdir()
    (tmp_path / "judged" / "anna.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="found no judgement of a text"):
        rate_sheet(str(tmp_path / "blind"), str(tmp_path / "judged"))


def test_without_a_trained_writer_the_remedy_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="fabula train room-writer"):
        write_rooms(str(tmp_path), ("You enter",), Sampling(), None)
