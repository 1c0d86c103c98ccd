"""How good the scorer of replies is, and other datasets of dialogues measured as `fabula evaluate threads` measures a store's.

python -m lab.quality.dialogues --source FORUM [--config FILE] [--profile NAME]    # recall@1 of ten on held-out posts
python -m lab.quality.dialogues --corpus FOLDER     # DailyDialog, Topical-Chat, MultiWOZ, Switchboard
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.errors import ConfigError
from core.text.sentences import make_splitter
from core.threads.config import ThreadsConfig
from core.threads.dialogues import measure_coherence
from core.threads.scoring import EmbeddingScorer, KnownScores, ReplyScorer, SentenceVectors, rate_turns
from core.threads.trained_scoring import TrainedScorer
from infra.models.sentence_embedder import SentenceEmbedder
from infra.settings import load_config
from lab.training.corpora import CorpusDialogue, read_corpora
from lab.training.reply_pairs import CANDIDATES, draw_others, draw_pairs, list_said, measure_recall
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
    print(json.dumps({"recall_at_1_of_10": recall, "corpora": corpora}, indent=1))


if __name__ == "__main__":
    main()
