import json

import pytest

from core.errors import ConfigError, SourceError
from core.rooms import sentences
from core.text.sentences import split_by_rules

OPEN = sentences.Rights("CC0", "Everybody")


def texts(path: str, content: str) -> list[str]:
    return [passage.text for passage in sentences.read_document(path, content.encode(), "unit", OPEN)]


def test_turns_of_crd3_json() -> None:
    turns = [{"NAMES": ["ODILE"], "UTTERANCES": ["A door.", "A wall."]}, {"NAMES": ["BRAM"], "UTTERANCES": [" "]}]
    (passage,) = sentences.read_document("C1E001.json", json.dumps({"TURNS": turns}).encode(), "C1E001", OPEN)
    assert (passage.text, passage.turn, passage.speakers, passage.document) == ("A door. A wall.", 0, ("ODILE",), "C1E001")


@pytest.mark.parametrize("content", ["{", "[]", '{"TURNS": [{"NAMES": "A"}]}', '{"TURNS": []}', "  "])
def test_other_json_is_refused_by_name(content: str) -> None:
    with pytest.raises(SourceError, match=r"a\.json"):
        texts("a.json", content)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_table_with_a_heading_has_a_licence_a_row(delimiter: str) -> None:
    rows = [["text", "license", "redistributable"], ["A room.", "CC BY", ""], ["A wall.", "", "no"]]
    content = "\n".join(delimiter.join(row) for row in rows)
    found = sentences.read_document("a.csv", content.encode(), "a", OPEN)
    assert [(each.text, each.rights) for each in found] == [
        ("A room.", sentences.Rights("CC BY", "Everybody")),
        ("A wall.", sentences.Rights("CC0", "Everybody", redistributable=False)),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name,license\nA room,CC0\n", "heading 'name,license', expected a column text"),
        ("text,text\nA room,A wall\n", "two columns 'text'"),
        ('text,license\n"A room with a door,CC0\nA wall,CC0\n', "not a valid table"),
        ("license,text\nCC0\n", "row 2: found no text"),
        ("text,license\nA room, with a door,CC0\n", "row 2 has more cells"),
        (f"text\n{'x' * 200_000}\n", "field larger than field limit"),
        (f"text,license\nA room,{'L' * 2_000}\n", "row 2: found license of 2,000 characters"),
        ("text\nA room\x00 is here\n", "NUL bytes"),
    ],
)
def test_broken_tables_are_refused_by_name(content: str, message: str) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        texts("a.csv", content)
    assert str(caught.value).startswith("a.csv")


def test_a_record_has_its_own_rights_and_cannot_set_free_what_its_file_withholds() -> None:
    line = json.dumps({"text": "A room.", "episode": "C1E001", "license": "CC BY", "speaker": "MATT"}).encode()
    (passage,) = sentences.read_record("r-1", line, OPEN)
    assert (passage.document, passage.rights, passage.speakers) == ("C1E001", sentences.Rights("CC BY", "Everybody"), ("MATT",))
    line = json.dumps({"text": "A room.", "redistributable": True}).encode()
    assert not sentences.read_record("r-1", line, sentences.Rights("none", "", redistributable=False))[0].rights.redistributable


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b'{"id": "a"}',
        b'{"text": 1}',
        b'{"text": "a", "id": []}',
        b'{"text": " "}',
        b'{"text": "a", "redistributable": 3}',
        b'{"text": "a", "document": {"a": 1}}',
        b'{"text": "a", "id": 1e400}',
        b'{"text": "a", "document": "%s"}' % (b"D" * 1_001),
        b'{"text": "a", "x": %s}' % (b"[" * 100_000),
        b'{"text": "a", "id": %s}' % (b"1" * 5_000),
    ],
)
def test_bad_records_are_refused(line: bytes) -> None:
    with pytest.raises(SourceError, match="expected"):
        sentences.read_record(sentences.name_record(line), line, OPEN)


def test_places_tell_beginning_and_end_of_longer_documents_only() -> None:
    long = sentences.read_document("a.txt", b" ".join(b"A room is here." for _ in range(11)), "long", OPEN)
    short = sentences.read_document("b.txt", b"A room is here. A wall is there.", "short", OPEN)
    assert [sentence.place for sentence in sentences.split_passages(long, split_by_rules)][::5] == [0.0, 0.5, 1.0]
    assert {sentence.place for sentence in sentences.split_passages(short, split_by_rules)} == {0.5}


DEFAULT = sentences.Rights("unspecified", "")
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
    entries = sentences.parse_rights(TABLE, DEFAULT)
    found = sentences.find_rights("bought/a.txt", entries, DEFAULT)
    assert found == sentences.Rights("all rights reserved", "A publisher", redistributable=False)
    assert sentences.find_rights("a.txt", entries, DEFAULT) == sentences.Rights("CC0", "")
    assert sentences.find_rights("a.csv", entries, DEFAULT) == DEFAULT


@pytest.mark.parametrize(
    "text",
    ["[[source]", "title = 1", "[[source]]", "[[source]]\nfiles = ''", "[[source]]\nfiles = 'a'\nlicence = 'b'",
     "[[source]]\nfiles = 'a'\nredistributable = 7", "source = 3"],
)  # fmt: skip
def test_a_wrong_table_is_the_callers_error(text: str) -> None:
    with pytest.raises(ConfigError, match=r"sources\.toml"):
        sentences.parse_rights(text, DEFAULT)


def test_a_donated_text_has_author_licence_and_consent_and_stays_withheld_where_the_table_says_so() -> None:
    found = sentences.read_contribution("a.txt", HEAD + "A room.\n", DEFAULT)
    assert found == (sentences.Rights("CC BY 4.0", "Jane Roe"), "A room.\n")
    marked = sentences.Rights("unspecified", "", redistributable=False)
    rights, _ = sentences.read_contribution("a.txt", HEAD + "A room.\n", marked)
    assert not rights.redistributable


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
        sentences.read_contribution("a.txt", text, DEFAULT)
