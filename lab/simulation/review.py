"""Simulates a review with gold: the F1 of a release against the share of its rows that a reader has looked at.

    FABULA_CORPORA=DIR python -m lab.simulation.review [transcripts|scripts] [--cache FOLDER] [--picture FILE.svg] [--record]

`transcripts`: the 33 episodes with gold (`readings/episodes.py`, and those under crd3/gold) are aligned with the default profile,
and its filter decides which chunks are in the release. A look replaces a chunk's span by the gold one; F1 counts turns.

`scripts`: the films of `readings/films.tsv` are linked with the default profile, and its filter decides which sentences are in
the release. A look replaces a sentence's scenes by those that were read; F1 counts pairs of sentence and scene. A sentence that
the filter drops has no scenes in the release, and a look brings it in.

Nothing was fitted on these curves: the aligner's own posteriors give the orders. (The calibration of the links' probabilities was
fitted on the films read; its curves are monotone, so the order by confidence hardly depends on it.) The orders are

- worth: the expected gain in pooled F1 (`core.review.priority`), which `fabula review` uses;
- confidence: the lowest confidence first;
- random: the mean of 20 random orders;
- posteriors (transcripts only): the expected gain by the posterior of each turn, which tells missed turns from false ones.

Intervals are 95 % percentile bootstraps over episodes or films. `turns read` is the share of all turns that the rows looked at
hold. `--record` writes the file that reports show where a release has too little gold of its own.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from json import dumps
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.alignment.spans import chunk_all
from core.alignment.windows import WindowAligner
from core.dataset.report import HEIGHT, LEFT, PLOT_HEIGHT, PLOT_WIDTH, TOP, ReviewCurve, frame_plot
from core.metrics.estimates import Estimate
from core.review.curves import (
    SHARES,
    CurvePoint,
    Look,
    describe_curves,
    estimate_middle,
    follow_order,
    measure_curve,
    order_looks,
)
from core.review.priority import SpanErrors, expect_errors, expect_f1, expect_gain, guess_errors
from core.scripts.aligning import link_story
from core.scripts.config import ScriptsConfig
from core.scripts.evaluation import LOOKED_AT as SENTENCES
from core.scripts.evaluation import list_looks
from core.scripts.rows import decide_rows
from core.similarity.cosine import Embedder
from core.transcripts.aligning import outline_recap
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.speakers import parse_alias_table, select_aliases
from core.transcripts.discovery import find_units
from core.transcripts.evaluation import LOOKED_AT as CHUNKS
from core.transcripts.evaluation import GoldSentence, grade_episode, read_gold
from core.transcripts.rows import decide_rows as decide_chunks
from infra.named_files import read_profile_table
from infra.settings import load_config
from infra.sources.opening import list_sources
from infra.tables.transcripts.artifacts import RECAP
from infra.tables.turns import DIALOGUE
from lab.quality.alignment import prepare, read_recap_file, read_turns
from lab.quality.scripts import KeptVectors
from lab.readings.episodes import find_sentences, hash_sentence, read_spans
from lab.readings.films import Readings, read_readings, read_story

_COLOURS = {"worth": "#d0743c", "confidence": "#4878a8", "random": "#777777"}
_TITLES = {"worth": "by expected gain", "confidence": "lowest confidence first", "random": "at random"}

RECORDED = Path(__file__).parents[2] / "infra" / "pages" / "report" / "curves"
GOLD = {"transcripts": "episodes of CRD3 read by hand", "scripts": "films read for fabula's benchmarks"}


def read_chunks(crd3: Path, cache: Path | None) -> Iterator[tuple[Look, SpanErrors]]:
    """Yield the chunks of the release that have gold, each with the errors that the posteriors of its turns expect."""
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
        for row in decide_chunks(aligned, recap, [len(turn.text.split()) for turn in turns], config.filter):
            span = row.span
            if row.reason is not None or span.start is None or span.end is None:
                continue
            for graded in grade_episode(unit.id, gold, [(row.chunk, span)], config.filter).chunks:
                match = graded.match
                look = Look(
                    unit=unit.id,
                    inside=match.inside,
                    found=match.predicted,
                    gold=match.gold,
                    errors=guess_errors(span.score, span.start, span.end),
                    confidence=span.confidence,
                    turns=span.end - span.start + 1,
                )
                yield look, expect_errors(located.hull(row.chunk), span.start, span.end)


def read_sentences(movies: Path, embed: Embedder, config: ScriptsConfig, readings: Readings | None = None) -> Iterator[Look]:
    """Yield every sentence of the films that were read; SourceError where a film is read otherwise now."""
    for film, (n_scenes, read) in (read_readings() if readings is None else readings).items():
        story = read_story(movies / film, n_scenes, read, config)
        links = link_story(story, embed, config)
        gold = {place: read[hash_sentence(sentence)] for place, sentence in enumerate(story.sentences)}
        yield from list_looks(story, links, decide_rows(story, links, config), gold, range(n_scenes))


def show(curves: Mapping[str, Sequence[CurvePoint]], which: str) -> None:
    print(f"\n| order | {' | '.join(f'{share:.0%}' for share in SHARES)} |\n|---|{'---|' * len(SHARES)}")
    for name, points in curves.items():
        values = (getattr(point, which) for point in points)
        cells = (
            f"{value.value:.3f} ({value.low:.3f}–{value.high:.3f})" if which != "read" else f"{value:.0%}" for value in values
        )
        print(f"| {name} | {' | '.join(cells)} |")


def show_differences(looks: Sequence[Look], orders: Mapping[str, Sequence[NDArray[np.int64]]]) -> None:
    """Print how much higher the pooled F1 is by one order than by another, on the same draws of episodes or films."""
    shares = SHARES[1:-1]
    print(f"\npooled F1, difference\n| orders | {' | '.join(f'{share:.0%}' for share in shares)} |\n|---|{'---|' * len(shares)}")
    for one, other in (("worth", "confidence"), ("worth", "random"), ("confidence", "random")):
        found = (compare_orders(looks, orders[one], orders[other], share) for share in shares)
        cells = (f"{each.value:+.3f} ({each.low:+.3f} to {each.high:+.3f})" for each in found)
        print(f"| {one} − {other} | {' | '.join(cells)} |")


def compare_orders(
    looks: Sequence[Look], one: Sequence[NDArray[np.int64]], other: Sequence[NDArray[np.int64]], share: float
) -> Estimate:
    """Return how much higher the pooled F1 is after a share of the rows by one order than by another, on the same draws."""
    return estimate_middle(follow_order(looks, one, share)[0][:, 0] - follow_order(looks, other, share)[0][:, 0])


def draw_curves(curve: ReviewCurve) -> str:
    """Return the curves of the pooled F1 as SVG text, with the 95 % intervals as bands."""
    parts = [part for name, points in curve.orders.items() for part in _draw(name, points)]
    legend = (_name(name, place) for place, name in enumerate(curve.orders))
    title = f"Pooled F1 of the release, by the share of its {curve.row} looked at"
    return frame_plot(title, f"share of the {curve.row} looked at", "pooled F1", (1.0, 1.0), [*parts, *legend])


def _draw(name: str, points: Sequence[tuple[float, float, float, float]]) -> list[str]:
    line = " ".join(_place(share, value) for share, value, _, _ in points)
    band = [_place(share, high) for share, _, _, high in points] + [_place(share, low) for share, _, low, _ in reversed(points)]
    return [
        f'<polygon points="{" ".join(band)}" fill="{_COLOURS[name]}" fill-opacity="0.12"/>',
        f'<polyline points="{line}" fill="none" stroke="{_COLOURS[name]}" stroke-width="2"/>',
    ]


def _name(name: str, place: int) -> str:
    y = HEIGHT - 110 + 18 * place
    left = LEFT + PLOT_WIDTH - 200
    mark = f'<rect x="{left}" y="{y - 9}" width="14" height="10" fill="{_COLOURS[name]}"/>'
    return f'{mark}<text x="{left + 20}" y="{y}">{_TITLES[name]}</text>'


def _place(share: float, f1: float) -> str:
    return f"{LEFT + share * PLOT_WIDTH:.1f},{TOP + (1 - f1) * PLOT_HEIGHT:.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline", nargs="?", choices=tuple(GOLD), default="transcripts")
    parser.add_argument("--cache", type=Path, help="folder for prepared episodes, or for sentence vectors")
    parser.add_argument("--picture", type=Path, help="file for the curves, as SVG")
    parser.add_argument("--record", action="store_true", help=f"write {RECORDED.name}/PIPELINE.json, which reports show")
    options = parser.parse_args()
    if not os.environ.get("FABULA_CORPORA"):
        print("FABULA_CORPORA is not set; set it to the folder of the corpora", file=sys.stderr)
        return 2
    corpora = Path(os.environ["FABULA_CORPORA"])
    orders: dict[str, list[NDArray[np.int64]]] = {}
    if options.pipeline == "transcripts":
        both = list(read_chunks(corpora / "crd3", options.cache))
        looks, exact = [look for look, _ in both], [errors for _, errors in both]
        f1 = expect_f1(exact)
        orders["posteriors"] = [np.argsort(np.array([-expect_gain(errors, f1) for errors in exact]), kind="stable")]
    else:
        embed = KeptVectors(options.cache)
        looks = list(read_sentences(corpora / "scripts" / "movies", embed, ScriptsConfig()))
        embed.keep()
    row, unit = CHUNKS if options.pipeline == "transcripts" else SENTENCES
    units = len({look.unit for look in looks})
    print(f"{units} {unit}, {len(looks)} {row} with gold", file=sys.stderr)
    orders = order_looks(looks) | orders
    curves = {name: measure_curve(looks, order, SHARES) for name, order in orders.items()}
    for which in ("pooled", "macro", "read"):
        print(f"\n{'turns read' if which == 'read' else f'{which} F1'}", end="")
        show(curves, which)
    show_differences(looks, orders)
    drawn = {name: curves[name] for name in ("worth", "confidence", "random")}
    curve = describe_curves(drawn, len(looks), units, row, unit, GOLD[options.pipeline])
    if options.picture:
        options.picture.write_text(draw_curves(curve), "utf-8")
    if options.record:
        (RECORDED / f"{options.pipeline}.json").write_text(dumps(asdict(curve)) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
