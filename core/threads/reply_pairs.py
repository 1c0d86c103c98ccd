"""Real replies with their conversations, and replies of other posts beside them: what a reply scorer is trained and judged on."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from core.threads.scoring import ScoreRequest
from core.threads.segments import CleanComment, CleanPost, Sentences

MIN_CHARACTERS, MAX_CHARACTERS = 20, 600
"""Length of the replies and of what they reply to."""
HELD_OUT = 0.2
"""Share of the posts that no scorer is trained on."""
PairKind = Literal["post", "comment"]
"""What is replied to: the post (by a top-level comment), or a comment (by a deeper one)."""
PER_POST: dict[PairKind, int] = {"post": 6, "comment": 2}
"""Replies of one post that are drawn at most, so that long threads do not outweigh the others."""
_DRAWN = 4  # times as many as are needed are drawn at first, since some are of the same post


@dataclass(frozen=True, slots=True)
class ReplyPair:
    """A reply to a comment or post. `context` is the conversation from the post on; its last utterance is replied to."""

    post: str
    forum: str
    context: tuple[Sentences, ...]
    reply: Sentences

    @property
    def kind(self) -> PairKind:
        """What is replied to."""
        return "post" if len(self.context) == 1 else "comment"

    @property
    def request(self) -> ScoreRequest:
        """The question how well the reply follows."""
        return ScoreRequest(self.context, self.reply)


def is_held_out(post: str) -> bool:
    """Tell whether a post is one that no scorer is trained on: by a hash of its id, so that it is the same everywhere."""
    return hash_post(post)[-1] < HELD_OUT * 256


def hash_post(post: str) -> bytes:
    """Return a hash of a post's id: its last byte decides whether it is held out, the others the order of posts."""
    return hashlib.sha256(post.encode()).digest()


def list_pairs(post: CleanPost) -> list[ReplyPair]:
    """Return pairs of a post or comment with a reply, at most `PER_POST` of each kind, drawn with the post's id as the seed.

    The reply has 20 to 600 characters; so has the comment that it replies to. A post may have any length.
    """
    comments = {comment.id: comment for comment in (*post.replies, *post.threads)}
    pairs: dict[PairKind, list[ReplyPair]] = {"post": [], "comment": []}
    for comment in comments.values():
        chain = _find_chain(comment, comments)
        if chain is None or not _is_long_enough(comment.sentences) or (chain and not _is_long_enough(chain[-1])):
            continue
        pair = ReplyPair(post.id, post.forum, (post.sentences, *chain), comment.sentences)
        pairs[pair.kind].append(pair)
    for kind, found in pairs.items():
        Random(f"{post.id} {kind}").shuffle(found)
    return [pair for kind, found in pairs.items() for pair in found[: PER_POST[kind]]]


def draw_others(pairs: Sequence[ReplyPair], count: int, seed: int = 0) -> list[list[Sentences]]:
    """Return for each pair `count` replies of other posts of its forum, to posts where it replies to a post, else to comments.

    They are of any forum where its own has too few. The true reply's own words are no wrong reply, whoever said them.

    Raises ValueError if all pairs are of fewer posts than are needed.
    """
    near: dict[tuple[str, PairKind], list[ReplyPair]] = defaultdict(list)
    anywhere: dict[PairKind, list[ReplyPair]] = defaultdict(list)
    for pair in pairs:
        near[pair.forum, pair.kind].append(pair)
        anywhere[pair.kind].append(pair)
    draw = Random(seed)
    drawn = []
    for pair in pairs:
        found = _draw_replies(near[pair.forum, pair.kind], pair, count, draw)
        if len(found) < count:
            found = _draw_replies(anywhere[pair.kind], pair, count, draw)
        if len(found) < count:
            raise ValueError(f"found {len(found)} replies of other posts: expected at least {count}; give more posts")
        drawn.append(found)
    return drawn


def list_said(pairs: Sequence[ReplyPair]) -> list[str]:
    """Return the distinct sentences of pairs, in order: those of contexts and replies."""
    return list(dict.fromkeys(said for pair in pairs for utterance in (*pair.context, pair.reply) for said in utterance))


def _draw_replies(pool: Sequence[ReplyPair], pair: ReplyPair, count: int, draw: Random) -> list[Sentences]:
    """Return `count` replies of other posts, fewer where the pool has fewer; all of the pool is looked at only if need be."""
    for size in (min(len(pool), _DRAWN * count), len(pool)):
        found = [other.reply for other in draw.sample(pool, size) if _is_other(other, pair)]
        if len(found) >= count:
            break
    return found[:count]


def _is_other(other: ReplyPair, pair: ReplyPair) -> bool:
    return other.post != pair.post and other.reply != pair.reply


def _find_chain(comment: CleanComment, comments: dict[str, CleanComment]) -> list[Sentences] | None:
    """Return the comments above a comment, the topmost first: none for a reply to the post. None where one was dropped."""
    chain: list[Sentences] = []
    parent = comment.parent
    while parent:
        above = comments.get(parent)
        if above is None:
            return None
        chain.append(above.sentences)
        parent = above.parent
    return chain[::-1]


def _is_long_enough(sentences: Sentences) -> bool:
    return MIN_CHARACTERS <= sum(map(len, sentences)) <= MAX_CHARACTERS
