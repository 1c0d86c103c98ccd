"""A blind sheet on the review page: what a reader sees, what is stored, and that the evaluation counts it."""

import json
from pathlib import Path

import pytest

from core.errors import ConfigError
from tasks.review.sheet import SheetSession, name_judged
from tasks.rooms.writer import rate_sheet


def write_sheet(folder: Path) -> str:
    common = {"dataset": "room-writer", "version": "seed-1", "question": "sense"}
    texts = [("a", "writer", "The hall hums."), ("b", "tables", "A door. A lamp."), ("c", "writer", "Moss covers the stairs.")]
    sheet = folder / "blind"
    lines = [json.dumps({"item": item, **common, "position": 1, "text": text}) for item, _, text in texts]
    Path(f"{sheet}.jsonl").write_text("\n".join(lines) + "\n")
    keys = [json.dumps({"item": item, "writer": writer}) for item, writer, _ in texts]
    Path(f"{sheet}.key.jsonl").write_text("\n".join(keys) + "\n")
    return str(sheet)


def test_a_sheet_is_rated_blind_and_its_answers_are_counted(tmp_path: Path) -> None:
    sheet = write_sheet(tmp_path)
    now = [0.0]
    for reader, levels in (("anna", {"The hall": 4, "A door.": 2, "Moss": 5}), ("ben", {"The hall": 4, "A door.": 1, "Moss": 4})):
        session = SheetSession(sheet, reader, lambda: now[0])
        for place in range(3):
            shown = session.show({"place": str(place)})
            assert not {"item", "writer", "dataset"} & shown.keys(), "an item's name could tell who wrote it"
            level = next(level for begin, level in levels.items() if shown["summary"].startswith(begin))
            now[0] += 4
            told = session.decide({"place": place, "answers": [{"question": "sense", "answer": level}]})
        assert (told["done"], told["next"]) == (3, None)
    again = SheetSession(sheet, "anna")
    assert again.describe({})["done"] == 3, "what was answered is there again"
    found = rate_sheet(sheet, name_judged(sheet))
    assert found["readers"] == 2
    means = {writer: score["score"]["value"] for writer, score in found["writers"].items()}
    assert means == {"writer": 4.25, "tables": 1.5}


@pytest.mark.parametrize("answer", [0, 6, True, "4", None])
def test_what_is_no_level_is_refused(tmp_path: Path, answer: object) -> None:
    session = SheetSession(write_sheet(tmp_path), "anna")
    session.show({"place": "0"})
    with pytest.raises(ConfigError, match="found the answer"):
        session.decide({"place": 0, "answers": [{"question": "sense", "answer": answer}]})
    assert session.describe({})["done"] == 0


def test_what_is_no_sheet_is_told(tmp_path: Path) -> None:
    for content in (None, "", "[1]", "{}"):
        if content is not None:
            (tmp_path / "bad.jsonl").write_text(content)
        with pytest.raises(ConfigError, match=r"bad\.jsonl"):
            SheetSession(str(tmp_path / "bad"), "anna")
