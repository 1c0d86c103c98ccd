import pytest

from core.text.terms import content_terms, content_words, letter_runs


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The keeper's lamps were burning.", ["keeper", "lamp", "burn"]),
        ("THE KEEPER’S LAMP", ["keeper", "lamp"]),
        ("Scene 12, don't!", ["scene", "12"]),
        ("and so it was", []),
        ("", []),
    ],
)
def test_stems_content_words(text: str, terms: list[str]) -> None:
    assert content_terms(text) == terms


def test_words_keep_their_forms_and_character_ngrams_mark_their_edges() -> None:
    assert content_words("The keeper’s lamps were BURNING.") == ["keeper", "lamps", "burning"]
    assert letter_runs(["lamp", "is", "a"]) == ["_lam", "lamp", "amp_", "_is_", "_a_"]
    assert letter_runs(["lamp"], n=5) == ["_lamp", "lamp_"]
    assert letter_runs([]) == []
