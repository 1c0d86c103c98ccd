"""Trains one extractive selector on CRD3's published alignments and on fabula's, and compares both on pairs read by hand.

    FABULA_CORPORA=DIR python -m lab.summarisation.alignments --folder FOLDER [--rows 400] [--draws 3] [--chunks 6] [--any-length]

What is the same for both: the selector and its settings (`selecting/trained_selection.py`), the length of summaries, the
episodes (all that have published alignments and were not read by hand), the chunk sizes (2, 3, 4 sentences, offset 0), the filter
(2 to 100 turns, no "Q: "; of fabula's also its confidence), and the number of rows. The spans differ. `--any-length` adds
fabula's alignments without the bounds on turns, which the default settings do not have.

The test pairs are chunks of three sentences of the episodes under crd3/gold and in `readings/episodes.tsv`, with the turns from
the first to the last that a reader marked. Each training is repeated on `--draws` draws of rows (`--rows 0`: on all rows, once),
and the scores of a test pair are means over them. Intervals are at 95 %. Those of the rows are from a bootstrap over the test
episodes.
Those of the differences draw the trainings as well, so that they also cover which rows were trained on.

`--folder` keeps sentence vectors and prepared episodes, so that a second call is fast.
"""

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

import core
from core.alignment.spans import Chunk, Span
from core.fingerprints import fingerprint
from core.text.sentences import split_by_rules
from core.transcripts.config import FilterConfig, TranscriptsConfig
from core.transcripts.dialogues.speakers import parse_alias_table, select_aliases
from core.transcripts.discovery import find_units
from core.transcripts.reproduction import PUBLISHED_FILTER
from core.transcripts.rows import judge_alignments, judge_pair
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.named_files import read_profile_table
from infra.settings import load_config
from infra.sources.opening import list_sources
from infra.store.objects import Store
from infra.tables.transcripts.artifacts import RECAP
from infra.tables.turns import DIALOGUE
from lab.quality.alignment import Episode, align, prepare, read_episodes, read_recap_file, read_turns
from lab.summarisation.board.bootstrap import Difference, Interval, Resampling, resample
from lab.summarisation.budget import BudgetConfig, fit_budget
from lab.summarisation.dialogue import SpokenTurn, SummarisedDialogue
from lab.summarisation.measures import MEASURES, Measurer
from lab.summarisation.results import StoredCheckpoints
from lab.summarisation.run import collect_columns
from lab.summarisation.selecting.selection import Selection, choose_oracle, rank_first, rank_randomly
from lab.summarisation.selecting.trained_systems import SelectorSettings, TrainedSelection
from lab.summarisation.system import System, Workbench
from tasks.transcripts.crd3 import list_episodes, read_chunkings
from tasks.transcripts.crd3 import read_turns as read_published_turns

SHOWN = ("rouge1.f1", "rouge1.precision", "rouge1.recall", "rouge2.f1", "rougeLsum.f1", "meteor", "words")
COMPARED = ("rouge1.f1", "rouge2.f1", "rougeLsum.f1", "meteor")
SIZES = (2, 3, 4)
TEST_SIZE = 3
Column = NDArray[np.float64]
Matrix = NDArray[np.float64]
PUBLISHED, FABULA, ANY_LENGTH = "published alignments", "fabula's alignments", "fabula's, any length"


@dataclass(frozen=True, slots=True)
class Rows:
    """Dialogues in memory, as a system is given them."""

    rows: Sequence[SummarisedDialogue]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[SummarisedDialogue]:
        return iter(self.rows)


def make_row(name: str, episode: str, turns: Sequence[SpokenTurn], start: int, end: int, summary: str) -> SummarisedDialogue:
    return SummarisedDialogue(
        id=name, unit=episode, split="train", turns=tuple(turns[start : end + 1]), sentences=tuple(split_by_rules(summary))
    )


def list_test_rows(episode: Episode, most: int, seed: int) -> list[SummarisedDialogue]:
    """Return drawn chunks of consecutive gold sentences, each with the turns from the first to the last that they tell of."""
    turns = [SpokenTurn(turn.speakers, turn.text) for turn in episode.turns]
    told = [sentence for sentence in episode.gold if sentence.start is not None and sentence.end is not None]
    rows = []
    for first in range(0, len(told) - TEST_SIZE + 1, TEST_SIZE):
        chunk = told[first : first + TEST_SIZE]
        starts, ends = (
            [place for each in chunk if (place := each.start) is not None],
            [e for each in chunk if (e := each.end) is not None],
        )
        text = " ".join(sentence.text for sentence in chunk)
        rows.append(make_row(f"{episode.name}-{first}", episode.name, turns, min(starts), max(ends), text))
    return rows if len(rows) <= most else Random(f"{seed} {episode.name}").sample(rows, most)


def list_published_rows(crd3: Path, name: str) -> list[SummarisedDialogue]:
    turns = [SpokenTurn(turn.speakers, turn.text) for turn in read_published_turns(crd3, name)]
    return [
        make_row(f"{name}_{chunking.size}_{place}", name, turns, pair.start, pair.end, pair.chunk)
        for chunking in read_chunkings(crd3, name)
        if chunking.size in SIZES and chunking.offset == 0
        for place, pair in enumerate(chunking.pairs)
        if judge_pair(pair.chunk, pair.start, pair.end, None, len(chunking.pairs), PUBLISHED_FILTER) is None
    ]


def align_again(episode: Episode, config: TranscriptsConfig, folder: Path) -> list[tuple[Chunk, Span]]:
    """Return fabula's alignments of an episode, which the folder keeps by the settings and the code of `core`."""
    path = folder / "aligned" / f"{episode.name}-{fingerprint('aligned', 1, [hash_core()], config.alignment)[:16]}.json"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps([(asdict(chunk), asdict(span)) for chunk, span in align(episode, config.alignment)]))
    return [(Chunk(**chunk), Span(**span)) for chunk, span in json.loads(path.read_text())]


@cache
def hash_core() -> str:
    digest = hashlib.sha256()
    for place in core.__path__:
        for path in sorted((Path(place) / "alignment").rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def list_own_rows(episode: Episode, aligned: Sequence[tuple[Chunk, Span]], keep: FilterConfig) -> list[SummarisedDialogue]:
    turns = [SpokenTurn(turn.speakers, turn.text) for turn in episode.turns]
    reasons = judge_alignments(aligned, keep)
    return [
        make_row(f"{episode.name}_{chunk.size}_{chunk.index}", episode.name, turns, span.start, span.end, chunk.text)
        for (chunk, span), reason in zip(aligned, reasons, strict=True)
        if reason is None and chunk.size in SIZES and chunk.offset == 0 and span.start is not None and span.end is not None
    ]


def read_training_episodes(crd3: Path, without: set[str], folder: Path) -> Iterator[Episode]:
    """Yield the episodes that have published alignments and were not read by hand."""
    table = parse_alias_table("speakers.tsv", read_profile_table("crd3", "speakers.tsv") or "")
    published = set(list_episodes(crd3)) - without
    for unit in find_units(list_sources([str(crd3)])).units:
        if unit.id in published and unit.recaps:
            aliases = select_aliases(unit.id, [table], {})
            turns = prepare(folder, f"{unit.id}.parquet", DIALOGUE, partial(read_turns, crd3, unit, aliases))
            recap = prepare(folder, f"{unit.id}-prose.json", RECAP, partial(read_recap_file, crd3, unit))
            yield Episode(unit.id, turns, recap)


def make_bench(store: Store, place: str, summaries: Sequence[str], seed: int) -> Workbench:
    model = SentenceEmbedder()
    opened: dict[str, StoredEmbedder] = {}

    def embed(unit: str, texts: Sequence[str]) -> NDArray[np.float32]:
        if unit not in opened:
            opened[unit] = StoredEmbedder(store, "benchmark", unit, model)
        return opened[unit](texts)

    budget = fit_budget(BudgetConfig(), summaries)
    checkpoints = StoredCheckpoints(store, "quality", "experiment", place)
    return Workbench(budget=budget, embed=embed, checkpoints=checkpoints, tell=lambda *_: None, seed=seed)


def measure(system: System, test: Sequence[SummarisedDialogue], measurer: Measurer) -> Mapping[str, Column]:
    candidates = system.summarise(test)
    return collect_columns([measurer.measure(row, found) for row, found in zip(test, candidates, strict=True)], MEASURES)


def stack(runs: Sequence[Mapping[str, Column]], name: str) -> Matrix:
    """Return a measure of all trainings (trainings × test pairs)."""
    return np.stack([run[name] for run in runs])


def compare_trainings(first: Matrix, second: Matrix, draws: Resampling) -> Difference:
    """Return the mean difference of two systems, each trained several times (trainings × test pairs), and its interval.

    A resample draws test episodes, the same for both, and trainings of each.
    """
    counts = np.bincount(draws.groups).astype(np.float64)
    sums = [np.stack([np.bincount(draws.groups, run) for run in runs]) for runs in (first, second)]
    generator = np.random.default_rng(1)
    n_resamples = len(draws.weights)
    means = []
    for totals in sums:
        chosen = generator.integers(len(totals), size=(n_resamples, len(totals)))
        drawn = totals[chosen].mean(1)  # resamples × groups
        means.append((draws.weights * drawn).sum(1) / (draws.weights @ counts))
    found = means[0] - means[1]
    low, high = np.percentile(found, (2.5, 97.5))
    side = min(float((found <= 0).mean()), float((found >= 0).mean()))
    return Difference(float(first.mean() - second.mean()), float(low), float(high), min(1.0, max(2 * side, 2 / n_resamples)))


def tell(interval: Interval | None, scale: float = 100) -> str:
    return "–" if interval is None else f"{scale * interval.value:.2f} [{scale * interval.low:.2f}, {scale * interval.high:.2f}]"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="folder for vectors and prepared episodes")
    parser.add_argument("--rows", type=int, default=400, help="rows to train on; 0: all")
    parser.add_argument("--draws", type=int, default=3, help="draws of these rows")
    parser.add_argument("--chunks", type=int, default=6, help="test pairs of an episode, at most")
    parser.add_argument("--any-length", action="store_true", help="train on fabula's pairs of any length too")
    options = parser.parse_args()
    if not os.environ.get("FABULA_CORPORA"):
        print("FABULA_CORPORA is not set; set it to the folder of the corpora", file=sys.stderr)
        return 2
    crd3, folder = Path(os.environ["FABULA_CORPORA"]) / "crd3", options.folder
    config = load_config(TranscriptsConfig, "transcripts")
    golden = [episode for episode in read_episodes(crd3, folder) if episode.gold]
    test = [row for episode in golden for row in list_test_rows(episode, options.chunks, 0)]
    episodes = list(read_training_episodes(crd3, {episode.name for episode in golden}, folder))
    bounded = FilterConfig(min_confidence=config.filter.min_confidence, min_turns=2, max_turns=100, min_chunks=10)
    aligned = {episode.name: align_again(episode, config, folder) for episode in episodes}
    rows = {
        PUBLISHED: [row for episode in episodes for row in list_published_rows(crd3, episode.name)],
        FABULA: [row for episode in episodes for row in list_own_rows(episode, aligned[episode.name], bounded)],
    }
    if options.any_length:
        rows[ANY_LENGTH] = [row for each in episodes for row in list_own_rows(each, aligned[each.name], config.filter)]
    summaries = [row.summary for row in rows[PUBLISHED]]
    store, measurer = Store(str(folder / "store")), Measurer()
    bench = make_bench(store, "none", summaries, 0)
    runs: dict[str, list[Mapping[str, Column]]] = {
        "random": [measure(Selection(bench.budget, rank_randomly(0)), test, measurer)],
        "lead": [measure(Selection(bench.budget, rank_first), test, measurer)],
        "oracle": [measure(Selection(bench.budget, choose_oracle, all_ranked=True), test, measurer)],
    }
    for name, listed in rows.items():
        runs[name] = []
        for draw in range(options.draws if options.rows else 1):
            drawn = Random(draw).sample(listed, min(options.rows or len(listed), len(listed)))
            drawn.sort(key=lambda row: row.unit)
            place = fingerprint("quality_summaries", 1, [name, *(row.id for row in drawn)], summaries)
            system = TrainedSelection(SelectorSettings(train_rows=len(drawn)), make_bench(store, place, summaries, draw))
            facts = system.prepare(Rows(drawn), Rows(()))
            runs[name].append(measure(system, test, measurer))
            print(f"{name}, draw {draw}: {json.dumps(facts)}, R-1 F1 {runs[name][-1]['rouge1.f1'].mean():.4f}", file=sys.stderr)
    draws = resample([row.unit for row in test])
    turns = fmean(len(row.turns) for row in test)
    print(f"{len(test)} test pairs of {len(golden)} episodes, {turns:.0f} turns on average; {len(episodes)} training episodes;")
    print(f"budget {bench.budget.tokens} tokens; {options.rows or 'all'} rows, {len(runs[FABULA])} trainings of each\n")
    told = {name: f"{len(listed):,} rows, {fmean(len(row.turns) for row in listed):.0f} turns" for name, listed in rows.items()}
    print(f"| trained on | rows to draw from | {' | '.join(SHOWN)} |\n|---|---|{'---:|' * len(SHOWN)}")
    for name in runs:
        figures = (tell(draws.estimate(stack(runs[name], each).mean(0)), 1 if each == "words" else 100) for each in SHOWN)
        print(f"| {name} | {told.get(name, '–')} | {' | '.join(figures)} |")
    print(f"\n| difference | {' | '.join(COMPARED)} |\n|---|{'---:|' * len(COMPARED)}")
    others = [(ANY_LENGTH, PUBLISHED)] if options.any_length else []
    for first, second in ((FABULA, PUBLISHED), *others, (PUBLISHED, "random"), (FABULA, "random")):
        cells = []
        for each in COMPARED:
            difference = compare_trainings(stack(runs[first], each), stack(runs[second], each), draws)
            interval = f"[{100 * difference.low:+.2f}, {100 * difference.high:+.2f}]"
            cells.append(f"{100 * difference.value:+.2f} {interval}, p {difference.p:.3f}")
        print(f"| {first} − {second} | {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
