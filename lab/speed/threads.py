"""Times the pipeline `threads`: the default beside the plain embedder, and the search beside a literal one.

    FABULA_CORPORA=../shared/data python -m lab.speed.threads [--posts 40] [--scorer words]

All figures are processor time of this process, one thread. The reference for the search is the literal implementation of
algorithms 1 to 3 in `lab/speed/literal_threads.py`, with the same scorer: it scores each candidate apart and remembers
nothing. Both must say the same. Without FABULA_CORPORA the posts are those of the example.
"""

import argparse
from dataclasses import replace
from time import process_time

from core.threads.config import SearchConfig, ThreadsConfig
from core.threads.conversations import tell_conversation
from core.threads.dialogues import CleanPost
from core.threads.methods import find_dialogues, list_reachable
from core.threads.scoring import EmbeddingScorer, KnownScores, SentenceVectors, WordsScorer
from core.threads.trained_scoring import TrainedScorer
from infra.models.sentence_embedder import SentenceEmbedder
from infra.settings import load_config
from lab.corpora import find_source
from lab.speed.literal_threads import search_literally
from lab.training.reply_pairs import read_clean_posts
from tasks.threads.scorers import load_layer

LITERAL_COMMENTS = 8
"""Comments of a post that the literal search is given: it takes minutes for more."""


def find_posts(count: int) -> list[CleanPost]:
    """Return posts that pass the filters: a sample by the hash of their ids."""
    source = str(find_source("forum/threads_200.jsonl", "threads"))
    return list(read_clean_posts([source], load_config(ThreadsConfig, "threads", profile="insert")))[:count]


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


def compare_with_embedder(posts: list[CleanPost]) -> None:
    """Print the seconds of the default, which embeds nothing, beside those of `encode` for the sentences of its dialogues."""
    config = SearchConfig()
    said = list(dict.fromkeys(sentence for post in posts for sentence in list_reachable(post, config)))
    tell_conversation.cache_clear()
    turns, seconds = search(posts, "words", config)
    began = process_time()
    EMBEDDER.model.encode(said)
    plain = process_time() - began
    print(f"default: {turns} turns, {turns / seconds:.1f} a second, {seconds / plain:.2f} of the time of `encode`")


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=40)
    parser.add_argument("--scorer", default="words", help="words, cosine, or the file of a trained reply scorer")
    call = parser.parse_args()
    posts = find_posts(call.posts)
    EMBEDDER(["The model is loaded."])
    compare_with_embedder(posts)
    compare_with_literal(posts[:8], call.scorer)
    turns, seconds = search(posts, call.scorer, SearchConfig("insert"))
    print(f"insert, beam 2: {1000 * seconds / len(posts):.0f} ms a post, {turns} turns, {turns / seconds:.1f} a second")


EMBEDDER = SentenceEmbedder()

if __name__ == "__main__":
    main()
