"""Hostile inputs for every parser: each grows with a number, and each once took more than linear time or might."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.errors import SourceError
from core.rooms.sentences import Rights, read_document, read_record
from core.scripts.cast import read_cast
from core.scripts.gold import read_gold
from core.scripts.long_texts import read_long_text
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.series import list_episodes, read_episode
from core.scripts.synopsis import read_synopsis
from core.subtitles.config import SubtitleLimits
from core.subtitles.formats import read_subtitle
from core.subtitles.summaries import parse_summary_table
from core.text.decoding import decode_text
from core.text.sentences import make_splitter
from core.threads.deep_json import read_json
from core.threads.formats import name_post, read_post, unpack_page
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.dialogues.speaker_slips import count_speakers, find_speaker_slips, find_unread_labels
from core.transcripts.dialogues.speakers import parse_alias_table
from core.transcripts.discovery import find_units
from core.transcripts.recaps.formats import read_recap
from core.units import SourceFile

PROSE = make_splitter("prose")
MANY = SubtitleLimits(max_captions=10**9, max_bytes=2**30, max_decompressed_bytes=2**30)
MIT = Rights("MIT", "us")
SAID = "She rowed to the lighthouse, and nobody asked why. "


@dataclass(frozen=True, slots=True)
class Hostile:
    """An input that grows: `make` returns it for a size, and `read` reads it. `first` is the smallest size that is timed."""

    parser: str
    what: str
    read: Callable[[Any], object]
    make: Callable[[int], Any]
    first: int = 1000


def _recap(name: str) -> Callable[[str], object]:
    return lambda text: read_recap(name, text, PROSE)


def _dialogue(name: str) -> Callable[[str], object]:
    def read(text: str) -> object:
        turns = read_dialogue(name, text.encode())
        return find_unread_labels(turns), find_speaker_slips(count_speakers(turns))

    return read


def _page(body: str) -> str:
    return f"<html><head><title>E</title></head><body><div id='mw-content-text'><h2>Synopsis</h2>{body}</div></body></html>"


def _aside(values: str) -> str:
    return _page(f"<aside class='portable-infobox'>{values}</aside><p>{SAID}</p>")


def _value(n: int) -> str:
    return f"<div class='pi-item'><h3 class='pi-data-label'>L{n}</h3><div class='pi-data-value'>v {n}</div></div>"


_WIKI = _recap("e.html")
_WIKI_TEXT = _recap("e.wiki")
_MARKDOWN = _recap("e.md")
_TXT = _dialogue("e.txt")
RECAPS = (
    Hostile("recap page", "infobox values", _WIKI, lambda n: _aside("".join(map(_value, range(n))))),
    Hostile(
        "recap page",
        "infobox values of one label",
        _WIKI,
        lambda n: _aside("<h3 class='pi-data-label'>L</h3>" + "<div class='pi-data-value'>v</div>" * n),
    ),
    Hostile(
        "recap page",
        "infobox items of one label",
        _WIKI,
        lambda n: _aside("<div><h3 class='pi-data-label'>L</h3><div class='pi-data-value'>v</div></div>" * n),
    ),
    Hostile(
        "recap page",
        "infobox values before their label",
        _WIKI,
        lambda n: _aside("<div class='pi-data-value'>v</div>" * n + "<h3 class='pi-data-label'>L</h3>"),
    ),
    Hostile(
        "recap page",
        "a table of heads and values in an infobox",
        _WIKI,
        lambda n: _aside(
            "<table>"
            + "".join(f"<tr><th data-source='s{i}'>h {i}</th></tr>" for i in range(n))
            + "".join(f"<tr><td class='pi-data-value' data-source='s{i}'>v</td></tr>" for i in range(n))
            + "</table>"
        ),
        250,
    ),
    Hostile(
        "recap page",
        "tables in tables in an infobox",
        _WIKI,
        lambda n: _aside("<table><tr><th>h</th><td class='pi-data-value'>v<table><tr><td>" * 40 + "<p>x</p>" * n),
    ),
    Hostile(
        "recap page",
        "rows of a MediaWiki infobox",
        _WIKI,
        lambda n: _page("<table class='infobox'>" + "<tr><th>h</th><td>v</td></tr>" * n + f"</table><p>{SAID}</p>"),
    ),
    Hostile(
        "recap page",
        "heads in one row of an infobox",
        _WIKI,
        lambda n: _page("<table class='infobox'><tr>" + "<th>h</th><td>v</td>" * n + f"</tr></table><p>{SAID}</p>"),
    ),
    *(
        Hostile("recap page", f"{name} in a paragraph", _WIKI, lambda n, piece=piece: _page(f"<p>{SAID}{piece * n}</p>"))
        for name, piece in (
            ("<b>", "<b>word</b> and "),
            ("<br>", "word<br>\n"),
            ("links", "<a href='/wiki/A'>word</a>, "),
            ("notes", "<sup>[1]</sup>"),
            ("raised text", "2\n<sup>nd</sup>"),
            ("quotes", '<i>"</i>\n'),
            ("dashes", "<i>–</i>\n"),
            ("empty tags", "<i></i>\n"),
            ("open brackets", "[ "),
            ("entities", "&amp;"),
        )
    ),
    Hostile(
        "recap page",
        "links to different pages",
        _WIKI,
        lambda n: _page("<p>" + "".join(f"<a href='/wiki/A{i}'>w</a> " for i in range(n)) + "</p>"),
    ),
    Hostile("recap page", "paragraphs", _WIKI, lambda n: _page(f"<p>{SAID}</p>" * n)),
    Hostile("recap page", "headings", _WIKI, lambda n: _page(f"<h3>Part</h3><p>{SAID}</p>" * n)),
    Hostile("recap page", "headings without text", _WIKI, lambda n: _page("<h3>Part</h3>" * n + f"<p>{SAID}</p>")),
    Hostile("recap page", "deep levels, closed by nobody", _WIKI, lambda n: _page("<div>" * 200 + f"<p>{SAID}</p>" * n)),
    Hostile(
        "recap page",
        "headlines outside the content",
        _WIKI,
        lambda n: _page(f"<p>{SAID}</p></div>" + f"<h2><span class='mw-headline'>H</span></h2><p>{SAID}</p>" * n),
    ),
    Hostile("recap page", "open script tags", _WIKI, lambda n: _page(f"<p>{SAID}</p>" + "<script" * n)),
    Hostile("recap page", "pairs of script tags", _WIKI, lambda n: _page(f"<p>{SAID}</p>" + "<script></script>" * n)),
    Hostile("recap page", "signs of tags", _WIKI, lambda n: _page(f"<p>{SAID}</p>" + "<a" * n)),
    Hostile(
        "recap page",
        "categories",
        _WIKI,
        lambda n: _page(
            f"<p>{SAID}</p></div><div id='catlinks'><div class='mw-normal-catlinks'><ul>"
            + "".join(f"<li><a href='/wiki/Category:C{i}'>C</a></li>" for i in range(n))
            + "</ul></div>"
        ),
    ),
    Hostile("wikitext", "lines of prose", _WIKI_TEXT, lambda n: SAID + "\n" + (SAID + "\n") * n),
    Hostile("wikitext", "one long paragraph", _WIKI_TEXT, lambda n: "== Synopsis ==\n" + SAID * n),
    Hostile("wikitext", "headings", _WIKI_TEXT, lambda n: f"== Part ==\n\n{SAID}\n\n" * n),
    Hostile("wikitext", "open links", _WIKI_TEXT, lambda n: SAID + "[[a|" * n),
    Hostile("wikitext", "open references", _WIKI_TEXT, lambda n: SAID + "<ref>a " * n),
    Hostile("wikitext", "apostrophes", _WIKI_TEXT, lambda n: SAID + "'" * n),
    Hostile("wikitext", "equals signs", _WIKI_TEXT, lambda n: f"{SAID}\n{'=' * n}x{'=' * n}"),
    Hostile("wikitext", "a list", _WIKI_TEXT, lambda n: f"* {SAID}\n" * n),
    Hostile("Markdown", "paragraphs", _MARKDOWN, lambda n: f"{SAID}\n\n" * n, 250),
    Hostile("Markdown", "one long paragraph", _MARKDOWN, lambda n: f"{SAID}\n" * n, 250),
    Hostile("Markdown", "emphasis", _MARKDOWN, lambda n: SAID + "*a **b " * n, 250),
    Hostile("Markdown", "open links", _MARKDOWN, lambda n: SAID + "[a](" * n, 250),
    Hostile("Markdown", "open brackets", _MARKDOWN, lambda n: SAID + "[" * n, 250),
    Hostile("Markdown", "open images", _MARKDOWN, lambda n: SAID + "![" * n, 250),
    Hostile(
        "Markdown",
        "backticks of growing length",
        _MARKDOWN,
        lambda n: SAID + "".join(f"{'`' * (i % 97)} " for i in range(n)),
        250,
    ),
    Hostile("Markdown", "open tags", _MARKDOWN, lambda n: SAID + "<a x='" * n, 250),
    Hostile("Markdown", "open comments", _MARKDOWN, lambda n: SAID + "<!-- " * n, 250),
    Hostile("Markdown", "quotation marks of quotations", _MARKDOWN, lambda n: "> " * n + SAID, 250),
    Hostile("Markdown", "quotations", _MARKDOWN, lambda n: f"> {SAID}\n" * n, 250),
    Hostile("Markdown", "a list", _MARKDOWN, lambda n: f"- {SAID}\n" * n, 250),
    Hostile("Markdown", "a deep list", _MARKDOWN, lambda n: "".join(f"{'  ' * (i % 60)}- a\n" for i in range(n)), 250),
    Hostile("Markdown", "rows of a table", _MARKDOWN, lambda n: "|a|b|\n|-|-|\n" + f"|{SAID}|b|\n" * n, 250),
    Hostile("Markdown", "columns of a table", _MARKDOWN, lambda n: "|a" * n + "|\n" + "|-" * n + "|\n" + "|b\n" * 20, 250),
    Hostile(
        "Markdown", "reference definitions", _MARKDOWN, lambda n: SAID + "\n\n" + "".join(f"[r{i}]: /u\n" for i in range(n)), 250
    ),
    Hostile("Markdown", "open footnotes", _MARKDOWN, lambda n: SAID + "\n\n" + "[^1]: a\n b\n" * n, 250),
    Hostile("Markdown", "front matter without end", _MARKDOWN, lambda n: "---\n" + "a: b\n" * n, 250),
    Hostile("Markdown", "entities", _MARKDOWN, lambda n: SAID + "&amp;" * n, 250),
    Hostile("Markdown", "backslashes", _MARKDOWN, lambda n: SAID + "\\" * n, 250),
    Hostile("Markdown", "headings", _MARKDOWN, lambda n: f"## Part\n\n{SAID}\n\n" * n, 250),
)
SENTENCES = (
    *(
        # above the size from which all splitters use the regular expression: another splitter takes another time
        Hostile("sentences", f"{what}, {name}", make_splitter(name), make, 400_000 * 100 // len(make(100)))
        for name in ("prose", "regex")
        for what, make in (
            ("a paragraph in lower case", lambda n: "and then. she rowed. " * n),
            ("a paragraph of capitals", lambda n: "She rowed. " * n),
            ("initials", lambda n: "A. " * n),
            ("abbreviations", lambda n: "Dr. " * n),
            ("full stops", lambda n: "." * n),
            ("full stops and spaces", lambda n: ". " * n),
            ("closing quotes", lambda n: "a." + '"' * n),
            ("closing brackets between", lambda n: ("a" + ")" * 50) * n),
            ("no end", lambda n: "word " * n),
            ("spaces", lambda n: "a. " + " " * n + "b"),
            ("dots and quotes in turn", lambda n: '."' * n),
            ("question marks with spaces and brackets", lambda n: "?) " * n),
        )
    ),
    Hostile("sentences", "words of spaCy's size, prose", PROSE, lambda n: "She rowed. " * min(n, 9000)),
)
FILMS = (
    Hostile("screenplay", "lines of speech", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\nGo.\n\n" * n),
    Hostile(
        "screenplay",
        "one speech of many lines",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\n" + "Go on now, she said.\n" * n + "\nBEN\nNo.\n",
    ),
    Hostile(
        "screenplay",
        "one speech in capitals",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\nGo.\n\nBEN\nNo.\n\nANNA\n" + "GO ON NOW, SHE SAID.\n" * n,
    ),
    Hostile(
        "screenplay",
        "remarks in one speech",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\nGo.\n\nBEN\n" + "(nods)\n\n" * n + "No.\n",
    ),
    Hostile("screenplay", "open brackets", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\n" + "(a\n" * n),
    Hostile("screenplay", "one line", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\n" + "Go (on) now. " * n),
    Hostile(
        "screenplay",
        "continued speeches",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\n" + "ANNA\nGo on.\n\n(CONTINUED)\n\nANNA (CONT'D)\nNow.\n\n" * n,
    ),
    Hostile(
        "screenplay",
        "running heads",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\nGo.\n\n" + "".join(f"THE BARN Rev. 3 {i}.\n\n" for i in range(n)),
    ),
    Hostile("screenplay", "headings", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\n" * n + "ANNA\nGo.\n"),
    Hostile(
        "screenplay",
        "speakers",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\n" + "".join(f"ANNA {i}\nGo on.\n\n" for i in range(n)),
    ),
    Hostile(
        "screenplay",
        "two columns",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\n" + "ANNA          BEN\nGo on.        No.\n\n" * n,
    ),
    Hostile(
        "screenplay", "stars", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\nGo.\n" + "*" * n + "a b" + "*" * n
    ),
    Hostile("screenplay", "tags", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\nGo.\n" + "<b" * n),
    Hostile(
        "screenplay", "transcript lines", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\n" + "Anna: Go on.\n" * n
    ),
    Hostile("screenplay", "spaces", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\nGo" + " " * n + ".\n"),
    Hostile("synopsis", "one paragraph", lambda t: read_synopsis("s", t, PROSE), lambda n: SAID * n),
    Hostile("synopsis", "lines", lambda t: read_synopsis("s", t, PROSE), lambda n: (SAID + "\n") * n, 500),
    Hostile("synopsis", "equals signs", lambda t: read_synopsis("s", t, PROSE), lambda n: SAID + "=" * n),
    Hostile("synopsis", "open headings", lambda t: read_synopsis("s", t, PROSE), lambda n: SAID + "== a " * n),
    Hostile("book", "paragraphs", lambda t: read_long_text("b", t), lambda n: f"{SAID}\n\n" * n),
    Hostile("book", "apostrophes", lambda t: read_long_text("b", t), lambda n: "'Tis the sailors' boat" * n),
    Hostile("book", "opening single quotes", lambda t: read_long_text("b", t), lambda n: "a ‘b" * n),
    Hostile("book", "straight quotes before capitals", lambda t: read_long_text("b", t), lambda n: "a 'B" * n),
    Hostile("book", "straight quotes with ends", lambda t: read_long_text("b", t), lambda n: "a 'Go on.'x " * n),
    Hostile("book", "open double quotes", lambda t: read_long_text("b", t), lambda n: "a “b " * n),
    Hostile("book", "quotes that are too long", lambda t: read_long_text("b", t), lambda n: '"' + "a b “" + "c " * n),
    Hostile("book", "straight double quotes", lambda t: read_long_text("b", t), lambda n: '"' * n + "a"),
    Hostile("book", "chapters", lambda t: read_long_text("b", t), lambda n: f"CHAPTER I\n\n{SAID}\n\n" * n),
    Hostile("book", "lines of one paragraph", lambda t: read_long_text("b", t), lambda n: (SAID + "\n") * n + "\n" * (n // 2)),
    Hostile(
        "book", "gutenberg marks", lambda t: read_long_text("b", t), lambda n: SAID + "*** START OF THE PROJECT GUTENBERG" * n
    ),
    Hostile(
        "cast",
        "members",
        lambda t: read_cast("c", t),
        lambda n: json.dumps([{"actor": f"A {i}", "character": f"C {i}"} for i in range(n)]),
    ),
    Hostile(
        "cast",
        "one character, many actors",
        lambda t: read_cast("c", t),
        lambda n: json.dumps([{"actor": f"A {i}", "character": "Ben"} for i in range(n)]),
    ),
    Hostile(
        "cast",
        "one character, many names",
        lambda t: read_cast("c", t),
        lambda n: json.dumps([{"actor": "A", "character": f"Ben / B{i}"} for i in range(n)]),
    ),
    Hostile("gold", "links", lambda t: read_gold("g", t), lambda n: '{"movie_id": "m", "sent": "s", "scene_idx": [1]}\n' * n),
    Hostile(
        "series",
        "episodes",
        lambda t: (list_episodes("s", t), read_episode("s", t, "e0")),
        lambda n: json.dumps(
            {
                "episodes": [
                    {
                        "episode_id": f"e{i}",
                        "scenes": [{"utterances": [{"speakers": ["A"], "transcript": "Go."}], "plots": ["p"]}],
                    }
                    for i in range(n)
                ]
            }
        ),
    ),
    Hostile(
        "series",
        "episodes twice",
        lambda t: list_episodes("s", t),
        lambda n: json.dumps({"episodes": [{"episode_id": f"e{i // 2}"} for i in range(n)]}),
    ),
)


def _srt(n: int, text: str) -> bytes:
    times = (f"{i // 3600:02}:{i // 60 % 60:02}:{i % 60:02}" for i in range(n))
    return "".join(f"{i}\n{time},000 --> {time},900\n{text}\n\n" for i, time in enumerate(times, 1)).encode()


def _cue(text: str) -> bytes:
    return f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n\n".encode()


def _read_srt(content: bytes) -> object:
    return read_subtitle("f.en.srt", content, limits=MANY)


def _read_xml(content: bytes) -> object:
    return read_subtitle("f.xml", content, limits=MANY)


def _xml(body: str) -> bytes:
    return f"<document><s id='1'><time id='T1S' value='00:00:01,000'/>{body}</s></document>".encode()


SUBTITLES = (
    Hostile("subtitles", "cues", _read_srt, lambda n: _srt(n, "Go on."), 500),
    Hostile("subtitles", "one sentence in all cues", _read_srt, lambda n: _srt(n, "and so on,"), 500),
    *(
        Hostile("subtitles", f"one cue of {name}", _read_srt, lambda n, piece=piece: _cue(piece * n))
        for name, piece in (
            ("lines", "Go on now.\n"),
            ("small letters", "and. so. on. "),
            ("a line", "Go on now. "),
            ("dashes", "- Go on now.\n"),
            ("labels", "ANNA: Go.\n"),
            ("ellipses", "... ..."),
            ("dots", "."),
            ("music", "♪ "),
            ("hashes", "# "),
            ("brackets", "("),
            ("open tags", "<i "),
            ("open codes", "{\\"),
            ("entities", "&amp;"),
            ("capitals", "ANNA BEN "),
            ("one word", "a"),
            ("spaces", " \n a"),
            ("by", "subtitles and a "),
            ("letters of a domain", "a-a-"),
            ("quotes", '"'),
        )
    ),
    Hostile("subtitles", "cues without words", _read_srt, lambda n: _srt(n, " ") + _cue("Go on.")),
    Hostile(
        "subtitle XML",
        "sentences",
        _read_xml,
        lambda n: ("<document>" + "<s><time id='T1S' value='00:00:01,000'/><w>Go</w><w>on</w></s>" * n + "</document>").encode(),
    ),
    Hostile("subtitle XML", "words of a sentence", _read_xml, lambda n: _xml("<w>go</w>" * n)),
    Hostile(
        "subtitle XML", "times of a sentence", _read_xml, lambda n: _xml("<time id='T2S' value='00:00:02,000'/><w>a</w>" * n)
    ),
    Hostile("subtitle XML", "plain text", _read_xml, lambda n: _xml("Go on now. " * n)),
    Hostile("subtitle XML", "a token in pieces", _read_xml, lambda n: _xml("<w>" + "a&amp;" * n + "</w>")),
    Hostile("subtitle XML", "apostrophes", _read_xml, lambda n: _xml("<w>'</w><w>cause</w>" * n)),
    Hostile(
        "subtitle XML",
        "metadata",
        _read_xml,
        lambda n: (
            "<document><meta><subtitle><language>" + "a&amp;" * n + "</language></subtitle></meta><s><w>Go</w></s></document>"
        ).encode(),
    ),
    Hostile(
        "subtitle XML",
        "attributes",
        _read_xml,
        lambda n: ("<document><s><w " + " ".join(f"a{i}='1'" for i in range(n)) + ">Go</w></s></document>").encode(),
    ),
    Hostile(
        "subtitle XML",
        "members of a .gz",
        lambda c: read_subtitle("f.xml.gz", c, limits=MANY),
        lambda n: b"".join(
            gzip.compress(part, 1, mtime=0) for part in [b"<document>", *[b"<s><w>Go</w></s>"] * n, b"</document>"]
        ),
    ),
    Hostile(
        "subtitle XML",
        "empty members of a .gz",
        lambda c: read_subtitle("f.xml.gz", c, limits=MANY),
        lambda n: gzip.compress(b"<document><s><w>Go</w></s></document>", 1, mtime=0) + gzip.compress(b"", 1, mtime=0) * n,
    ),
    Hostile(
        "subtitle XML",
        "padding between members of a .gz",
        lambda c: read_subtitle("f.xml.gz", c, limits=MANY),
        lambda n: (
            gzip.compress(b"<document><s><w>Go</w></s></document>", 1, mtime=0)
            + (b"\0" * 40 + gzip.compress(b"", 1, mtime=0)) * n
        ),
    ),
    Hostile(
        "summaries",
        "lines",
        lambda c: parse_summary_table("s.tsv", c),
        lambda n: ("film\tsynopsis\n" + "".join(f"film-{i}\t{SAID}\n" for i in range(n))).encode(),
    ),
)


def _segments(n: int) -> str:
    return json.dumps({"segments": [{"start": i, "end": i + 1, "text": " Go on.", "speaker": "SPEAKER_00"} for i in range(n)]})


TRANSCRIPTS = (
    Hostile("transcript", "labels of one name", _TXT, lambda n: "ANNA: Go on.\n" * n),
    Hostile("transcript", "labels of two names", _TXT, lambda n: "ANNA: Go on.\nBEN: No.\n" * n),
    Hostile("transcript", "labels, each another", _TXT, lambda n: "".join(f"ANNA{i}: Go on.\n" for i in range(n)), 500),
    Hostile(
        "transcript",
        "capitalised labels, each another",
        _TXT,
        lambda n: "".join(f"Anna {chr(65 + i % 26)}{i}: Go on.\n" for i in range(n)),
        500,
    ),
    Hostile("transcript", "labels, each thrice", _TXT, lambda n: "".join(f"Anna B{i // 3}: Go on.\n" for i in range(n)), 500),
    Hostile("transcript", "speakers of one label", _TXT, lambda n: "ANNA, BEN, " * n + ": Go on.\nANNA: Go.\nBEN: No.\n" * 10),
    Hostile("transcript", "choruses", _TXT, lambda n: "".join(f"Anna B{i} and Ben C{i}: Go on.\n" for i in range(n)), 500),
    Hostile("transcript", "labels of a program", _TXT, lambda n: "SPEAKER_00: Go on.\n" * n),
    Hostile("transcript", "times and labels", _TXT, lambda n: "[00:01:00] ANNA: Go on.\n" * n),
    Hostile("transcript", "times without labels", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "[00:01:00] go\n" * n),
    Hostile("transcript", "headed turns", _TXT, lambda n: "Anna  0:01\nGo on.\nBen  0:02\nNo.\n" * n),
    Hostile("transcript", "times in a line", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "00:01:00 " * n),
    Hostile("transcript", "colons", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "a: " * n),
    Hostile("transcript", "colons without words", _TXT, lambda n: "ANNA: Go on.\n" * 9 + ":" * n),
    Hostile("transcript", "names within lines", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "Go. ANNA: " * n),
    Hostile("transcript", "names in a row", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "ANNA " * n),
    Hostile("transcript", "short lines", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "a\n" * n),
    Hostile("transcript", "blank lines", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "\n" * n),
    Hostile("transcript", "lines of spaces", _TXT, lambda n: "ANNA: Go on.\n" * 9 + (" " * 99 + "\n") * n),
    Hostile("transcript", "spaces in a line", _TXT, lambda n: "ANNA: Go on.\n" * 9 + (" " * n + "x\n")),
    Hostile("transcript", "dashes", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "- " * n),
    Hostile("transcript", "open brackets", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "[" * n),
    Hostile("transcript", "open tags", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "<v " * n),
    Hostile("transcript", "tags at a line's start", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "<i>" * n),
    Hostile("transcript", "quotes", _TXT, lambda n: "ANNA: Go on.\n" * 9 + '"a\n' * n),
    Hostile("transcript", "stars", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "*" * n),
    Hostile("transcript", "marks without width", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "\u200b" * n),
    Hostile("transcript", "combining marks", _TXT, lambda n: "ANNA: Go on.\n" * 9 + "a" + "\u0301\u0323" * n),
    Hostile("transcript", "remarks in a label", _TXT, lambda n: "ANNA (a) " * n + ": Go\n" + "ANNA: Go on.\n" * 9),
    Hostile("transcript", "letters of other scripts", _TXT, lambda n: "ANNA: Go on.\n李雷：走。\n" * n),
    Hostile("transcript, Markdown", "headings", _dialogue("e.md"), lambda n: "# ANNA\nGo on.\n" * n),
    Hostile("transcript, Markdown", "bold labels", _dialogue("e.md"), lambda n: "**Anna:** Go on.\n\n" * n),
    Hostile("transcript, Markdown", "stars", _dialogue("e.md"), lambda n: "**Anna:** Go on.\n\n" + "**" * n),
    Hostile("transcript, captions", "cues", _dialogue("e.srt"), lambda n: _srt(n, "ANNA: Go on.").decode(), 500),
    Hostile(
        "transcript, captions",
        "a label, then cues",
        _dialogue("e.srt"),
        lambda n: _srt(1, "ANNA: Go on.").decode() + _srt(n, "and on").decode(),
        500,
    ),
    Hostile("transcript, captions", "one cue of labels", _dialogue("e.srt"), lambda n: _cue("ANNA: Go on.\n" * n).decode(), 500),
    Hostile(
        "transcript, captions",
        "voice tags",
        _dialogue("e.vtt"),
        lambda n: (
            "WEBVTT\n\n"
            + "".join(f"{i // 60:02}:{i % 60:02}.000 --> {i // 60:02}:{i % 60:02}.900\n<v Anna>Go on.\n\n" for i in range(n))
        ),
        500,
    ),
    Hostile(
        "transcript, JSON", "lines", _dialogue("e.json"), lambda n: json.dumps({"lines": [{"name": "A", "text": "Go."}] * n})
    ),
    Hostile("transcript, JSON", "segments of one speaker", _dialogue("e.json"), _segments),
    Hostile(
        "transcript, JSON",
        "words of Amazon's",
        _dialogue("e.json"),
        lambda n: json.dumps(
            {
                "results": {
                    "items": [
                        {
                            "type": "pronunciation",
                            "speaker_label": "spk_0",
                            "start_time": str(i),
                            "alternatives": [{"content": "go"}],
                        }
                        for i in range(n)
                    ]
                }
            }
        ),
    ),
    Hostile(
        "transcript, JSON",
        "punctuation of Amazon's",
        _dialogue("e.json"),
        lambda n: json.dumps(
            {
                "results": {
                    "items": [
                        {"type": "punctuation", "alternatives": [{"content": "."}]}
                        if i
                        else {"type": "pronunciation", "speaker_label": "spk_0", "alternatives": [{"content": "go"}]}
                        for i in range(n)
                    ]
                }
            }
        ),
    ),
    Hostile(
        "transcript, JSON",
        "words of Deepgram's",
        _dialogue("e.json"),
        lambda n: json.dumps(
            {"results": {"channels": [{"alternatives": [{"words": [{"word": "go", "speaker": i % 2} for i in range(n)]}]}]}}
        ),
    ),
    Hostile(
        "aliases",
        "rows",
        lambda t: parse_alias_table("s.tsv", t),
        lambda n: "label\tpeople\n" + "".join(f"A{i}\tAnna\n" for i in range(n)),
    ),
    Hostile(
        "discovery",
        "names",
        lambda names: find_units(SourceFile(name, 1, "v") for name in names),
        lambda n: [f"transcripts/Show - 1x{i:04}.txt" for i in range(n)],
        500,
    ),
    Hostile(
        "discovery",
        "names of one place",
        lambda names: find_units(SourceFile(name, 1, "v") for name in names),
        lambda n: [f"{i}/transcripts/C1E001.txt" for i in range(n)],
        500,
    ),
    Hostile("decoding", "bytes of windows-1252", lambda c: decode_text("t", c), lambda n: b"caf\xe9 na\xefve " * n),
    Hostile("decoding", "bytes of no encoding", lambda c: decode_text("t", c), lambda n: b"\xe9\x81\x8d a" * n),
)


def _thread(n: int, reply: Callable[[int], str]) -> list[bytes]:
    post = {"id": "p", "title": "t", "subreddit": "s", "selftext": "x", "author": "a", "is_self": True}
    return [json.dumps(post).encode()] + [
        json.dumps({"id": f"c{i}", "link_id": "t3_p", "parent_id": reply(i), "body": "b", "author": "a"}).encode()
        for i in range(n)
    ]


def _deep(n: int) -> bytes:
    return (
        b'{"sid": "p", "title": "t", "text": "x", "comments": '
        + b'{"c": {"text": "b", "replies": ' * n
        + b"{}"
        + b"}}" * n
        + b"}"
    )


def _page_of_api(n: int) -> bytes:
    comment = {"kind": "t1", "data": {"id": "c", "parent_id": "t3_p", "body": "b", "author": "a", "replies": ""}}
    children = [{**comment, "data": {**comment["data"], "id": f"c{i}"}} for i in range(n)]  # type: ignore[dict-item]
    post = {"kind": "t3", "data": {"id": "p", "title": "t", "subreddit": "s", "selftext": "x"}}
    return json.dumps(
        [
            {"kind": "Listing", "data": {"children": [post]}},
            {"kind": "Listing", "data": {"children": children}},
        ]
    ).encode()


def _table(n: int) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([["text", "license"], *[[SAID, "MIT"]] * n])
    return text.getvalue().encode()


def _rooms(name: str) -> Callable[[bytes], object]:
    return lambda content: read_document(name, content, "u", MIT)


THREADS = (
    Hostile("threads", "comments on a post", lambda lines: read_post("t3_p", lines), lambda n: _thread(n, lambda _: "t3_p")),
    Hostile(
        "threads",
        "a chain of replies",
        lambda lines: read_post("t3_p", lines),
        lambda n: _thread(n, lambda i: f"t1_c{i - 1}" if i else "t3_p"),
    ),
    Hostile(
        "threads",
        "a ring of replies",
        lambda lines: read_post("t3_p", lines),
        lambda n: _thread(n, lambda i: f"t1_c{(i + 1) % n}"),
    ),
    Hostile("threads", "replies to nothing", lambda lines: read_post("t3_p", lines), lambda n: _thread(n, lambda i: f"t1_x{i}")),
    Hostile("threads", "a deep tree", lambda line: (name_post(line), read_post("t3_p", [line])), _deep, 500),
    Hostile("threads", "a page of comments", lambda page: [read_post("t3_p", [one]) for one in unpack_page(page)], _page_of_api),
    Hostile("threads", "open lists", read_json, lambda n: b"[" * n),
    Hostile("threads", "deep lists", read_json, lambda n: b"[" * (n + 2000) + b"]" * (n + 2000)),
    Hostile("threads", "a number of many digits", read_json, lambda n: b"[" * 2000 + b"1" * n + b"]" * 2000),
    Hostile("threads", "spaces in deep lists", read_json, lambda n: b"[" * 2000 + b" " * n + b"]" * 2000),
)
ROOMS = (
    Hostile("rooms", "paragraphs", _rooms("a.txt"), lambda n: (SAID + "\n\n").encode() * n),
    Hostile("rooms", "blank lines", _rooms("a.txt"), lambda n: SAID.encode() + b"\n \n" * n + b"a"),
    Hostile("rooms", "spaces", _rooms("a.txt"), lambda n: SAID.encode() + b"\n" + b" " * n + b"a"),
    Hostile("rooms", "a table", _rooms("a.csv"), _table),
    Hostile("rooms", "columns of a table", _rooms("a.csv"), lambda n: b"text" + b",a" * n + b"\n" + b"a" + b",b" * n + b"\n"),
    Hostile("rooms", "an open quote of a table", _rooms("a.csv"), lambda n: b'text\n"' + b"a\n" * n),
    Hostile(
        "rooms", "turns", _rooms("a.json"), lambda n: json.dumps({"TURNS": [{"NAMES": ["A"], "UTTERANCES": [SAID]}] * n}).encode()
    ),
    Hostile("rooms", "a record", lambda line: read_record("r", line, MIT), lambda n: json.dumps({"text": SAID * n}).encode()),
)
HOSTILE = (*RECAPS, *SENTENCES, *FILMS, *SUBTITLES, *TRANSCRIPTS, *THREADS, *ROOMS)


def read(hostile: Hostile, content: Any) -> bool:
    """Read an input; return whether it was refused."""
    try:
        hostile.read(content)
    except SourceError:
        return True
    return False
