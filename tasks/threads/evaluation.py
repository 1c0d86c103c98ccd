"""Evaluating `threads`: the scorer on posts that it was not trained on, the dialogues of a store, and what readers judged."""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

from core.errors import ConfigError, SourceError
from core.metrics.human_judgement import compare_items, measure_agreement, measure_position_bias, rate_items
from core.review.judgements import keep_latest, select_question
from core.text.sentences import make_splitter
from core.threads.config import ThreadsConfig
from core.threads.corpora import CorpusDialogue, describe_corpus_row, is_corpus_file, read_corpus
from core.threads.dialogues import CleanPost, Sentences, measure_coherence
from core.threads.evaluation import (
    ReplyPair,
    draw_others,
    hash_post,
    is_held_out,
    list_pairs,
    list_said,
    measure_recall,
    measure_separation,
)
from core.threads.formats import VERSION, name_post, read_post, unpack_page
from core.threads.posts import Post
from core.threads.preparing import prepare_post
from core.threads.scoring import EmbeddingScorer, KnownScores, ReplyScorer, SentenceVectors, rate_turns
from core.threads.trained_scoring import TrainedScorer
from infra.models.sentence_embedder import SentenceEmbedder
from infra.sources.listing import OpenedSources, list_sources
from infra.sources.opening import read_file
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.store.reviews import read_reviews
from infra.tables.codecs import decode_table
from tasks.frame.records import RecordFiles, list_records
from tasks.threads.ingestion import is_post_file
from tasks.threads.release import describe_dialogues
from tasks.threads.scorers import make_scorer

CANDIDATES = 9
"""Replies of other posts that the true one is told from, in training and when it is measured."""
MAX_CORPUS = 2**30
"""Largest file of a corpus, in bytes."""
_MASK = "[user]"
"""Stands in texts for the people of a post: a model that is trained on them knows nobody."""


def read_clean_posts(sources: Sequence[str], config: ThreadsConfig) -> Iterator[CleanPost]:
    """Yield the posts of sources that pass the filters, as `read_posts` does.

    Raises:
        ConfigError: a source does not exist.
        StoreError: a source could not be read.
    """
    split = make_splitter(config.splitter)
    for post in read_posts(sources, config):
        prepared = prepare_post(post, config.prefilter, config.post, split)
        if prepared.post is not None:
            yield prepared.post


def read_posts(sources: Sequence[str], config: ThreadsConfig) -> Iterator[Post]:
    """Yield the posts of sources in order of their ids' hashes; what is no post is passed over.

    So the first posts are a sample of all, the same everywhere. Pseudonyms hold for one call, since
    training keeps no authors. The records of all posts are in memory at once.

    Raises:
        ConfigError: a source does not exist.
        StoreError: a source could not be read.
    """
    key = secrets.token_bytes()
    opened = OpenedSources(tuple(sources))
    files = [file for file in opened.list_files() if is_post_file(file)]
    rules = RecordFiles(files=files, name=name_post, version=VERSION, shards=config.shards, joined=True, unpack=unpack_page)
    lines: dict[str, dict[bytes, None]] = {}
    for file in files:
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
    """Return at most `limit` pairs of the sources' posts, `held_out`: of those only that no scorer is trained on.

    Raises:
        ConfigError: a source does not exist.
        StoreError: a source could not be read.
    """
    posts = (post for post in read_clean_posts(sources, config) if not held_out or is_held_out(post.id))
    return list(islice((pair for post in posts for pair in list_pairs(post)), limit))


def read_corpora(sources: Sequence[str]) -> tuple[list[CorpusDialogue], dict[str, str]]:
    """Return the dialogues of the four datasets in sources, and why other files were refused.

    Raises:
        ConfigError: no source is given, or one does not exist.
        StoreError: a source could not be read.
    """
    found: list[CorpusDialogue] = []
    refused: dict[str, str] = {}
    for file in list_sources(sources):
        if is_corpus_file(file.path):
            try:
                found += read_corpus(file.path, read_file(file, MAX_CORPUS))
            except SourceError as error:
                refused[file.path] = str(error)
    return found, refused


LEAST_SECONDS = 60.0
"""Comparisons that took less do not count (section 4.4)."""


def evaluate_threads(
    store_url: str,
    datasets: Sequence[str],
    sources: Sequence[str],
    config: ThreadsConfig,
    limit: int,
    corpora: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the figures of the settings' scorer (where sources are given), of each dataset, and of other corpora.

    Raises:
        ConfigError: a dataset is not in the store, a source is too small, or a model is missing.
        StoreError: source or store failed.
    """
    store = Store(store_url)
    return {
        "recall_at_1_of_10": _measure_scorer(sources, config, limit) if sources else None,
        "datasets": {name: _evaluate_dataset(store, name, config, limit) for name in datasets},
        "corpora": _evaluate_corpora(corpora, config, limit) if corpora else {},
    }


def _measure_scorer(sources: Sequence[str], config: ThreadsConfig, limit: int) -> dict[str, Any]:
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


def _evaluate_corpora(sources: Sequence[str], config: ThreadsConfig, limit: int) -> dict[str, Any]:
    """Return the figures of DailyDialog, Topical-Chat, MultiWOZ and Switchboard, by name, of those whose files are given.

    Files that are none of these are named under `refused`.
    """
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
        describe_corpus_row(dialogue, utterances, measure_coherence(rate_turns(utterances, scores, longest)))
        for dialogue, utterances in zip(dialogues, said, strict=True)
    )
    separation = measure_separation(said, scorer, longest)
    return {**describe_dialogues(rows), "separation": None if separation is None else asdict(separation)}


def _evaluate_dataset(store: Store, dataset: str, config: ThreadsConfig, limit: int) -> dict[str, Any]:
    dialogues: list[tuple[Sentences, ...]] = []
    turns, seconds = 0, 0.0
    entries = read_catalog(store, dataset)
    if not entries:
        raise ConfigError(f"store {store.url} has no units of {dataset!r}; run `fabula run threads` first")
    for _, entry in sorted(entries.items()):
        if entry.reference is None:
            continue
        rows = decode_table(store.read(entry.reference.artifacts["dialogues"].key)).to_pylist()
        turns += sum(len(row["turns"]) for row in rows)
        seconds += entry.reference.seconds.get("dialogues", 0.0)
        dialogues += [tuple((turn["text"],) for turn in row["turns"]) for row in rows]
    separation = measure_separation(dialogues[:limit], make_scorer(config.scorer), config.scorer.max_context)
    return {
        "dialogues": len(dialogues),
        "turns": turns,
        "turns_per_second": turns / seconds if seconds else None,
        "separation": None if separation is None else asdict(separation),
        "judgements": _rate_judgements(store, dataset),
    }


def _rate_judgements(store: Store, dataset: str) -> dict[str, Any]:
    """Return the measures of the judgements of a dataset, and how many lines were refused."""
    reviews = read_reviews(store, dataset)
    refused = len(reviews.refused)
    answers = keep_latest(reviews.judgements)
    interactions, sense = select_question(answers, "interactions"), select_question(answers, "sense")
    compared = select_question(answers, "naturalness", LEAST_SECONDS)
    measures = {
        "interactions": rate_items(interactions),
        "sense": rate_items(sense),
        "comparison": compare_items(compared),
        "agreement": measure_agreement([*interactions, *sense, *compared]),
        "position_bias": measure_position_bias(compared),
    }
    return {"refused_lines": refused, **{name: asdict(value) if value else None for name, value in measures.items()}}
