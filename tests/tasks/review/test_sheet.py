"""Blind sheets: texts of written rooms that annotators rate on the page, without a word of who wrote them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from core.review.blind_sheet import write_sheet_line
from tasks.review.session import name_judged, open_sheet_session
from tasks.rooms.writer import rate_sheet

TEXTS = (("a", "writer", "The hall hums."), ("b", "tables", "A door. A lamp."), ("c", "writer", "Moss covers the stairs."))


def write_sheet(folder: Path, texts: Sequence[tuple[str, str, str]] = TEXTS) -> str:
    sheet = folder / "blind"
    lines = [write_sheet_line(item, "seed-1", place, text) for place, (item, _, text) in enumerate(texts, 1)]
    Path(f"{sheet}.jsonl").write_text("\n".join(lines) + "\n")
    keys = [json.dumps({"item": item, "writer": writer}) for item, writer, _ in texts]
    Path(f"{sheet}.key.jsonl").write_text("\n".join(keys) + "\n")
    return str(sheet)


def rate(sheet: str, annotator: str, levels: Mapping[str, int], seconds: float = 4.0) -> dict[str, Any]:
    """Rate the texts of a sheet by how they begin, and return what the last answer is told."""
    now = [0.0]
    session, told = open_sheet_session(sheet, annotator, lambda: now[0]), {}
    for place in range(3):
        shown = session.show({"place": str(place)})
        assert shown.keys() == {"place", "own", "summary", "digest", "least"}, "an item's name could tell who wrote it"
        now[0] += seconds
        for level in (level for begin, level in levels.items() if shown["summary"].startswith(begin)):
            told = session.decide({"place": place, "answers": [{"question": "sense", "answer": level}]})
    return told


def test_a_sheet_is_rated_blind_and_its_answers_are_counted(tmp_path: Path) -> None:
    sheet = write_sheet(tmp_path)
    for annotator, door, moss in (("anna", 2, 5), ("ben", 1, 4)):
        told = rate(sheet, annotator, {"The hall": 4, "A door": door, "Moss": moss})
        assert (told["done"], told["next"]) == (3, None)
    assert open_sheet_session(sheet, "anna").describe({})["done"] == 3, "what was answered is there again"
    found = rate_sheet(sheet, name_judged(sheet))
    assert found["readers"] == 2
    means = {writer: score["score"]["value"] for writer, score in found["writers"].items()}
    assert means == {"writer": 4.25, "tables": 1.5}


def test_answers_about_other_texts_and_those_that_were_too_fast_do_not_count_and_are_told(tmp_path: Path) -> None:
    sheet = write_sheet(tmp_path)
    rate(sheet, "anna", {"The hall": 5})
    write_sheet(tmp_path, [(item, writer, f"Now {text}") for item, writer, text in TEXTS])
    assert open_sheet_session(sheet, "anna").describe({})["done"] == 0
    with pytest.raises(ConfigError, match="1 are about other texts"):
        rate_sheet(sheet, name_judged(sheet))
    rate(sheet, "anna", {"Now A door": 5}, seconds=0.1)
    with pytest.raises(ConfigError, match="1 were too fast"):
        rate_sheet(sheet, name_judged(sheet))
    rate(sheet, "anna", {"Now Moss": 2})
    found = rate_sheet(sheet, name_judged(sheet))
    assert (found["other_texts"], found["too_fast"]) == (1, 1)
    assert [(score["items"], score["score"]["value"]) for score in found["writers"].values() if score] == [(1, 2.0)]


def test_places_that_the_sheet_lacks_and_what_is_no_level_are_refused(tmp_path: Path) -> None:
    session = open_sheet_session(write_sheet(tmp_path), "anna")
    for place in ("0000000009999", "9", "-1", "1" * 5_000):
        with pytest.raises(ConfigError, match="place"):
            session.show({"place": place})
    session.show({"place": "0"})
    for answer in (0, 6, True, "4", None):
        with pytest.raises(ConfigError, match="found the answer"):
            session.decide({"place": 0, "answers": [{"question": "sense", "answer": answer}]})
    assert session.describe({})["done"] == 0


def test_what_is_no_sheet_is_told(tmp_path: Path) -> None:
    good = write_sheet_line("a", "seed-1", 1, "The hall hums.")
    other = json.dumps(json.loads(good) | {"dataset": "../../x"})
    number = json.dumps(json.loads(good) | {"text": 7})
    for content in (None, "", "[1]", "{}", "{", number, other, f"{good}\n{good}"):
        if content is not None:
            (tmp_path / "bad.jsonl").write_text(content)
        with pytest.raises(ConfigError, match=r"bad\.jsonl"):
            open_sheet_session(str(tmp_path / "bad"), "anna")
