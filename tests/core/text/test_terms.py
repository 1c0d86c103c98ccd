import pytest

from core.text.terms import content_terms


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
