import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rooms.config import ScoreWeights
from core.rooms.score import SCORE_PARTS, RoomLexicon, analyse_by_rules, find_parts, parse_lexicon, score_parts
from infra.models.room_words import read_word_tables

WORDS = {
    "chamber": (0.54, 0.43, 0.43, 0.42, 0.3),
    "floor": (0.61, 1.0, 0.4, 0.48, 0.3),
    "damn": (0.2, 0.2, 0.2, 0.2, 1.0),
    "half": (0.5, 0.5, 0.5, 0.5, 0.5),
}
LEXICON = RoomLexicon(WORDS, frozenset({("DET", "NOUN", "AUX", "ADJ")}))


def count(text: str, threshold: float = 0.5) -> dict[str, int]:
    parts = find_parts(text, analyse_by_rules(text), WORDS, threshold, LEXICON)
    return {part.name: part.count for part in parts}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You walk on.", {"you": 1}),
        ("You're there.", {"you": 1}),
        ("Youth is there.", {}),
        ("The water is dark.", {"pattern": 1}),
        ("A chamber with a floor, and another floor.", {"room": 3, "floor": 2}),
        ("It is half done.", {}),  # .5 is not greater than .5
        ("Damn it.", {"curse": 1}),
        ('"We go."', {"quote_edge": 1}),
        ('He says "go" twice.', {"quote_inside": 1}),
        ('"Go," he says.', {"quote_edge": 1, "quote_inside": 1}),
        ("Do we go?", {"question": 1}),
        ('"Do we go?"', {"quote_edge": 1, "question": 1}),
        ("Wow, oh wow.", {"interjection": 1}),
        ("We meet Tary Darrington and Pike.", {"entity": 2}),
        ("We cross the Bridge of Sighs.", {"entity": 1}),
        ("Water runs. Nobody drinks.", {}),  # capitals that begin a sentence are no names
        ("", {}),
    ],
)
def test_each_criterion_counts(text: str, expected: dict[str, int]) -> None:
    assert count(text) == expected


def test_the_score_is_the_points_of_the_parts_and_the_packaged_tables_know_the_key_words() -> None:
    text = "You see a chamber with a floor of Damn Marble?"
    parts = find_parts(text, analyse_by_rules(text), WORDS, 0.5, LEXICON)
    assert {part.name: part.count for part in parts} == {"you": 1, "room": 2, "floor": 1, "question": 1, "curse": 1, "entity": 1}
    assert score_parts(parts, ScoreWeights()) == 1 + 4 + 2 - 1 - 2 - 2
    assert score_parts(parts, ScoreWeights(room=0, entity=-5)) == 1 + 2 - 1 - 2 - 5
    lexicon = parse_lexicon(*read_word_tables())
    for place, key in enumerate(("room", "floor", "door", "wall", "shit")):
        assert lexicon.similarities[key][place] == pytest.approx(1.0, abs=1e-3)
    assert max(lexicon.similarities["window"][:4]) > 0.5
    assert len(lexicon.patterns) > 50


@given(st.text(max_size=80))
def test_any_text_has_a_score_and_counts_are_positive(text: str) -> None:
    parts = find_parts(text, analyse_by_rules(text), WORDS, 0.5, LEXICON)
    assert all(part.count > 0 for part in parts)
    assert [part.name for part in parts] == [name for name in SCORE_PARTS if name in {part.name for part in parts}]
