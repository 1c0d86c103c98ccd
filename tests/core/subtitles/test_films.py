import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.units import UNIT_ID
from core.errors import SourceError
from core.subtitles.films import OpusPlace, film_keys, name_keys, normalise_film_id, parse_opus_path, slug_title


@pytest.mark.parametrize("name", ["123", "0000123", "tt0000123", "TT123", "tt00000123"])
def test_every_form_of_an_imdb_number_gives_the_same_id(name):
    assert normalise_film_id(name) == "tt0000123"


def test_other_ids_are_unchanged_or_made_and_names_without_an_id_are_refused():
    assert normalise_film_id("tt12345678") == "tt12345678"
    assert normalise_film_id("Die-Hard_2") == "Die-Hard_2"
    assert [normalise_film_id(name) for name in ("Die Hard", "é", "１２３")] == ["Die-Hard", "e", "tt0000123"]
    for name in ("", "..", "a/b", "…", "a" * 101):
        with pytest.raises(SourceError, match="unit id"):
            normalise_film_id(name)


@given(st.text(max_size=120))
def test_a_film_id_never_leaves_its_folder_and_is_stable(name):
    try:
        film = normalise_film_id(name)
    except SourceError:
        return
    assert UNIT_ID.fullmatch(film)
    assert normalise_film_id(film) == film


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("en/2001/209475/54828.xml.gz", OpusPlace("en", 2001, "tt0209475", "54828")),
        ("a/b/PT_br/0/7/x.XML", OpusPlace("pt_br", None, "tt0000007", "x")),
        ("en-et/2001/209475/54828-3123721.xml", None),
        ("en/2001/209475/54828.srt", None),
        ("2001/209475/54828.xml.gz", None),
        ("en/2001/../54828.xml.gz", None),
    ],
)
def test_opus_paths(path, place):
    assert parse_opus_path(path) == place


def test_titles_are_compared_without_accents_case_and_punctuation():
    assert slug_title("Amélie!") == slug_title("amelie") == "amelie"
    assert slug_title("Ocean's Eleven: The Heist") == "oceans-eleven-the-heist"
    assert slug_title("七人の侍") == ""


@pytest.mark.parametrize(
    ("name", "excludes"),
    [
        ("tt0054215", True),
        ("54215", True),
        ("Psycho", True),
        ("psycho", True),
        ("Psycho (1960)", True),
        ("Psycho (1998)", False),
        ("Psycho II", False),
        ("", False),
        ("七人の侍", False),
    ],
)
def test_a_film_is_listed_by_id_title_or_title_and_year(name, excludes):
    assert bool(name_keys(name) & film_keys("tt0054215", "Psycho", 1960)) is excludes


def test_a_folder_name_counts_as_a_title():
    assert name_keys("Die Hard (1988)") & film_keys("die-hard", "", 1988)
    assert name_keys("Die Hard") & film_keys("Die-Hard", "", None)
