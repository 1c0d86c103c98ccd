"""Fuzzes every parser, on bytes and on structure: whatever an input holds, nothing but SourceError comes out.

`FABULA_FUZZ=2000 pytest tests/core/test_fuzz.py` tries more examples a parser than the few of every day, each time other ones.
"""

import gzip
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import records
from core.errors import SourceError
from core.rooms.sentences import Rights, name_record, read_document, read_record
from core.scripts.json_files import list_episodes, read_cast, read_episode, read_gold, read_meta
from core.scripts.long_texts import read_long_text
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.synopsis import read_synopsis
from core.subtitles.discovery import parse_summary_table
from core.subtitles.formats import read_subtitle
from core.text.decoding import decode_text
from core.text.sentences import split_by_rules
from core.threads.exports import unpack_page
from core.threads.formats import name_post, read_post
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.dialogues.speaker_slips import count_speakers, find_speaker_slips, find_unread_labels
from core.transcripts.recaps.formats import read_recap
from tests import record_forms

EXAMPLES = int(os.environ.get("FABULA_FUZZ", "8"))
FUZZED = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="FABULA_FUZZ" not in os.environ,
    database=None,
    suppress_health_check=list(HealthCheck),
)
MIT = Rights("MIT", "us")

TURNS = {"TURNS": [{"NAMES": ["ANNA"], "UTTERANCES": ["Go on."], "NUMBER": 0}, {"NAMES": ["BEN"], "UTTERANCES": ["No."]}]}
SPOKEN = {"lines": [{"name": "Anna", "text": "Go on.", "time": "0:01"}, {"name": "Ben", "text": "No."}]}
WHISPER = {"segments": [{"start": 0, "end": 1.5, "text": " Go on.", "speaker": "S", "words": [{"word": "Go", "speaker": "S"}]}]}
AMAZON = {
    "results": {
        "speaker_labels": {"segments": [{"items": [{"start_time": "0.1", "speaker_label": "spk_0"}]}]},
        "items": [
            {"type": "pronunciation", "start_time": "0.1", "end_time": "0.4", "alternatives": [{"content": "Go"}]},
            {"type": "punctuation", "alternatives": [{"content": "."}]},
        ],
    }
}
DEEPGRAM = {
    "results": {
        "utterances": [{"speaker": 0, "transcript": "Go on.", "start": 0, "end": 1}],
        "channels": [{"alternatives": [{"words": [{"word": "go", "speaker": 0}], "paragraphs": {"paragraphs": []}}]}],
    }
}
RECAP = [
    {
        "METADATA": {
            "Wiki Blurb": [{"content": "She rowed."}],
            "Synopsis": [{"heading": "Part I", "content": [{"sub-heading": "x", "content": "She rowed. He slept."}]}],
        }
    },
    {"parse": {"title": "One", "text": {"*": "<h2>Synopsis</h2><p>She rowed.</p>"}, "categories": [{"*": "A_b"}]}},
]
CAST = [{"actor": "A. Oak", "character": 'Robert "Bob" Ash / The Fox'}, "Ben", {"role": ["Cleo", "Dan"]}]
SERIES = {
    "episodes": [
        {
            "episode_id": "e1",
            "title": "One",
            "scenes": [
                {"utterances": [{"speakers": ["A"], "transcript": "Go.", "transcript_with_note": "(x) Go."}], "plots": ["p."]}
            ],
        }
    ]
}
META = {"title": "One", "year": 1999, "genres": ["Drama"], "source": "us"}
GOLD = {"movie_id": "m", "sent": "She rowed.", "sent_idx": 0, "scene_idx": [1, 2], "primary": 1, "n_scenes": 4}
TREE = {"sid": "p", "title": "t", "text": "x", "link": "/r/a/b", "comments": {"c": {"text": "b", "author": "a", "replies": {}}}}
POST = {"id": "p", "title": "t", "subreddit": "s", "selftext": "x", "author": "a", "is_self": True}
COMMENT = {"id": "c", "link_id": "t3_p", "parent_id": "t3_p", "body": "b", "author": "a"}
UTTERANCE = {"id": "p", "conversation_id": "p", "reply_to": None, "text": "x", "speaker": {"id": "a"}, "meta": {"title": "t"}}
API = [
    {"kind": "Listing", "data": {"children": [{"kind": "t3", "data": POST}]}},
    {"kind": "Listing", "data": {"children": [{"kind": "t1", "data": COMMENT}, {"kind": "more", "data": {"count": 3}}]}},
]
RECORD = {"id": "r1", "text": "A hall with a fire.", "license": "MIT", "redistributable": True, "episode": "e", "speaker": "A"}

TEXTS = {
    "a.txt": "ANNA: Go on.\n\nBEN: No. Queen of Hearts: yes\n\n[00:01:00] SPEAKER_00: Hm.\nANNA (0:02): So.\n李雷：走。\n",
    "a.md": "---\na: b\n---\n# Title\n\n**Anna:** Go [on](x)\n\n> - *a* `b`\n\n"
    "| a | b |\n|---|---|\n| c | d |\n\n## Synopsis\n\nShe rowed.\n",
    "a.wiki": "== Synopsis ==\n=== Part I ===\nShe [[rowed|row]]. <ref>x</ref> '''He''' slept.\n* one\n* two\n\nTitle\n===\n",
    "a.html": (
        "<html><head><title>E | W</title></head><body><h1 id='firstHeading'>E</h1><aside class='portable-infobox'>"
        "<h3 class='pi-data-label'>L</h3><div class='pi-data-value'>v</div></aside><div id='mw-content-text'><h2>Synopsis</h2>"
        "<p>She <a href='/wiki/R'>rowed</a>.<sup>[1]</sup></p><ul><li>one</li></ul></div></body></html>"
    ),
    "a.srt": "1\n00:00:01,000 --> 00:00:02,000\nANNA: <i>Go on.</i>\n\n2\n00:00:02,000 --> 00:00:03,000\n- No. (sighs)\n",
    "a.vtt": "WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000 line:0\n<v Anna>Go on.</v>\n\n00:02.000 --> 00:03.000\n<v Ben>No.\n",
    "a.ass": "[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,{\\i1}Go on,\\Nnow.{\\p1}m 0 0{\\p0}\n",
    "a.sub": "{1}{1}25.0\n{25}{50}{y:i}Go on.|- No.\n{50}{}So.\n",
    "a.xml": "<document><meta><subtitle><cds>1/1</cds></subtitle></meta>"
    "<s id='1'><time id='T1S' value='00:00:01,0'/><w>Go</w></s></document>",
    "a.csv": 'text,license\n"A hall, with a fire.",MIT\n',
    "s.tsv": "film\ttitle\tyear\tsynopsis\ntt0000001\tOne\t1999\tShe rowed.\n",
    "script.txt": "INT. BARN - NIGHT\n\nShe enters.\n\n          ANNA (CONT'D)\n     Go on. (nods) Now.\n\n"
    "CUT TO:\n\nEXT. LAKE\n\n          BEN\n     No.\n",
    "book.txt": 'CHAPTER I\n\n“Go on,” she said. ‘No,’ he said.\n\n\'Tis "late."\n\nII.\n\nThe end.\n',
}


def _with_text(read: Callable[[str, str], object], name: str) -> Callable[[bytes], object]:
    return lambda content: read(name, decode_text(name, content))


def _read_dialogue(name: str) -> Callable[[bytes], object]:
    def read(content: bytes) -> object:
        turns = read_dialogue(name, content)
        assert all(turn.text.isprintable() or turn.text for turn in turns)
        return find_unread_labels(turns), find_speaker_slips(count_speakers(turns))

    return read


def _read_post(content: bytes) -> None:
    """Read as the pipeline does: a record is named, then read; a page is divided into records first."""
    for line in [content, *unpack_page(content)]:
        read_post(name_post(line), [line], b"key")


def _read_record(content: bytes) -> None:
    read_record(name_record(content), content, MIT)


def _read_dialogues(content: bytes) -> None:
    record = records.read_record(json.loads(content), records.FieldNames())
    assert any(text for _, text in record.turns)
    records.write_halves(record)
    records.write_gold(record)


def _recap(name: str, text: str) -> object:
    return read_recap(name, text, split_by_rules)


def _series(name: str, text: str) -> object:
    return [read_episode(name, text, unit) for unit in list_episodes(name, text)]


def _read_gz(content: bytes) -> object:
    return read_subtitle("a.xml.gz", gzip.compress(content, 1))


BYTES: dict[str, tuple[Callable[[bytes], object], str]] = {
    **{f"transcript {name}": (_read_dialogue(name), name) for name in ("a.txt", "a.md", "a.srt", "a.vtt")},
    **{f"recap {name}": (_with_text(_recap, name), name) for name in ("a.html", "a.wiki", "a.md", "a.txt")},
    "screenplay": (_with_text(read_screenplay, "script.txt"), "script.txt"),
    "book": (_with_text(read_long_text, "book.txt"), "book.txt"),
    "synopsis": (_with_text(lambda name, text: read_synopsis(name, text, split_by_rules), "a.txt"), "book.txt"),
    **{
        f"subtitles {name}": (lambda content, name=name: read_subtitle(name, content), name)
        for name in ("a.srt", "a.vtt", "a.ass", "a.sub")
    },
    "subtitles xml": (lambda content: read_subtitle("a.xml", content), "a.xml"),
    "subtitles in gzip": (_read_gz, "a.xml"),
    "broken gzip": (lambda content: read_subtitle("a.xml.gz", content), "a.xml"),
    "summaries": (lambda content: parse_summary_table("s.tsv", content), "s.tsv"),
    **{
        f"rooms {name}": (lambda content, name=name: read_document(name, content, "u", MIT), name)
        for name in ("a.txt", "a.md", "a.csv")
    },
}
STRUCTURES: dict[str, tuple[Callable[[bytes], object], list[Any]]] = {
    "transcript": (_read_dialogue("a.json"), [TURNS, SPOKEN, WHISPER, AMAZON, DEEPGRAM]),
    "recap": (_with_text(_recap, "a.json"), RECAP),
    "cast": (_with_text(read_cast, "c.json"), [CAST, {"cast": CAST}]),
    "series": (_with_text(_series, "s.json"), [SERIES]),
    "meta": (_with_text(read_meta, "m.json"), [META]),
    "gold": (_with_text(read_gold, "g.jsonl"), [GOLD]),
    "threads": (_read_post, [TREE, POST, UTTERANCE, API, [TREE, TREE]]),
    "records": (_read_record, [RECORD]),
    "dialogues": (_read_dialogues, list(record_forms.FORMS.values())),
    "rooms": (lambda content: read_document("a.json", content, "u", MIT), [TURNS]),
}

SIGNS = (
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xe2\x80\x8f", b"\r", b"\n\n", b"\t", b"0" * 30),
    *(b"<", b">", b"[", b"]", b"(", b'"', b"'", b"{", b"*", b"=", b":", b"[[", b"]]", b"-->", b"<!--"),
    *(b"&#x110000;", b"&amp;", b"<![CDATA[", b"<!DOCTYPE a>"),
)
PIECES = st.one_of(
    st.binary(max_size=20), st.sampled_from(SIGNS), st.text(max_size=8).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
LEAF = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from([10**400, -1, "", "\ud800", "\udc00a", "ANNA", "\0", "[removed]", "0.5", "a" * 300, " "]),
    st.text(max_size=5),
)
INNER = st.one_of(LEAF, st.lists(LEAF, max_size=3), st.dictionaries(st.text(max_size=5), LEAF, max_size=3))
JSON = st.one_of(INNER, st.lists(INNER, max_size=3), st.dictionaries(st.text(max_size=5), INNER, max_size=3))


def _list_places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values inside a JSON value, its own among them."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in _list_places(part, (*path, key)))]


def _replace(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    if not path:
        return other
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[path[0]] = _replace(value[path[0]], path[1:], other)
    return changed


@st.composite
def mutated(draw: st.DrawFn, valid: bytes) -> bytes:
    """Draw a valid input with some pieces put in, left out or repeated."""
    content = valid
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + 40)))
        kept = draw(st.sampled_from([b"", content[start:end] * 2, content[start:end][::-1]]))
        content = content[:start] + kept + draw(PIECES) + content[end:]
    return content


@st.composite
def mutated_json(draw: st.DrawFn, documents: list[Any]) -> bytes:
    """Draw a valid document with other values in some places."""
    document = draw(st.sampled_from(documents))
    for _ in range(draw(st.integers(0, 3))):
        document = _replace(document, draw(st.sampled_from(_list_places(document))), draw(JSON))
    return json.dumps(document).encode()


def read(parse: Callable[[bytes], object], content: bytes) -> None:
    """Read an input, which may be refused."""
    with suppress(SourceError):
        parse(content)


@pytest.mark.parametrize("name", BYTES)
def test_bytes_give_a_result_or_a_source_error(name: str) -> None:
    parse, sample = BYTES[name]
    if name == "broken gzip":
        with pytest.raises(SourceError, match="gzip"):
            parse(TEXTS[sample].encode())
    else:
        parse(TEXTS[sample].encode())

    @FUZZED
    @given(st.one_of(mutated(TEXTS[sample].encode()), st.binary(max_size=300)))
    def check(content: bytes) -> None:
        read(parse, content)

    check()


@pytest.mark.parametrize("name", STRUCTURES)
def test_documents_with_other_values_give_a_result_or_a_source_error(name: str) -> None:
    parse, documents = STRUCTURES[name]
    for document in documents:
        read(parse, json.dumps(document).encode())

    @FUZZED
    @given(mutated_json(documents))
    def check(content: bytes) -> None:
        read(parse, content)

    check()


def test_every_example_is_a_file_that_its_parser_reads(repository: Path) -> None:
    """A parser that refuses everything would pass the tests above."""
    for path in sorted((repository / "examples/transcripts/transcripts").iterdir()):
        assert read_dialogue(path.name, path.read_bytes())
