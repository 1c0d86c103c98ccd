import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.units import UNIT_ID
from core.errors import SourceError
from core.subtitles import discovery


@pytest.mark.parametrize("name", ["123", "0000123", "tt0000123", "TT123", "tt00000123"])
def test_every_form_of_an_imdb_number_gives_the_same_id(name):
    assert discovery.normalise_film_id(name) == "tt0000123"


def test_other_ids_are_unchanged_or_made_and_names_without_an_id_are_refused():
    assert discovery.normalise_film_id("tt12345678") == "tt12345678"
    assert discovery.normalise_film_id("Die-Hard_2") == "Die-Hard_2"
    assert [discovery.normalise_film_id(name) for name in ("Die Hard", "é", "１２３")] == ["Die-Hard", "e", "tt0000123"]
    for name in ("", "..", "a/b", "…", "a" * 101):
        with pytest.raises(SourceError, match="unit id"):
            discovery.normalise_film_id(name)


@given(st.text(max_size=120))
def test_a_film_id_never_leaves_its_folder_and_is_stable(name):
    try:
        film = discovery.normalise_film_id(name)
    except SourceError:
        return
    assert UNIT_ID.fullmatch(film)
    assert discovery.normalise_film_id(film) == film


def test_titles_are_compared_without_accents_case_and_punctuation():
    assert discovery.slug_title("Amélie!") == discovery.slug_title("amelie") == "amelie"
    assert discovery.slug_title("Ocean's Eleven: The Heist") == "oceans-eleven-the-heist"
    assert discovery.slug_title("七人の侍") == ""


def test_a_film_is_listed_by_id_title_or_title_and_year():
    keys = discovery.film_keys("tt0054215", "Psycho", 1960)
    assert all(discovery.name_keys(name) & keys for name in ("tt0054215", "54215", "Psycho", "psycho", "Psycho (1960)"))
    assert not any(discovery.name_keys(name) & keys for name in ("Psycho (1998)", "Psycho II", "", "七人の侍"))
    assert discovery.name_keys("Die Hard (1988)") & discovery.film_keys("die-hard", "", 1988)


LANGUAGES = {
    "en": "en/2001/209475/54828.xml.gz up/film.en.srt",
    "pt_br": "OpenSubtitles/xml/pt_br/2001/209475/54828.xml",
    "en-gb": "up/film.EN-gb.SRT",
    "english": "up/film.english.srt",
    "pt-br": "up/film.pt-BR.srt",
    "fr": "up/film.fr.xml.gz",
    None: "en/film.srt it/film.srt let/let.it.srt up/film.1080p.srt up/film.the.srt en-et/2001/209475/54828-3123721.xml "
    "en/2001/209475/54828.srt 2001/209475/54828.xml.gz en/2001/../54828.xml.gz",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_finds_the_language_in_a_path(language):
    assert {discovery.find_path_language(path) for path in LANGUAGES[language].split()} == {language}


def test_a_table_may_have_texts_or_paths():
    table = discovery.parse_summary_table(
        "summaries.tsv",
        b"\xef\xbb\xbfyear\tFilm\tnote\ttitle\tsynopsis\tpath\r\n"
        b'1999\t123\tx\tOwls\tThey "fly".\t\r\n\r\n\towls-2\t\t\t\tplots/2.txt\r\n',
    )
    assert table.rows == {
        "tt0000123": discovery.SummaryRow("tt0000123", "Owls", 1999, 'They "fly".', None),
        "owls-2": discovery.SummaryRow("owls-2", "", None, None, "plots/2.txt"),
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
    table = discovery.parse_summary_table("summaries.tsv", "\n".join(lines).encode())
    assert {film: row.synopsis for film, row in table.rows.items()} == {"tt0000001": "A", "tt0000006": "G"}
    numbers = [number for number, _ in table.refused]
    assert numbers == [3, 4, 5, 6, 7, 8]
    expected = ["has an earlier line", "cannot be a unit id", "the year of", "neither synopsis nor path", "4 fields", "neither"]
    assert all(part in reason for part, (_, reason) in zip(expected, table.refused, strict=True))


@pytest.mark.parametrize("content", [b"", b"title\tsynopsis\n", b"film\ttitle\n", b"film,synopsis\n", b"\0\1"])
def test_a_table_without_the_columns_is_refused(content):
    with pytest.raises(SourceError, match=r"summaries\.tsv"):
        discovery.parse_summary_table("summaries.tsv", content)
