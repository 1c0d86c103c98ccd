"""How a post becomes dialogues: the method of the settings, and the two simple approaches of section 3.2.1."""

from collections.abc import Sequence
from random import Random

from core.threads.config import SearchConfig
from core.threads.conversations import take_comment, tell_conversation
from core.threads.dialogues import CleanComment, CleanPost, Dialogue, Piece, Segment, join_pieces, take_segment
from core.threads.posts import ROOT
from core.threads.scoring import KnownScores, ScoreRequest, rate_turns
from core.threads.search import DialogueSearch, Generate, find_odds, limit_comments, list_threads


def find_dialogues(
    post: CleanPost, scores: KnownScores, config: SearchConfig, longest_context: int, generate: Generate | None = None
) -> list[Dialogue]:
    """Return the dialogues that a post gives, by the method of the settings: at most one, or several random pairs."""
    if config.method == "random-pairs":
        return _pair_comments(post, scores, config)
    if config.method == "post-comment":
        found = _answer_post(post, scores, config)
    elif config.method in ("conversation", "told"):
        turns = _tell(post, config)
        told = Dialogue(turns, rate_turns(join_pieces(turns), scores, longest_context))
        found = told if len(turns) >= config.min_turns else None
    else:
        found = DialogueSearch(post, scores, config, longest_context, generate).find()
    return [found] if found is not None else []


def list_reachable(post: CleanPost, config: SearchConfig) -> list[str]:
    """Return the sentences of a post and its comments that the search may score; none of random pairs, which are drawn."""
    if config.method == "random-pairs":
        return []
    if config.method in ("conversation", "told"):
        return [sentence for said in join_pieces(_tell(post, config)) for sentence in said]
    if config.method == "post-comment":
        comments: Sequence[CleanComment] = post.replies[: config.max_comments]
    else:
        candidates, threads = limit_comments(post, config), list_threads(post, config)
        comments = [*candidates, *(reply for comment in candidates for reply in threads.get(comment.id, ()))]
    return [*post.sentences, *(sentence for comment in comments for sentence in comment.sentences)]


def _tell(post: CleanPost, config: SearchConfig) -> tuple[tuple[Piece, ...], ...]:
    """Return the turns of the post's conversation; under the method `told` the post and the chain of first comments below it."""
    if config.method == "conversation":
        return tell_conversation(post, config)
    turns = [(Piece("post", post.id, post.author, post.first, post.first + len(post.sentences), post.sentences),)]
    first: dict[str, CleanComment] = {}
    for comment in (*post.replies, *post.threads):
        first.setdefault(comment.parent, comment)
    above = ROOT
    while above in first:
        said = first.pop(above)
        turns.append((take_comment(said, post),))
        above = said.id
    return tuple(turns)


def _answer_post(post: CleanPost, scores: KnownScores, config: SearchConfig) -> Dialogue | None:
    """Return the post with the one comment that follows it best (section 3.2.1, the first simple approach)."""
    said = Piece("post", post.id, post.author, post.first, post.first + len(post.sentences), post.sentences)
    comments = post.replies[: config.max_comments]
    rated = scores([ScoreRequest((post.sentences,), comment.sentences) for comment in comments])
    score, place = max(((score, -place) for place, score in enumerate(rated)), default=(float("-inf"), 0))
    if score < find_odds(config.threshold):
        return None
    comment = comments[-place]
    return Dialogue(((said,), (take_segment(Segment(comment, 0, len(comment.sentences))),)), (score,))


def _pair_comments(post: CleanPost, scores: KnownScores, config: SearchConfig) -> list[Dialogue]:
    """Return the best of randomly drawn pairs of comments (section 3.2.1); no comment twice. The post's id is the seed."""
    comments = [comment for comment in (*post.replies, *post.threads) if comment.sentences]
    draw = Random(post.id)
    pairs = []
    for _ in range(config.drawn_pairs if len(comments) > 1 else 0):
        one, other = draw.sample(comments, 2)
        if one.author != other.author:
            pairs.append((one, other))
    pairs = list(dict.fromkeys(pairs))
    rated = scores([ScoreRequest((one.sentences,), other.sentences) for one, other in pairs])
    found: list[Dialogue] = []
    taken: set[str] = set()
    for score, place in sorted(((score, place) for place, score in enumerate(rated)), key=lambda entry: (-entry[0], entry[1])):
        one, other = pairs[place]
        if score < find_odds(config.threshold) or len(found) == config.pairs:
            break
        if not taken & {one.id, other.id}:
            taken |= {one.id, other.id}
            turns = tuple((take_segment(Segment(each, 0, len(each.sentences))),) for each in (one, other))
            found.append(Dialogue(turns, (score,)))
    return found
