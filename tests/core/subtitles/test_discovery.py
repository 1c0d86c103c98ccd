import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.units import UNIT_ID, SourceFile
from core.errors import SourceError
from core.subtitles import discovery
from core.subtitles.config import SubtitleLimits
from core.subtitles.discovery import Film, LeftOut, find_films, find_table, parse_summary_table

UNREAD = "is of a kind that is not read; expected .srt, .vtt, .ass, .ssa, .sub, .ttml, .dfxp, .xml, .xml.gz: convert it)"


def file(path, size=10):
    return SourceFile(path, size, "v1")


def listing(*paths):
    return [file(path) for path in paths]


def table(*lines):
    return parse_summary_table("summaries.tsv", "\n".join(["film\ttitle\tyear\tsynopsis\tpath", *lines]).encode())


def test_a_folder_is_a_film_and_one_whose_subtitles_are_of_a_kind_that_is_not_read_waits():
    found = find_films(listing("owls/a.srt", "owls/b.xml.gz", "owls/c.xml", "owls/Synopsis.TXT", "owls/poster.jpg", "README.md"))
    summary = file("owls/Synopsis.TXT")
    assert found.units == (Film("owls", tuple(listing("owls/a.srt", "owls/b.xml.gz", "owls/c.xml")), summary),)
    assert not any((found.waiting, found.refused, found.left_out))
    found = find_films(listing("owls/film.smi", "owls/synopsis.txt", "bats/film.srt.gz", "ants/film.srt", "ants/film.idx"))
    assert [(unit.id, unit.missing) for unit in found.waiting] == [
        ("ants", "summary"),
        ("bats", f"English subtitle (film.srt.gz {UNREAD}"),
        ("owls", f"English subtitle (film.smi {UNREAD}"),
    ]
    assert not found.refused


def test_opus_files_are_paired_by_imdb_number_and_a_summary_is_taken_from_folder_table_or_summaries():
    paths = [f"xml/{name}.xml.gz" for name in ("en/2001/209475/1", "en/2001/209475/2", "et/2001/209475/3")]
    paths.append("summaries/TT0209475.txt")
    found = find_films(listing(*paths))
    assert found.units == (Film("tt0209475", tuple(listing(*paths[:2])), file(paths[3]), "", 2001),)
    assert found.left_out == (LeftOut("tt0209475", paths[2], "not English: the path says et"),)
    files = listing("a/a.srt", "a/synopsis.txt", "summaries/a.txt", "b/b.srt", "summaries/b.txt", "c/c.srt", "summaries/c.txt")
    found = find_films(files, table("a\t\t\tA\t", "b\t\t\tB\t"))
    assert [unit.summary for unit in found.units] == [files[1], "B", files[6]]


def test_films_with_a_missing_half_wait():
    files = listing("a/a.srt", "b/synopsis.txt", "c/c.fr.srt", "c/synopsis.txt", "d/d.de.srt", "e/e.srt")
    found = find_films(files, table("f\t\t\tF\t", "e\t\t\t\tnowhere.txt"))
    assert [(unit.id, unit.missing) for unit in found.waiting] == [
        ("a", "summary"),
        ("b", "English subtitle"),
        ("c", "English subtitle"),
        ("e", "summary (summaries.tsv names nowhere.txt, which the source does not have)"),
        ("f", "English subtitle"),
    ]
    assert [(entry.film, entry.path) for entry in found.left_out] == [("c", "c/c.fr.srt"), ("d", "d/d.de.srt")]
    assert not found.units


@pytest.mark.parametrize("name", ["tt0000005", "5", "Five", "Five (2001)", "FÍVE!"])
def test_films_of_the_scripts_part_are_left_out(name):
    files = listing("en/2001/5/1.xml", "fr/2001/5/2.xml", "en/2001/6/1.xml")
    found = find_films(
        files, table("5\tFive\t\tA\t", "6\tSix\t\tB\t"), exclude=[name, "Nobody", "Six II", "Six (1998)", "", "七人の侍"]
    )
    assert [unit.id for unit in found.units] == ["tt0000006"]
    reason = f"already present in scripts: the films to exclude list {name!r}"
    assert found.left_out == (LeftOut("tt0000005", None, reason),)


def test_files_in_the_wrong_place_are_refused_with_advice():
    files = [
        *listing("film.srt", "a/b/film.srt", "…/film.srt", "summaries/x.srt", "o/a\x07.srt", "o/\udcff.srt"),
        file("big/a.srt", 99),
    ]
    found = find_films(files, limits=SubtitleLimits(max_bytes=98))
    told = {refused.path for refused in found.refused}
    assert told == {*("film.srt", "a/b/film.srt", "…/film.srt", "summaries/x.srt", "o/a\\x07.srt", "o/\\xff.srt", "big/a.srt")}
    reasons = {refused.path: refused.reason for refused in found.refused}
    assert "expected ID/NAME.srt (or .vtt, .ass, .ssa, .sub, .ttml, .dfxp, .xml, .xml.gz)" in reasons["film.srt"]
    assert "unit id" in reasons["…/film.srt"]
    assert "99 bytes, and at most 98" in reasons["big/a.srt"]
    assert not any((found.units, found.waiting))


def test_folders_have_the_ids_of_their_names_hidden_files_are_ignored_and_the_table_is_found():
    found = find_films(listing("Panic Room/a.srt", "summaries/Panic Room.txt", "panic-room/b.srt"))
    assert [(film.id, [file.path for file in film.subtitles]) for film in found.units] == [("Panic-Room", ["Panic Room/a.srt"])]
    (refused,) = found.refused
    assert refused.path == "panic-room/b.srt"
    assert refused.reason.endswith("rename one of them, for example panic-room-2")
    files = listing(".git/a.srt", "a/.b.srt", "a/._x/synopsis.txt", "Summaries.tsv")
    assert find_table(files) == files[3]
    assert find_table(files[:3]) is None
    found = find_films(files)
    assert not any((found.units, found.waiting, found.refused))


NAMES = st.sampled_from(
    ["en", "et", "2001", "5", "tt5", "owls", "Owls", "a.srt", "1.xml.gz", "synopsis.txt", "summaries", "5.txt", ".x", "é"]
)
PATHS = st.lists(st.lists(NAMES, min_size=1, max_size=5).map("/".join), max_size=12, unique=True)


@given(PATHS, st.randoms())
def test_discovery_does_not_depend_on_the_order_of_files_and_counts_every_subtitle(paths, random):
    found = find_films(listing(*paths))
    random.shuffle(paths)
    assert find_films(listing(*paths)) == found
    assert all(UNIT_ID.fullmatch(unit.id) for unit in found.units)
    known = {
        known.path
        for unit in (*found.units, *found.waiting)
        for known in (unit.subtitles if isinstance(unit, Film) else unit.files)
    }
    known |= {entry.path for entry in (*found.refused, *found.left_out)}
    subtitles = {
        path for path in paths if path.endswith((".srt", ".xml.gz")) and not any(p.startswith(".") for p in path.split("/"))
    }
    assert subtitles <= known


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
    lines = "film|year|synopsis\n1||A\ntt0000001||B\n../x||C\n2|soon|D\n3|1999|\n4|1999|E|F\n5\n6||G"
    table = discovery.parse_summary_table("summaries.tsv", lines.replace("|", "\t").encode())
    assert {film: row.synopsis for film, row in table.rows.items()} == {"tt0000001": "A", "tt0000006": "G"}
    numbers = [number for number, _ in table.refused]
    assert numbers == [3, 4, 5, 6, 7, 8]
    expected = ["has an earlier line", "cannot be a unit id", "the year of", "neither synopsis nor path", "4 fields", "neither"]
    assert all(part in reason for part, (_, reason) in zip(expected, table.refused, strict=True))


@pytest.mark.parametrize("content", [b"", b"title\tsynopsis\n", b"film\ttitle\n", b"film,synopsis\n", b"\0\1"])
def test_a_table_without_the_columns_is_refused(content):
    with pytest.raises(SourceError, match=r"summaries\.tsv"):
        discovery.parse_summary_table("summaries.tsv", content)
