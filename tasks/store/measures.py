"""Measures a released dataset, one range of pairs per call; the results can be added."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from random import Random
from typing import Any

from core.errors import ConfigError
from core.metrics.bert_score import TokenCounts, count_holders, weigh_tokens
from core.metrics.dataset_measures import BertScorer, DatasetMeasures, SummaryPair, measure_pairs
from core.text.sentences import split_by_rules
from infra.models.token_embeddings import WordPieceEmbedder
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import choose_release, read_default_config, read_manifest, tell_absent
from infra.tables.parquet import read_columns, read_rows

SAMPLE_SEED = 0
_RANGE = 100  # pairs per call: enough to outweigh its overhead, few enough to share among workers and to show progress


@dataclass(frozen=True, slots=True)
class PairRange:
    """Rows `start` to `stop` (exclusive) of a Parquet file of pairs. `chosen` says of each row if it is measured (None: all)."""

    store: str
    key: str
    start: int
    stop: int
    chosen: tuple[bool, ...] | None = None


def list_ranges(store: Store, dataset: str, config: str | None) -> list[PairRange]:
    """Return the pairs of a dataset's config (default: the one that loads by default) as ranges."""
    manifest = read_manifest(store, dataset)
    if manifest is None:
        raise tell_absent(store, dataset)
    files = [file for file in manifest.files if file.path.startswith("data/")]
    configs = list(dict.fromkeys(file.path.split("/")[1] for file in files))
    folder = release_key(dataset, manifest.version)
    chosen = config or read_default_config(store, folder)
    if chosen not in configs:
        wanted = f"no config {chosen!r}" if chosen else "no card that names its default config; name one with --config"
        raise ConfigError(f"dataset {dataset} has {wanted}; it has {', '.join(configs)}")
    return [
        PairRange(store.url, f"{folder}/{file.path}", start, min(start + _RANGE, file.rows))
        for file in files
        if file.path.startswith(f"data/{chosen}/")
        for start in range(0, file.rows, _RANGE)
    ]


def list_pair_configs(store: Store, dataset: str) -> list[str]:
    """Return the configs of a dataset's latest release that hold pairs and have rows: the default one, and people's links.

    Other configs of pairs are parts of the default one.
    """
    manifest = choose_release(store, dataset)
    folder = release_key(dataset, manifest.version)
    found = []
    for name in dict.fromkeys(filter(None, (read_default_config(store, folder), "gold"))):
        files = [file for file in manifest.files if file.path.startswith(f"data/{name}/") and file.rows]
        if files and {"turns", "summary"} <= read_columns(store, f"{folder}/{files[0].path}"):
            found.append(name)
    return found


def draw_sample(ranges: list[PairRange], size: int) -> list[PairRange]:
    """Return the ranges with `size` pairs chosen uniformly at random with the seed `SAMPLE_SEED`."""
    total = sum(part.stop - part.start for part in ranges)
    if size >= total:
        return ranges
    drawn = set(Random(SAMPLE_SEED).sample(range(total), size))
    sampled, first = [], 0
    for part in ranges:
        count = part.stop - part.start
        chosen = tuple(place in drawn for place in range(first, first + count))
        if any(chosen):
            sampled.append(PairRange(part.store, part.key, part.start, part.stop, chosen))
        first += count
    return sampled


def count_pairs(ranges: list[PairRange]) -> int:
    """Return the number of pairs to measure."""
    return sum(part.stop - part.start if part.chosen is None else sum(part.chosen) for part in ranges)


def count_train_on(ranges: Sequence[PairRange]) -> int | None:
    """Return how many rows of the ranges' files are marked as pairs to train on; None where the table has no such mark."""
    files = dict.fromkeys((part.store, part.key) for part in ranges)
    marks = [row.get("train_on") for store, key in files for row in read_rows(Store(store), key, ("summary",), ("train_on",))]
    known = [bool(mark) for mark in marks if mark is not None]
    return sum(known) if len(known) == len(marks) else None


def count_document_tokens(model: str, pairs: PairRange) -> TokenCounts:
    """Count the documents in which each word piece occurs, for BERTScore's idf."""
    embed = _open_model(model)
    return count_holders(embed.tokens([" ".join(pair.turns)])[0] for pair in _read_pairs(pairs))


def measure_range(bert_model: str | None, tokens: TokenCounts, pairs: PairRange) -> DatasetMeasures:
    """Measure the pairs of one range, reading one row group at a time; with a model BERTScore too, whose idf is of `tokens`."""
    bert = None if bert_model is None else BertScorer(_open_model(bert_model), weigh_tokens(tokens))
    return measure_pairs(_read_pairs(pairs), bert)


def _read_pairs(pairs: PairRange) -> Iterator[SummaryPair]:
    rows = read_rows(Store(pairs.store), pairs.key, ("turns", "summary"), ("sentences",), range(pairs.start, pairs.stop))
    return map(_make_pair, rows if pairs.chosen is None else compress(rows, pairs.chosen))


def _make_pair(row: dict[str, Any]) -> SummaryPair:
    """Return a row in the form that is measured. A summary without `sentences` is split into sentences by rules."""
    turns = row["turns"]
    speakers = frozenset(speaker for turn in turns for speaker in turn["speakers"])
    sentences = row["sentences"] if "sentences" in row else split_by_rules(row["summary"])
    return SummaryPair(tuple(turn["text"] for turn in turns), tuple(sentences), speakers)


@lru_cache(maxsize=1)
def _open_model(name: str) -> WordPieceEmbedder:
    return WordPieceEmbedder(name)
