import runpy
from pathlib import Path

import pytest
import spacy.lang

from core.dialogue import Turn
from core.subtitles.config import LanguageConfig
from core.subtitles.language import find_path_language, is_english_name, judge_language, score_english
from core.subtitles.subtitle import Subtitle, SubtitleMetadata


def subtitle(text, **metadata):
    return Subtitle("a", (Turn(0, (), (text,), "", text),), (), SubtitleMetadata(**metadata))


def spacy_examples():
    """Yield each language with spaCy's examples of it. Its package, with everything that it tokenises by, is not imported."""
    for path in sorted(Path(spacy.lang.__path__[0]).glob("*/examples.py")):
        yield path.parent.name, runpy.run_path(str(path))["sentences"]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("en/2001/209475/54828.xml.gz", "en"),
        ("OpenSubtitles/xml/pt_br/2001/209475/54828.xml", "pt_br"),
        ("up/film.en.srt", "en"),
        ("up/film.EN-gb.SRT", "en-gb"),
        ("up/film.english.srt", "english"),
        ("up/film.pt-BR.srt", "pt-br"),
        ("up/film.fr.xml.gz", "fr"),
        ("en/film.srt", None),
        ("it/film.srt", None),
        ("let/let.it.srt", None),
        ("up/film.1080p.srt", None),
        ("up/film.the.srt", None),
    ],
)
def test_finds_the_language_in_a_path(path, language):
    assert find_path_language(path) == language


def test_recognises_the_names_of_english():
    assert all(map(is_english_name, ["en", "EN", "eng", "English", "en-GB", "en_us", " English (UK)"]))
    assert not any(map(is_english_name, ["", "de", "enm", "Engadin", "French"]))


def test_the_path_decides_before_the_metadata_and_the_metadata_before_the_words():
    french, english = "Je ne sais pas où est le chat", "I know where the cat is and so do you"
    assert judge_language("en/2001/1/1.xml", subtitle(french, language="French")) is None
    assert judge_language("a/1.fr.srt", subtitle(english, language="English")) == "not English: the path says fr"
    assert judge_language("a/1.xml", subtitle(french, language="English")) is None
    assert judge_language("a/1.xml", subtitle(english, language="French")) == "not English: the file says French"
    assert judge_language("a/1.xml", subtitle(english)) is None
    assert judge_language("a/1.xml", subtitle(french)).startswith("not English: 0% of its words")


def test_the_decision_depends_on_the_settings_and_the_score_does_not():
    assert score_english(["You’re late", "Ou est le chat"]) == (1 / 6, 6)
    assert score_english([]) == (0.0, 0)
    text = subtitle("You're here but le chat est mort aujourd'hui")
    assert judge_language("a.srt", text, LanguageConfig(min_share=0.3)) is None
    assert judge_language("a.srt", text, LanguageConfig(min_share=0.5)) is not None
    assert judge_language("a.srt", subtitle("You are"), LanguageConfig()).startswith("not known to be English: 2 word(s)")


def test_only_spacys_english_examples_are_english():
    shares = {language: score_english(sentences)[0] for language, sentences in spacy_examples()}
    assert len(shares) > 40
    others = {language: share for language, share in shares.items() if language != "en"}
    assert shares["en"] > 0.3
    assert max(others.values()) < 0.15
