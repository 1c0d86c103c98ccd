import gzip

import pytest

from core.errors import SourceError
from core.subtitles.config import SubtitlesConfig, VariantConfig
from core.subtitles.selection import Selection, select_subtitle

ENGLISH = b"00:00:01,000 --> 00:00:02,000\nI know what you did to the owl.\n\n00:00:03,000 --> 00:00:04,000\nIt was not me!\n"
FRENCH = "00:00:01,000 --> 00:00:02,000\nJe ne sais pas où est le hibou.\n".encode()


def test_one_subtitle_is_chosen_and_every_other_has_a_reason():
    selection = select_subtitle(
        [("o/1.srt", FRENCH), ("o/2.srt", ENGLISH), ("o/3.srt", ENGLISH), ("o/4.de.srt", ENGLISH), ("o/5.xml.gz", b"no")]
    )
    assert selection.subtitle is not None
    assert selection.subtitle.name == "o/2.srt"
    assert selection.reason == "2 sentences; the median is 2"
    assert [path for path, _ in selection.rejected] == ["o/1.srt", "o/3.srt", "o/4.de.srt", "o/5.xml.gz"]
    reasons = dict(selection.rejected)
    assert reasons["o/1.srt"].startswith("not English: 0% of its words")
    assert reasons["o/3.srt"] == "as good as the chosen one, whose id comes first"
    assert reasons["o/4.de.srt"] == "not English: the path says de"
    assert reasons["o/5.xml.gz"].startswith("unreadable: o/5.xml.gz: damaged or no gzip file")


def test_a_film_without_english_subtitles_is_left_out():
    assert select_subtitle([("o/1.fr.srt", FRENCH)]) == Selection(
        None, "no subtitle is English", (("o/1.fr.srt", "not English: the path says fr"),)
    )


def test_the_error_for_a_film_without_readable_files_names_each_file():
    cut = gzip.compress(b"<document><s>I know</s></document>")[:-3]
    with pytest.raises(SourceError, match=r"o/1\.srt: the file is empty.*; o/2\.xml\.gz: the gzip file is cut off"):
        select_subtitle([("o/1.srt", b""), ("o/2.xml.gz", cut)])
    with pytest.raises(SourceError, match="no subtitle files"):
        select_subtitle([])


def test_the_settings_of_variants_are_used():
    longer = ENGLISH + b"\n00:00:05,000 --> 00:00:06,000\nAnd who was it?\n"
    contents = [("o/1.srt", longer), ("o/2.srt", ENGLISH), ("o/3.srt", ENGLISH)]
    assert select_subtitle(contents).subtitle.name == "o/2.srt"
    config = SubtitlesConfig(variants=VariantConfig(tolerance=9))
    assert dict(select_subtitle(contents, config).rejected)["o/1.srt"].endswith("nearer to the median 2")
