import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.people.names import Names, drop_mail_headers, is_common, split_name
from core.people.pseudonyms import pseudonymise

GRETA, FRANK = (pseudonymise(name, b"key") for name in ("GretaTheAsker", "FrankFerryman99"))
NAMES = Names({"GretaTheAsker": GRETA, "FrankFerryman99": FRANK})


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("Hi GretaTheAsker, thanks", f"Hi {GRETA}, thanks"),
        ("GretaTheAskers lamp, Frank Ferrymans too", f"{GRETA} lamp, {FRANK} too"),
        ("gretatheasker's and GRETATHEASKER’s", f"{GRETA}'s and {GRETA}’s"),
        ("@GretaTheAsker /u/gretatheasker u/GretaTheAsker", f"{GRETA} {GRETA} {GRETA}"),
        ("u_GretaTheAsker r/u_GretaTheAsker /r/u_gretatheasker", f"{GRETA} {GRETA} {GRETA}"),
        ("/u/GretaTheAsker/u/FrankFerryman99", f"{GRETA}/{FRANK}"),
        ("[GretaTheAsker](/user/GretaTheAsker/comments/1)", f"[{GRETA}]({GRETA}/comments/1)"),
        ("https://example.org/user/GretaTheAsker/x", f"https://example.org/{GRETA}/x"),
        (r"Greta\_TheAsker **Greta**TheAsker", f"{GRETA} **{GRETA}"),
        ("Greta&#95;TheAsker &amp;#71;retaTheAsker &#x47;reta&zwnj;TheAsker", f"{GRETA} {GRETA} {GRETA}"),
        ("Gre\u200btaThe\u00adAsker\u200b!", f"{GRETA}\u200b!"),
        ("ＧｒｅｔａTheAsker", GRETA),
        ("frank_ferryman, Frank Ferryman, frank-ferryman, FrankFerryman, Frank Ferryman 99", ", ".join([FRANK] * 5)),
        ("Ferryman is wrong &amp; so on", f"{FRANK} is wrong &amp; so on"),
        ("greta@example.org", f"{GRETA}@example.org"),
    ],
)
def test_a_name_is_replaced_however_it_is_written(text: str, replaced: str) -> None:
    assert NAMES.replace(text) == replaced
    assert NAMES.replace(replaced) == replaced


@pytest.mark.parametrize("text", ["the book asks", "frank_ferrymanly", "menu_book", "99 bottles &amp; more", "a\\_b", ""])
def test_other_words_stay(text: str) -> None:
    assert NAMES.replace(text) == text


def test_a_name_that_is_a_common_word_is_replaced_only_after_a_mark() -> None:
    mask = pseudonymise("Book", b"key")
    names = Names({"Book": mask, "the": "author-1", "a": "author-2", "42": "author-3", "reading": "author-4"})
    text = "The Book I am reading has a page 42"
    assert names.replace(text) == text
    assert names.replace("u/book said @Book u/42") == f"{mask} said {mask} author-3"


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("Thanks, Will. Will? Will, go! It is Will's turn.", "Thanks, W. W? W, go! It is W's turn."),
        ("Will rolls a 20. And then Will King said: Will attacks", "W rolls a 20. And then K said: W attacks"),
        ("MATT, WILL, JO!", "MATT, W, J!"),
        ("Will you? I will. WILL YOU GO? \u201cWill it?\u201d - Will he?", None),
        ("a will, good will, jo", None),
        (
            "That's Will. And Vex's\nWill, the Will of the gods, Will of iron. Will\nyou",
            "That's W. And Vex's\nWill, the Will of the gods, Will of iron. Will\nyou",
        ),
    ],
)
def test_a_common_word_by_which_one_is_called_is_replaced_where_it_is_written_as_a_name(text: str, replaced: str | None) -> None:
    names = Names({"WILL": "W", "Jo": "J", "Will King": "K"}, called=["will", "jo", "will king"])
    assert names.replace(text) == (replaced or text)


def test_a_part_that_is_ordinary_or_anothers_stands_for_nobody_and_the_longest_name_counts() -> None:
    assert Names({"ZorbaKid": GRETA, "zorba_kid_2": FRANK}).replace("Zorba sails") == "Zorba sails"
    assert Names({"ZorbaKid": GRETA}, ordinary=["zorba"]).replace("Zorba sails") == "Zorba sails"
    assert Names({"ZorbaKid": GRETA}).replace("Zorba sails") == f"{GRETA} sails"
    names = Names({"zorbaquist": GRETA, "ZorbaVrim": FRANK}, ordinary=["zorba"])
    assert names.replace("Zorba quist, zorbaquist, zorba vrim") == f"Zorba quist, {GRETA}, {FRANK}"
    common = Names({"TheBookLover": GRETA})
    assert common.replace("the book lover, TheBookLover, the_book_lover") == f"the book lover, {GRETA}, {GRETA}"
    names = Names({"Zorba": GRETA, "ZorbaQuist": FRANK})
    assert names.replace("ZorbaQuist Zorba u/ZorbaQuist") == f"{FRANK} {GRETA} {FRANK}"
    assert names.replace("u/Zorba_ist") == f"u/{GRETA}_ist"


def test_hostile_names_and_texts_break_nothing_and_take_linear_time() -> None:
    hostile = ["", " ", "🦊", ".*", "(", "a" * 10_000, "aB" * 5_000, "x_" * 5_000, "7", "\\", "&amp;", "author-0123456789abcdef"]
    many = {f"Qorx{number}Vrim": pseudonymise(str(number), b"key") for number in range(1_000)}
    began = time.process_time()
    names = Names({**{name: pseudonymise(name, b"key") for name in hostile}, **many})
    for text in ("a" * 100_000, "aB_" * 40_000, "qorx " * 20_000, "&amp" * 20_000, "\\" * 60_000, "u/" * 40_000, "_-" * 60_000):
        names.replace(text)
    assert time.process_time() - began < 4
    assert names.replace("Qorx471Vrim") == many["Qorx471Vrim"]


@given(
    st.dictionaries(st.text(max_size=12), st.integers(0, 9), max_size=5),
    st.lists(st.one_of(st.text(max_size=12), st.sampled_from(["u/", "@", "_", "-", " ", "&#95;", "\\_", "\u200b"])), max_size=12),
)
def test_replacing_twice_changes_nothing(numbers: dict[str, int], pieces: list[str]) -> None:
    names = Names({name: pseudonymise(str(number), b"key") for name, number in numbers.items()})
    once = names.replace("".join([*pieces, *numbers]))
    assert names.replace(once) == once


@given(st.text("abxyzQRX019_-", min_size=3, max_size=20), st.sampled_from(["{}", "u/{}", "@{}!", "see [{0}](/u/{0})", "({})’s"]))
def test_no_telling_name_is_left(name: str, form: str) -> None:
    names = Names({name: GRETA})
    if any(len(part) > 3 and not part.isdigit() and not is_common(part) for part in split_name(name)):
        assert name.strip("-_") not in names.replace(form.format(name))


@pytest.mark.parametrize(
    "line",
    [
        "On Mon, 3 Jan 2022, Greta Asker <greta@example.org> wrote:",
        "On 2022-01-03 10:15, Greta Asker\n<greta@example.org> wrote:", "> On Jan 3, 2022, at 9:12 PM, Greta Asker wrote:",
        "Am 03.01.2022 um 10:15 schrieb Greta Asker:", "From: Greta Asker", "*From:* Greta Asker <greta@example.org>",
        "To: Asker, Greta", "Cc: greta@example.org, somebody else", "Greta wrote:", "Greta Asker writes:",
    ],
)  # fmt: skip
def test_lines_of_quoted_mail_that_name_somebody_go(line: str) -> None:
    left = drop_mail_headers(f"Hello.\n{line}\n> Is it damp?")
    assert [line for line in left.split("\n") if line] == ["Hello.", "> Is it damp?"]


def test_other_lines_stay() -> None:
    lines = """From: my window I see it | To: do the dishes | From: Home | She wrote: | On the wall somebody wrote:
        and then he wrote: it is damp | My Teacher writes: | To: be or not to be, that is the question"""
    for line in map(str.strip, re.split(r"[|\n]", lines)):
        assert drop_mail_headers(f"Hello.\n{line}\nIt is.") == f"Hello.\n{line}\nIt is."
