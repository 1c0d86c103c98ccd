"""Times the pipeline `threads`: the search beside a literal one, growth with posts and with the beam, and preparing many posts.

    FABULA_CORPORA=../shared/data python -m lab.speed.threads [--posts 40] [--scorer words] [--prepared 10000]

All figures are processor time of this process, one thread. The reference for the search is the literal implementation of
algorithms 1 to 3 in `lab/speed/literal_threads.py`, with the same scorer: it scores each candidate apart and remembers
nothing. Both must say the same. `--prepared` posts are made up, one at a time, and read, joined and filtered: memory has to stay
flat. Without FABULA_CORPORA the posts are those of the example.
"""

import argparse
import json
import os
import resource
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import process_time

from core.text.sentences import make_splitter
from core.threads.config import SearchConfig, ThreadsConfig
from core.threads.dialogues import CleanPost
from core.threads.formats import name_post, read_post
from core.threads.methods import find_dialogues, list_reachable
from core.threads.preparing import prepare_post
from core.threads.scoring import EmbeddingScorer, KnownScores, SentenceVectors, WordsScorer
from core.threads.trained_scoring import TrainedScorer
from infra.models.sentence_embedder import SentenceEmbedder
from lab.speed.literal_threads import search_literally
from lab.training.reply_pairs import hash_post, read_clean_posts
from tasks.threads.scorers import load_layer

LITERAL_COMMENTS = 8
"""Comments of a post that the literal search is given: it takes minutes for more."""
WORDS = [
    *("lantern", "boathouse", "kettle", "rain", "goat", "roof", "glass", "wick"),
    *("harbour", "clock", "bread", "violin", "garden", "letter", "snow", "stone"),
]


def find_posts(count: int) -> list[CleanPost]:
    """Return posts that pass the filters: a sample by the hash of their ids."""
    corpora = os.environ.get("FABULA_CORPORA")
    if not corpora:
        folder = Path(__file__).resolve().parents[2] / "examples" / "threads"
        return list(read_clean_posts([str(folder)], ThreadsConfig()))[:count]
    config, split = ThreadsConfig(), make_splitter("regex")
    lines = (Path(corpora) / "forum" / "threads_200.jsonl").read_bytes().splitlines()
    found = [
        prepare_post(read_post(name_post(line), [line], b"key"), config.prefilter, config.post, split).post for line in lines
    ]
    posts = [post for post in found if post is not None]
    return sorted(posts, key=lambda post: hash_post(post.id))[:count]


def make_scorer(kind: str) -> WordsScorer | EmbeddingScorer | TrainedScorer:
    """Return a scorer that knows nothing yet; a `kind` that is no other name is the file of a trained one."""
    if kind in ("words", "cosine"):
        return WordsScorer() if kind == "words" else EmbeddingScorer(SentenceVectors(EMBEDDER))
    return TrainedScorer(SentenceVectors(EMBEDDER), load_layer(kind, EMBEDDER))


def search(posts: list[CleanPost], kind: str, config: SearchConfig) -> tuple[int, float]:
    """Return the turns of the posts' dialogues, and the seconds; embeddings included."""
    scorer = make_scorer(kind)
    began = process_time()
    if not isinstance(scorer, WordsScorer):
        scorer.vectors.learn(sentence for post in posts for sentence in list_reachable(post, config))
    turns = sum(len(found.turns) for post in posts for found in find_dialogues(post, KnownScores(scorer), config, 50))
    return turns, process_time() - began


def compare_with_literal(posts: list[CleanPost], kind: str) -> None:
    """Print the seconds of both searches on small posts, for beams of 1 and 2."""
    small = [replace(post, replies=post.replies[:LITERAL_COMMENTS]) for post in posts]
    for beam in (1, 2):
        config = SearchConfig("insert", beam=beam, max_comment_sentences=1000)
        scorer = make_scorer(kind)
        if not isinstance(scorer, WordsScorer):  # both get known vectors: the searches are compared, not the model
            scorer.vectors.learn(sentence for post in small for sentence in list_reachable(post, config))
            scorer.vectors.learn(sentence for post in small for reply in post.threads for sentence in reply.sentences)
        began = process_time()
        literal = [search_literally(post, scorer, config) for post in small]
        middle = process_time()
        found = [find_dialogues(post, KnownScores(scorer), config, 1000) for post in small]
        ended = process_time()
        said = [[list(turn) for turn in dialogues[0].utterances] if dialogues else None for dialogues in found]
        equal = sum(one == other for one, other in zip(literal, said, strict=True))
        slow, fast = middle - began, ended - middle
        print(
            f"literal, beam {beam}: {slow:.2f} s, fabula {fast:.2f} s, ratio {slow / fast:.1f}, "
            f"equal dialogues {equal} of {len(small)}"
        )


def make_lines(count: int) -> Iterator[list[bytes]]:
    """Yield the lines of made-up posts: a post and six comments each, one of them a reply to another."""
    for number in range(count):
        one, other = WORDS[number % 16], WORDS[number // 16 % 16]
        text = f"The {one} was near the {other} for {number} years. Now it is gone and I do not know why. Where is the {one}?"
        post = {"id": f"p{number}", "subreddit": "odd", "title": f"The {one}", "selftext": text, "is_self": True}
        lines: list[dict[str, object]] = [{**post, "author": f"a{number % 97}"}]
        for place in range(6):
            parent = f"t1_p{number}c0" if place == 5 else f"t3_p{number}"
            said = f"I had a {one} like that in the year {place}. You can look for the {other} near it."
            ids = {"id": f"p{number}c{place}", "link_id": f"t3_p{number}", "parent_id": parent}
            lines.append({**ids, "author": f"b{place}", "body": said})
        yield [json.dumps(line).encode() for line in lines]


def prepare_many(count: int) -> None:
    """Print the cost per post and the memory of made-up posts: read, joined, filtered; each tenth is searched with `words`."""
    config, split = ThreadsConfig(), make_splitter("regex")
    began, kept, turns = process_time(), 0, 0
    for number, lines in enumerate(make_lines(count), 1):
        prepared = prepare_post(read_post(name_post(lines[0]), lines, b"key"), config.prefilter, config.post, split)
        if prepared.post is not None:
            kept += 1
            if number % 10 == 0:
                found = find_dialogues(prepared.post, KnownScores(WordsScorer()), config.search, 50)
                turns += sum(len(dialogue.turns) for dialogue in found)
        if number in (count // 10, count):
            spent, memory = process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"made-up posts: {number:,}, kept {kept:,}, {1000 * spent / number:.2f} ms a post, {memory:.0f} MiB at most")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=40)
    parser.add_argument("--scorer", default="words", help="words, cosine, or the file of a trained reply scorer")
    parser.add_argument("--prepared", type=int, default=10_000, help="made-up posts; a tenth of them is searched too")
    call = parser.parse_args()
    prepare_many(call.prepared)
    posts = find_posts(call.posts)
    if call.scorer != "words":
        EMBEDDER(["The model is loaded."])
    compare_with_literal(posts[:8], call.scorer)
    for share in (4, 2, 1):
        part = posts[: len(posts) // share]
        turns, seconds = search(part, call.scorer, SearchConfig("insert"))
        cost = 1000 * seconds / len(part)
        print(f"posts {len(part)}, beam 2: {seconds:.2f} s, {cost:.0f} ms a post, {turns} turns, {turns / seconds:.1f} a second")
    for beam in (1, 2, 4, 8):
        turns, seconds = search(posts, call.scorer, SearchConfig("insert", beam=beam))
        print(f"beam {beam}: {seconds:.2f} s, {turns} turns, {turns / seconds:.1f} a second")
        if call.scorer != "words":
            break  # embeddings are most of it; the growth with the beam shows with `words`


EMBEDDER = SentenceEmbedder()

if __name__ == "__main__":
    main()
