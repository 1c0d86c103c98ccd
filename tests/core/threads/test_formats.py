"""Every format is read into the same post; broken records and lost comments are told."""

import json

import pytest

from core.errors import SourceError
from core.threads.formats import name_post, read_post, unpack_page
from core.threads.posts import Comment, Post

TREE = {
    "sid": "a1",
    "link": "/r/lanterns/comments/a1/",
    "title:": "Damp oil",
    "text": "It flickers.",
    "author": "wick",
    "over_18": False,
    "comments": {
        "c1": {"text": "Dry it.", "author": "cat", "replies": {"c2": {"text": "How?", "author": "wick", "replies": {}}}},
        "c3": {"text": "Buy another.", "author": None, "replies": ""},
    },
}
EXPECTED = Post(
    id="t3_a1",
    forum="lanterns",
    title="Damp oil",
    text="It flickers.",
    author="wick",
    over_18=False,
    is_text=True,
    comments=(
        Comment("c1", "", "cat", "Dry it."),
        Comment("c2", "c1", "wick", "How?"),
        Comment("c3", "", None, "Buy another."),
    ),
)


def listing(*children: dict[str, object]) -> dict[str, object]:
    return {"kind": "Listing", "data": {"children": list(children)}}


SUBMISSION = {
    "id": "a1",
    "subreddit": "lanterns",
    "title": "Damp oil",
    "selftext": "It flickers.",
    "author": "wick",
    "over_18": False,
    "is_self": True,
}


def comment(name: str, parent: str, author: str, body: str, **more: object) -> dict[str, object]:
    return {"id": name, "link_id": "t3_a1", "parent_id": parent, "author": author, "body": body, **more}


COMMENTS = [
    comment("c2", "t1_c1", "wick", "How?"),
    comment("c1", "t3_a1", "cat", "Dry it."),
    comment("c3", "t3_a1", "[deleted]", "Buy another."),
]
PAGE = [
    listing({"kind": "t3", "data": SUBMISSION}),
    listing(
        {"kind": "t1", "data": {**COMMENTS[1], "replies": listing({"kind": "t1", "data": {**COMMENTS[0], "replies": ""}})}},
        {"kind": "t1", "data": {**COMMENTS[2], "replies": ""}},
    ),
]


def say(name: str, parent: str | None, speaker: str, text: str, **meta: str) -> dict[str, object]:
    return {"id": name, "conversation_id": "a1", "reply_to": parent, "speaker": speaker, "text": text, "meta": meta}


CORPUS = [
    say("a1", None, "wick", "It flickers.", title="Damp oil", subreddit="lanterns"),
    say("c1", "a1", "cat", "Dry it."),
    say("c2", "c1", "wick", "How?"),
    say("c3", "a1", "[deleted]", "Buy another."),
]


@pytest.mark.parametrize(
    "records",
    [[TREE], [PAGE], [SUBMISSION, *COMMENTS], [*COMMENTS, SUBMISSION], CORPUS],
    ids=["tree", "page", "pushshift", "comments first", "convokit"],
)
def test_every_format_gives_the_same_post(records: list[object]) -> None:
    lines = [json.dumps(record).encode() for record in records]
    assert {name_post(line) for line in lines} == {"t3_a1"}
    assert read_post("t3_a1", lines) == EXPECTED


def test_a_title_without_the_colon_and_no_forum() -> None:
    post = read_post("t3_a1", [json.dumps({"sid": "a1", "title": "Damp oil", "text": None, "comments": {}}).encode()])
    assert (post.title, post.forum, post.text, post.author) == ("Damp oil", "", "", None)


def test_files_of_pages_are_divided() -> None:
    other = {**SUBMISSION, "id": "b2"}
    posts = listing({"kind": "t3", "data": SUBMISSION}, {"kind": "t3", "data": other}, {"kind": "more", "data": {}})
    assert [name_post(line) for line in unpack_page(json.dumps(posts, indent=1).encode())] == ["t3_a1", "t3_b2"]
    assert [name_post(line) for line in unpack_page(json.dumps(PAGE, indent=1).encode())] == ["t3_a1"]
    assert [name_post(line) for line in unpack_page(json.dumps([TREE, {**TREE, "sid": "b2"}]).encode())] == ["t3_a1", "t3_b2"]


def test_ten_thousand_levels_are_read_in_order() -> None:
    depth = 10_000
    opened = "".join(f'{{"c{level}": {{"text": "yes {level}", "author": "a", "replies": ' for level in range(depth))
    line = f'{{"sid": "a1", "title:": "t", "text": "x", "comments": {opened}{{}}{"}}" * depth}}}'.encode()
    assert name_post(line) == "t3_a1"
    post = read_post("t3_a1", [line])
    assert len(post.comments) == depth
    assert post.comments[-1] == Comment(f"c{depth - 1}", f"c{depth - 2}", "a", f"yes {depth - 1}")
    assert post.lost == ()


def test_cycles_missing_parents_and_second_comments_are_told_and_the_others_stay() -> None:
    odd = [
        comment("c4", "t1_c5", "a", "one"),
        comment("c5", "t1_c4", "a", "two"),
        comment("c6", "t1_gone", "a", "three"),
        comment("c7", "t1_c6", "a", "four"),
        comment("c3", "t3_a1", "a", "five"),
        COMMENTS[1],
    ]
    post = read_post("t3_a1", [json.dumps(record).encode() for record in [SUBMISSION, *COMMENTS, *odd]])
    assert post.comments == EXPECTED.comments
    assert dict(post.lost) == {
        "c3": "another comment before it has its id",
        "c4": "it replies to itself through other comments",
        "c5": "it replies to itself through other comments",
        "c6": "a comment above it is missing",
        "c7": "a comment above it is missing",
    }


def test_comments_that_the_page_does_not_list_are_counted() -> None:
    page = [PAGE[0], listing({"kind": "more", "data": {"count": 4, "children": []}})]
    assert read_post("t3_a1", [json.dumps(page).encode()]).unlisted == 4


def test_half_surrogates_become_replacement_characters_and_letters_are_composed() -> None:
    post = read_post("t3_a1", [b'{"sid": "a1", "title:": "e\\u0301 \\ud83d\\ude00", "text": "a\\ud800b", "comments": {}}'])
    assert (post.title, post.text) == ("é 😀", "a\ufffdb")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[]", "no known format"),
        (b"7", "no known format"),
        (b'{"id": "a1"}', "no known format"),
        (b'{"sid": {}}', "expected an id"),
        (b'{"sid": ""}', "expected an id"),
        (b'{"sid": true}', "expected an id"),
        (b'[{"kind": "Listing", "data": {"children": [{"kind": "t3", "data": 5}]}}]', "expected an id"),
        (b'{"sid": ' + b"[" * 900 + b"]" * 900 + b"}", "expected an id"),
        (b"{", "no JSON"),
    ],
)
def test_records_without_a_post_are_refused(line: bytes, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        name_post(line)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": 7}, "text is int"),
        ({"comments": [1]}, "expected id → comment"),
        ({"comments": {"c1": "x"}}, "expected text, author and replies"),
        ({"comments": {"c1": {"text": []}}}, "text is list"),
        ({"comments": {"c1": {"text": "x", "replies": [1]}}}, "below c1"),
    ],
)
def test_broken_trees_are_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        read_post("t3_a1", [json.dumps({**TREE, **change}).encode()])


def test_comments_without_their_post_and_two_posts_are_refused() -> None:
    lines = [json.dumps(record).encode() for record in COMMENTS]
    with pytest.raises(SourceError, match="3 comments, but no post"):
        read_post("t3_a1", lines)
    with pytest.raises(SourceError, match="two records are the post itself"):
        read_post("t3_a1", [json.dumps(SUBMISSION).encode(), json.dumps({**SUBMISSION, "title": "x"}).encode()])
