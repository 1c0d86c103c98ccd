"""How well recaps of other units are found: each compared with all dialogues of its source, as `fabula` does before a release.

    FABULA_CORPORA=DIR python -m lab.quality.recap_matching [--units 40] [--seed 0]

The sources are units of CRD3 drawn at random, the same with six sentences of each plot, and films: their dialogue and synopsis.
A recap is rated with its own dialogue, and with each foreign one in place of it: once where the source has its own dialogue too,
and once where it lacks it. Prints how many are refused, accepted, or left open, and the least score of an own recap.
"""

import argparse
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import permutations
from pathlib import Path

from core.transcripts.discovery import find_units
from core.transcripts.matching import SURE, Match, RecapFit, compare_recaps, list_terms
from infra.sources.opening import list_sources
from lab.corpora import find_corpora
from lab.quality.alignment import read_recap_file, read_turns
from lab.quality.script_matching import read_films

SHORT = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    corpora, chooser = find_corpora(), random.Random(options.seed)
    print("| source | | judged | refused | left open | accepted | least |\n|---|---|---|---|---|---|---|")
    for name, fits in read_sources(corpora, chooser):
        drawn = {unit: fits[unit] for unit in sorted(chooser.sample(sorted(fits), min(options.units, len(fits))))}
        for title, matches in rate_source(drawn):
            scores = [match.score for match in matches]
            refused, accepted = sum(score < -SURE for score in scores), sum(score > SURE for score in scores)
            counts = (len(scores), refused, len(scores) - refused - accepted, accepted)
            print(f"| {name} | {title} | {' | '.join(f'{count:,}' for count in counts)} | {min(scores):.1f} |", flush=True)


def read_sources(corpora: Path, chooser: random.Random) -> Iterator[tuple[str, dict[str, RecapFit]]]:
    """Yield sources by name, with what tells how the recap of each unit fits."""
    whole, short = {}, {}
    for unit in find_units(list_sources([str(corpora / "crd3")])).units:
        recap, turns = read_recap_file(corpora / "crd3", unit), read_turns(corpora / "crd3", unit, {})
        plot = [text for text, kind in zip(recap.sentences, recap.kinds_of_sentences(), strict=True) if kind == "plot"]
        if plot:
            whole[unit.id] = RecapFit("held", list_terms(turn.text for turn in turns), list_terms(plot))
            short[unit.id] = replace(whole[unit.id], told=list_terms(chooser.sample(plot, min(SHORT, len(plot)))))
    yield "CRD3", whole
    yield f"CRD3, {SHORT} sentences", short
    films = read_films(corpora / "scripts" / "movies")
    yield (
        "films",
        {n: RecapFit("held", list_terms(t.text for t in film.list_turns()), list_terms(film.sentences)) for n, film in films},
    )


def rate_source(fits: Mapping[str, RecapFit]) -> Iterator[tuple[str, list[Match]]]:
    """Yield the matches of own recaps, and of foreign ones with their own dialogue in the source and without it."""
    yield "own", list(compare_recaps(fits).values())
    found: tuple[list[Match], list[Match]] = ([], [])
    for unit, other in permutations(fits, 2):
        exchanged = {**fits, unit: replace(fits[unit], told=fits[other].told)}
        for matches, source in zip(
            found, (exchanged, {name: fit for name, fit in exchanged.items() if name != other}), strict=True
        ):
            matches.append(compare_recaps(source, [unit])[unit])
    yield from zip(("foreign", "foreign, its dialogue not in the source"), found, strict=True)


if __name__ == "__main__":
    main()
