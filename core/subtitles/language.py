"""Tells whether a subtitle is English: by its path, otherwise by its metadata, otherwise by its words.

The rule for words is that of `core.text.terms`.
"""

import re
from pathlib import PurePosixPath

from core.subtitles.config import LanguageConfig
from core.subtitles.films import parse_opus_path
from core.subtitles.subtitle import Subtitle
from core.text.terms import score_english

_IN_NAME = re.compile(
    r"\.(?P<code>[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?|[A-Za-z]{5,12})\.(?:srt|vtt|ass|ssa|sub|xml(?:\.gz)?)", re.IGNORECASE
)
_ENGLISH = frozenset(["en", "eng", "english"])
# Language codes and names in file names (`film.pt-BR.srt`, `film.french.srt`). Codes that are English words (it, is, no, he, id,
# da) are not in the list, so that `let.it.srt` is judged by its words.
_OTHER_LANGUAGES = """
ar ara arabic bg bul bulgarian bs ca cs cze czech dan danish de ger deu german el gre greek es spa spanish et est estonian eu fa
fas farsi fi fin finnish fr fre fra french heb hebrew hr hrv croatian hu hun hungarian ita italian ja jpn japanese ko kor korean
lt lv mk ms nl dut nld dutch nb nor norwegian pl pol polish pt por portuguese ro rum ron romanian ru rus russian sk slo slk sl
slv sq sr srp serbian sv swe swedish th tr tur turkish uk ukr vi vie vietnamese zh chi zho chinese
"""
_LANGUAGES = _ENGLISH | frozenset(_OTHER_LANGUAGES.split())


def find_path_language(path: str) -> str | None:
    """Return the language that a path names, in lower case, or None if it names no language.

    OPUS names the language in a folder (`en/2001/209475/54828.xml.gz`: "en"). Other files have it before the extension
    (`film.en.srt`, `film.English.srt`).
    """
    place = parse_opus_path(path)
    if place is not None:
        return place.language
    match = _IN_NAME.search(PurePosixPath(path).name)
    code = match["code"].lower() if match is not None else ""
    return code if re.split("[-_]", code)[0] in _LANGUAGES else None


def is_english_name(language: str) -> bool:
    """Tell whether a language's code or name means English (`en`, `eng`, `en-GB`, `English`)."""
    return re.split("[-_ (]", language.strip().lower())[0] in _ENGLISH


def judge_language(path: str, subtitle: Subtitle, config: LanguageConfig | None = None) -> str | None:
    """Return the reason for leaving a subtitle out as not English, or None if it is English.

    The path decides if it names a language, otherwise the metadata, otherwise the words.
    """
    config = config or LanguageConfig()
    language = find_path_language(path)
    if language is not None:
        return None if is_english_name(language) else f"not English: the path says {language}"
    if (stated := subtitle.metadata.language) is not None:
        return None if is_english_name(stated) else f"not English: the file says {stated[:40]}"
    share, total = score_english(turn.text for turn in subtitle.turns)
    if total < config.min_words:
        return f"not known to be English: {total} word(s), and at least {config.min_words} are needed to tell"
    if share < config.min_share:
        return (
            f"not English: {share:.0%} of its words are frequent English words, and at least {config.min_share:.0%} are expected"
        )
    return None
