import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.subtitles.detokenisation import join_tokens


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("Do n't , please !", "Don't, please!"),
        ("Don 't you 'll he 'S", "Don't you'll he'S"),
        ("I saw 'em , ' cause I 'm here", "I saw 'em, 'cause I'm here"),
        ('He said : " Not now . " Then " go " .', 'He said: "Not now." Then "go".'),
        ('Love , Anna . "', 'Love, Anna."'),
        ('" Hey , you', '"Hey, you'),
        ("( quietly ) $ 5 , 50 %", "(quietly) $5, 50%"),
        ("It was vermin- filled , I mean- Stop !", "It was vermin-filled, I mean- Stop!"),
        ("I can not , I 'm gon na cry ...", "I cannot, I'm gonna cry..."),
        ("- Mr. Grubb ?", "- Mr. Grubb?"),
        ("I need- - Mary- -", "I need-- Mary--"),
        ("- - You- - I mean , you", "- - You-- I mean, you"),
        ("beat ' em- -", "beat 'em--"),
        ("rock 'n ' roll", "rock 'n' roll"),
        ("", ""),
    ],
)
def test_tokens_become_text_in_normal_spelling(tokens, text):
    assert join_tokens([tokens.split()]) == text


def test_dots_at_the_start_of_a_caption_attach_to_the_next_word():
    assert join_tokens([["the", "tower", "..."], ["...", "where", "I", "live", "."]]) == "the tower... ...where I live."


def test_quotation_marks_open_and_close_across_captions():
    assert join_tokens([["Say", '"', "no"], ["more", '"', "."]]) == 'Say "no more".'


@given(st.lists(st.lists(st.text("aZ'\"-.,!(…♪é", min_size=1, max_size=4), min_size=1, max_size=8), max_size=3))
def test_only_spaces_are_added(lines):
    text = join_tokens(lines)
    assert text.replace(" ", "") == "".join(token for line in lines for token in line)
    assert "  " not in text
    assert text == text.strip()
