"""Real replies with their conversations and replies of other posts beside them: what a scorer is trained and measured on."""

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from random import Random
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import SourceError
from core.metrics.estimates import Estimate
from core.text.sentences import make_splitter
from core.threads.config import ThreadsConfig
from core.threads.dialogues import CleanComment, CleanPost, Sentences
from core.threads.formats import name_post, read_post
from core.threads.posts import Post
from core.threads.preparing import prepare_post
from core.threads.scoring import ReplyScorer, ScoreRequest
from infra.sources.opening import OpenedSources
from tasks.frame.records import list_records
from tasks.threads.ingestion import describe_records

CANDIDATES = 9
"""Replies of other posts that the true one is told from."""
_MASK = "[user]"
"""Stands in texts for the people of a post: a model that is trained on them knows nobody."""
_RESAMPLES = 2_000
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
        others = draw.sample(pool, size)
        found = [other.reply for other in others if other.post != pair.post and other.reply != pair.reply]
        if len(found) >= count:
            break
    return found[:count]


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


def find_hits(pairs: Sequence[ReplyPair], others: Sequence[Sequence[Sentences]], scorer: ReplyScorer) -> NDArray[np.float64]:
    """Return for each pair 1 where the true reply scores higher than all its `others`, else 0 (n_pairs)."""
    asked = [
        [pair.request, *(ScoreRequest(pair.context, other) for other in found)] for pair, found in zip(pairs, others, strict=True)
    ]
    scores = [scorer(requests) for requests in asked]
    return np.array([found[0] > found[1:].max() for found in scores], np.float64)


def estimate_rates(pairs: Sequence[ReplyPair], hits: Sequence[NDArray[np.float64]], level: float = 0.95) -> list[Estimate]:
    """Return the mean of each array of `hits` (recall@1), with an interval by drawing posts again, 2,000 times.

    Whole posts are drawn, since the replies of one post are not independent of each other.
    """
    places: dict[str, list[int]] = {}
    for place, pair in enumerate(pairs):
        places.setdefault(pair.post, []).append(place)
    table = np.column_stack(hits)
    sums = np.array([table[found].sum(axis=0) for found in places.values()])
    sizes = np.array([len(found) for found in places.values()])
    numbers = np.random.default_rng(0)
    drawn = [numbers.integers(0, len(sizes), len(sizes)) for _ in range(_RESAMPLES)]
    means = np.stack([sums[chosen].sum(axis=0) / sizes[chosen].sum() for chosen in drawn])
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return [Estimate(*map(float, row)) for row in zip(table.mean(axis=0), low, high, strict=True)]


def measure_recall(
    pairs: Sequence[ReplyPair], others: Sequence[Sequence[Sentences]], scorers: Mapping[str, ReplyScorer]
) -> dict[str, Any]:
    """Return recall@1 of each scorer among the true reply and its `others`, for replies to posts and to comments apart.

    With two scorers also the difference of the first to the second. `pairs` counts the replies, `posts` their posts.
    """
    report: dict[str, Any] = {}
    for kind in PER_POST:
        chosen = [(pair, found) for pair, found in zip(pairs, others, strict=True) if pair.kind == kind]
        if not chosen:
            continue
        asked, false = [pair for pair, _ in chosen], [found for _, found in chosen]
        hits = {name: find_hits(asked, false, scorer) for name, scorer in scorers.items()}
        if len(hits) == 2:
            one, other = hits.values()
            hits["difference"] = one - other
        rates = dict(zip(hits, estimate_rates(asked, list(hits.values())), strict=True))
        counts = {"pairs": len(asked), "posts": len({pair.post for pair in asked})}
        report[f"replies to {kind}s"] = {**counts, **{name: asdict(rate) for name, rate in rates.items()}}
    return report


def read_clean_posts(sources: Sequence[str], config: ThreadsConfig) -> Iterator[CleanPost]:
    """Yield the posts of sources that pass the filters, as `read_posts` does."""
    split = make_splitter(config.splitter)
    for post in read_posts(sources, config):
        prepared = prepare_post(post, config.prefilter, config.post, split)
        if prepared.post is not None:
            yield prepared.post


def read_posts(sources: Sequence[str], config: ThreadsConfig) -> Iterator[Post]:
    """Yield the posts of sources in order of their ids' hashes; what is no post is passed over.

    So the first posts are a sample of all, the same everywhere. Pseudonyms hold for one call, since
    training keeps no authors. The records of all posts are in memory at once.
    """
    key = secrets.token_bytes()
    opened = OpenedSources(tuple(sources))
    rules = describe_records(opened.list_files(), config.shards)
    lines: dict[str, dict[bytes, None]] = {}
    for file in rules.files:
        for _, line in list_records(opened, file, rules):
            if isinstance(line, bytes):
                try:
                    lines.setdefault(name_post(line), {})[line] = None
                except SourceError:
                    continue  # `fabula run threads` names it
    for name in sorted(lines, key=hash_post):
        try:
            yield read_post(name, list(lines.pop(name)), key, _MASK)
        except SourceError:
            continue


def draw_pairs(sources: Sequence[str], config: ThreadsConfig, limit: int, held_out: bool = False) -> list[ReplyPair]:
    """Return at most `limit` pairs of the sources' posts, `held_out`: of those only that no scorer is trained on."""
    posts = (post for post in read_clean_posts(sources, config) if not held_out or is_held_out(post.id))
    return list(islice((pair for post in posts for pair in list_pairs(post)), limit))
