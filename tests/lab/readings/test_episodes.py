"""The spans annotated for the benchmark: they have no text, and are found only in the annotated recap."""

import re
from pathlib import Path

import pytest

from core.errors import SourceError
from lab.readings.episodes import HAND_READ, find_sentences, hash_sentence, read_spans

SENTENCES = [f"They open gate {number}." for number in range(60)]


def spans(tmp_path: Path) -> Path:
    rows = [f"S01E01\t{hash_sentence(text)}\t{place}\t{place + 2}" for place, text in enumerate(SENTENCES[:-1])]
    path = tmp_path / "read.tsv"
    path.write_text("\n".join(["episode\tsentence\tfirst_turn\tlast_turn", *rows, f"S01E01\t{hash_sentence(SENTENCES[-1])}\t\t"]))
    return path


def test_sentences_get_their_spans(tmp_path: Path) -> None:
    found = find_sentences("S01E01", [*SENTENCES, "Never read."], 100, read_spans(spans(tmp_path))["S01E01"])
    assert [(entry.text, entry.start, entry.end) for entry in found[:2]] == [(SENTENCES[0], 0, 2), (SENTENCES[1], 1, 3)]
    assert (found[-1].text, found[-1].start, found[-1].end) == (SENTENCES[-1], None, None)
    assert len(found) == len(SENTENCES)


def test_another_recap_or_a_shorter_transcript_is_refused(tmp_path: Path) -> None:
    known = read_spans(spans(tmp_path))["S01E01"]
    with pytest.raises(SourceError, match="S01E01: found 40 of the 60 annotated sentences"):
        find_sentences("S01E01", SENTENCES[:40], 100, known)
    with pytest.raises(SourceError, match="found 50 turns; expected more than 60"):
        find_sentences("S01E01", SENTENCES, 50, known)


def test_the_spans_have_no_text() -> None:
    head, *rows = HAND_READ.read_text("utf-8").splitlines()
    assert head.split("\t") == ["episode", "sentence", "first_turn", "last_turn"]
    assert all(re.fullmatch(r"C\dE\d{3}\t[0-9a-f]{10}\t(\d+\t\d+|\t)", row) for row in rows)
    assert all(int(first) <= int(last) for _, _, first, last in (row.split("\t") for row in rows) if first)
    assert len(read_spans()) == 31
