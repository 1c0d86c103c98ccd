"""A blind sheet on the review page: what a reader sees, what is stored, and that the evaluation counts it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import ConfigError
from core.review.blind_sheet import write_sheet_line
from infra.store.objects import Store
from infra.store.reviews import add_judgements, read_reviews
from tasks.review.session import SheetSession, name_judged
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


def rate(session: SheetSession, now: list[float], place: int, level: int, seconds: float = 4.0) -> None:
    session.show({"place": str(place)})
    now[0] += seconds
    session.decide({"place": place, "answers": [{"question": "sense", "answer": level}]})


def test_answers_to_a_former_sheet_of_the_name_do_not_count(tmp_path: Path) -> None:
    sheet, now = write_sheet(tmp_path), [0.0]
    rate(SheetSession(sheet, "anna", lambda: now[0]), now, 0, 5)
    write_sheet(tmp_path, [(item, writer, f"Now {text}") for item, writer, text in TEXTS])
    session = SheetSession(sheet, "anna", lambda: now[0])
    assert session.describe({})["done"] == 0
    with pytest.raises(ConfigError, match="1 are about other texts"):
        rate_sheet(sheet, name_judged(sheet))
    rate(session, now, 0, 2)
    found = rate_sheet(sheet, name_judged(sheet))
    assert found["other_texts"] == 1
    assert [score["score"]["value"] for score in found["writers"].values() if score] == [2.0]


def test_an_answer_that_was_too_fast_does_not_count_and_is_told(tmp_path: Path) -> None:
    sheet, now = write_sheet(tmp_path), [0.0]
    session = SheetSession(sheet, "anna", lambda: now[0])
    rate(session, now, 0, 5, seconds=0.1)
    with pytest.raises(ConfigError, match="1 were too fast"):
        rate_sheet(sheet, name_judged(sheet))
    rate(session, now, 1, 3)
    found = rate_sheet(sheet, name_judged(sheet))
    assert (found["too_fast"], sum(score["items"] for score in found["writers"].values() if score)) == (1, 1)


def test_a_text_that_a_later_sheet_has_too_is_judged_once(tmp_path: Path) -> None:
    sheet, now = write_sheet(tmp_path, TEXTS[:1]), [0.0]
    rate(SheetSession(sheet, "anna", lambda: now[0]), now, 0, 5)
    Path(f"{sheet}.jsonl").write_text(write_sheet_line("a", "seed-2", 1, TEXTS[0][2]) + "\n")
    session = SheetSession(sheet, "anna", lambda: now[0])
    assert session.describe({})["done"] == 1
    rate(session, now, 0, 2)
    assert rate_sheet(sheet, name_judged(sheet))["writers"]["writer"]["score"]["value"] == 2.0


def test_a_correction_counts_also_where_the_clock_was_ahead(tmp_path: Path) -> None:
    sheet, now = write_sheet(tmp_path, TEXTS[:1]), [0.0]
    rate(SheetSession(sheet, "anna", lambda: now[0]), now, 0, 5)
    store = Store(name_judged(sheet))
    (entry,) = read_reviews(store, "room-writer").judgements
    store.delete_all(store.list_keys("reviews"))
    add_judgements(store, [replace(entry, at="2126-01-01T00:00:00+00:00")])
    rate(SheetSession(sheet, "anna", lambda: now[0]), now, 0, 1)
    assert rate_sheet(sheet, name_judged(sheet))["writers"]["writer"]["score"]["value"] == 1.0


@pytest.mark.parametrize("place", ["0000000009999", "9", "-1", "1" * 5_000])
def test_a_place_that_the_sheet_lacks_is_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(ConfigError, match="place"):
        SheetSession(write_sheet(tmp_path), "anna").show({"place": place})


@pytest.mark.parametrize("answer", [0, 6, True, "4", None])
def test_what_is_no_level_is_refused(tmp_path: Path, answer: object) -> None:
    session = SheetSession(write_sheet(tmp_path), "anna")
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
            SheetSession(str(tmp_path / "bad"), "anna")
