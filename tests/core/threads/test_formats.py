import json

import pytest

from core.errors import SourceError
from core.people.pseudonyms import pseudonymise
from core.threads.exports import unpack_page
from core.threads.formats import name_post, read_post
from core.threads.posts import Comment, Post

KEY = b"key"
WICK, CAT = pseudonymise("wick", KEY), pseudonymise("cat", KEY)


def read(*records: object) -> Post:
    return read_post("t3_a1", [json.dumps(record).encode() for record in records], KEY)


TREE = {"sid": "a1", "link": "/r/lanterns/comments/a1/", "title:": "Damp oil", "text": "It flickers.", "author": "wick"}
TREE |= {
    "over_18": False,
    "comments": {
        "c1": {"text": "Dry it.", "author": "cat", "replies": {"c2": {"text": "How?", "author": "wick", "replies": {}}}},
        "c3": {"text": "Buy another.", "author": None, "replies": ""},
    },
}
EXPECTED = Post(
    *("t3_a1", "lanterns", "Damp oil", "It flickers.", WICK, False, True),
    (Comment("c1", "", CAT, "Dry it."), Comment("c2", "c1", WICK, "How?"), Comment("c3", "", None, "Buy another.")),
)


def listing(*children: dict[str, object]) -> dict[str, object]:
    return {"kind": "Listing", "data": {"children": list(children)}}


SUBMISSION: dict[str, object] = {"id": "a1", "subreddit": "lanterns", "title": "Damp oil", "selftext": "It flickers."}
SUBMISSION |= {"author": "wick", "over_18": False, "is_self": True}


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
    assert {name_post(json.dumps(record).encode()) for record in records} == {"t3_a1"}
    assert read(*records) == EXPECTED


@pytest.mark.parametrize("entry", [{"title": "Damp oil"}, {"meta": {"title": "Damp oil"}, "vectors": []}])
def test_a_title_in_another_file_of_a_corpus_is_the_post_s(entry: dict[str, object]) -> None:
    untitled = [say("a1", None, "wick", "It flickers.", subreddit="lanterns"), *CORPUS[1:]]
    titles = unpack_page(json.dumps({"a1": entry, "b2": {"meta": {}}}).encode())
    assert list(map(name_post, titles)) == ["t3_a1"]
    assert read(*map(json.loads, titles), *untitled) == EXPECTED


def test_cycles_missing_parents_and_second_comments_are_told_and_the_others_stay() -> None:
    parents = {"c4": "t1_c5", "c5": "t1_c4", "c6": "t1_gone", "c7": "t1_c6", "c3": "t3_a1"}
    odd = [comment(name, parent, "a", f"said in {name}") for name, parent in parents.items()]
    post = read(SUBMISSION, *COMMENTS, *odd, COMMENTS[1])
    assert post.comments == EXPECTED.comments
    circle, missing = "it replies to itself through other comments", "a comment above it is missing"
    second = "another comment before it has its id"
    assert dict(post.lost) == {"c3": second, "c4": circle, "c5": circle, "c6": missing, "c7": missing}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[]", "no known format"),
        (b'{"id": "a1"}', "no known format"),
        (b'{"sid": {}}', "expected an id"),
        (b'{"id": "t3_", "title": "x"}', "expected an id"),
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
        ({"c1": "x"}, ("c1", "the comment is str; expected text, author and replies")),
        ([1], ("unnamed-1", "the comment is int; expected text, author and replies")),
        ("none", ("unnamed-1", "the comments below the post are str; expected id → comment")),
        ({"c1": {"text": []}}, ("c1", "text is list; expected a text")),
        ({"c1": {"message": "x"}}, ("c1", "no text; its fields are message, expected text or body")),
        ({"c1": {"text": "x", "replies": "many"}}, ("unnamed-1", "the comments below c1 are str; expected id → comment")),
    ],
)
def test_a_comment_that_cannot_be_read_is_lost_alone(change: object, reason: tuple[str, str]) -> None:
    good = {"c8": {"text": "Dry it."}, "c9": {"text": "Buy another."}}
    comments = {**good, **change} if isinstance(change, dict) else change
    if isinstance(change, list):
        comments = [*change, *({"id": name} | fields for name, fields in good.items())]
    post = read({**TREE, "comments": comments})
    name, why = reason
    assert post.lost == ((name, f"not readable ({why})"),)
    assert comments == "none" or {"c8", "c9"} <= {comment.id for comment in post.comments}


def test_a_line_of_a_dump_and_a_child_of_a_page_that_cannot_be_read_are_lost_alone() -> None:
    odd = [comment("c7", "t3_a1", "a", 7), {"id": "c8", "link_id": "t3_a1", "body": "No parent."}]  # type: ignore[arg-type]
    post = read(SUBMISSION, *COMMENTS, *odd)
    assert post.comments == EXPECTED.comments
    assert [name for name, _ in post.lost] == ["c7", "c8"]
    page = [PAGE[0], listing(*PAGE[1]["data"]["children"], {"kind": "t1"}, {"kind": "t1", "data": odd[0]})]  # type: ignore[index]
    found = read(page)
    assert found.comments == EXPECTED.comments
    assert [name for name, _ in found.lost] == ["unnamed-1", "c7"]


def test_trees_with_other_usual_names_are_read_and_unknown_fields_and_second_posts_refused() -> None:
    nested = [
        {"id": "c1", "body": "Dry it.", "author": "cat", "replies": [{"id": "c2", "body": "How?", "author": "wick"}]},
        {"id": "c3", "body": "Buy another.", "author": None, "replies": []},
    ]
    assert read({**SUBMISSION, "comments": nested}) == EXPECTED
    assert name_post(json.dumps({**TREE, "sid": "t3_a1"}).encode()) == "t3_a1"
    with pytest.raises(SourceError, match="its fields are message, post_id; expected"):
        name_post(b'{"post_id": 1, "message": "x"}')
    with pytest.raises(SourceError, match="3 comments, but no post"):
        read(*COMMENTS)
    with pytest.raises(SourceError, match="two records are the post itself"):
        read(SUBMISSION, {**SUBMISSION, "title": "x"})


@pytest.mark.parametrize(
    ("change", "adult", "text"),
    [
        ({"over_18": "true"}, True, True),
        ({"over_18": "False"}, False, True),
        ({"is_self": "false"}, False, False),
        ({"is_self": "True", "post_hint": ""}, False, True),
    ],
)
def test_flags_are_understood_as_numbers_and_texts(change: dict[str, object], adult: bool, text: bool) -> None:
    post = read({**SUBMISSION, **change})
    assert (post.over_18, post.is_text) == (adult, text)


def read_comments(comments: object, *more: dict[str, object]) -> Post:
    return read({**SUBMISSION, "comments": comments}, *more)


EMPTY = {
    "list": [{**SUBMISSION, "comments": [{"id": "", "body": "x", "replies": [{"id": "c9", "body": "y"}]}]}],
    "tree, prefix": [{**TREE, "comments": {"t1_": {"text": "x"}}}],
    "dump, parent": [SUBMISSION, comment("c9", "t1_", "a", "x")],
    "page": [[PAGE[0], listing({"kind": "t1", "data": comment("t1_", "t3_a1", "a", "x")})]],
    "utterance": [CORPUS[0], say("", "a1", "cat", "x")],
}


@pytest.mark.parametrize("records", EMPTY.values(), ids=EMPTY)
def test_a_comment_with_an_empty_id_is_lost(records: list[object]) -> None:
    post = read(*records)
    assert post.comments == ()
    assert "expected an id" in post.lost[0][1]


def test_comments_of_a_flat_list_or_of_listings_of_the_api_are_placed() -> None:
    flat = [{**found, "id": f"t1_{found['id']}"} for found in (COMMENTS[1], COMMENTS[0], COMMENTS[2])]
    assert read_comments(flat) == EXPECTED
    bare = [{**found, "parent_id": str(found["parent_id"]).split("_")[1]} for found in (COMMENTS[1], COMMENTS[0], COMMENTS[2])]
    assert read_comments(bare) == EXPECTED
    assert read_comments([{"id": "t1_c1", "body": "Dry it.", "author": "cat"}], *COMMENTS[::2]) == EXPECTED
    assert read_comments(PAGE[1]) == EXPECTED
    replies = listing({"kind": "t1", "data": COMMENTS[0]}, {"kind": "more", "data": {"count": 2}})
    post = read_comments([{**COMMENTS[1], "replies": replies}, COMMENTS[2]])
    assert (post.comments, post.unlisted) == (EXPECTED.comments, 2)
    assert read_comments([{**COMMENTS[1], "replies": {"kind": "Listing"}}]).lost == (
        ("unnamed-1", "not readable (the comments below c1: a listing without data.children; expected a page of Reddit's API)"),
    )


def test_comments_without_an_id_stay_apart_from_each_other_and_are_the_same_when_read_again() -> None:
    nameless = [5, {"body": "Dry it."}, 6, {"body": "How?", "replies": [{"body": "So."}]}, {"body": "How?", "author": "cat"}]
    post = read_comments(nameless)
    told = [(found.text, found.author) for found in post.comments]
    assert told == [("Dry it.", None), ("How?", None), ("So.", None), ("How?", CAT)]
    assert post.comments[2].parent == post.comments[1].id
    assert [name for name, _ in post.lost] == ["unnamed-1", "unnamed-2"]
    assert read_comments(nameless[1:], {**SUBMISSION, "comments": nameless[1:]}).comments == post.comments


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"selftext": "", "text": "Full."}, "Full."),
        ({"selftext": None, "body": "Full."}, "Full."),
        ({"selftext": "", "text": None}, ""),
    ],
)
def test_the_first_text_that_is_not_empty_is_taken(fields: dict[str, object], text: str) -> None:
    post = read({"id": "a1", "title": "x", **fields, "comments": [{"id": "c1", "text": None, "body": "Dry it."}]})
    assert (post.text, [found.text for found in post.comments]) == (text, ["Dry it."])
