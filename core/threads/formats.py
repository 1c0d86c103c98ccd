"""Forum posts as their sources have them: nested trees, Reddit's API, Pushshift's dumps, ConvoKit's corpora.

A record is one line. A tree and a page of the API hold a post with its comments. Pushshift and ConvoKit have a line for each post
and each comment; the lines of one post, from whatever files, are read together.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from core.errors import SourceError
from core.people.pseudonyms import digest_privately
from core.text.decoding import mend_text
from core.threads.deep_json import read_json
from core.threads.posts import ROOT, Comment, Post, follow_order, hide_people, place_comments


def read_identity(fields: Mapping[str, Any], name: str, prefix: str = "") -> str:
    """Return an id of 1 to 100 characters, which may be a number, without its prefix; SourceError where it is none."""
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int) or not 0 < len(str(value)) <= 100 or str(value) == prefix:
        shown = f"{len(str(value)):,} characters long" if isinstance(value, str) else type(value).__name__  # it may be a name
        raise SourceError(f"{name} is {shown}; expected an id of 1 to 100 characters")
    return mend_text(str(value)).removeprefix(prefix)


def find_text(fields: Mapping[str, Any]) -> Any:
    """Return the first value of the fields that a text stands in that is not empty, else the first of them."""
    found = [fields[name] for name in ("selftext", "text", "body") if name in fields]
    return next((value for value in found if value not in (None, "")), found[0] if found else None)


def read_comment_text(fields: Mapping[str, Any]) -> str:
    """Return the text of a comment; SourceError where it has none, or one that is no text."""
    found = find_text(fields)
    if found is None and not {"text", "body"} & fields.keys():
        raise SourceError(f"no text; its fields are {name_fields(fields)}, expected text or body")
    return read_text({"text": found}, "text")


def is_flag(value: Any, name: str) -> bool:
    """Tell whether a value is true, or false, as `name` says: also as a number or a text, as some exports write it."""
    same = {"true": ("true", "1", "yes"), "false": ("false", "0", "no")}[name]
    return isinstance(value, bool | int | str) and str(value).strip().lower() in same


def read_text(fields: Mapping[str, Any], name: str) -> str:
    """Return a text, "" for none; SourceError where it is no text."""
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise SourceError(f"{name} is {type(value).__name__}; expected a text")
    return mend_text(value)


def read_author(value: Any) -> str | None:
    """Return the name of an author, None for none and for marks of deleted accounts."""
    return mend_text(value) if isinstance(value, str) and value not in ("", "[deleted]", "[removed]") else None


def find_forum(link: Any) -> str | None:
    """Return the forum that a link names (`/r/books/comments/…`), `u_` and the owner for a profile (`/user/greta/comments/…`)."""
    parts = link.split("/") if isinstance(link, str) else []
    if "r" in parts[:-1]:
        return parts[parts.index("r") + 1]
    owner = next((after for part, after in pairwise(parts) if part in ("user", "u")), None)
    return f"u_{owner}" if owner else None


def name_fields(fields: Mapping[str, Any]) -> str:
    """Return the names of a record's first fields, for a message."""
    return ", ".join(sorted(map(str, fields))[:8])[:200] or "none"


VERSION = 5
"""Raised when the id of a record changes, or the record that an export becomes."""
UNREADABLE = "not readable"
"""Beginning of the reason given for a comment that stands in a record but cannot be read."""
PREFIX = "t3_"
"""Reddit's prefix of posts; every post's id begins with it here."""
TAKEN_DOWN = "fabula: taken down"
"""Stands in a record in place of a comment that is taken down: the names of its people, which others may have named."""
PEOPLE = "fabula: people"
"""Stands in a record that was made of another form: other names that its author goes by."""
UNPLACED = "fabula: unplaced"
"""Stands, with true, in a comment that was made of another form, whose source only says what it is on (`follow_order`)."""
NAMELESS = "unnamed-"
"""Beginning of the id that a comment gets if its source gives it none."""
_COMMENT = "t1_"
"""Reddit's prefix of comments."""
_EXPECTED = (
    "a post with `comments` (sid), a page of Reddit's API, a Pushshift post or comment (link_id), or a ConvoKit utterance "
    "(conversation_id or root)"
)


@dataclass(slots=True)
class _Parts:
    """What the records of one post hold. `title` stands in a record of its own.

    `lost` are the comments that cannot be read, each with the reason. `people` are names that stand in records but are no
    author's of a comment that was read. `unplaced` are comments of which only is known what they are on, and `gaps` the places in
    `comments` before which one is missing.
    """

    key: bytes
    post: Mapping[str, Any] | None = None
    title: str = ""
    comments: list[Comment] = field(default_factory=list)
    lost: list[tuple[str, str]] = field(default_factory=list)
    unlisted: int = 0
    people: set[str] = field(default_factory=set)
    unplaced: set[str] = field(default_factory=set)
    gaps: set[int] = field(default_factory=set)

    def meet(self, *names: object) -> None:
        """Keep the names that are such."""
        self.people.update(name for value in names if (name := read_author(value)) is not None)

    def add(self, read: Callable[[Mapping[str, Any]], Comment], fields: Mapping[str, Any], name: object) -> None:
        """Read one comment; where that fails it is lost alone, and the post and its other comments stay."""
        if self.pass_over(fields):
            self.gaps.add(len(self.comments))
            return
        try:
            comment = read(fields)
        except SourceError as error:
            self.gaps.add(len(self.comments))
            self.meet(fields.get("author"))
            self.lose(name, str(error))
            return
        self.comments.append(comment)
        if fields.get(UNPLACED) is True:
            self.unplaced.add(comment.id)

    def pass_over(self, fields: Mapping[str, Any]) -> bool:
        """Tell whether a comment was taken down; the names of its people count."""
        people = fields.get(TAKEN_DOWN)
        if isinstance(people, list):
            self.meet(*people)
        return isinstance(people, list)

    def lose(self, name: object, reason: str) -> str:
        """Name a comment that cannot be read by its id, or by its place among the unreadable ones; return the name."""
        known = isinstance(name, str | int) and not isinstance(name, bool) and 0 < len(str(name)) <= 100
        named = mend_text(str(name)) if known else f"unnamed-{len(self.lost) + 1}"
        self.lost.append((named, f"{UNREADABLE} ({reason})"))
        return named


def name_post(line: bytes) -> str:
    """Return the id of the post that a record belongs to."""
    return PREFIX + _find_post_id(read_json(line))


def read_post(name: str, lines: Sequence[bytes], key: bytes, mask: str | None = None) -> Post:
    """Return the post of that id, read from all its records, with pseudonyms made with `key` in place of all names.

    `mask` stands in texts in place of all pseudonyms (`hide_people`).
    """
    parts = _Parts(key)
    for line in lines:
        _read_record(read_json(line), parts)
    if parts.post is None:
        raise SourceError(f"{name}: {len(parts.comments)} comments, but no post; add the file that the post stands in")
    fields = parts.post
    placed, lost = place_comments(follow_order(parts.comments, parts.unplaced, read_author(fields.get("author")), parts.gaps))
    people = parts.people | {comment.author for comment in parts.comments if comment.author}
    post = Post(
        id=name,
        forum=read_text(fields, "forum"),
        title=read_text(fields, "title") or parts.title,
        text=read_text(fields, "text"),
        author=read_author(fields.get("author")),
        over_18=is_flag(fields.get("over_18"), "true"),
        is_text=fields.get("is_text") is not False,
        comments=tuple(placed),
        lost=(*parts.lost, *lost),
        unlisted=parts.unlisted,
    )
    return hide_people(post, people, key, mask)


def list_parts(record: Any, key: bytes) -> tuple[Mapping[str, Any] | None, list[Comment]]:
    """Return the fields of the post in one record, None where it has none, and the comments that can be read, with plain names.

    Errors as in `read_post`.
    """
    parts = _Parts(key)
    _read_record(record, parts)
    return parts.post, parts.comments


def _find_post_id(found: Any) -> str:
    if isinstance(found, list) and is_page(found):
        posts = [child for child in list_children(found[0]) if child.get("kind") == "t3"]
        if len(posts) == 1:
            data = posts[0].get("data")
            return read_identity(data if isinstance(data, dict) else {}, "id", PREFIX)
    if isinstance(found, dict):
        data = found.get("data")
        if found.get("kind") == "t3" and isinstance(data, dict):
            return read_identity(data, "id", PREFIX)
        named = (name for name in ("sid", "link_id", "conversation_id", "root") if found.get(name) is not None)
        if name := next(named, "id" if {"id", "title"} <= found.keys() else ""):
            return read_identity(found, name, PREFIX)
        raise SourceError(f"a record of no known format: its fields are {name_fields(found)}; expected {_EXPECTED}")
    raise SourceError(f"a record of no known format: {type(found).__name__}; expected {_EXPECTED}")


def _read_record(found: Any, parts: _Parts) -> None:
    if isinstance(found, dict) and isinstance(found.get(PEOPLE), list):
        parts.meet(*found[PEOPLE])
    if isinstance(found, list):
        for listing in found:
            _read_listing(listing, parts)
    elif not isinstance(found, dict):
        raise SourceError(f"a record that is {type(found).__name__}; expected {_EXPECTED}")
    elif found.get("kind") == "t3" and isinstance(found.get("data"), dict):
        _keep_post(parts, _describe_api(found["data"], parts))
    elif "sid" in found:
        forum = found.get("_subreddit") or found.get("subreddit") or find_forum(found.get("link"))
        named = {"forum": forum, "title": found.get("title:", found.get("title")), "text": find_text(found)}
        _keep_post(parts, {**named, **{name: found.get(name) for name in ("author", "over_18")}})
        _read_tree(found.get("comments"), _find_post_id(found), parts)
    elif "link_id" in found:
        parts.add(_read_api_comment, found, found.get("id"))
    elif found.get("conversation_id") is not None or found.get("root") is not None:
        _read_utterance(found, parts)
    else:
        _keep_post(parts, _describe_api(found, parts))
        if isinstance(found.get("comments"), dict | list):  # a tree whose post has an `id`; in dumps it is a count or missing
            _read_tree(found["comments"], _find_post_id(found), parts)


def _keep_post(parts: _Parts, fields: Mapping[str, Any]) -> None:
    if parts.post is not None and parts.post != fields:
        raise SourceError("two records are the post itself, and they differ; keep one of them")
    parts.post = fields


def _describe_api(data: Mapping[str, Any], parts: _Parts) -> dict[str, Any]:
    """Return the fields of a post of Reddit's API; Pushshift's dumps have the same names."""
    crossposts = data.get("crosspost_parent_list")
    if isinstance(crossposts, list):
        for entry in (entry for entry in crossposts if isinstance(entry, dict)):
            if not parts.pass_over(entry):
                parts.meet(entry.get("author"))
    linked = is_flag(data.get("is_self"), "false") or data.get("post_hint") not in (None, "", "self")
    return {
        "forum": data.get("subreddit"),
        "title": data.get("title"),
        "text": find_text(data),
        "author": data.get("author"),
        "over_18": data.get("over_18"),
        "is_text": not linked,
    }


def _read_listing(listing: Any, parts: _Parts) -> None:
    waiting = list(reversed(list(list_children(listing))))
    while waiting:
        child = waiting.pop()
        data = child.get("data")
        if not isinstance(data, dict):
            parts.lose(None, "a listing's child without data")
        elif child.get("kind") == "t3":
            _keep_post(parts, _describe_api(data, parts))
        elif child.get("kind") == "more":
            count = data.get("count")
            parts.unlisted += count if isinstance(count, int) and count > 0 else 0
        else:
            parts.add(_read_api_comment, data, data.get("id"))
            if isinstance(data.get("replies"), dict):  # "" where there are none
                try:
                    waiting.extend(reversed(list(list_children(data["replies"]))))
                except SourceError as error:
                    parts.lose(None, f"the replies to {str(data.get('id'))[:100]}: {error}")


def _read_api_comment(data: Mapping[str, Any]) -> Comment:
    parent = read_identity(data, "parent_id", _COMMENT)
    above = ROOT if parent.startswith(PREFIX) else parent
    return Comment(read_identity(data, "id", _COMMENT), above, read_author(data.get("author")), read_comment_text(data))


def _read_utterance(found: Mapping[str, Any], parts: _Parts) -> None:
    """Read a ConvoKit utterance, or a title; the utterance that replies to nothing is the post."""
    if "text" not in found and "title" in found:
        parts.title = read_text(found, "title")
        return
    meta = found.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    speaker = found.get("speaker", found.get("user"))
    author = speaker.get("id") if isinstance(speaker, dict) else speaker
    parent = found.get("reply_to", found.get("reply-to"))
    root = str(found.get("conversation_id") or found.get("root"))
    if parent is None or found.get("id") == root:
        named = {"forum": meta.get("subreddit"), "title": meta.get("title")}
        _keep_post(parts, {**named, "text": found.get("text"), "author": author})
        return
    above = ROOT if str(parent) == root else str(parent)

    def read(fields: Mapping[str, Any]) -> Comment:
        return Comment(read_identity(fields, "id"), above, read_author(author), read_comment_text(fields))

    parts.add(read, found, found.get("id"))


def _read_tree(comments: Any, post: str, parts: _Parts) -> None:
    """Read comments nested as id → comment, or as lists of comments with an `id`, with `replies` of the same form.

    A level may also be a listing of Reddit's API. A comment with a `parent_id` is placed by it, since lists may be flat.
    """
    waiting = [(ROOT, comments)]
    while waiting:
        parent, level = waiting.pop()
        below = parent[:100] or "the post"
        if not level:
            continue
        if not isinstance(level, dict | list):
            parts.lose(None, f"the comments below {below} are {type(level).__name__}; expected id → comment")
            continue
        if isinstance(level, dict) and level.get("kind") == "Listing":
            try:
                _read_listing(level, parts)
            except SourceError as error:
                parts.lose(None, f"the comments below {below}: {error}")
            continue
        entries = level.items() if isinstance(level, dict) else ((_find_name(entry), entry) for entry in level)
        for name, comment in entries:
            if not isinstance(comment, dict):
                parts.lose(name, f"the comment is {type(comment).__name__}; expected text, author and replies")
                continue
            if parts.pass_over(comment):
                continue
            try:
                read = _read_nested(name, parent, post, comment, parts.key)
            except SourceError as error:
                parts.meet(comment.get("author"))
                lost = parts.lose(name, str(error))
                known = lost.removeprefix(_COMMENT) or lost
            else:
                known = read.id
                parts.comments.append(read)
            waiting.append((known, comment.get("replies")))


def _read_nested(name: Any, parent: str, post: str, fields: Mapping[str, Any], key: bytes) -> Comment:
    if fields.get("parent_id") not in (None, ""):
        given = read_identity(fields, "parent_id", _COMMENT)
        parent = ROOT if given.startswith(PREFIX) or given == post else given
    author, text = read_author(fields.get("author")), read_comment_text(fields)
    if name is None:  # the same in every record that the comment stands in
        return Comment(f"{NAMELESS}{digest_privately(key, parent, author, text)}", parent, author, text)
    return Comment(read_identity({"id": name}, "id", _COMMENT), parent, author, text)


def _find_name(comment: Any) -> Any:
    return comment.get("id", comment.get("sid")) if isinstance(comment, dict) else None


def is_page(found: Sequence[Any]) -> bool:
    """Tell whether a list is a page of Reddit's API."""
    return 0 < len(found) <= 2 and all(isinstance(entry, dict) and entry.get("kind") == "Listing" for entry in found)


def list_children(listing: Any) -> Iterator[Mapping[str, Any]]:
    """Yield what a listing of Reddit's API holds; SourceError where it is none."""
    data = listing.get("data") if isinstance(listing, dict) else None
    children = data.get("children") if isinstance(data, dict) else None
    if not isinstance(children, list) or not all(isinstance(child, dict) for child in children):
        raise SourceError("a listing without data.children; expected a page of Reddit's API")
    yield from children
