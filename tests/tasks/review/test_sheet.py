"""Blind sheets: texts of written rooms that annotators rate on the page, without a word of who wrote them."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import ConfigError
from core.review.blind_sheet import write_sheet_line
from tasks.review.session import Session, name_judged, open_sheet_session
from tasks.rooms.writer import rate_sheet

TEXTS = (("a", "writer", "The hall hums."), ("b", "tables", "A door. A lamp."), ("c", "writer", "Moss covers the stairs."))


def write_sheet(folder: Path, texts: Sequence[tuple[str, str, str]] = TEXTS) -> str:
    sheet = folder / "blind"
    lines = [write_sheet_line(item, "seed-1", place, text) for place, (item, _, text) in enumerate(texts, 1)]
    Path(f"{sheet}.jsonl").write_text("\n".join(lines) + "\n")
    keys = [json.dumps({"item": item, "writer": writer}) for item, writer, _ in texts]
    Path(f"{sheet}.key.jsonl").write_text("\n".join(keys) + "\n")
    return str(sheet)


def test_a_sheet_is_rated_blind_and_its_answers_are_counted(tmp_path: Path) -> None:
    sheet = write_sheet(tmp_path)
    now = [0.0]
    for annotator, levels in (
        ("anna", {"The hall": 4, "A door.": 2, "Moss": 5}),
        ("ben", {"The hall": 4, "A door.": 1, "Moss": 4}),
    ):
        session = open_sheet_session(sheet, annotator, lambda: now[0])
        for place in range(3):
            shown = session.show({"place": str(place)})
            assert shown.keys() == {"place", "own", "summary", "digest", "least"}, "an item's name could tell who wrote it"
            level = next(level for begin, level in levels.items() if shown["summary"].startswith(begin))
            now[0] += 4
            told = session.decide({"place": place, "answers": [{"question": "sense", "answer": level}]})
        assert (told["done"], told["next"]) == (3, None)
    assert open_sheet_session(sheet, "anna").describe({})["done"] == 3, "what was answered is there again"
    found = rate_sheet(sheet, name_judged(sheet))
    assert found["readers"] == 2
    means = {writer: score["score"]["value"] for writer, score in found["writers"].items()}
    assert means == {"writer": 4.25, "tables": 1.5}


def rate(session: Session, now: list[float], place: int, level: int, seconds: float = 4.0) -> None:
    session.show({"place": str(place)})
    now[0] += seconds
    session.decide({"place": place, "answers": [{"question": "sense", "answer": level}]})


def test_answers_to_a_former_sheet_of_the_name_do_not_count(tmp_path: Path) -> None:
    sheet, now = write_sheet(tmp_path), [0.0]
    rate(open_sheet_session(sheet, "anna", lambda: now[0]), now, 0, 5)
    write_sheet(tmp_path, [(item, writer, f"Now {text}") for item, writer, text in TEXTS])
    session = open_sheet_session(sheet, "anna", lambda: now[0])
    assert session.describe({})["done"] == 0
    with pytest.raises(ConfigError, match="1 are about other texts"):
        rate_sheet(sheet, name_judged(sheet))
    rate(session, now, 0, 2)
    found = rate_sheet(sheet, name_judged(sheet))
    assert found["other_texts"] == 1
    assert [score["score"]["value"] for score in found["writers"].values() if score] == [2.0]


def test_an_answer_that_was_too_fast_does_not_count_and_is_told(tmp_path: Path) -> None:
    sheet, now = write_sheet(tmp_path), [0.0]
    session = open_sheet_session(sheet, "anna", lambda: now[0])
    rate(session, now, 0, 5, seconds=0.1)
    with pytest.raises(ConfigError, match="1 were too fast"):
        rate_sheet(sheet, name_judged(sheet))
    rate(session, now, 1, 3)
    found = rate_sheet(sheet, name_judged(sheet))
    assert (found["too_fast"], sum(score["items"] for score in found["writers"].values() if score)) == (1, 1)


@pytest.mark.parametrize("place", ["0000000009999", "9", "-1", "1" * 5_000])
def test_a_place_that_the_sheet_lacks_is_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(ConfigError, match="place"):
        open_sheet_session(write_sheet(tmp_path), "anna").show({"place": place})


@pytest.mark.parametrize("answer", [0, 6, True, "4", None])
def test_what_is_no_level_is_refused(tmp_path: Path, answer: object) -> None:
    session = open_sheet_session(write_sheet(tmp_path), "anna")
    session.show({"place": "0"})
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
