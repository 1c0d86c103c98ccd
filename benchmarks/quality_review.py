"""Simulates a review with gold: the F1 of a release against the share of its chunks that a reader has looked at.

    FABULA_CORPORA=DIR python -m benchmarks.quality_review [--cache FOLDER] [--picture FILE.svg] [--json FILE]

The 33 episodes with gold (`hand_read.py`, and those under crd3/gold) are aligned with the default profile, and its filter decides
which chunks are in the release. A look replaces a chunk's span by the gold one. Nothing was fitted on these curves: the aligner's
own posteriors give the orders. The orders are

- worth: the expected gain in pooled F1, from the span's length and its expected F1 (`core.review.worth`): what `fabula review`
  does, since a release has both;
- posteriors: the same from the posterior of each turn, which tell missed turns from false ones;
- confidence: the lowest confidence first;
- random: the mean of 20 random orders.

Intervals are 95 % percentile bootstraps over episodes. `turns read` is the share of all turns that the chunks looked at hold.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.hand_read import find_sentences, read_spans
from benchmarks.quality_alignment import prepare, read_recap_file, read_turns
from core.alignment.chunks import chunk_all
from core.alignment.windows import WindowAligner
from core.metrics.span_agreement import SpanMatch
from core.review.curves import CurvePoint, Look, draw_curves, measure_curve
from core.review.worth import SpanErrors, expect_errors, expect_f1, expect_gain, guess_errors
from core.transcripts.aligning import outline_recap
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.speakers import parse_alias_table, select_aliases
from core.transcripts.discovery import find_units
from core.transcripts.evaluation.gold import GoldSentence, read_gold
from core.transcripts.evaluation.grading import AlignedChunk, grade_episode
from core.transcripts.rows import decide_rows
from infra.settings import load_config, read_profile_table
from infra.sources.listing import list_sources
from infra.tables.transcripts import RECAP
from infra.tables.turns import DIALOGUE

SHARES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Row:
    """A chunk of a release with gold, what the aligner expects of it, and how it agrees with gold."""

    episode: str
    match: SpanMatch
    confidence: float
    score: float
    missed: float
    false: float
    turns: int


def read_rows(crd3: Path, cache: Path | None) -> Iterator[Row]:
    config = load_config(TranscriptsConfig, "transcripts", "default")
    table = parse_alias_table("speakers.tsv", read_profile_table("crd3", "speakers.tsv") or "")
    read = read_spans()
    for unit in find_units(list_sources([str(crd3)])).units:
        file = crd3 / "gold" / f"{unit.id}.json"
        if not file.is_file() and unit.id not in read:
            continue
        aliases = select_aliases(unit.id, [table], {})
        turns = prepare(cache, f"{unit.id}.parquet", DIALOGUE, partial(read_turns, crd3, unit, aliases))
        recap = prepare(cache, f"{unit.id}-prose.json", RECAP, partial(read_recap_file, crd3, unit))
        if file.is_file():
            gold: Sequence[GoldSentence] = read_gold(file.name, file.read_text("utf-8"))
        else:
            annotated = prepare(cache, f"{unit.id}.json", RECAP, partial(read_recap_file, crd3, unit, "spacy", True))
            gold = find_sentences(unit.id, annotated.sentences, len(turns), read[unit.id])
        outline = outline_recap(recap)
        located = WindowAligner([turn.text for turn in turns], config.alignment.windows).locate(recap.sentences, outline)
        chunkings = chunk_all(recap.sentences, config.alignment.chunk_sizes, outline.groupings, outline.sections)
        aligned = [(chunk, located.cover(chunk)) for chunks in chunkings for chunk in chunks]
        for row in decide_rows(aligned, recap, [len(turn.text.split()) for turn in turns], config.filter):
            span = row.span
            if row.reason is not None or span.start is None or span.end is None:
                continue
            chunk = AlignedChunk(row.chunk.text, span.start, span.end, span.confidence, True)
            for graded in grade_episode(unit.id, gold, [chunk]).chunks:
                errors = expect_errors(located.hull(row.chunk), span.start, span.end)
                yield Row(
                    unit.id, graded.match, span.confidence or 0.0, span.score, errors.missed, errors.false, errors.turns
                )  # fmt: skip


def order_rows(rows: Sequence[Row]) -> dict[str, list[NDArray[np.int64]]]:
    """Return each order as places of the rows; several of the random one."""
    exact = [SpanErrors(row.missed, row.false, row.turns) for row in rows]
    guessed = [guess_errors(row.score, 0, row.turns - 1) for row in rows]
    f1, guessed_f1 = expect_f1(exact), expect_f1(guessed)
    keys = {
        "worth": [-expect_gain(errors, guessed_f1) for errors in guessed],
        "posteriors": [-expect_gain(errors, f1) for errors in exact],
        "confidence": [row.confidence for row in rows],
    }
    numbers = np.random.default_rng(0)
    orders = {name: [np.argsort(np.array(key), kind="stable")] for name, key in keys.items()}
    return {**orders, "random": [numbers.permutation(len(rows)) for _ in range(20)]}


def show(curves: Mapping[str, Sequence[CurvePoint]], which: str) -> None:
    print(f"\n| order | {' | '.join(f'{share:.0%}' for share in SHARES)} |\n|---|{'---|' * len(SHARES)}")
    for name, points in curves.items():
        values = (getattr(point, which) for point in points)
        cells = (
            f"{value.value:.3f} ({value.low:.3f}–{value.high:.3f})" if which != "read" else f"{value:.0%}" for value in values
        )
        print(f"| {name} | {' | '.join(cells)} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, help="folder for prepared episodes")
    parser.add_argument("--picture", type=Path, help="file for the curves, as SVG")
    parser.add_argument("--json", type=Path, help="file for the points of the curves")
    options = parser.parse_args()
    if not os.environ.get("FABULA_CORPORA"):
        print("FABULA_CORPORA is not set; set it to the folder of the corpora", file=sys.stderr)
        return 2
    rows = list(read_rows(Path(os.environ["FABULA_CORPORA"]) / "crd3", options.cache))
    print(f"{len({row.episode for row in rows})} episodes, {len(rows)} chunks of the release with gold", file=sys.stderr)
    looks = [Look(row.episode, row.match, row.turns) for row in rows]
    curves = {name: measure_curve(looks, orders, SHARES) for name, orders in order_rows(rows).items()}
    for which in ("pooled", "macro", "read"):
        print(f"\n{'turns read' if which == 'read' else f'{which} F1'}", end="")
        show(curves, which)
    if options.picture:
        options.picture.write_text(draw_curves({name: curves[name] for name in ("worth", "confidence", "random")}), "utf-8")
    if options.json:
        options.json.write_text(
            json.dumps({name: [asdict(point) for point in points] for name, points in curves.items()}, indent=1)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
