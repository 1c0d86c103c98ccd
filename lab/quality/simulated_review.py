"""Simulates a review with gold: the F1 of a release against the share of its rows that a reader has looked at.

    FABULA_CORPORA=DIR python -m lab.quality.simulated_review [transcripts|scripts] [--cache FOLDER] [--record]

`transcripts`: the 33 episodes with gold (`readings/episodes.py`, and those under crd3/gold) are aligned with the default profile,
and its filter decides which chunks are in the release. A look replaces a chunk's span by the gold one; F1 counts turns.

`scripts`: the films of `readings/films.tsv` are linked with the default profile, and its filter decides which sentences are in
the release. A look replaces a sentence's scenes by those that were read; F1 counts pairs of sentence and scene. A sentence that
the filter drops has no scenes in the release, and a look brings it in.

Nothing was fitted on these curves: the aligner's own posteriors give the orders. They are

- worth: the expected gain in pooled F1 (`core.review.priority`), which `fabula review` uses;
- confidence: the lowest confidence first;
- random: the mean of 20 random orders.

Intervals are 95 % percentile bootstraps over episodes or films. `turns read` is the share of all turns that the rows looked at
hold. `--record` writes the file that reports show where a release has too little gold of its own.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from json import dumps
from pathlib import Path

from core.review.curves import SHARES, CurvePoint, Look, describe_curves, measure_curve, order_looks
from core.review.priority import guess_errors
from core.scripts.aligning import link_story
from core.scripts.config import ScriptsConfig
from core.scripts.evaluation import LOOKED_AT as SENTENCES
from core.scripts.evaluation import list_looks
from core.scripts.rows import decide_rows
from core.similarity.cosine import Embedder
from core.transcripts.config import TranscriptsConfig
from core.transcripts.evaluation import LOOKED_AT as CHUNKS
from core.transcripts.evaluation import grade_episode
from core.transcripts.rows import decide_rows as decide_chunks
from infra.settings import load_config
from lab.corpora import find_corpora
from lab.quality.alignment import align, is_read, read_episodes
from lab.readings.films import open_embedder, read_stories

RECORDED = Path(__file__).parents[2] / "infra" / "pages" / "report" / "curves"
GOLD = {"transcripts": "episodes of CRD3 read by hand", "scripts": "films read for fabula's benchmarks"}


def read_chunks(crd3: Path, cache: Path | None) -> Iterator[Look]:
    """Yield the chunks of the release that have gold."""
    config = load_config(TranscriptsConfig, "transcripts", "default")
    for episode in filter(is_read, read_episodes(crd3, cache)):
        words = [len(turn.text.split()) for turn in episode.turns]
        for row in decide_chunks(align(episode, config.alignment), episode.recap, words, config.filter):
            span = row.span
            if row.reason is not None or span.start is None or span.end is None:
                continue
            for graded in grade_episode(episode.name, episode.gold, [(row.chunk, span)], config.filter).chunks:
                match = graded.match
                yield Look(
                    unit=episode.name,
                    inside=match.inside,
                    found=match.predicted,
                    gold=match.gold,
                    errors=guess_errors(span.score, span.start, span.end),
                    confidence=span.confidence,
                    turns=span.end - span.start + 1,
                )


def read_sentences(movies: Path, embed: Embedder, config: ScriptsConfig) -> Iterator[Look]:
    """Yield every sentence of the films that were read; SourceError where a film is read otherwise now."""
    for story, gold in read_stories(movies, config):
        links = link_story(story, embed, config)
        yield from list_looks(story, links, decide_rows(story, links, config), gold, range(len(story.scenes)))


def show(curves: Mapping[str, Sequence[CurvePoint]], which: str) -> None:
    print(f"\n| order | {' | '.join(f'{share:.0%}' for share in SHARES)} |\n|---|{'---|' * len(SHARES)}")
    for name, points in curves.items():
        values = (getattr(point, which) for point in points)
        cells = (
            f"{value.value:.3f} ({value.low:.3f}–{value.high:.3f})" if which != "read" else f"{value:.0%}" for value in values
        )
        print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline", nargs="?", choices=tuple(GOLD), default="transcripts")
    parser.add_argument("--cache", type=Path, help="folder for prepared episodes, or for sentence vectors")
    parser.add_argument("--record", action="store_true", help=f"write {RECORDED.name}/PIPELINE.json, which reports show")
    options = parser.parse_args()
    corpora = find_corpora()
    if options.pipeline == "transcripts":
        looks = list(read_chunks(corpora / "crd3", options.cache))
    else:
        looks = list(read_sentences(corpora / "scripts" / "movies", open_embedder(options.cache), ScriptsConfig()))
    row, unit = CHUNKS if options.pipeline == "transcripts" else SENTENCES
    units = len({look.unit for look in looks})
    print(f"{units} {unit}, {len(looks)} {row} with gold", file=sys.stderr)
    curves = {name: measure_curve(looks, order, SHARES) for name, order in order_looks(looks).items()}
    for which in ("pooled", "macro", "read"):
        print(f"\n{'turns read' if which == 'read' else f'{which} F1'}", end="")
        show(curves, which)
    if options.record:
        curve = describe_curves(curves, len(looks), units, row, unit, GOLD[options.pipeline])
        (RECORDED / f"{options.pipeline}.json").write_text(dumps(asdict(curve)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
