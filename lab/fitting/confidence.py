"""Fits the curve of `core.alignment.windows.rate_span` on hand-read episodes.

    FABULA_CORPORA=DIR python -m lab.fitting.confidence [--cache FOLDER] [--write]

- Without options: fits the curve on `confidence.tsv` and prints its two constants, and how well it does on episodes left out.
- `--write` aligns the gold and read episodes by the default profile and writes that table: for each chunk its expected F1, the
  turns of its span, those of its gold span, and how many are in both. It holds numbers only.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from core.alignment.config import CURVE
from core.alignment.windows import CUT
from core.metrics.alignment_quality import SpanMatch
from core.metrics.fitting import KnownRow, find_odds, fit_by_folds, fit_curve
from core.transcripts.config import AlignmentConfig, TranscriptsConfig
from core.transcripts.evaluation import grade_episode
from lab.corpora import find_corpora
from lab.fitting.tables import read_call, read_rows, write_rows
from lab.quality.alignment import Episode, align, is_read, read_episodes

TABLE = Path(__file__).with_name("confidence.tsv")
COLUMNS = ("episode", "expected_f1", "found_turns", "gold_turns", "shared_turns")
BOUNDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


def judge_episodes(episodes: Iterable[Episode], config: AlignmentConfig) -> Iterator[tuple[str, ...]]:
    """Yield a row of the table for every aligned chunk with gold sentences."""
    for episode in episodes:
        pairs = [(chunk, replace(span, confidence=span.score)) for chunk, span in align(episode, config)]
        for graded in grade_episode(episode.name, episode.gold, pairs, TranscriptsConfig().filter).chunks:
            if graded.confidence is not None and graded.match.predicted:
                match = graded.match
                yield episode.name, f"{graded.confidence:.4f}", f"{match.predicted}", f"{match.gold}", f"{match.inside}"


def read_table(path: Path = TABLE) -> list[KnownRow]:
    """Read the judged spans that `--write` wrote, as rows that are right from an F1 of ½ on."""
    return [
        KnownRow(
            row["episode"],
            float(find_odds(float(row["expected_f1"]), *CUT)),
            SpanMatch(int(row["shared_turns"]), int(row["found_turns"]), int(row["gold_turns"])).f1 >= 0.5,
        )
        for row in read_rows(path)
    ]


def _print_folds(judged: Sequence[KnownRow]) -> None:
    stated, right = fit_by_folds(judged), np.array([each.right for each in judged], np.float64)
    brier, plain = np.mean((stated - right) ** 2), np.mean((right.mean() - right) ** 2)
    print(f"by folds over {len({each.unit for each in judged})} episodes: Brier {brier:.3f}, always the mean {plain:.3f}\n")
    print("| confidence | chunks | mean | right |\n|---|---|---|---|")
    for low, high in pairwise(BOUNDS):
        inside = (stated >= low) & ((stated < high) | (high == 1))
        if inside.any():
            print(f"| {low:g} – {high:g} | {inside.sum():,} | {stated[inside].mean():.2f} | {right[inside].mean():.2f} |")


def main() -> None:
    options = read_call(__doc__)
    if options.write:
        episodes = filter(is_read, read_episodes(find_corpora() / "crd3", options.cache))
        write_rows(TABLE, COLUMNS, judge_episodes(episodes, AlignmentConfig()))
    judged = read_table()
    slope, offset = fit_curve(judged)
    print(f"\nfitted on {len(judged):,} chunks: slope {slope:.2f}, offset {offset:.2f}; in use {CURVE}")
    _print_folds(judged)


if __name__ == "__main__":
    main()
