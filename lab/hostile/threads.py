"""Hostile posts and comments."""

import json
from collections.abc import Callable

from core.threads.deep_json import read_json
from core.threads.exports import unpack_page
from core.threads.formats import name_post, read_post
from core.threads.mark_up import clean_text
from lab.hostile.case import Hostile, list_cases


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


THREADS = (
    *list_cases(
        "threads",
        lambda lines: read_post("t3_p", lines, b"key"),
        ("comments on a post", lambda n: _thread(n, lambda _: "t3_p")),
        ("a chain of replies", lambda n: _thread(n, lambda i: f"t1_c{i - 1}" if i else "t3_p")),
        ("a ring of replies", lambda n: _thread(n, lambda i: f"t1_c{(i + 1) % n}")),
        ("replies to nothing", lambda n: _thread(n, lambda i: f"t1_x{i}")),
    ),
    Hostile("threads", "a deep tree", lambda line: (name_post(line), read_post("t3_p", [line], b"key")), _deep, 500),
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
    ),
    *list_cases(
        "threads",
        clean_text,
        ("blanks below a bar", lambda n: "a|b\n" + " " * n + "x"),
        ("blanks behind a row of a table", lambda n: "a|b\n-|-" + " " * n + "x"),
        ("groups of digits", lambda n: "+1 " * n),
        ("parts of IP addresses", lambda n: "1:1." * n),
        ("numbers and capitals", lambda n: "1 A " * n),
        ("signs of mail and mentions", lambda n: "a@u/(at)" * n),
        first=4000,
    ),
    Hostile("threads", "fences that nothing closes", clean_text, lambda n: "".join(f"{'`' * (3 + i % 9)}x\n" for i in range(n))),
)
