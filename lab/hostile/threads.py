"""Hostile posts and comments, and documents and records for rooms."""

import csv
import io
import json
from collections.abc import Callable

from core.rooms.sentences import Rights, read_document, read_record
from core.threads.deep_json import read_json
from core.threads.exports import unpack_page
from core.threads.formats import name_post, read_post
from lab.hostile.case import SAID, Hostile, list_cases


def _thread(n: int, reply: Callable[[int], str]) -> list[bytes]:
    post = {"id": "p", "title": "t", "subreddit": "s", "selftext": "x", "author": "a", "is_self": True}
    return [json.dumps(post).encode()] + [
        json.dumps({"id": f"c{i}", "link_id": "t3_p", "parent_id": reply(i), "body": "b", "author": "a"}).encode()
        for i in range(n)
    ]


def _deep(n: int) -> bytes:
    replies = b'{"c": {"text": "b", "replies": ' * n + b"{}" + b"}}" * n
    return b'{"sid": "p", "title": "t", "text": "x", "comments": ' + replies + b"}"


def _page_of_api(n: int) -> bytes:
    comment = {"kind": "t1", "data": {"id": "c", "parent_id": "t3_p", "body": "b", "author": "a", "replies": ""}}
    children = [{**comment, "data": {**comment["data"], "id": f"c{i}"}} for i in range(n)]  # type: ignore[dict-item]
    post = {"kind": "t3", "data": {"id": "p", "title": "t", "subreddit": "s", "selftext": "x"}}
    return json.dumps([{"kind": "Listing", "data": {"children": part}} for part in ([post], children)]).encode()


THREADS = (
    *list_cases(
        "threads",
        lambda lines: read_post("t3_p", lines, b"key"),
        ("comments on a post", lambda n: _thread(n, lambda _: "t3_p")),
        ("a chain of replies", lambda n: _thread(n, lambda i: f"t1_c{i - 1}" if i else "t3_p")),
        ("a ring of replies", lambda n: _thread(n, lambda i: f"t1_c{(i + 1) % n}")),
        ("replies to nothing", lambda n: _thread(n, lambda i: f"t1_x{i}")),
    ),
    Hostile("threads", "a deep tree", lambda line: (name_post(line), read_post("t3_p", [line], b"key")), _deep),
    Hostile(
        "threads",
        "a page of comments",
        lambda page: [read_post("t3_p", [one], b"key") for one in unpack_page(page)],
        _page_of_api,
    ),
    *list_cases(
        "threads",
        read_json,
        ("open lists", lambda n: b"[" * n),
        ("deep lists", lambda n: b"[" * (n + 2000) + b"]" * (n + 2000)),
        ("a number of many digits", lambda n: b"[" * 2000 + b"1" * n + b"]" * 2000),
        ("spaces in deep lists", lambda n: b"[" * 2000 + b" " * n + b"]" * 2000),
        ("blanks below a bar", lambda n: "a|b\n" + " " * n + "x"),
        ("blanks behind a row of a table", lambda n: "a|b\n-|-" + " " * n + "x"),
        ("groups of digits", lambda n: "+1 " * n),
        ("parts of IP addresses", lambda n: "1:1." * n),
        ("numbers and capitals", lambda n: "1 A " * n),
        ("signs of mail and mentions", lambda n: "a@u/(at)" * n),
        ("fences that nothing closes", lambda n: "".join(f"{'`' * (3 + i % 9)}x\n" for i in range(n))),
    ),
)

MIT = Rights("MIT", "us")


def _table(n: int) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([["text", "license"], *[[SAID, "MIT"]] * n])
    return text.getvalue().encode()


def _rooms(name: str) -> Callable[[bytes], object]:
    return lambda content: read_document(name, content, "u", MIT)


ROOMS = (
    *list_cases(
        "rooms",
        _rooms("a.txt"),
        ("paragraphs", lambda n: (SAID + "\n\n").encode() * n),
        ("blank lines", lambda n: SAID.encode() + b"\n \n" * n + b"a"),
        ("spaces", lambda n: SAID.encode() + b"\n" + b" " * n + b"a"),
    ),
    *list_cases(
        "rooms",
        _rooms("a.csv"),
        ("a table", _table),
        ("columns of a table", lambda n: b"text" + b",a" * n + b"\n" + b"a" + b",b" * n + b"\n"),
        ("an open quote of a table", lambda n: b'text\n"' + b"a\n" * n),
    ),
    Hostile(
        "rooms", "turns", _rooms("a.json"), lambda n: json.dumps({"TURNS": [{"NAMES": ["A"], "UTTERANCES": [SAID]}] * n}).encode()
    ),
    Hostile("rooms", "a record", lambda line: read_record("r", line, MIT), lambda n: json.dumps({"text": SAID * n}).encode()),
)
