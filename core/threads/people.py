"""The people of a post: their names become pseudonyms in every field and text of it, at the door where it is read."""

import re
from collections.abc import Iterable

from core.people.names import Names, drop_mail_headers, split_name
from core.people.pseudonyms import digest_privately, pseudonymise
from core.threads.posts import MODERATORS, Comment, Post

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
    replace = Names(said, ordinary=() if profile else split_name(post.forum)).replace

    within = {name.casefold() for name in said if len(name) >= LEAST_WITHIN}
    lengths = sorted({len(name) for name in within})

    def hide_id(name: str) -> str:
        if not lengths or len(name) < lengths[0]:
            return name
        held = name.casefold()
        parts = (held[start : start + size] for size in lengths for start in range(len(held) - size + 1))
        return name if within.isdisjoint(parts) else f"unnamed-{digest_privately(key, name)}"

    def hide_text(text: str) -> str:
        return replace(drop_mail_headers(text))

    return Post(
        id=post.id,
        forum=pseudonyms[profile[1]] if profile else replace(post.forum),
        title=hide_text(post.title),
        text=hide_text(post.text),
        author=pseudonyms[post.author] if post.author else None,
        over_18=post.over_18,
        is_text=post.is_text,
        comments=tuple(
            Comment(
                hide_id(comment.id),
                hide_id(comment.parent),
                pseudonyms[comment.author] if comment.author else None,
                hide_text(comment.text),
            )
            for comment in post.comments
        ),
        lost=tuple((hide_id(name), replace(reason)) for name, reason in post.lost),
        unlisted=post.unlisted,
        moderated=(post.author or "").casefold() in MODERATORS,
    )
