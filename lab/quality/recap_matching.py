"""How well recaps of other episodes are found: recaps exchanged between all pairs of some episodes of CRD3.

python -m lab.quality.recap_matching [--episodes 20] [--seed 0] [--own]

The pages' names are left out: what is rated is how much of the dialogue the recap tells. Prints the rates, and the own recaps and
the foreign ones that are nearest to the limit. With `--own` nothing is exchanged: the own recaps of all episodes are rated, since
those of 20 episodes are too few for a rate of false alarms.
"""

import argparse
import os
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.text.decoding import decode_text
from core.text.sentences import make_splitter
from core.text.tokens import make_tokenizer
from core.transcripts.aligning import Match, align_recap_text, rate_match
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.recaps.formats import read_recap

SHOWN = 5
CODE = re.compile(r"C\dE\d{3}")


def main() -> int:
    """Rate every recap against every episode; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--own", action="store_true")
    options = parser.parse_args()
    if not os.environ.get("FABULA_CORPORA"):
        print("FABULA_CORPORA is unset; expected the folder that holds crd3/", file=sys.stderr)
        return 2
    corpus = Path(os.environ["FABULA_CORPORA"]) / "crd3"
    transcripts, recaps = find_files(corpus / "transcripts"), find_files(corpus / "raw summary data")
    both = sorted(transcripts.keys() & recaps.keys())
    drawn = both if options.own else sorted(random.Random(options.seed).sample(both, min(options.episodes, len(both))))
    chosen = {unit: transcripts[unit] for unit in drawn}, {unit: recaps[unit] for unit in drawn}
    rated = list(rate_all(*chosen, own=options.own))
    own = [(unit, recap, match) for unit, recap, match in rated if unit == recap and match is not None]
    foreign = [(unit, recap, match) for unit, recap, match in rated if unit != recap and match is not None]
    unjudged = sum(match is None for unit, recap, match in rated if unit == recap)
    false = sum(not match.fits() for _, _, match in own)
    found = sum(not match.fits() for _, _, match in foreign)
    print(f"own recaps refused:     {false} of {len(own)}")
    if foreign:
        print(f"foreign recaps refused: {found} of {len(foreign)}")
    print(f"recaps with too few plot sentences to judge: {unjudged} of {len(drawn)}")
    for title, rows, sign in (("own, nearest to the limit", own, 1), ("foreign, nearest to the limit", foreign, -1)):
        print(f"\n{title}: transcript, recap, share told, limit, plot sentences")
        for unit, recap, match in sorted(rows, key=lambda row: sign * (row[2].told - row[2].least))[:SHOWN]:
            print(f"  {unit} {recap} {match.told:.3f} {match.least:.3f} {match.sentences}")
    return 0


def find_files(folder: Path) -> dict[str, Path]:
    """Return the files of a folder by episode; an episode in several parts is left out."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if code := CODE.match(path.name):
            found.setdefault(code[0], []).append(path)
    return {unit: paths[0] for unit, paths in found.items() if len(paths) == 1}


def rate_all(transcripts: dict[str, Path], recaps: dict[str, Path], own: bool = False) -> Iterator[tuple[str, str, Match | None]]:
    """Yield (episode of the transcript, episode of the recap, how well the recap fits) for all pairs, or for each own recap."""
    config = TranscriptsConfig()
    alignment = replace(config.alignment, chunk_sizes=(min(filter(None, config.alignment.chunk_sizes)),))
    tokenizer, splitter = make_tokenizer(alignment.tokenizer, None), make_splitter(config.recap.splitter)
    read = {unit: read_recap(path.name, decode_text(path.name, path.read_bytes()), splitter) for unit, path in recaps.items()}
    for unit, path in transcripts.items():
        turns = read_dialogue(path.name, path.read_bytes(), config.cleaning, None)
        for other, recap in ({unit: read[unit]} if own else read).items():
            aligned = align_recap_text(turns, recap, alignment, tokenizer).pairs
            yield unit, other, rate_match(aligned, recap, len(turns), config.matching)


if __name__ == "__main__":
    sys.exit(main())
