import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.units import SourceFile, check_unit_id, choose_copy
from core.errors import SourceError
from core.transcripts.config import TranscriptsConfig
from core.transcripts.discovery import RefusedFile, find_units


def listing(*paths):
    return [SourceFile(path, 10, "v1") for path in paths]


def paths_by_unit(discovery):
    return {unit.id: [file.path for file in unit.transcripts] for unit in discovery.units}


def waiting(discovery):
    return {unit.id: unit.missing for unit in discovery.waiting}


def test_a_transcript_is_paired_with_its_recap_and_copies_are_kept_for_comparison():
    discovery = find_units(listing("transcripts/S01E02_FINAL_V2.txt", "recaps/S01E02_The_Long_Way....html"))
    assert paths_by_unit(discovery) == {"S01E02": ["transcripts/S01E02_FINAL_V2.txt"]}
    assert discovery.units[0].recaps == (SourceFile("recaps/S01E02_The_Long_Way....html", 10, "v1"),)
    assert not discovery.waiting
    assert not discovery.refused
    (unit,) = find_units(listing("transcripts/S01E01-FINAL.txt", "transcripts/S01E01_FINAL.txt", "recaps/S01E01.html")).units
    assert [file.path for file in unit.transcripts] == ["transcripts/S01E01-FINAL.txt"]
    ((first, second),) = unit.duplicates
    assert choose_copy([(first, "abc"), (second, "abc")]) == first
    with pytest.raises(SourceError, match=r"S01E01-FINAL\.txt and transcripts/S01E01_FINAL\.txt .* differ"):
        choose_copy([(first, "abc"), (second, "def")])


def test_numbered_parts_are_joined_in_order_unless_one_is_missing():
    discovery = find_units(
        listing(*(f"transcripts/S01E01-{n}_FINAL.txt" for n in (10, 2, 1, 3, 4, 5, 6, 7, 8, 9)), "recaps/S01E01.md")
    )
    assert paths_by_unit(discovery) == {"S01E01": [f"transcripts/S01E01-{n}_FINAL.txt" for n in range(1, 11)]}
    discovery = find_units(listing("transcripts/S01E01-1.txt", "transcripts/S01E01-3.txt", "recaps/S01E01.md"))
    assert waiting(discovery) == {"S01E01": "transcript", "S01E01-1": "recap", "S01E01-3": "recap"}


IDS = {
    "C1E015": "C1E015-FINAL | C1E015_FINAL",
    "C1E094.5": "C1E094.5_FINAL",
    "C1E115-GROG": "C1E115-GROG_FINAL",
    "S02E10": "S02E10 The Bridge",
    "the-long-way.part": "the-long-way.part",
    "S01E03": "The Salt Market - 1x03 | Show.S01E03.Title | show_s01e03_720p",
    "Panic-Room": "Panic Room",
    "Episode-un": "Épisode un | E\u0301pisode un",
    "u5343u3068u5343u5c0b": "千と千尋",
    "1x03-and-1x04": "1x03 and 1x04",
    "3-Low-Tide-uncut": "#3: “Low Tide” (uncut)",
}


@pytest.mark.parametrize("unit", IDS)
def test_ids_come_from_file_names_as_they_are_on_disk(unit):
    for stem in IDS[unit].split(" | "):
        assert waiting(find_units(listing(f"transcripts/{stem}.txt"))) == {unit: "recap"}


@pytest.mark.parametrize("path", ["transcripts/S01E01.odt", "transcripts/S01E01", "recaps/S01E01.srt", "transcripts/….txt"])
def test_refused_files_have_a_reason(path):
    (refused,) = find_units(listing(path)).refused
    assert isinstance(refused, RefusedFile)
    assert refused.path == path
    assert "convert" in refused.reason or "rename" in refused.reason


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
