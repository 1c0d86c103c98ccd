"""How good the scorer of replies is: recall@1 of ten on held-out posts, and the conversations that were read.

python -m lab.quality.dialogues --source FORUM [--config FILE] [--profile NAME]
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import ConfigError
from core.threads.config import ThreadsConfig
from core.threads.methods import find_dialogues
from core.threads.scoring import EmbeddingScorer, KnownScores, ReplyScorer, SentenceVectors
from core.threads.trained_scoring import TrainedScorer
from infra.models.sentence_embedder import SentenceEmbedder
from infra.settings import load_config
from lab.training.reply_pairs import CANDIDATES, draw_others, draw_pairs, list_said, measure_recall, read_clean_posts
from tasks.threads.scorers import make_scorer


def measure_scorer(sources: Sequence[str], config: ThreadsConfig, limit: int) -> dict[str, Any]:
    pairs = draw_pairs(sources, config, limit, held_out=True)
    try:
        others = draw_others(pairs, CANDIDATES)
    except ValueError as error:
        raise ConfigError(f"{', '.join(sources)}: {error}") from error
    scorers: dict[str, ReplyScorer] = {config.scorer.kind: make_scorer(config.scorer)}
    if config.scorer.kind == "reply":
        scorers["cosine"] = EmbeddingScorer(SentenceVectors(SentenceEmbedder(config.scorer.embedding_model)))
    for scorer in scorers.values():
        if isinstance(scorer, EmbeddingScorer | TrainedScorer):
            scorer.vectors.learn(list_said(pairs))
    return measure_recall(pairs, others, scorers)


READ = Path(__file__).parents[1] / "readings" / "dialogues.tsv"
"""Hashes of the turns of 254 conversations, and over what a reader stumbles in each: f, words on the forum; m, a link or picture
that is missing; t, torn text; e, what was said elsewhere; q, a quotation; s, no talk; -, nothing."""


def judge_readings(sources: Sequence[str], config: ThreadsConfig) -> dict[str, Any]:
    """Return how many conversations that were read are told today, the share of good ones, and coherence's area under ROC."""
    from sklearn.metrics import roc_auc_score

    read = dict(line.split("\t") for line in READ.read_text().splitlines())
    stumbles, coherences = [], []
    scores = KnownScores(make_scorer(config.scorer))
    for post in read_clean_posts(sources, config):
        for found in find_dialogues(post, scores, config.search, config.scorer.max_context):
            marks = [read.get(_hash_turn(said)) for said in found.utterances]
            if None not in marks:
                stumbles.append(any(mark != "-" for mark in marks))
                coherences.append(found.coherence)
    area = roc_auc_score(stumbles, [-each for each in coherences]) if len(set(stumbles)) == 2 else None
    return {"told": len(stumbles), "good": 1 - sum(stumbles) / max(len(stumbles), 1), "area_of_coherence": area}


def _hash_turn(said: Sequence[str]) -> str:
    return hashlib.sha256(" ".join(said).encode()).hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", action="append", required=True, help="posts; may be repeated")
    parser.add_argument("--config", help="settings of threads, whose scorer is used")
    parser.add_argument("--profile", default="default")
    parser.add_argument("--limit", type=int, default=1000, help="at most so many replies")
    given = parser.parse_args()
    config = load_config(ThreadsConfig, "threads", given.profile, given.config)
    recall = measure_scorer(given.source, config, given.limit)
    print(json.dumps({"recall_at_1_of_10": recall, "readings": judge_readings(given.source, config)}, indent=1))


if __name__ == "__main__":
    main()
