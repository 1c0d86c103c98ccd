"""Reads real subtitles: OPUS's XML, the .srt files behind it, and .srt files in unusual encodings."""

import difflib
import re
from contextlib import suppress
from pathlib import Path

import pytest

from core.dataset.units import SourceFile
from core.errors import SourceError
from core.subtitles.config import SubtitleLimits, SubtitlesConfig
from core.subtitles.discovery import find_films
from core.subtitles.film_dialogue import select_subtitle
from core.subtitles.formats import read_subtitle
from core.subtitles.opus_xml import read_opus_xml
from core.subtitles.subtitle import Subtitle

NO_LETTERS = re.compile(r"[\W_]+")


@pytest.fixture(scope="module")
def opus(corpora) -> Path:
    return corpora / "subtitles/opus_subalign"


@pytest.fixture(scope="module")
def encodings(corpora) -> Path:
    return corpora / "subtitles/srt_encodings"


def read(path):
    return read_subtitle(path.name, path.read_bytes())


def sentences(subtitle):
    return [NO_LETTERS.sub("", turn.text.lower()) for turn in subtitle.turns]


def test_one_of_seven_variants_of_a_film_is_chosen(opus):
    paths = sorted(path for folder in ("en", "et") for path in (opus / folder).rglob("*.xml.gz"))
    files = [SourceFile(path.relative_to(opus).as_posix(), path.stat().st_size, "") for path in paths]
    found = find_films([*files, SourceFile("summaries/tt0209475.txt", 9, "")])
    (film,) = found.units
    assert len(film.subtitles) == 7
    assert [entry.path.split("/")[0] for entry in found.left_out] == ["et", "et"]

    selection = select_subtitle([(file.path, (opus / file.path).read_bytes()) for file in film.subtitles], SubtitlesConfig())
    assert selection.subtitle.name == "en/2001/209475/109371.xml.gz"
    assert selection.reason == "1,783 sentences; the median is 1,783"
    reasons = {Path(path).name.split(".")[0]: reason for path, reason in selection.rejected}
    assert sorted(reasons) == ["111965", "149463", "199508", "3331169", "3880864", "54828"]
    assert reasons["54828"] == "unknown words: 1.9%, the chosen one has 0.5%"


def test_every_opus_sentence_is_read_with_its_times(opus):
    path = opus / "en/2001/209475/3331169.xml.gz"
    captions, metadata = read_opus_xml(path.name, path.read_bytes(), SubtitleLimits())
    assert len(captions) == 1784  # the file's own <sentences>
    assert all(caption.start is not None and caption.end is not None and caption.start <= caption.end for caption in captions)
    assert (metadata.language, metadata.cds) == ("English", (1, 1))


@pytest.mark.parametrize(("language", "share"), [("en", 0.97), ("de", 0.9), ("nl", 0.9)])
def test_srt_and_xml_of_a_film_give_the_same_sentences(opus, language, share):
    ours, theirs = (sentences(read(opus / kind / language / f"shrek3.{kind}")) for kind in ("srt", "xml"))
    matcher = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    assert same >= share * max(len(ours), len(theirs))


def test_the_same_captions_give_the_same_turns_in_every_encoding_and_malformed_files_what_they_have(encodings):
    expected = read(encodings / "bom-utf-8.srt").turns
    assert len(expected) == 6
    for name in ("bom-utf-16-be", "bom-utf-16-le", "bom-utf-32-be", "bom-utf-32-le", "no-indexes"):
        assert read(encodings / f"{name}.srt").turns == expected, name
    assert read(encodings / "windows-1252.srt").turns == read(encodings / "utf-8.srt").turns
    assert len(read(encodings / "empty.srt").turns) == 5
    assert [(turn.start, turn.end) for turn in read(encodings / "invalid.srt").turns] == [(1.0, 10.0)]
    tester = read(encodings / "capability_tester.srt")
    assert tester.removed == {"hidden": 2}
    assert not any("font" in turn.text and "<" in turn.text for turn in tester.turns)


@pytest.fixture(scope="module")
def subtitles(corpora) -> dict[Path, Subtitle]:
    """Every file of the corpus that can be read."""
    found = {}
    for path in sorted((corpora / "subtitles").rglob("*.*")):
        with suppress(SourceError):
            found[path] = read(path)
    return found


def test_all_adverts_and_only_adverts_are_found(subtitles):
    assert sum(subtitle.removed["advert"] for subtitle in subtitles.values()) == 16  # all addresses in the files, checked by hand
