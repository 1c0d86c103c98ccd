import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.people.contacts import MASKS, mask_contacts, mask_link
from core.threads.mark_up import clean_text
from lab.quality.contacts import LEAST_PRECISION, LEAST_RECALL, measure_line, read_lines

_TOKENS = """
call u/ /u/ @ bob_1 alice . - ( ) + : # 0171 2345678 202 555 0143 discord iban ssn at dot com 12 Oak Street DE89 one two oh [ ] /
"""
PIECES = st.sampled_from((*MASKS, *_TOKENS.split(), " ", "\n", " at ", " dot ", "https://x.com/"))


def test_the_written_lines_reach_the_aims_and_a_link_to_a_profile_takes_its_words_along() -> None:
    outcomes = [measure_line(line) for line in read_lines()]
    assert len(outcomes) == 400
    assert sum(outcome.found for outcome in outcomes) >= LEAST_RECALL * sum(outcome.spans for outcome in outcomes)
    assert sum(outcome.right for outcome in outcomes) >= LEAST_PRECISION * sum(outcome.masks for outcome in outcomes)
    assert clean_text("Thanks [erinreal](/u/erinreal), and [Greta](mailto:g@example.com).") == "Thanks [user], and [email]."
    assert mask_link("the wiki", "https://w.example/a") == "the wiki"


@pytest.mark.parametrize(
    ("raw", "masked"),
    [
        ("u/alice/u/bobsmith", "[user]"),
        ("ask //u/carol", "ask [user]"),
        ("word/u/bob", "word[user]"),
        ("see /user/daveplain", "see [user]"),
        ("on r/u_bobsmith", "on [user]"),
        ("hey @bob_smith99!", "hey [user]!"),
        ("0171 2345678", "[phone]"),
        ("(020) 7946 0958", "[phone]"),
        ("2025550143", "[phone]"),
        ("+1 (555) 010-9999", "[phone]"),
        ("between 0700-1900 Mon-Fri", "between 0700-1900 Mon-Fri"),
        ("the UK number is 0808 802 9999", "the UK number is 0808 802 9999"),
        ("not a @gmail.com", "not a @gmail.com"),
        ("12 Oak St\nSpringfield, IL 62704", "[address]"),
        ("IBAN DE12 3456 7890 1234 5678 90, and so on", "IBAN [iban], and so on"),
        ("ref DE12 3456 7890 1234 5678 90", "ref DE12 3456 7890 1234 5678 90"),
        ("So one-one, two-two-two-two, three, one, eight, two.", "So one-one, two-two-two-two, three, one, eight, two."),
        ("My number is five five five, oh one four three.", "My number is [phone]."),
    ],
)
def test_what_is_masked(raw: str, masked: str) -> None:
    assert mask_contacts(raw) == masked


@given(st.lists(PIECES, max_size=12).map("".join))
@settings(max_examples=100, deadline=None)
def test_masking_twice_changes_nothing_more(text: str) -> None:
    once = mask_contacts(text)
    assert mask_contacts(once) == once


@given(st.lists(st.from_regex(r"[a-z]{1,12}[,.]?", fullmatch=True), max_size=30).map(" ".join))
@settings(deadline=None)
def test_words_without_digits_and_signs_stay(text: str) -> None:
    if " at " not in text and " dot " not in text:
        assert mask_contacts(text) == text
