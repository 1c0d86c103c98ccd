"""Licences of sources, and the consent of donors."""

import pytest

from core.errors import ConfigError, SourceError
from core.rooms.sentences import Rights, find_rights, is_contribution, parse_rights, read_contribution

DEFAULT = Rights("unspecified", "")
TABLE = """
[[source]]
files = "bought/*.txt"
license = "all rights reserved"
attribution = "A publisher"
redistributable = false
[[source]]
files = "*.txt"
license = "CC0"
"""
HEAD = "author: Jane Roe\nlicense: CC BY 4.0\nconsent: yes, 2 November\n---\n"


def test_the_first_entry_that_fits_counts() -> None:
    entries = parse_rights(TABLE, DEFAULT)
    assert find_rights("bought/a.txt", entries, DEFAULT) == Rights("all rights reserved", "A publisher", redistributable=False)
    assert find_rights("a.txt", entries, DEFAULT) == Rights("CC0", "")
    assert find_rights("a.csv", entries, DEFAULT) == DEFAULT


@pytest.mark.parametrize(
    "text",
    ["[[source]", "title = 1", "[[source]]", "[[source]]\nfiles = ''", "[[source]]\nfiles = 'a'\nlicence = 'b'",
     "[[source]]\nfiles = 'a'\nredistributable = 7", "source = 3"],
)  # fmt: skip
def test_a_wrong_table_is_the_callers_error(text: str) -> None:
    with pytest.raises(ConfigError, match=r"sources\.toml"):
        parse_rights(text, DEFAULT)


def test_a_donated_text_has_author_licence_and_consent() -> None:
    assert read_contribution("a.txt", HEAD + "A room.\n", DEFAULT) == (Rights("CC BY 4.0", "Jane Roe"), "A room.\n")


def test_a_donation_stays_withheld_where_the_table_of_sources_says_so() -> None:
    marked = Rights("unspecified", "", redistributable=False)
    rights, _ = read_contribution("a.txt", HEAD + "A room.\n", marked)
    assert not rights.redistributable


def test_a_folder_of_donations_is_known_however_it_is_written() -> None:
    assert is_contribution("Contributions/2026/a.txt")
    assert not is_contribution("texts/contributions")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A room.\n", "no head"),
        (HEAD.replace("author: Jane Roe\n", ""), "has no author"),
        (HEAD.replace("license: CC BY 4.0\n", "license:\n"), "has no license"),
        (HEAD.replace("yes, 2 November", "asked"), "consent is 'asked'"),
        (HEAD.replace("Jane Roe", "Jane Roe " * 200), "author has 1,799 characters"),
    ],
)
def test_a_text_without_consent_is_not_used(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_contribution("a.txt", text, DEFAULT)
