from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.subtitles.summaries import SummaryRow, parse_summary_table


def test_a_table_may_have_texts_or_paths():
    table = parse_summary_table(
        "summaries.tsv",
        b"\xef\xbb\xbfyear\tFilm\tnote\ttitle\tsynopsis\tpath\r\n"
        b'1999\t123\tx\tOwls\tThey "fly".\t\r\n\r\n\towls-2\t\t\t\tplots/2.txt\r\n',
    )
    assert table.rows == {
        "tt0000123": SummaryRow("tt0000123", "Owls", 1999, 'They "fly".', None),
        "owls-2": SummaryRow("owls-2", "", None, None, "plots/2.txt"),
    }
    assert not table.refused


def test_bad_lines_are_refused_and_the_others_are_read():
    lines = [
        "film\tyear\tsynopsis",
        "1\t\tA",
        "tt0000001\t\tB",
        "../x\t\tC",
        "2\tsoon\tD",
        "3\t1999\t",
        "4\t1999\tE\tF",
        "5",
        "6\t\tG",
    ]
    table = parse_summary_table("summaries.tsv", "\n".join(lines).encode())
    assert {film: row.synopsis for film, row in table.rows.items()} == {"tt0000001": "A", "tt0000006": "G"}
    numbers = [number for number, _ in table.refused]
    assert numbers == [3, 4, 5, 6, 7, 8]
    expected = ["has an earlier line", "cannot be a unit id", "the year of", "neither synopsis nor path", "4 fields", "neither"]
    assert all(part in reason for part, (_, reason) in zip(expected, table.refused, strict=True))


@pytest.mark.parametrize("content", [b"", b"title\tsynopsis\n", b"film\ttitle\n", b"film,synopsis\n", b"\0\1"])
def test_a_table_without_the_columns_is_refused(content):
    with pytest.raises(SourceError, match=r"summaries\.tsv"):
        parse_summary_table("summaries.tsv", content)


@given(st.text("film\tyearsynop123\n\r é\"'", max_size=100))
def test_any_text_gives_a_table_or_a_source_error(text):
    with suppress(SourceError):
        table = parse_summary_table("summaries.tsv", b"film\tyear\tsynopsis\n" + text.encode())
        assert all(row.film == film and (row.synopsis or row.path) for film, row in table.rows.items())
