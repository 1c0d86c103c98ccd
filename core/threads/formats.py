"""Forum posts as their sources have them: nested trees, Reddit's API, Pushshift's dumps, ConvoKit's corpora.

A record is one line. A tree and a page of the API hold a post with its comments. Pushshift and ConvoKit have a line for each post
and each comment; the lines of one post, from whatever files, are read together.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.errors import SourceError
from core.text.mending import mend_text
from core.threads.deep_json import read_json
from core.threads.posts import ROOT, Comment, Post, place_comments

VERSION = 1
"""Raised when the id of a record changes."""
PREFIX = "t3_"
"""Reddit's prefix of posts; every post's id begins with it here."""
_EXPECTED = (
    "a post with `comments` (sid), a page of Reddit's API, a Pushshift post or comment (link_id), or a ConvoKit utterance "
    "(conversation_id or root)"
)


@dataclass(slots=True)
class _Parts:
    """What the records of one post hold."""

    post: Mapping[str, Any] | None = None
    comments: list[Comment] = field(default_factory=list)
    unlisted: int = 0


def name_post(line: bytes) -> str:
    """Return the id of the post that a record belongs to.

    Raises:
        SourceError: the line is no JSON, or of no known format.
    """
    return PREFIX + _find_post_id(read_json(line))


def unpack_page(content: bytes) -> list[bytes]:
    """Return the records of a `.json` file: a page of Reddit's API with its comments, a listing of posts, or a list of trees.

    Raises:
        SourceError: the file is no JSON, or nested too deep to be divided.
    """
    found = read_json(content)
    children = [found]
    if isinstance(found, dict) and found.get("kind") == "Listing":
        children = [child for child in _children(found) if child.get("kind") == "t3"]
    elif isinstance(found, list) and not _is_page(found):
        children = found
    try:
        return [json.dumps(child).encode() for child in children]
    except RecursionError as error:
        raise SourceError("nested too deep for a .json file; give the post as a line of a .jsonl file") from error


def read_post(name: str, lines: Sequence[bytes]) -> Post:
    """Return the post of that id, read from all its records.

    Raises:
        SourceError: a record is broken, or none of them is the post itself.
    """
    parts = _Parts()
    for line in lines:
        _read_record(read_json(line), parts)
    if parts.post is None:
        raise SourceError(f"{name}: {len(parts.comments)} comments, but no post; add the file that the post stands in")
    fields = parts.post
    placed, lost = place_comments(parts.comments)
    return Post(
        id=name,
        forum=_text(fields, "forum"),
        title=_text(fields, "title"),
        text=_text(fields, "text"),
        author=_author(fields.get("author")),
        over_18=fields.get("over_18") is True,
        is_text=fields.get("is_text") is not False,
        comments=tuple(placed),
        lost=tuple(lost),
        unlisted=parts.unlisted,
    )


def _find_post_id(found: Any) -> str:
    if isinstance(found, list) and _is_page(found):
        posts = [child for child in _children(found[0]) if child.get("kind") == "t3"]
        if len(posts) == 1:
            data = posts[0].get("data")
            return _identity(data if isinstance(data, dict) else {}, "id")
    if isinstance(found, dict):
        data = found.get("data")
        if found.get("kind") == "t3" and isinstance(data, dict):
            return _identity(data, "id")
        if "sid" in found:
            return _identity(found, "sid")
        if "link_id" in found:
            return _identity(found, "link_id").removeprefix(PREFIX)
        for name in ("conversation_id", "root"):
            if found.get(name) is not None:
                return _identity(found, name).removeprefix(PREFIX)
        if "id" in found and "title" in found:
            return _identity(found, "id").removeprefix(PREFIX)
    raise SourceError(f"a record of no known format; expected {_EXPECTED}")


def _read_record(found: Any, parts: _Parts) -> None:
    if isinstance(found, list):
        for listing in found:
            _read_listing(listing, parts)
    elif not isinstance(found, dict):
        raise SourceError(f"a record that is {type(found).__name__}; expected {_EXPECTED}")
    elif found.get("kind") == "t3" and isinstance(found.get("data"), dict):
        _keep_post(parts, _describe_api(found["data"]))
    elif "sid" in found:
        forum = found.get("_subreddit") or found.get("subreddit") or _forum_of_link(found.get("link"))
        named = {"forum": forum, "title": found.get("title:", found.get("title"))}
        _keep_post(parts, {**named, **{name: found.get(name) for name in ("text", "author", "over_18")}})
        _read_tree(found.get("comments"), parts)
    elif "link_id" in found:
        parts.comments.append(_read_api_comment(found))
    elif found.get("conversation_id") is not None or found.get("root") is not None:
        _read_utterance(found, parts)
    else:
        _keep_post(parts, _describe_api(found))


def _keep_post(parts: _Parts, fields: Mapping[str, Any]) -> None:
    if parts.post is not None and parts.post != fields:
        raise SourceError("two records are the post itself, and they differ; keep one of them")
    parts.post = fields


def _describe_api(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a post of Reddit's API; Pushshift's dumps have the same names."""
    linked = data.get("is_self") is False or data.get("post_hint") not in (None, "self")
    return {
        "forum": data.get("subreddit"),
        "title": data.get("title"),
        "text": data.get("selftext"),
        "author": data.get("author"),
        "over_18": data.get("over_18"),
        "is_text": not linked,
    }


def _read_listing(listing: Any, parts: _Parts) -> None:
    waiting = list(reversed(list(_children(listing))))
    while waiting:
        child = waiting.pop()
        data = child.get("data")
        if not isinstance(data, dict):
            raise SourceError("a listing with a child without data")
        if child.get("kind") == "t3":
            _keep_post(parts, _describe_api(data))
        elif child.get("kind") == "more":
            count = data.get("count")
            parts.unlisted += count if isinstance(count, int) and count > 0 else 0
        else:
            parts.comments.append(_read_api_comment(data))
            if isinstance(data.get("replies"), dict):  # "" where there are none
                waiting.extend(reversed(list(_children(data["replies"]))))


def _read_api_comment(data: Mapping[str, Any]) -> Comment:
    parent = _identity(data, "parent_id")
    above = ROOT if parent.startswith(PREFIX) else parent.removeprefix("t1_")
    name = _identity(data, "id").removeprefix("t1_")
    return Comment(name, above, _author(data.get("author")), _text(data, "body"))


def _read_utterance(found: Mapping[str, Any], parts: _Parts) -> None:
    """Read a ConvoKit utterance; the one that replies to nothing is the post. ConvoKit keeps titles in another file."""
    meta = found.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    speaker = found.get("speaker", found.get("user"))
    author = speaker.get("id") if isinstance(speaker, dict) else speaker
    parent = found.get("reply_to", found.get("reply-to"))
    root = str(found.get("conversation_id") or found.get("root"))
    if parent is None or found.get("id") == root:
        title, forum = (meta.get(name) for name in ("title", "subreddit"))
        _keep_post(parts, {"forum": forum, "title": title, "text": found.get("text"), "author": author})
        return
    above = ROOT if parent == root else str(parent)
    parts.comments.append(Comment(_identity(found, "id"), above, _author(author), _text(found, "text")))


def _read_tree(comments: Any, parts: _Parts) -> None:
    """Read comments nested as id → comment, with `replies` of the same form."""
    waiting = [(ROOT, comments)]
    while waiting:
        parent, level = waiting.pop()
        if not level:
            continue
        if not isinstance(level, dict):
            raise SourceError(f"the comments below {parent or 'the post'} are {type(level).__name__}; expected id → comment")
        for name, comment in level.items():
            if not isinstance(comment, dict):
                raise SourceError(f"the comment {name[:100]!r} is {type(comment).__name__}; expected text, author and replies")
            parts.comments.append(Comment(mend_text(name), parent, _author(comment.get("author")), _text(comment, "text")))
            waiting.append((mend_text(name), comment.get("replies")))


def _is_page(found: Sequence[Any]) -> bool:
    return 0 < len(found) <= 2 and all(isinstance(entry, dict) and entry.get("kind") == "Listing" for entry in found)


def _children(listing: Any) -> Iterator[Mapping[str, Any]]:
    data = listing.get("data") if isinstance(listing, dict) else None
    children = data.get("children") if isinstance(data, dict) else None
    if not isinstance(children, list) or not all(isinstance(child, dict) for child in children):
        raise SourceError("a listing without data.children; expected a page of Reddit's API")
    yield from children


def _identity(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int) or not 0 < len(str(value)) <= 100:
        shown = repr(str(value)[:100]) if isinstance(value, str | int) else type(value).__name__
        raise SourceError(f"{name} is {shown}; expected an id of 1 to 100 characters")
    return mend_text(str(value))


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise SourceError(f"{name} is {type(value).__name__}; expected a text")
    return mend_text(value)


def _author(value: Any) -> str | None:
    return mend_text(value) if isinstance(value, str) and value not in ("", "[deleted]", "[removed]") else None


def _forum_of_link(link: Any) -> str | None:
    parts = link.split("/") if isinstance(link, str) else []
    return parts[parts.index("r") + 1] if "r" in parts[:-1] else None
