"""Times the parsing of screenplays against plain regular expressions on the same text, in the same run, on one core.

    FABULA_CORPORA=DIR python benchmarks/bench_parsing.py

The reference splits each script into lines and finds every word, which is the least that a parser has to do. Without
FABULA_CORPORA the example screenplays are parsed, which are short.
"""

import os
import re
import sys
from pathlib import Path
from statistics import median
from time import process_time

from core.errors import SourceError
from core.scripts.screenplays.reader import read_screenplay
from core.text.decoding import decode_text

ROUNDS = 3
_WORD = re.compile(r"\w+")


def find_words(_: str, text: str) -> int:
    """Return the number of words of a text, found line by line."""
    return sum(len(_WORD.findall(line)) for line in text.splitlines())


def parse(unit: str, text: str) -> int:
    """Return the number of scenes of a screenplay, or 0 if it is refused."""
    try:
        return len(read_screenplay(unit, text))
    except SourceError:
        return 0


def main() -> int:
    corpora = os.environ.get("FABULA_CORPORA")
    if not corpora:
        print("FABULA_CORPORA is not set: parsing the small examples", file=sys.stderr)
    folder = Path(corpora) / "scripts" if corpora else Path(__file__).resolve().parents[1] / "examples" / "scripts"
    texts = {path.parent.name: decode_text(path.name, path.read_bytes()) for path in sorted(folder.glob("movies/*/script.txt"))}
    seconds: dict[str, list[float]] = {"words": [], "screenplays": []}
    for _ in range(ROUNDS):
        for name, read in (("words", find_words), ("screenplays", parse)):
            began = process_time()
            for unit, text in texts.items():
                read(unit, text)
            seconds[name].append(process_time() - began)
    ratio = median(seconds["screenplays"]) / median(seconds["words"])
    size = sum(map(len, texts.values())) / 1e6
    print(f"{len(texts)} screenplays, {size:.1f} million characters: {median(seconds['screenplays']):.2f} s")
    print(f"parsing takes {ratio:.1f} times as long as finding the words ({median(seconds['words']):.2f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
