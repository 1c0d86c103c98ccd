"""Hostile texts are read in linear time: what grows with the square of their length would take minutes on these."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest

from core.errors import SourceError
from core.people.names import drop_mail_headers
from core.rooms.game_sources import read_game_source
from core.scripts.name_masking import NameMask
from core.scripts.names import CastConfig
from core.scripts.screenplays.fountain import read_fountain
from core.scripts.screenplays.layout import ScreenplayConfig
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.screenplays.tagged import find_root
from core.scripts.story import CastMember, Story
from core.scripts.synopsis import read_synopsis
from core.subtitles.cleaning import clean_caption, find_removal, strip_markup
from core.subtitles.config import SubtitleCleaning
from core.subtitles.ttml import is_ttml
from core.text.sentences import split_by_rules
from core.threads.exports import open_converter
from core.threads.mark_up import clean_text
from core.transcripts.config import CleaningConfig
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.dialogues.speakers import resolve_speakers

SCREENPLAY = "INT. BARN - DAY\n\nA cow looks up.\n\n" + "ANNA\nHello.\n\nBEN\nHello yourself.\n\n" * 4
MASK = NameMask(Story("lamp", "movie", "", "", (), (), (CastMember("Tobias Marr"),)), CastConfig())
LYRICS = SubtitleCleaning(lyrics="remove")


def repeat(length: int, *pieces: str) -> list[str]:
    return [(piece * length)[:length] for piece in pieces]


def read_line(line: str) -> None:
    config = ScreenplayConfig(max_mean_scene_words=10**9, max_scene_share=1.0)
    read_screenplay("x", f"{SCREENPLAY}\n{line}x\n\nANNA\n{line}\n", config)


def read_head(head: str) -> None:
    assert find_root(head) == ""
    assert not is_ttml(head)


def read_caption(text: str) -> None:
    find_removal(text, 0.0, 1.0, LYRICS)
    list(clean_caption(strip_markup(text), LYRICS))


def read_mail(mail: str) -> None:
    reader = open_converter("lamps.mbox")
    lines = ["From a@harbour.example Mon Mar  4 10:11:00 2024", *mail.split("\n")]
    assert sum(len(reader(line.encode())) for line in lines) == 0
    with suppress(SourceError):
        assert len(reader(None)) == 1


def read_transcripts(noise: str) -> None:
    timing, cleaning = "00:00:01,000 --> 00:00:02,000\n", CleaningConfig(stage_directions="remove", onomatopoeia="shorten")
    content = f"{timing}ANNA: Hi.\n{noise}\n# {noise}\n{timing}BEN: {noise}\n{timing}".encode()
    for extension in (".txt", ".md", ".srt", ".vtt", ".json", ".html"):
        with suppress(SourceError):
            read_dialogue("tale" + extension, content, cleaning)


READERS: dict[str, tuple[Callable[[str], object], Sequence[str]]] = {
    "lines of a screenplay": (read_line, repeat(60_000, *"A()&1 \t-*[\xa0", "a ", "<a ", "INT. ", "A: ", "CONT ", "a-", "A/")),
    "Fountain": (
        lambda text: read_fountain(f"Title: x\nAuthor: y\n\n{text}"),
        repeat(80_000, "/*", "[[", "\n", "@a\n", "*/", ".A\n", "=\n", " ", "*a ", "_a_", "**", " #1"),
    ),
    "what may stand before a document": (read_head, repeat(400_000, " ", "\n", "<?", "<!--", "<?a?>", "<!-- -->", "<? ", "-->")),
    "captions": (read_caption, repeat(40_000, *'([A♪-."\n ', "A ", "- ", ". ", "... ", "<i", "{\\", "&amp;", "sub ")),
    "mail": (
        read_mail,
        [
            "Content-Type: " + "a;" * 100_000 + "\n\nx",
            "Subject: " + "=?utf-8?q?a?= " * 3_000 + "\n\nx",
            "From: a " + "at " * 10_000 + "\n\nx",
            "Content-Type: multipart/mixed; boundary=a\n\n" + "--a\nContent-Type: multipart/mixed; boundary=a\n\n" * 2_000,
            "\n\n" + "_" * 900_000,
            "\n\n" + "-----------------------------  \n" * 20_000,
        ],
    ),
    "quoted mail": (
        drop_mail_headers,
        [
            *("On 1 " * 20_000 + "wrote:", "From: " * 20_000, "A wrote:\n" * 10_000, "On 1\n" * 20_000 + "wrote:"),
            *(" " * 60_000 + "wrote:", " " * 60_000 + "a wrote: b", "a " * 140 + "wrote:\n" * 10_000),
        ],
    ),
    "games": (
        lambda text: read_game_source(text, ".ni"),
        ["#1\n" * 40_000, "A is north of " * 10_000, "The A is a room. " * 10_000, '"' * 100_000, "[" * 100_000],
    ),
    "names with many marks": (lambda marks: MASK(f"Tobias{marks}x"), repeat(40_000, '"', "-", ")'", "’")),
    "halves of sentences": (lambda text: read_synopsis("x", text, split_by_rules, lines="sentences"), ["B.C.\n" * 80_000]),
    "labels": (lambda label: resolve_speakers(label, {}), ["but (" * 100_000]),
    "blanks below a bar": (clean_text, ["a|b\n" + " " * 200_000 + "x", "a|b\n-|-" + " " * 200_000 + "x"]),
    "transcripts": (read_transcripts, [*repeat(60_000, "\n", " ", "- ", "<i>", "(", '"\n', "&#", "# "), "A:\n" * 1999]),
}


@pytest.mark.parametrize("name", READERS)
def test_hostile_texts_take_linear_time(name: str) -> None:
    read, texts = READERS[name]
    for text in texts:
        started = time.process_time()
        read(text)
        assert time.process_time() - started < 4, text[:20]
