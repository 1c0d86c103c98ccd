"""A forum post with its comments, the one form that every format is read into; and the door where names become pseudonyms."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from core.people.names import Names, drop_mail_headers, split_name
from core.people.pseudonyms import digest_privately, pseudonymise

ROOT = ""
"""The parent of a comment that replies to the post itself."""
MODERATORS = frozenset(["automoderator", "automod"])
"""Accounts, in lower case, that post for a forum's moderators."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment. `parent` is the id of the comment that it replies to, or `ROOT`.

    `author` is a pseudonym once `hide_people` has passed it, and None where the source has none.
    """

    id: str
    parent: str
    author: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Post:
    """A post. `comments` are in the source's order; each one's parent stands before it.

    `is_text` is false for posts that only link to a page or picture. `lost` are the comments that could not be placed under the
    post, each with the reason, and `unlisted` counts the comments that the source says exist but does not hold. `moderated` tells
    that one of the `MODERATORS` posted it, since `author` is a pseudonym.
    """

    id: str
    forum: str
    title: str
    text: str
    author: str | None
    over_18: bool
    is_text: bool
    comments: tuple[Comment, ...]
    lost: tuple[tuple[str, str], ...] = ()
    unlisted: int = 0
    moderated: bool = False


def place_comments(comments: Iterable[Comment]) -> tuple[list[Comment], list[tuple[str, str]]]:
    """Return the comments that hang together with the post, each after its parent, and the ids of the others with the reason.

    A comment that stands there twice counts once. One whose parent is missing, that replies to itself through others, or whose id
    is `ROOT`, cannot be placed. No recursion: a chain may be as long as the source is.
    """
    known: dict[str, Comment] = {}
    lost = []
    for comment in comments:
        if comment.id == ROOT:  # it would be its own reply
            lost.append((comment.id, "its id is empty"))
        elif known.setdefault(comment.id, comment) != comment:
            lost.append((comment.id, "another comment before it has its id"))
    replies: dict[str, list[Comment]] = defaultdict(list)
    for comment in known.values():
        replies[comment.parent].append(comment)
    placed = _walk(replies, [ROOT])
    reached = {comment.id for comment in placed}
    missing = [parent for parent in replies if parent != ROOT and parent not in known]
    cut_off = {comment.id for comment in _walk(replies, missing)}
    for comment in known.values():
        if comment.id in cut_off:
            lost.append((comment.id, "a comment above it is missing"))
        elif comment.id not in reached:
            lost.append((comment.id, "it replies to itself through other comments"))
    return placed, lost


def follow_order(
    comments: Iterable[Comment], unplaced: Collection[str], author: str | None, gaps: Collection[int]
) -> list[Comment]:
    """Return comments in the source's order, those in `unplaced` below the one before them where the two writers talk.

    Of an unplaced comment the source says what it is on, the post (by `author`) or a comment, and not which one there it answers.
    It answers the one before if its writer wrote what both are on, or if the one before is that writer's answer to him. Before
    each of the places in `gaps` a comment is missing.
    """
    placed: list[Comment] = []
    found: dict[str, Comment] = {}
    groups: dict[str, str] = {}  # what each comment, or the first one above it, is on
    last: dict[str, Comment] = {}
    for place, comment in enumerate(comments):
        if place in gaps:
            last.clear()
        on = comment.parent if comment.id in unplaced else groups.get(comment.parent, comment.id)
        host, before = found[on].author if on in found else author, last.get(on)
        if comment.id in unplaced and comment.author is not None and before is not None and before.author != comment.author:
            answered = found.get(before.parent)
            goes_on = before.author == host and answered is not None and answered.author == comment.author
            comment = replace(comment, parent=before.id) if comment.author == host or goes_on else comment
        groups[comment.id], found[comment.id], last[on] = on, comment, comment
        placed.append(comment)
    return placed


def _walk(replies: dict[str, list[Comment]], starts: Sequence[str]) -> list[Comment]:
    """Return the comments below `starts`, the replies to a comment after it."""
    walked: list[Comment] = []
    waiting = [comment for start in reversed(starts) for comment in reversed(replies.get(start, []))]
    while waiting:
        comment = waiting.pop()
        walked.append(comment)
        waiting.extend(reversed(replies.get(comment.id, [])))
    return walked


LEAST_WITHIN = 5
"""Characters of a name that is looked for within the words of an id."""
_PROFILE = re.compile(r"/?(?:r/)?(?:u_|u/|user/)([^/]{1,100})/?", re.IGNORECASE)


def hide_people(post: Post, people: Iterable[str], key: bytes, mask: str | None = None) -> Post:
    """Return a post in which no plain name is left of its authors, of `people`, and of him whose profile it stands in.

    Authors become pseudonyms, also where texts name them; the forum of a profile (`u_greta`) becomes its owner's pseudonym. An id
    that has a name in it becomes a digest. Lines of quoted mail that name somebody go. `mask` stands in texts in place of all
    pseudonyms, where nothing may tell the people apart.
    """
    authors = {author for author in (post.author, *(comment.author for comment in post.comments)) if author}
    profile = _PROFILE.fullmatch(post.forum)
    known = {*authors, *people, *([profile[1]] if profile else [])}
    pseudonyms = {name: pseudonymise(name, key) for name in known}
    said = {name: mask or pseudonym for name, pseudonym in pseudonyms.items() if name.casefold() not in MODERATORS}
    mask_names = Names(said, ordinary=() if profile else split_name(post.forum)).replace

    within = {name.casefold() for name in said if len(name) >= LEAST_WITHIN}
    lengths = sorted({len(name) for name in within})

    def hide_id(name: str) -> str:
        if not lengths or len(name) < lengths[0]:
            return name
        held = name.casefold()
        parts = (held[start : start + size] for size in lengths for start in range(len(held) - size + 1))
        return name if within.isdisjoint(parts) else f"unnamed-{digest_privately(key, name)}"

    def hide_text(text: str) -> str:
        return mask_names(drop_mail_headers(text))

    return replace(
        post,
        forum=pseudonyms[profile[1]] if profile else mask_names(post.forum),
        title=hide_text(post.title),
        text=hide_text(post.text),
        author=pseudonyms[post.author] if post.author else None,
        comments=tuple(
            Comment(
                hide_id(comment.id),
                hide_id(comment.parent),
                pseudonyms[comment.author] if comment.author else None,
                hide_text(comment.text),
            )
            for comment in post.comments
        ),
        lost=tuple((hide_id(name), mask_names(reason)) for name, reason in post.lost),
        moderated=(post.author or "").casefold() in MODERATORS,
    )
