import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.units import SourceFile, check_unit_id, choose_copy
from core.errors import SourceError
from core.transcripts.config import TranscriptsConfig
from core.transcripts.discovery import RefusedFile, find_preceding, find_units


def listing(*paths):
    return [SourceFile(path, 10, "v1") for path in paths]


def paths_by_unit(discovery):
    return {unit.id: [file.path for file in unit.transcripts] for unit in discovery.units}


def waiting(discovery):
    return {unit.id: unit.missing for unit in discovery.waiting}


def test_pairs_a_transcript_with_its_recap():
    discovery = find_units(listing("transcripts/S01E02_FINAL_V2.txt", "recaps/S01E02_The_Long_Way....html"))
    assert paths_by_unit(discovery) == {"S01E02": ["transcripts/S01E02_FINAL_V2.txt"]}
    assert discovery.units[0].recaps == (SourceFile("recaps/S01E02_The_Long_Way....html", 10, "v1"),)
    assert not discovery.waiting
    assert not discovery.refused


def test_folder_names_match_in_any_case_and_other_files_are_ignored():
    discovery = find_units(
        listing(
            "Transcripts/A1E1.srt", "Raw Summary Data/A1E1_X.HTM", "cleaned data/A1E1.json", "notes.txt", "transcripts/.DS_Store"
        )
    )
    assert paths_by_unit(discovery) == {"A1E1": ["Transcripts/A1E1.srt"]}
    assert not discovery.refused


def test_numbered_parts_are_joined_in_order():
    discovery = find_units(
        listing(*(f"transcripts/S01E01-{n}_FINAL.txt" for n in (10, 2, 1, 3, 4, 5, 6, 7, 8, 9)), "recaps/S01E01.md")
    )
    assert paths_by_unit(discovery) == {"S01E01": [f"transcripts/S01E01-{n}_FINAL.txt" for n in range(1, 11)]}


def test_numbered_files_beside_an_unnumbered_file_are_units_of_their_own():
    discovery = find_units(
        listing("transcripts/S01E01.txt", "transcripts/S01E01-1.txt", "transcripts/S01E01-5.txt", "recaps/S01E01.md")
    )
    assert paths_by_unit(discovery) == {"S01E01": ["transcripts/S01E01.txt"]}
    assert waiting(discovery) == {"S01E01-1": "recap", "S01E01-5": "recap"}


def test_parts_are_not_joined_if_one_is_missing():
    discovery = find_units(listing("transcripts/S01E01-1.txt", "transcripts/S01E01-3.txt", "recaps/S01E01.md"))
    assert waiting(discovery) == {"S01E01": "transcript", "S01E01-1": "recap", "S01E01-3": "recap"}


@pytest.mark.parametrize(
    ("stem", "unit"),
    [
        ("C1E015-FINAL", "C1E015"),
        ("C1E015_FINAL", "C1E015"),
        ("C1E094.5_FINAL", "C1E094.5"),
        ("C1E115-GROG_FINAL", "C1E115-GROG"),
        ("C1E115-VAMP1_FINAL", "C1E115-VAMP1"),
        ("S02E10 The Bridge", "S02E10"),
        ("the-long-way.part", "the-long-way.part"),
    ],
)
def test_ids_come_from_file_names(stem, unit):
    assert waiting(find_units(listing(f"transcripts/{stem}.txt"))) == {unit: "recap"}


def test_unit_ids_match_in_any_case():
    discovery = find_units(listing("transcripts/s01e01.vtt", "recaps/S01E01_Title.html"))
    assert [unit.id for unit in discovery.units] == ["S01E01"]


def test_a_recap_alone_waits_for_its_transcript():
    assert waiting(find_units(listing("recaps/S01E01_Part_1.html"))) == {"S01E01": "transcript"}


@pytest.mark.parametrize("transcripts", [["S01E02.txt"], ["S01E02-1.txt", "S01E02-2.txt"]])
def test_recap_parts_wait_and_say_that_recaps_are_not_joined(transcripts):
    discovery = find_units(
        listing(*(f"transcripts/{name}" for name in transcripts), "recaps/S01E02-1.html", "recaps/S01E02-2.md")
    )
    missing = "transcript (recaps are not joined: name it S01E02)"
    assert waiting(discovery) == {"S01E02": "recap", "S01E02-1": missing, "S01E02-2": missing}


def test_a_special_whose_id_ends_in_a_number_is_paired_with_its_recap():
    discovery = find_units(listing("transcripts/S01E02.txt", "transcripts/S01E02-5.txt", "recaps/S01E02-5.html"))
    assert paths_by_unit(discovery) == {"S01E02-5": ["transcripts/S01E02-5.txt"]}


@pytest.mark.parametrize("path", ["transcripts/S01E01.docx", "transcripts/S01E01", "recaps/S01E01.srt", "transcripts/….txt"])
def test_refused_files_have_a_reason(path):
    (refused,) = find_units(listing(path)).refused
    assert isinstance(refused, RefusedFile)
    assert refused.path == path
    assert "convert" in refused.reason or "rename" in refused.reason


@pytest.mark.parametrize(
    ("stem", "unit"),
    [
        ("The Salt Market - 1x03", "S01E03"),
        ("Show.S01E03.Title", "S01E03"),
        ("show_s01e03_720p", "S01E03"),
        ("My Show - S2E4 - The End", "S2E4"),
        ("Panic Room", "Panic-Room"),
        ("Épisode un", "Episode-un"),
        ("E\u0301pisode un", "Episode-un"),
        ("千と千尋", "u5343u3068u5343u5c0b"),
        ("1x03 and 1x04", "1x03-and-1x04"),
        ("#3: “Low Tide” (uncut)", "3-Low-Tide-uncut"),
    ],
)
def test_ids_are_made_of_names_as_they_are_on_disk(stem, unit):
    assert waiting(find_units(listing(f"transcripts/{stem}.txt"))) == {unit: "recap"}


def test_two_names_of_one_id_are_told_apart_by_their_content_only():
    (unit,) = find_units(listing("transcripts/Panic Room.txt", "transcripts/Panic-Room.txt", "recaps/Panic Room.md")).units
    assert [[file.path for file in group] for group in unit.duplicates] == [
        ["transcripts/Panic Room.txt", "transcripts/Panic-Room.txt"]
    ]


def test_a_long_name_is_refused_and_not_cut():
    assert len(find_units(listing("transcripts/" + "a" * 101 + ".txt")).refused) == 1


def test_finds_the_alias_table_in_the_root_folder():
    table = find_units(listing("speakers.tsv", "transcripts/A1E1.txt", "sub/speakers.tsv")).alias_table
    assert table == SourceFile("speakers.tsv", 10, "v1")


def test_duplicates_are_kept_for_comparison():
    (unit,) = find_units(listing("transcripts/S01E01-FINAL.txt", "transcripts/S01E01_FINAL.txt", "recaps/S01E01.html")).units
    assert [file.path for file in unit.transcripts] == ["transcripts/S01E01-FINAL.txt"]
    ((first, second),) = unit.duplicates
    assert choose_copy([(first, "abc"), (second, "abc")]) == first
    with pytest.raises(SourceError, match=r"S01E01-FINAL\.txt and transcripts/S01E01_FINAL\.txt .* differ"):
        choose_copy([(first, "abc"), (second, "def")])


def test_the_unit_pattern_is_a_setting():
    rule = r"show-(?P<unit>\w+?)(?:_p(?P<part>\d))?"
    discovery = find_units(
        listing("transcripts/show-pilot_p1.txt", "transcripts/show-pilot_p2.txt", "recaps/show-pilot.md"), rule
    )
    assert paths_by_unit(discovery) == {"pilot": ["transcripts/show-pilot_p1.txt", "transcripts/show-pilot_p2.txt"]}


@pytest.mark.parametrize("pattern", ["(", "no group"])
def test_an_unusable_pattern_is_a_configuration_error(pattern):
    assert [name for name, _ in TranscriptsConfig(unit_pattern=pattern).list_problems()] == ["unit_pattern"]


STEMS = st.text("C1E0-_.5aF/ é", max_size=12)
FILES = st.lists(
    st.builds("{}/{}{}".format, st.sampled_from(["transcripts", "recaps"]), STEMS, st.sampled_from([".txt", ".md", ".exe"]))
)


@given(FILES, st.randoms())
def test_discovery_does_not_depend_on_the_order_of_files(paths, random):
    files = listing(*dict.fromkeys(paths))
    discovery = find_units(files)
    shuffled = list(files)
    random.shuffle(shuffled)
    assert find_units(shuffled) == discovery
    ids = [unit.id for unit in (*discovery.units, *discovery.waiting)]
    assert len({unit.casefold() for unit in ids}) == len(ids)
    for unit in ids:
        assert check_unit_id(unit) == unit


def test_the_shared_corpus_has_115_complete_and_13_waiting_units(corpora):
    root = corpora / "crd3"
    found = [path for path in root.rglob("*") if path.is_file()]
    discovery = find_units(SourceFile(path.relative_to(root).as_posix(), path.stat().st_size, "") for path in found)
    assert len(discovery.units) == 115
    assert [unit.id for unit in discovery.units if len(unit.transcripts) > 1] == ["C1E031", "C1E033", "C1E035"]
    assert [unit.id for unit in discovery.units if unit.duplicates] == ["C1E015"]
    assert {unit.missing for unit in discovery.waiting} == {"recap"}
    assert sorted(unit.id for unit in discovery.waiting) == [
        "C1E012", "C1E051", "C1E058-5", "C1E065-5", "C1E094.5", "C1E098-5", "C1E110-5", "C1E113-1", "C1E113-2",
        "C1E115-GROG", "C1E115-HH", "C1E115-VAMP1", "C1E115-VAMP2",
    ]  # fmt: skip
    assert not discovery.refused


def test_names_that_cannot_be_printed_are_refused_and_shown_with_escapes():
    discovery = find_units(listing("transcripts/S01E01_caf\udce9.txt", "recaps/S01E01_\x1b[31m.md", "notes/\udce9.txt"))
    assert [file.path for file in discovery.refused] == [r"recaps/S01E01_\x1b[31m.md", r"transcripts/S01E01_caf\xe9.txt"]
    assert all("rename the file" in file.reason for file in discovery.refused)
    assert not discovery.units
    assert not discovery.waiting


def test_season_codes_match_in_any_case() -> None:
    assert find_preceding(["s02e03", "S02E02", "s02e01", "S01E09", "S02E03-1"]) == {"S02E02": "s02e01", "s02e03": "S02E02"}


def test_an_episode_after_a_gap_and_the_first_of_a_season_retell_none_that_is_known() -> None:
    assert find_preceding(["S01E01", "S01E03", "S02E01", "S02E02"]) == {"S02E02": "S02E01"}
