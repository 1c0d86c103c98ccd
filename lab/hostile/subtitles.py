"""Hostile subtitles: captions, XML of OPUS, and tables of summaries."""

import gzip

from core.subtitles.config import SubtitleLimits
from core.subtitles.discovery import parse_summary_table
from core.subtitles.formats import read_subtitle
from lab.hostile.case import SAID, Hostile, list_cases, make_cue, make_srt

MANY = SubtitleLimits(max_captions=10**9, max_bytes=2**30, max_decompressed_bytes=2**30)


def _read_srt(content: bytes) -> object:
    return read_subtitle("f.en.srt", content, limits=MANY)


def _make_substation(text: str) -> bytes:
    return f"[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,{text}\n{SAID}".encode()


def _read_xml(content: bytes) -> object:
    return read_subtitle("f.xml", content, limits=MANY)


def _document(body: str) -> bytes:
    return f"<document>{body}</document>".encode()


def _xml(body: str) -> bytes:
    return _document(f"<s id='1'><time id='T1S' value='00:00:01,000'/>{body}</s>")


def _pack(content: bytes) -> bytes:
    return gzip.compress(content, 1, mtime=0)


SUBTITLES = (
    *list_cases(
        "subtitles",
        _read_srt,
        ("cues", lambda n: make_srt(n, "Go on.")),
        ("one sentence in all cues", lambda n: make_srt(n, "and so on,")),
    ),
    *(
        Hostile("subtitles", f"one cue of {name}", _read_srt, lambda n, piece=piece: make_cue(piece * n))
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
    Hostile("subtitles", "blank lines and no times", _read_srt, lambda n: b" \n" * n + b"{1}{1}25\n{1}{9}Go on.\n"),
    Hostile("subtitles", "lines of MicroDVD", _read_srt, lambda n: b"{1}{}Go on.\n" * n),
    *(
        Hostile("subtitles", f"SubStation of {name}", _read_srt, lambda n, piece=piece: _make_substation("Go on. " + piece * n))
        for name, piece in (
            ("lines", "\nDialogue: 0:00:01.00,0:00:02.00,Go on."),
            ("format lines", "\nFormat: Start, End, Text"),
            ("commas", ","),
            ("open codes", "{\\i1"),
            ("open drawings", "{\\p1"),
            ("drawings", "{\\p1}m 0 0"),
            ("breaks", "\\N"),
        )
    ),
    Hostile("subtitles", "cues without words", _read_srt, lambda n: make_srt(n, " ") + make_cue("Go on.")),
    *list_cases(
        "subtitle XML",
        _read_xml,
        ("sentences", lambda n: _document("<s><time id='T1S' value='00:00:01,000'/><w>Go</w><w>on</w></s>" * n)),
        ("words of a sentence", lambda n: _xml("<w>go</w>" * n)),
        ("times of a sentence", lambda n: _xml("<time id='T2S' value='00:00:02,000'/><w>a</w>" * n)),
        ("plain text", lambda n: _xml("Go on now. " * n)),
        ("a token in pieces", lambda n: _xml("<w>" + "a&amp;" * n + "</w>")),
        ("apostrophes", lambda n: _xml("<w>'</w><w>cause</w>" * n)),
        (
            "metadata",
            lambda n: _document(f"<meta><subtitle><language>{'a&amp;' * n}</language></subtitle></meta><s><w>Go</w></s>"),
        ),
        ("attributes", lambda n: _document("<s><w " + " ".join(f"a{i}='1'" for i in range(n)) + ">Go</w></s>")),
    ),
    *list_cases(
        "subtitle XML",
        lambda c: read_subtitle("f.xml.gz", c, limits=MANY),
        ("members of a .gz", lambda n: _pack(b"<document>") + _pack(b"<s><w>Go</w></s>") * n + _pack(b"</document>")),
        ("empty members of a .gz", lambda n: _pack(_document("<s><w>Go</w></s>")) + _pack(b"") * n),
        ("padding between members of a .gz", lambda n: _pack(_document("<s><w>Go</w></s>")) + (b"\0" * 40 + _pack(b"")) * n),
    ),
    Hostile(
        "summaries",
        "lines",
        lambda c: parse_summary_table("s.tsv", c),
        lambda n: ("film\tsynopsis\n" + "".join(f"film-{i}\t{SAID}\n" for i in range(n))).encode(),
    ),
)
