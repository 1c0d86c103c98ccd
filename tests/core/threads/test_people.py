import json
from dataclasses import asdict
from typing import Any

import pytest

from core.people.pseudonyms import pseudonymise
from core.threads.formats import read_post
from core.threads.posts import Post

KEY = b"key"
GRETA, FRANK = pseudonymise("GretaTheAsker", KEY), pseudonymise("FrankFerryman99", KEY)


def read(*records: object, mask: str | None = None) -> Post:
    return read_post("t3_a1", [json.dumps(record).encode() for record in records], KEY, mask)


def tree(**changes: Any) -> dict[str, Any]:
    comments = {
        "c1": {"text": "Hi GretaTheAsker, dry it.", "author": "FrankFerryman99", "replies": {}},
        "c2": {"text": "Frank Ferryman is wrong, u/frankferryman99!", "author": "GretaTheAsker", "replies": {}},
    }
    post = {"sid": "a1", "subreddit": "lanterns", "title": "t", "text": "x", "author": "GretaTheAsker", "comments": comments}
    return post | changes


def test_the_same_person_is_the_same_pseudonym_in_texts_and_columns() -> None:
    post = read(tree(title="Asked by gretatheasker"))
    assert post.author == GRETA
    assert post.title == f"Asked by {GRETA}"
    found = [(comment.author, comment.text) for comment in post.comments]
    assert found == [(FRANK, f"Hi {GRETA}, dry it."), (GRETA, f"{FRANK} is wrong, {FRANK}!")]


@pytest.mark.parametrize("forum", ["u_GretaTheAsker", "r/u_gretatheasker", "u/GretaTheAsker", "/user/GretaTheAsker/"])
def test_the_forum_of_a_profile_is_a_pseudonym(forum: str) -> None:
    post = read(tree(subreddit=forum, author="FrankFerryman99", text="Look at GretaTheAsker", comments={}))
    assert post.forum == GRETA
    assert post.text == f"Look at {GRETA}"
    linked = tree(link="/user/GretaTheAsker/comments/a1/hello/", author=None, comments={})
    del linked["subreddit"]
    assert read(linked).forum == GRETA


def test_words_of_the_forum_stand_for_nobody_and_a_nameless_id_cannot_be_guessed() -> None:
    record = tree(subreddit="QuibbleLand", text="I like quibble.", author="QuibbleZorn", comments={})
    assert read(record).text == "I like quibble."
    assert read(record | {"subreddit": "odd"}).text != "I like quibble."
    record = tree(comments=[{"body": "Dry it.", "author": "[deleted]"}])
    line = [json.dumps(record).encode()]
    ids = {read_post("t3_a1", line, key).comments[0].id for key in (b"one", b"two")}
    assert len(ids) == 2


def test_people_of_crossposts_and_of_comments_that_cannot_be_read_are_known() -> None:
    submission = {"id": "a1", "subreddit": "odd", "title": "FrankFerryman99 said so", "selftext": "GretaTheAsker too"}
    comments = [{"id": "c1", "author": "GretaTheAsker"}, {"id": "x" * 200, "author": "ZorbaQuist", "body": "x"}, 7]
    post = read(submission | {"crosspost_parent_list": [{"author": "FrankFerryman99"}], "comments": comments})
    assert (post.title, post.text) == (f"{FRANK} said so", f"{GRETA} too")
    assert "Zorba" not in str(asdict(post))


def test_ids_and_reasons_that_hold_a_name_hold_it_no_more() -> None:
    comments = [
        {"id": "GretaTheAsker-1", "body": "one", "author": "FrankFerryman99"},
        {"id": "c2", "parent_id": "GretaTheAsker-1", "body": "two", "author": "x"},
        {"id": "FrankFerryman99-3", "body": 7},
        {"id": "xGretaTheAskerGretaTheAskerx", "body": 7},
    ]
    post = read(tree(comments=comments))
    assert not any(name in str(asdict(post)).casefold() for name in ("greta", "frank"))
    first, second = post.comments
    assert first.id.startswith("unnamed-")
    assert second.parent == first.id
    assert len(post.lost) == 2


def test_the_moderating_account_is_no_person_in_texts_and_headers_of_quoted_mail_go() -> None:
    post = read(tree(author="AutoModerator", text="AutoModerator removes such posts."))
    assert post.moderated
    assert post.text == "AutoModerator removes such posts."
    assert "Auto" not in str(post.author)
    said = "On Mon, 3 Jan 2022, Ola Nordquist <ola@example.org> wrote:\n> Is it damp?\nFrom: Ola Nordquist\nIt is."
    post = read(tree(text=said))
    assert "Nordquist" not in post.text
    assert post.text.endswith("It is.")
