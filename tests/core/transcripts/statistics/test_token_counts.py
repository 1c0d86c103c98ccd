import re

from hypothesis import given
from hypothesis import strategies as st

from core.transcripts.statistics import count_tokens


def test_both_tokenisers():
    counts = count_tokens(["Don't, Vex'ahlia— don't!", "A d20."])
    assert counts["whitespace"].total == 5
    assert counts["whitespace"].vocabulary == ("A", "Don't,", "Vex'ahlia—", "d20.", "don't!")
    assert counts["words"].total == 5
    assert counts["words"].vocabulary == ("a", "d20", "don't", "vex'ahlia")


def test_no_texts_give_no_tokens():
    assert count_tokens([])["words"].total == 0


@given(st.lists(st.text(alphabet="aB1'’_-.\u00a0\n É")))
def test_words_equal_a_search_of_the_whole_text(texts):
    words = [word for text in texts for word in re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text.lower())]
    counted = count_tokens(texts)["words"]
    assert (counted.total, counted.vocabulary) == (len(words), tuple(sorted(set(words))))
