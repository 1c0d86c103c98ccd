import gzip
import runpy
from pathlib import Path

import pytest
import spacy.lang
from hypothesis import given
from hypothesis import strategies as st

from core.dialogue import Turn
from core.errors import SourceError
from core.subtitles.config import LanguageConfig, MatchingConfig, SubtitlesConfig, VariantConfig
from core.subtitles.film_dialogue import check_summary, choose_variant, find_names, judge_language, select_subtitle
from core.subtitles.subtitle import Subtitle, SubtitleMetadata
from core.text.terms import score_english

ENGLISH = b"00:00:01,000 --> 00:00:02,000\nI know what you did to the owl.\n\n00:00:03,000 --> 00:00:04,000\nIt was not me!\n"
FRENCH = "00:00:01,000 --> 00:00:02,000\nJe ne sais pas où est le hibou.\n".encode()


def select(*contents):
    return select_subtitle(contents, SubtitlesConfig())


def judge(path, found):
    return judge_language(path, found, LanguageConfig())


def choose(variants):
    return choose_variant(variants, VariantConfig())


def subtitle(text, **metadata):
    return Subtitle("a", (Turn(0, (), (text,), "", text),), metadata=SubtitleMetadata(**metadata))


def spacy_examples():
    """Yield each language with spaCy's examples of it. Its package, with everything that it tokenises by, is not imported."""
    for path in sorted(Path(spacy.lang.__path__[0]).glob("*/examples.py")):
        yield path.parent.name, runpy.run_path(str(path))["sentences"]


def test_one_subtitle_is_chosen_no_trailer_and_every_other_has_a_reason():
    selection = select(
        ("o/1.srt", FRENCH), ("o/2.srt", ENGLISH), ("o/3.srt", ENGLISH), ("o/4.de.srt", ENGLISH), ("o/5.xml.gz", b"no")
    )
    assert selection.subtitle.name == "o/2.srt"
    assert selection.reason == "2 sentences; the median is 2"
    assert [path for path, _ in selection.rejected] == ["o/1.srt", "o/3.srt", "o/4.de.srt", "o/5.xml.gz"]
    reasons = dict(selection.rejected)
    assert reasons["o/1.srt"].startswith("not English: 0% of its words")
    assert reasons["o/3.srt"] == "as good as the chosen one, whose id comes first"
    assert reasons["o/4.de.srt"] == "not English: the path says de"
    assert reasons["o/5.xml.gz"].startswith("unreadable: o/5.xml.gz: damaged or no gzip file")
    lines = (f"00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\nI know what you did.\n" for n in range(60))
    selection = select(("o/1.srt", ENGLISH), ("o/2.srt", ENGLISH), ("o/3.srt", "\n".join(lines).encode()))
    assert selection.subtitle.name == "o/3.srt"
    assert dict(selection.rejected)["o/1.srt"] == "2 utterance(s), of at least 40"


def test_the_error_for_a_film_without_readable_files_names_each_file():
    cut = gzip.compress(b"<document><s>I know</s></document>")[:-3]
    with pytest.raises(SourceError, match=r"o/1\.srt: the file is empty.*; o/2\.xml\.gz: the gzip file is cut off"):
        select(("o/1.srt", b""), ("o/2.xml.gz", cut))
    with pytest.raises(SourceError, match="no subtitle files"):
        select()


def test_the_path_decides_before_the_metadata_and_the_metadata_before_the_words():
    french, english = "Je ne sais pas où est le chat", "I know where the cat is and so do you"
    assert judge("en/2001/1/1.xml", subtitle(french, language="French")) is None
    assert judge("a/1.fr.srt", subtitle(english, language="English")) == "not English: the path says fr"
    assert judge("a/1.xml", subtitle(french, language="English")) is None
    assert judge("a/1.xml", subtitle(english, language="French")) == "not English: the file says French"
    assert judge("a/1.xml", subtitle(english)) is None
    assert judge("a/1.xml", subtitle(french)).startswith("not English: 0% of its words")
    assert judge("a/1.xml", subtitle("You are")).startswith("not known to be English: 2 word(s)")


def test_only_spacys_english_examples_are_english():
    shares = {language: score_english(sentences)[0] for language, sentences in spacy_examples()}
    assert len(shares) > 40
    others = {language: share for language, share in shares.items() if language != "en"}
    assert shares["en"] > 0.3
    assert max(others.values()) < 0.15


def variant(name, sentences=1000, *, complete=True, unknown=0.01, rating=0.0):
    turns = (Turn(0, (), ("a",), "", "a"),) * sentences
    return Subtitle(name, turns, metadata=SubtitleMetadata(None, None if complete else (1, 2), rating, unknown))


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (variant("0", complete=False), "one disc of several"),
        (variant("0", 700), "700 sentences, more than 10% from the median 1,000"),
        (variant("0", unknown=0.03), "unknown words: 3.0%, the chosen one has 1.0%"),
        (variant("0", unknown=None), "unknown words: not stated, the chosen one has 1.0%"),
        (variant("0", rating=6.5), "rated 6.5, the chosen one 7"),
        (variant("0", 950, rating=7.0), "950 sentences, the chosen one is nearer to the median 1,000"),
        (variant("5", rating=7.0), "as good as the chosen one, whose id comes first"),
    ],
)
def test_the_first_difference_decides_and_gives_the_reason(other, reason):
    choice = choose([other, variant("3", rating=7.0), variant("10", rating=7.0)])
    assert choice.subtitle.name == "3"
    assert dict(choice.rejected)[other.name] == reason
    assert dict(choice.rejected)["10"] == "as good as the chosen one, whose id comes first"


VARIANTS = st.builds(
    variant,
    st.text("a19", min_size=1, max_size=3),
    st.integers(0, 300),
    complete=st.booleans(),
    unknown=st.none() | st.floats(0, 1),
    rating=st.none() | st.floats(0, 10),
)


@given(st.lists(VARIANTS, min_size=1, max_size=7, unique_by=lambda each: each.name), st.randoms())
def test_the_order_does_not_matter_and_every_rejected_variant_has_a_reason(variants, random):
    choice = choose(variants)
    random.shuffle(variants)
    assert choose(variants) == choice
    assert {name for name, _ in choice.rejected} == {each.name for each in variants} - {choice.subtitle.name}
    assert all(reason for _, reason in choice.rejected)


def test_the_longer_of_two_or_a_single_disc_is_chosen_and_none_that_is_not_english():
    choice = choose([variant("1", 600), variant("2", 1200)])
    assert (choice.subtitle.name, choice.rejected) == ("2", (("1", "600 sentences, the chosen one has more"),))
    assert select(("o/1.fr.srt", FRENCH)).reason == "no subtitle is English"
    assert choose([variant("1", 500, complete=False)]).reason.startswith("the only one; one disc of several")


SUMMARY = [
    "One night Agnes, Berthold and Casimir (Orla Quist) steal the bell of Drumlin for Everard.",
    "It rings. Then Agnes runs.",
]


@pytest.mark.parametrize(("spoken", "fits"), [("Agnes! Where is Casimir?", True), ("Agnes! Where is the bell?", False)])
def test_a_summary_whose_names_are_hardly_spoken_is_of_another_film(spoken, fits):
    assert find_names(SUMMARY) == {"agnes", "berthold", "casimir", "drumlin", "everard"}
    turns, config = [Turn(0, (), (spoken,), "", spoken)], MatchingConfig()
    if fits:
        check_summary("fox.txt", "fox", SUMMARY, turns, config)
    else:
        with pytest.raises(
            SourceError, match=r"fox\.txt: subtitle and summary of fox do not match: of the 5 names .* 20% are spoken"
        ):
            check_summary("fox.txt", "fox", SUMMARY, turns, config)
    check_summary("fox.txt", "fox", SUMMARY, [], MatchingConfig(least_names=0.0))
    check_summary("fox.txt", "fox", ["They meet Agnes and Casimir."], [], config)
