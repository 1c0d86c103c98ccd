import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.units import UNIT_ID, SourceFile
from core.subtitles.config import SubtitleLimits
from core.subtitles.discovery import Film, LeftOut, find_films, find_table, parse_summary_table

UNREAD = "is of a kind that is not read; expected .srt, .vtt, .ass, .ssa, .sub, .ttml, .dfxp, .xml, .xml.gz: convert it)"


def file(path, size=10):
    return SourceFile(path, size, "v1")


def listing(*paths):
    return [file(path) for path in paths]


def table(*lines):
    return parse_summary_table("summaries.tsv", "\n".join(["film\ttitle\tyear\tsynopsis\tpath", *lines]).encode())


def test_a_folder_is_a_film():
    found = find_films(listing("owls/a.srt", "owls/b.xml.gz", "owls/c.xml", "owls/Synopsis.TXT", "owls/poster.jpg", "README.md"))
    summary = file("owls/Synopsis.TXT")
    assert found.units == (Film("owls", tuple(listing("owls/a.srt", "owls/b.xml.gz", "owls/c.xml")), summary),)
    assert not any((found.waiting, found.refused, found.left_out))


def test_a_film_whose_subtitles_are_of_a_kind_that_is_not_read_waits_and_says_so() -> None:
    found = find_films(listing("owls/film.smi", "owls/synopsis.txt", "bats/film.srt.gz", "ants/film.srt", "ants/film.idx"))
    assert [(unit.id, unit.missing) for unit in found.waiting] == [
        ("ants", "summary"),
        ("bats", f"English subtitle (film.srt.gz {UNREAD}"),
        ("owls", f"English subtitle (film.smi {UNREAD}"),
    ]
    assert not found.refused


def test_opus_files_are_paired_with_summaries_by_imdb_number():
    paths = [
        "xml/en/2001/209475/1.xml.gz",
        "xml/en/2001/209475/2.xml.gz",
        "xml/et/2001/209475/3.xml.gz",
        "summaries/TT0209475.txt",
    ]
    found = find_films(listing(*paths))
    assert found.units == (Film("tt0209475", tuple(listing(*paths[:2])), file(paths[3]), "", 2001),)
    assert found.left_out == (LeftOut("tt0209475", paths[2], "not English: the path says et"),)


def test_a_summary_is_taken_from_the_folder_then_the_table_then_the_summaries():
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


@pytest.mark.parametrize("name", ["tt0000005", "5", "Five", "Five (2001)"])
def test_films_of_the_scripts_part_are_left_out(name):
    files = listing("en/2001/5/1.xml", "fr/2001/5/2.xml", "en/2001/6/1.xml")
    found = find_films(files, table("5\tFive\t\tA\t", "6\tSix\t\tB\t"), exclude=[name, "Nobody"])
    assert [unit.id for unit in found.units] == ["tt0000006"]
    reason = f"already present in scripts: the films to exclude list {name!r}"
    assert found.left_out == (LeftOut("tt0000005", None, reason),)


def test_files_in_the_wrong_place_are_refused_with_advice():
    files = [
        *listing("film.srt", "a/b/film.srt", "…/film.srt", "summaries/x.srt", "o/a\x07.srt", "o/\udcff.srt"),
        file("big/a.srt", 99),
    ]
    found = find_films(files, limits=SubtitleLimits(max_bytes=98))
    assert {refused.path for refused in found.refused} == {
        *("film.srt", "a/b/film.srt", "…/film.srt", "summaries/x.srt", "o/a\\x07.srt", "o/\\xff.srt", "big/a.srt")
    }
    reasons = {refused.path: refused.reason for refused in found.refused}
    assert "expected ID/NAME.srt (or .vtt, .ass, .ssa, .sub, .ttml, .dfxp, .xml, .xml.gz)" in reasons["film.srt"]
    assert "unit id" in reasons["…/film.srt"]
    assert "99 bytes, and at most 98" in reasons["big/a.srt"]
    assert not any((found.units, found.waiting))


def test_folders_have_the_ids_of_their_names_and_two_folders_of_one_id_are_refused():
    found = find_films(listing("Panic Room/a.srt", "summaries/Panic Room.txt", "panic-room/b.srt"))
    assert [(film.id, [file.path for file in film.subtitles]) for film in found.units] == [("Panic-Room", ["Panic Room/a.srt"])]
    (refused,) = found.refused
    assert refused.path == "panic-room/b.srt"
    assert refused.reason.endswith("rename one of them, for example panic-room-2")


def test_hidden_files_are_ignored_and_the_table_is_found():
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
