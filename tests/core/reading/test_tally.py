"""What a run says of its reader: the counts of all units together, also where nothing was asked or answered."""

from core.reading.belief import Reading
from core.reading.tally import count_reading, list_notices, name_decider, summarise_reading


def test_units_that_were_asked_about_count() -> None:
    counts = [
        {"turns": 9, **count_reading(Reading("m", 10, 10, 0, 0.9))},
        {"turns": 5, **count_reading(Reading("m", 6, 5, 1, 0.0))},
        {"turns": 3},
    ]
    told, figures = summarise_reading("a/b", counts)
    assert told == {
        "model": "a/b", "units": 2, "heard": 1, "questions": 16, "answers": 15, "unreadable": 1, "weight": 0.6,
    }  # fmt: skip
    assert [row["value"] for row in figures] == [
        "a/b",
        "16 about 2 units; 15 have an answer, 1 of these cannot be read",
        "9 of 15 answers are expected to be right; heard in 1 of 2 units",
    ]


def test_a_reader_who_has_answered_nothing_has_no_weight() -> None:
    assert summarise_reading("m", [count_reading(Reading("m", 4, 0, 0, 0.0))])[0]["weight"] is None
    assert summarise_reading("m", [{"turns": 3}])[0]["questions"] == 0


def test_a_row_names_the_model_as_a_review_by_it_does() -> None:
    assert name_decider("some/model") == "model some-model"


def test_what_a_person_is_told() -> None:
    assert list_notices(Reading("model", 4, 4, 0, 0.9), "scripts") == []
    told = list_notices(Reading("model", 4, 3, 1, 0.0), "scripts")
    assert [(notice.count, notice.what) for notice in told] == [
        (1, "question(s) without an answer"),
        (1, "answer(s) that cannot be read"),
        (3, "answer(s) of a reader who is not believed"),
    ]
    assert "fabula read scripts --model model" in told[0].advice
