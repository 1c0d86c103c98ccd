"""How well scripts of other films are found: synopses exchanged between films, and between the episodes of a series.

    FABULA_CORPORA=DIR python -m lab.quality.script_matching [--others 8] [--seed 0]

Each script is rated with its own synopsis, and with those of `--others` films drawn at random; an episode with those of all other
episodes, which have the same cast. Films kept for measuring (`KEPT_BACK`) take no part. Prints the rates, and what is nearest to
the limit. Films whose script is of an early draft tell another story, and are named: whoever looks at them can see that.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from core.errors import SourceError
from core.scripts.config import ScriptsConfig
from core.scripts.matching import Match, rate_match
from core.scripts.story import Story
from core.text.sentences import make_splitter
from lab.readings.films import KEPT_BACK, find_movies, read_film, read_units

SHOWN = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--others", type=int, default=8, help="foreign synopses a film")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    movies = find_movies()
    films = dict(read_films(movies))
    episodes = {name: story for name, story in read_units(movies.parent) if name.startswith("friends/")}
    chooser = random.Random(options.seed)
    least = ScriptsConfig().matching.least_match
    for name, pool, others in (("films", films, options.others), ("episodes of one series", episodes, len(episodes))):
        rated = list(rate_all(pool, others, chooser))
        for title, own in (("own", True), ("foreign", False)):
            rows = sorted((match.score, script, told, match) for script, told, match in rated if (script == told) == own)
            refused = sum(score < least for score, *_ in rows)
            print(f"{name}, {title} synopses refused: {refused} of {len(rows)}; nearest to the limit of {least:g}:")
            for score, script, told, match in rows[:SHOWN] if own else rows[::-1][:SHOWN]:
                print(f"  {script}, synopsis of {told}: {score:.2f} (order {match.order:.2f}, words {match.words:.2f})")


def read_films(folder: Path) -> Iterator[tuple[str, Story]]:
    """Yield the films that have a readable script, by name."""
    split = make_splitter("spacy")
    for path in sorted(folder.iterdir()):
        if path.name in KEPT_BACK:
            continue
        try:
            yield path.name, read_film(path, split)
        except SourceError as error:
            print(error, file=sys.stderr)


def rate_all(pool: Mapping[str, Story], others: int, chooser: random.Random) -> Iterator[tuple[str, str, Match]]:
    """Yield (script, synopsis, how well it fits): each script with its own synopsis and with some of the others.

    A synopsis goes with its own cast list, as in a unit whose script is exchanged. Episodes have fewer scenes than what a run
    judges, so the limits on sentences and scenes do not apply.
    """
    config = ScriptsConfig()
    config = replace(config, matching=replace(config.matching, least_sentences=1, least_scenes=1))
    for script, story in pool.items():
        foreign = [name for name in pool if name != script]
        for told in (script, *chooser.sample(foreign, min(others, len(foreign)))):
            if match := rate_match(replace(story, sentences=pool[told].sentences, cast=pool[told].cast), config):
                yield script, told, match


if __name__ == "__main__":
    main()
