"""Made-up films with subtitles and summaries, good and bad, for tests that need a source of subtitles."""

import gzip
from pathlib import Path

ENGLISH = "Where have you put the {word} number {number}, and what are we going to do without it?"
GERMAN = "Wo hast du denn die {word} Nummer {number} hingelegt, und was machen wir jetzt ohne sie?"
BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE document [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    b'<document id="1"><s id="1"><w id="1.1">&b;</w></s></document>'
)


def write_film(source: Path, film: str, word: str = "lantern", text: str = ENGLISH, synopsis: str | None = None) -> Path:
    """Write a film's folder: 48 captions and a summary of two sentences."""
    folder = source / film
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "film.srt").write_text(make_srt(word, text), encoding="utf-8")
    told = f"They look for the {word}. It is under the stone.\n" if synopsis is None else synopsis
    (folder / "synopsis.txt").write_text(told, encoding="utf-8")
    return folder


def write_bad_films(source: Path) -> dict[str, str]:
    """Write a film of each kind that has to be refused; return a part of the reason by film."""
    for film in ("bomb", "cut", "hollow", "german", "untold", "binary", "gone", "short", "foreign"):
        (write_film(source, film) / "film.srt").unlink()
    (source / "bomb" / "film.xml").write_bytes(BOMB)
    (source / "cut" / "film.xml.gz").write_bytes(gzip.compress(make_xml().encode())[:-40])
    (source / "hollow" / "film.srt").write_text("")
    (source / "german" / "film.srt").write_text(make_srt("Laterne", GERMAN))
    (source / "untold" / "film.srt").write_text(make_srt())
    (source / "untold" / "synopsis.txt").write_text("\n")
    (source / "binary" / "film.srt").write_bytes(bytes(range(256)) * 40)
    (source / "short" / "film.srt").write_text("\n".join(make_srt().splitlines()[:36]))
    (source / "foreign" / "film.srt").write_text(make_srt())
    (source / "foreign" / "synopsis.txt").write_text("It tells of Agnes, Berthold, Casimir, Drumlin and Everard.\n")
    (source / "gone" / "film.srt").symlink_to("nowhere.srt")
    return {
        "bomb": "document type",
        "cut": "cut off",
        "hollow": "the file is empty",
        "german": "not English",
        "untold": "the file is empty",
        "binary": "Is this a binary file",
        "short": "9 utterance(s); a film has at least 40",
        "foreign": "do not match",
        "gone": "could not read gone/film.srt",
    }


def make_srt(word: str = "lantern", text: str = ENGLISH) -> str:
    """Return 48 captions as SubRip has them."""
    captions = (
        f"{number}\n{time_caption(number)},000 --> {time_caption(number)},900\n{text.format(word=word, number=number)}\n"
        for number in range(1, 49)
    )
    return "\n".join(captions)


def time_caption(number: int) -> str:
    """Return the time of a caption, two seconds after the one before."""
    return f"00:{2 * number // 60:02}:{2 * number % 60:02}"


def make_xml() -> str:
    """Return 48 sentences as OPUS has them."""
    sentences = (
        f'<s id="{number}"><time id="T{number}S" value="00:{2 * number // 60:02}:{2 * number % 60:02},000" />'
        + "".join(
            f'<w id="{number}.{place}">{token}</w>' for place, token in enumerate(f"The lantern {number} is not here .".split())
        )
        + f'<time id="T{number}E" value="00:{(2 * number + 1) // 60:02}:{(2 * number + 1) % 60:02},500" /></s>'
        for number in range(1, 49)
    )
    return f'<?xml version="1.0" encoding="utf-8"?><document id="1">{"".join(sentences)}</document>'
