"""A post made ready for the search: cleaned, filtered, cut into sentences; and what was dropped, with the reasons."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.people.pseudonyms import UNKNOWN_AUTHOR
from core.text.sentences import SentenceSplitter
from core.threads.cleaning import clean_text
from core.threads.config import PostConfig, PrefilterConfig
from core.threads.posts import ROOT, Comment, Post
from core.threads.prefilter import RateStarter, judge_post, judge_text, measure_text, score_starter
from core.threads.segments import CleanComment, CleanPost, Sentences

_ADDED = re.compile(r"\W*(?:edit|eta|update)\s*\d*\s*(?:[^\w\s]|$)", re.IGNORECASE)
_BROKEN_LINE = re.compile(r"(?<=[a-z0-9,'’])[ \t]*+\n[ \t]*+(?=[a-z])(?!i\b|https?:|www\.|[a-z][.):])")
"""A line break inside a sentence: no end mark stands before it, and a small letter after it.

An entry of a list, "i" and an address begin anew."""
DropKind = Literal["post", "comment", "dialogue"]


@dataclass(frozen=True, slots=True)
class Drop:
    """What was dropped, and why. The id of a comment is that of its post, `_`, and its own."""

    id: str
    kind: DropKind
    reason: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """A post ready for the search, None where it was dropped; and everything that was dropped of it."""

    post: CleanPost | None
    drops: tuple[Drop, ...]


def prepare_post(
    post: Post,
    filters: PrefilterConfig,
    cut: PostConfig,
    split: SentenceSplitter,
    rate_starter: RateStarter = score_starter,
) -> Prepared:
    """Clean, filter and cut a post and its comments.

    Top-level comments may reply to the post, but for those of its own author; deeper ones serve threading.

    Reference: thesis, section 3.1; appendix A for the cut at characters and sentences.
    """
    title, text = cut_sentences(post.title, split), cut_sentences(post.text, split, cut.lines)
    marks = measure_text(post.title, title, filters), measure_text(post.text, text, filters)
    if reason := judge_post(post, *marks, filters, rate_starter):
        return Prepared(None, (Drop(post.id, "post", reason),))
    whole = (*((" ".join(title),) if title and cut.title == "sentence" else ()), *text)
    said = limit_sentences(whole, cut)
    if not said:
        return Prepared(None, (Drop(post.id, "post", "first sentence too long"),))
    drops = [Drop(f"{post.id}_{name}", "comment", reason) for name, reason in post.lost]
    if post.unlisted:
        drops.append(Drop(f"{post.id}_more", "comment", f"{post.unlisted} comments that the page does not list"))
    replies: list[CleanComment] = []
    threads: list[CleanComment] = []
    for comment in post.comments:
        clean, dropped = _prepare_comment(comment, post, filters, cut, split)
        if clean is None:
            drops.append(Drop(f"{post.id}_{comment.id}", "comment", dropped))
        else:
            (threads if comment.parent else replies).append(clean)
    if not replies:
        return Prepared(None, (*drops, Drop(post.id, "post", "no replies")))
    first = -1 if title and cut.title == "sentence" else 0
    author = post.author or UNKNOWN_AUTHOR
    heading, unsaid = " ".join(title), whole[len(said) :]
    ready = CleanPost(post.id, post.forum, heading, author, said, first, tuple(replies), tuple(threads), unsaid)
    return Prepared(ready, tuple(drops))


def cut_sentences(text: str, split: SentenceSplitter, lines: Literal["join", "break"] = "break") -> Sentences:
    """Return the sentences of a text, cleaned. No sentence stands on two lines, unless a broken one is joined (`lines`)."""
    if lines == "join":
        text = _BROKEN_LINE.sub(" ", text)
    return tuple(sentence for line in clean_text(text).split("\n") for sentence in split(line))


def limit_sentences(sentences: Sequence[str], cut: PostConfig) -> Sentences:
    """Return the first sentences, as many as the limits allow (appendix A), without later additions."""
    kept: list[str] = []
    length = 0
    for sentence in sentences[: cut.max_sentences]:
        length += len(sentence)
        if length > cut.max_characters or (cut.edits == "cut" and kept and _ADDED.match(sentence)):
            break
        kept.append(sentence)
    return tuple(kept)


def _prepare_comment(
    comment: Comment, post: Post, filters: PrefilterConfig, cut: PostConfig, split: SentenceSplitter
) -> tuple[CleanComment | None, str]:
    """Return a comment ready for the search, or None and the reason. A short one may serve threading."""
    sentences = cut_sentences(comment.text, split, cut.lines)
    least = filters.min_comment_words if comment.parent == ROOT else 1
    if reason := judge_text(measure_text(comment.text, sentences, filters), filters, least):
        return None, reason
    if comment.parent == ROOT and comment.author is not None and comment.author == post.author:
        return None, "by the post's author"
    return CleanComment(comment.id, comment.parent, comment.author or UNKNOWN_AUTHOR, sentences), ""
