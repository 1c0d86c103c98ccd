"""The rows of a `subtitles` release against the films that they are made from."""

from dataclasses import asdict

import pytest

from core.dialogue import Turn
from core.subtitles.film_dialogue import FilmDialogue, FilmOutcome
from infra.tables import subtitles
from infra.tables.parquet import Provenance

PROVENANCE = Provenance("OpenSubtitles and the source's summaries", "CC BY-SA 4.0", "Wikipedia")
CREDIT = asdict(PROVENANCE)
TURNS = (
    Turn(0, (), ("Who goes there?",), "", "- Who goes there?", 1.0, 2.5),
    Turn(1, (), ("Naïve fox \x00 🦊…",), "", "raw", None, None),
)
FOX = FilmDialogue("fox", "The Fox", 1999, "fox/film.srt", "the only one", TURNS, ("A fox runs.", "It comes home."))
OUTCOMES = (
    FilmOutcome("fox", FOX, (("fox/second.srt", "not English: the file says German"),)),
    FilmOutcome("goose", FilmDialogue("goose", "goose", None, "goose/a.xml", "the only one", TURNS[:1], ("A goose.",)), ()),
    FilmOutcome("owl", None, (("owl/a.srt", "not English"),), "no English subtitle: owl/a.srt: not English"),
)


def test_a_film_is_one_row_with_the_whole_dialogue_and_every_sentence() -> None:
    rows = subtitles.release_films(subtitles.tabulate_films(OUTCOMES), PROVENANCE, ()).table
    assert rows.schema == subtitles.SUBTITLES
    fox, goose = rows.to_pylist()
    assert fox == {
        "id": "fox", "unit": "fox", "film": "fox",
        "title": "The Fox", "year": 1999, "subtitle": "fox/film.srt", "reason": "the only one",
        "summary": "A fox runs. It comes home.", "sentences": ["A fox runs.", "It comes home."],
        "turns": [
            {"number": 0, "speakers": [], "text": "Who goes there?"},
            {"number": 1, "speakers": [], "text": "Naïve fox \x00 🦊…"},
        ],
        "starts": [1.0, None], "ends": [2.5, None],
        "dialogue": "Who goes there?\nNaïve fox \x00 🦊…",
        **CREDIT,
    }  # fmt: skip
    assert (goose["film"], goose["year"]) == ("goose", None)


def test_rejects_are_files_that_were_not_taken_films_that_failed_and_films_that_are_left_out() -> None:
    left_out = {"goose": "the dialogue of fox"}
    rows = subtitles.release_rejects(subtitles.tabulate_rejected(OUTCOMES), PROVENANCE, left_out).table
    assert rows.schema == subtitles.REJECTS
    assert [(row["film"], row["path"], row["failed"], row["reason"]) for row in rows.to_pylist()] == [
        ("fox", "fox/second.srt", False, "not English: the file says German"),
        ("owl", "owl/a.srt", False, "not English"),
        ("owl", "", True, "no English subtitle: owl/a.srt: not English"),
        ("goose", "", False, "the dialogue of fox"),
    ]
    assert all(row.items() >= CREDIT.items() for row in rows.to_pylist())
    films = subtitles.release_films(subtitles.tabulate_films(OUTCOMES), PROVENANCE, left_out).table
    assert films.column("film").to_pylist() == ["fox"]


@pytest.mark.parametrize("outcomes", [(), OUTCOMES[2:]])
def test_tables_without_films_have_the_schema_too(outcomes: tuple[FilmOutcome, ...]) -> None:
    films, rejected = subtitles.tabulate_films(outcomes), subtitles.tabulate_rejected(outcomes)
    assert (films.schema, len(films)) == (subtitles.FILM_ARTIFACT, 0)
    assert rejected.schema == subtitles.REJECT_ARTIFACT
    assert subtitles.release_films(films, PROVENANCE, ()).table.schema == subtitles.SUBTITLES
