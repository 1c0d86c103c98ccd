from core.text.terms import content_terms, content_words, letter_runs


def test_stems_content_words() -> None:
    assert content_terms("The keeper's lamps were burning.") == ["keeper", "lamp", "burn"]
    assert content_terms("THE KEEPER’S LAMP") == ["keeper", "lamp"]
    assert content_terms("Scene 12, don't!") == ["scene", "12"]
    assert content_terms("and so it was") == []
    assert content_terms("") == []


def test_words_keep_their_forms_and_character_ngrams_mark_their_edges() -> None:
    assert content_words("The keeper’s lamps were BURNING.") == ["keeper", "lamps", "burning"]
    assert letter_runs(["lamp", "is", "a"]) == ["_lam", "lamp", "amp_", "_is_", "_a_"]
    assert letter_runs(["lamp"], n=5) == ["_lamp", "lamp_"]
    assert letter_runs([]) == []
