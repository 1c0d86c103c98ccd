"""Real replies with their conversations, and replies of other posts beside them: what a reply scorer is trained and judged on."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from core.threads.scoring import ScoreRequest
from core.threads.segments import CleanComment, CleanPost, Sentences

MIN_CHARACTERS, MAX_CHARACTERS = 20, 600
"""Length of the replies and of what they reply to."""
HELD_OUT = 0.2
"""Share of the posts that no scorer is trained on."""


@dataclass(frozen=True, slots=True)
class ReplyPair:
    """A reply to a comment or post. `context` is the conversation from the post on; its last utterance is replied to."""

    post: str
    forum: str
    context: tuple[Sentences, ...]
    reply: Sentences

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


def list_pairs(post: CleanPost, most: int) -> list[ReplyPair]:
    """Return at most `most` pairs of a comment with its reply, drawn with the post's id as the seed."""
    comments = {comment.id: comment for comment in (*post.replies, *post.threads)}
    pairs = []
    for comment in comments.values():
        chain = _find_chain(comment, comments)
        if chain and _is_long_enough(comment.sentences) and _is_long_enough(chain[-1]):
            pairs.append(ReplyPair(post.id, post.forum, (post.sentences, *chain), comment.sentences))
    Random(post.id).shuffle(pairs)
    return pairs[:most]


def draw_others(pairs: Sequence[ReplyPair], count: int, seed: int = 0) -> list[list[Sentences]]:
    """Return for each pair `count` replies of other posts of its forum; of any forum where its own has too few.

    The true reply's own words are no wrong reply, whoever said them.

    Raises ValueError if all pairs are of fewer posts than are needed.
    """
    by_forum: dict[str, list[ReplyPair]] = defaultdict(list)
    for pair in pairs:
        by_forum[pair.forum].append(pair)
    draw = Random(seed)
    drawn = []
    for pair in pairs:
        near = [other for other in by_forum[pair.forum] if _is_other(other, pair)]
        pool = near if len(near) >= count else [other for other in pairs if _is_other(other, pair)]
        if len(pool) < count:
            raise ValueError(f"found {len(pool)} replies of other posts: expected at least {count}; give more posts")
        drawn.append([other.reply for other in draw.sample(pool, count)])
    return drawn


def _is_other(other: ReplyPair, pair: ReplyPair) -> bool:
    return other.post != pair.post and other.reply != pair.reply


def _find_chain(comment: CleanComment, comments: dict[str, CleanComment]) -> list[Sentences]:
    """Return the comments above a comment, the topmost first; none for a reply to the post, or where one was dropped."""
    chain: list[Sentences] = []
    parent = comment.parent
    while parent:
        above = comments.get(parent)
        if above is None:
            return []
        chain.append(above.sentences)
        parent = above.parent
    return chain[::-1]


def _is_long_enough(sentences: Sentences) -> bool:
    return MIN_CHARACTERS <= sum(map(len, sentences)) <= MAX_CHARACTERS
