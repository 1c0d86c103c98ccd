"""How good the scorer of replies is, and other datasets of dialogues measured as `fabula evaluate threads` measures a store's.

python -m lab.quality.dialogues --source FORUM [--config FILE] [--profile NAME]    # recall@1 of ten on held-out posts, readings
python -m lab.quality.dialogues --corpus FOLDER     # DailyDialog, Topical-Chat, MultiWOZ, Switchboard
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.errors import ConfigError
from core.text.sentences import make_splitter
from core.threads.config import ThreadsConfig
from core.threads.conversations import find_conversation, list_conversations
from core.threads.dialogues import join_pieces, measure_coherence
from core.threads.scoring import EmbeddingScorer, KnownScores, ReplyScorer, SentenceVectors, rate_turns
from core.threads.trained_scoring import TrainedScorer
from infra.models.sentence_embedder import SentenceEmbedder
from infra.settings import load_config
from lab.training.corpora import CorpusDialogue, read_corpora
from lab.training.reply_pairs import CANDIDATES, draw_others, draw_pairs, list_said, measure_recall, read_clean_posts
from tasks.threads.evaluation import measure_separation
from tasks.threads.release import describe_dialogues
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
        told = [[_hash_turn(said) for said in join_pieces(turns)] for turns in list_conversations(post, config.search)]
        if any(all(turn in read for turn in turns) for turns in told):
            found = find_conversation(post, scores, config.search, config.scorer.max_context)
            marks = [read.get(_hash_turn(said)) for said in found.utterances] if found else [None]
            if found and None not in marks:
                stumbles.append(any(mark != "-" for mark in marks))
                coherences.append(found.coherence)
    area = roc_auc_score(stumbles, [-each for each in coherences]) if len(set(stumbles)) == 2 else None
    return {"told": len(stumbles), "good": 1 - sum(stumbles) / max(len(stumbles), 1), "area_of_coherence": area}


def _hash_turn(said: Sequence[str]) -> str:
    return hashlib.sha256(" ".join(said).encode()).hexdigest()[:16]


def measure_corpora(sources: Sequence[str], config: ThreadsConfig, limit: int) -> dict[str, Any]:
    """Return the figures of each dataset of which files are given, and under `refused` why other files were not read."""
    dialogues, refused = read_corpora(sources)
    found: dict[str, list[CorpusDialogue]] = {}
    for dialogue in dialogues:
        found.setdefault(dialogue.corpus, []).append(dialogue)
    figures: dict[str, Any] = {name: _describe_corpus(said[:limit], config) for name, said in sorted(found.items())}
    return figures | ({"refused": refused} if refused else {})


def _describe_corpus(dialogues: Sequence[CorpusDialogue], config: ThreadsConfig) -> dict[str, Any]:
    split, scorer = make_splitter(config.splitter), make_scorer(config.scorer)
    said = [tuple(tuple(split(text)) or (text,) for _, text in dialogue.turns) for dialogue in dialogues]
    if isinstance(scorer, EmbeddingScorer | TrainedScorer):
        scorer.vectors.learn(sentence for utterances in said for sentences in utterances for sentence in sentences)
    scores, longest = KnownScores(scorer), config.scorer.max_context
    rows = (
        {
            "topic": dialogue.corpus,
            "turns": [{"text": text} for _, text in dialogue.turns],
            "pieces": [{"kind": "turn", "sentences": sentences} for sentences in utterances],
            "coherence": measure_coherence(rate_turns(utterances, scores, longest)),
        }
        for dialogue, utterances in zip(dialogues, said, strict=True)
    )
    separation = measure_separation(said, scorer, longest)
    return {**describe_dialogues(rows), "separation": None if separation is None else asdict(separation)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", action="append", default=[], help="posts; may be repeated")
    parser.add_argument("--corpus", action="append", default=[], help="files of other datasets; may be repeated")
    parser.add_argument("--config", help="settings of threads, whose scorer is used")
    parser.add_argument("--profile", default="default")
    parser.add_argument("--limit", type=int, default=1000, help="at most so many replies, and dialogues of a dataset")
    given = parser.parse_args()
    config = load_config(ThreadsConfig, "threads", given.profile, given.config)
    recall = measure_scorer(given.source, config, given.limit) if given.source else None
    corpora = measure_corpora(given.corpus, config, given.limit) if given.corpus else {}
    readings = judge_readings(given.source, config) if given.source else None
    print(json.dumps({"recall_at_1_of_10": recall, "readings": readings, "corpora": corpora}, indent=1))


if __name__ == "__main__":
    main()
