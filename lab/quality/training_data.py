"""Does better data train better models? A small reader learns from the spans of several aligners, and is judged on gold spans.

    FABULA_CORPORA=DIR python -m lab.quality.training_data --cache FOLDER [--rows 1000] [--seeds 5] [--words]

The reader (`turn_reader.py`) says which turns of an episode tell some sentences of its recap. It learns from one source of rows:

- published: CRD3's published alignments that pass the published filter.
- paper: the paper's method on our reading of transcripts and recaps (profile `crd3`), by its own filter.
- default: the default aligner, by its own filter; `sure` are its rows of confidence .9 and more, `all` those of any confidence.
- gold: spans that were read, of episodes in other folds than the one that is judged: a bound.

Each source gives as many rows, from as many episodes, and as many turns a row. `docs/benchmark.md` says how they are judged.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.alignment.spans import Chunk, Span
from core.text.sentences import split_by_rules
from core.transcripts.config import FilterConfig, TranscriptsConfig
from core.transcripts.evaluation import fold_text
from core.transcripts.reproduction import PUBLISHED_FILTER
from core.transcripts.rows import judge_alignments
from infra.models.sentence_embedder import PACKAGED_MODEL, SentenceEmbedder, StoredEmbedder
from infra.settings import load_config
from infra.store.objects import Store
from lab.corpora import find_corpora
from lab.quality.alignment import Episode, align, read_episodes
from lab.quality.turn_reader import (
    Floats,
    Heard,
    Row,
    Seen,
    average_precision,
    choose_threshold,
    hear,
    look,
    match_run,
    train_reader,
)
from tasks.transcripts.crd3 import list_episodes, read_chunkings, read_turns

SOURCES = ("published", "paper", "default", "sure", "all", "gold")
LEAST = {"default": TranscriptsConfig().filter.min_confidence, "sure": 0.9, "all": 0.0}
"""The least confidence of a row of the default aligner."""
SIZES, JUDGED_SIZES = (2, 3, 4), (3,)
"""Sentences of a row, as in CRD3, and of a row that is judged."""
LEARNED_EPISODES, THRESHOLD_EPISODES, THRESHOLD_ROWS = 15, 4, 100
FOLDS = 4
RESAMPLES = 10_000
Values = NDArray[np.float64]


class Study:
    """The rows of all sources by episode, the gold that is judged, and what is heard in the episodes."""

    def __init__(self, crd3: Path, cache: Path, words: bool) -> None:
        """Read and align the episodes; `cache` keeps them and their sentence vectors. `words`: vectors are left out."""
        self.rows: dict[str, dict[str, list[Row]]] = {source: {} for source in SOURCES}
        self.judged: dict[str, list[Row]] = {}
        self._heard: dict[str, Heard] = {}
        self._embed: dict[str, Callable[[Sequence[str]], Floats]] = {}
        model = SentenceEmbedder(PACKAGED_MODEL)
        episodes = list(read_episodes(crd3, cache))
        taken = sorted({*list_episodes(crd3)} - {episode.name for episode in episodes if episode.gold})[::2]
        for episode in episodes:
            name, texts = episode.name, [" ".join(turn.utterances) for turn in episode.turns]
            if episode.gold:
                self.rows["gold"][name] = chunk_gold(episode, SIZES, every_offset=True)
                self.judged[name] = chunk_gold(episode, JUDGED_SIZES, every_offset=False)
            elif name in taken and [fold_text(turn.text) for turn in read_turns(crd3, name)] == list(map(fold_text, texts)):
                self._align(episode, crd3)
            else:
                continue
            rows = [row for source in SOURCES for row in self.rows[source].get(name, ())]
            told = [sentence for row in rows for sentence in split_by_rules(row.text)]
            self._embed[name] = no_vectors if words else StoredEmbedder(Store(str(cache)), "training-data", name, model)
            vectors = self._embed[name]([*texts, *told])[: len(texts)]
            self._heard[name] = hear(texts, ["MATT" in turn.speakers for turn in episode.turns], vectors)

    def _align(self, episode: Episode, crd3: Path) -> None:
        name, said = episode.name, len(episode.recap.sentences)
        self.rows["published"][name] = list_published(crd3, name)
        paper, default = load_config(TranscriptsConfig, "transcripts", "crd3"), TranscriptsConfig()
        self.rows["paper"][name] = make_rows(name, align(episode, paper.alignment), paper.filter, said)
        aligned = align(episode, default.alignment)
        for source, least in LEAST.items():
            self.rows[source][name] = make_rows(name, aligned, replace(default.filter, min_confidence=least), said)

    @lru_cache(maxsize=2_000)  # noqa: B019 -- one study a process; rows that are judged are seen by every reader
    def see(self, row: Row) -> Seen:
        """Return what a reader sees for a row."""
        return look(self._heard[row.episode], row, self._embed[row.episode](split_by_rules(row.text)))

    def judge(self, source: str, rows: int, seed: int, among: Sequence[str], judged: Sequence[str]) -> list[Values]:
        """Train on so many rows of some episodes; return average precision and F1, summed over rows, of each judged episode."""
        draw = np.random.default_rng(seed)
        names = [str(name) for name in draw.permutation(sorted(among))[: LEARNED_EPISODES + THRESHOLD_EPISODES]]
        learned = self._draw(source, names[:LEARNED_EPISODES], rows, draw)
        others = self._draw(source, names[LEARNED_EPISODES:], THRESHOLD_ROWS, draw)
        reader = train_reader([(row, self.see(row)) for row in learned], seed)
        threshold = choose_threshold([(reader.score(self.see(row)), row) for row in others])
        found = []
        for name in judged:
            scored = [(reader.score(self.see(row)), row) for row in self.judged[name]]
            found.append(np.sum([(average_precision(*each), match_run(*each, threshold)) for each in scored], 0))
        return found

    def _draw(self, source: str, episodes: Sequence[str], count: int, draw: np.random.Generator) -> list[Row]:
        rows = [row for name in episodes for row in self.rows[source][name]]
        if len(rows) < count:
            raise SystemExit(
                f"{source} has {len(rows)} rows in {len(episodes)} episodes, of which {count} were asked for; lower --rows"
            )
        return [rows[place] for place in draw.permutation(len(rows))[:count]]


def no_vectors(texts: Sequence[str]) -> Floats:
    return np.zeros((len(texts), 1), np.float32)


def list_published(crd3: Path, episode: str) -> list[Row]:
    rows = []
    for chunking in read_chunkings(crd3, episode):
        chunks = (Chunk(chunking.size, chunking.offset, n, n, n, pair.chunk) for n, pair in enumerate(chunking.pairs))
        spans = (Span(pair.start, pair.end, pair.score) for pair in chunking.pairs)
        rows += make_rows(episode, list(zip(chunks, spans, strict=True)), PUBLISHED_FILTER, len(chunking.pairs))
    return rows


def make_rows(episode: str, pairs: Sequence[tuple[Chunk, Span]], config: FilterConfig, said: int) -> list[Row]:
    """Return the aligned chunks that a filter keeps; `said` is how many sentences (or chunks) the recap has."""
    reasons = judge_alignments(pairs, config)
    return [
        Row(episode, chunk.text, (chunk.first_sentence + chunk.last_sentence + 1) / 2 / said, span.start, span.end)
        for (chunk, span), reason in zip(pairs, reasons, strict=True)
        if reason is None and chunk.size in SIZES and span.start is not None and span.end is not None
    ]


def chunk_gold(episode: Episode, sizes: Sequence[int], every_offset: bool) -> list[Row]:
    """Return runs of gold sentences of one section as rows, from the first to the last turn that tells one of them."""
    sections = {fold_text(each): number for number, part in enumerate(episode.recap.sections) for each in part.sentences}
    rows = []
    starts = [(size, first) for size in sizes for offset in range(size if every_offset else 1)
              for first in range(offset, len(episode.gold) - size + 1, size)]  # fmt: skip
    for size, first in starts:
        told = [(one.text, one.start, one.end) for one in episode.gold[first : first + size]]
        spans = [(start, end) for _, start, end in told if start is not None and end is not None]
        if spans and len({sections.get(fold_text(text)) for text, _, _ in told}) == 1:
            text = " ".join(text for text, start, _ in told if start is not None)
            place = (first + size / 2) / len(episode.gold)
            rows.append(Row(episode.name, text, place, min(start for start, _ in spans), max(end for _, end in spans)))
    return rows


def resample_means(sums: Values, counts: Values, seed: int) -> Values:
    """Return means over rows, resampled: of sums (seeds × episodes) and numbers of rows (episodes).

    The draws of episodes are the same at each call, so that sources are compared on the same episodes; those of seeds are not.
    """
    n_seeds, n_episodes = sums.shape
    episodes = np.random.default_rng(0).integers(n_episodes, size=(RESAMPLES, n_episodes))
    seeds = np.random.default_rng(seed).integers(n_seeds, size=(RESAMPLES, n_seeds))
    means: Values = sums[seeds].mean(1)[np.arange(RESAMPLES)[:, None], episodes].sum(1) / counts[episodes].sum(1)
    return means


def show(mean: float, draws: Values) -> str:
    low, high = np.percentile(draws, (2.5, 97.5))
    return f"{100 * mean:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True, help="folder for prepared episodes and sentence vectors")
    parser.add_argument("--rows", type=int, default=1000, help="rows that each reader learns from")
    parser.add_argument("--seeds", type=int, default=5, help="readers of each source")
    parser.add_argument("--words", action="store_true", help="let the reader see shared words only, no sentence vectors")
    options = parser.parse_args()
    torch.set_num_threads(1)
    study = Study(find_corpora() / "crd3", options.cache, options.words)
    judged = list(study.judged)
    counts = np.array([len(study.judged[name]) for name in judged], np.float64)
    print("| trained on | turns a row | AP | F1 | AP less published | F1 less published |\n|---|---|---|---|---|---|")
    first: list[tuple[float, Values]] = []
    for number, source in enumerate(SOURCES, 1):
        found = np.zeros((2, options.seeds, len(judged)))
        for seed in range(options.seeds):
            for fold in range(FOLDS if source == "gold" else 1):
                asked = judged[fold::FOLDS] if source == "gold" else judged
                among = [name for name in study.rows[source] if source != "gold" or name not in asked]
                places = [judged.index(name) for name in asked]
                found[:, seed, places] = np.array(study.judge(source, options.rows, seed, among, asked)).T
        means = [(sums.sum() / counts.sum() / options.seeds, resample_means(sums, counts, number)) for sums in found]
        first = first or means
        cells = [show(*each) for each in means]
        cells += [show(mean - other, draws - others) for (mean, draws), (other, others) in zip(means, first, strict=True)]
        lengths = [row.end - row.start + 1 for rows in study.rows[source].values() for row in rows]
        print(f"| {source} | {np.mean(lengths):.0f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
