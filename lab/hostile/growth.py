"""Doubles hostile inputs of every parser, and tells how much longer each takes: linear time is a ratio of 2.

Each input of `lab/hostile/` is doubled until reading it takes `--seconds` of processor time or it has `--megabytes`,
so that fixed costs vanish. Then its half and the whole are read in turns, and the ratio of the two medians counts: three rounds,
and four more where these come near the limit. A ratio above 2.3 fails. Inputs that a parser refuses are marked and count as well.

    python -m lab.hostile.growth [--only WORD] [--seconds .05] [--megabytes 16] [--markdown]

Prints every input as it is measured; with `--markdown`, the table of `docs/awkward-input.md`: the highest ratio of each parser.
"""

import argparse
import ctypes
import gc
import sys
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from lab.hostile.case import Hostile, read
from lab.hostile.films import FILMS
from lab.hostile.recaps import RECAPS, SENTENCES
from lab.hostile.subtitles import SUBTITLES
from lab.hostile.threads import ROOMS, THREADS
from lab.hostile.transcripts import TRANSCRIPTS

HOSTILE = (*RECAPS, *SENTENCES, *FILMS, *SUBTITLES, *TRANSCRIPTS, *THREADS, *ROOMS)
"""Inputs that grow with a number: each once took more than linear time, or might."""
LIMIT = 2.3
NEAR = 2.15
FEW, MANY = 3, 7
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h
NOISE = 0.02  # seconds: what takes less has no ratio that means anything


class Doubling(NamedTuple):
    """What doubling an input did: its length in bytes or characters, and the seconds for its half and for the whole."""

    hostile: Hostile
    size: int
    half: float
    whole: float
    refused: bool

    @property
    def ratio(self) -> float:
        """How many times longer the whole takes than its half."""
        return self.whole / max(self.half, 1e-6)

    @property
    def too_slow(self) -> bool:
        """Whether the time grows faster than the input."""
        return self.whole > NOISE and self.ratio > LIMIT


def keep_memory() -> None:
    """Have this process keep the memory that it frees: fresh pages cost time from a size on that malloc chooses."""
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):  # glibc's
        library.mallopt(M_MMAP_THRESHOLD, 2**30)
        library.mallopt(M_TRIM_THRESHOLD, 2**30)


def time_once(hostile: Hostile, content: Any) -> float:
    """Return the processor seconds of one reading, without Python's search for cyclic garbage: it comes at random moments."""
    gc.collect()
    gc.disable()
    began = process_time()
    read(hostile, content)
    spent = process_time() - began
    gc.enable()
    return spent


def count_bytes(content: Any) -> int:
    """Return the length of an input in characters or bytes."""
    return len(content) if isinstance(content, str | bytes) else sum(map(len, content))


def measure(hostile: Hostile, seconds: float, most: int) -> Doubling:
    """Double an input until it is large enough, then read its half and the whole in turns."""
    size = hostile.first
    content = hostile.make(size)
    refused = read(hostile, content)  # what a parser does once in a process is not timed
    gc.freeze()  # what is there by now is searched for garbage no more
    while time_once(hostile, content) < seconds and 2 * count_bytes(content) <= most:
        larger = hostile.make(2 * size)
        if count_bytes(larger) == count_bytes(content):  # some grow to a bound only
            break
        size, content = 2 * size, larger
    half = hostile.make(size // 2)
    short: list[float] = []
    long: list[float] = []
    while len(short) < FEW or (len(short) < MANY and median(long) > NEAR * median(short)):
        short.append(time_once(hostile, half))
        long.append(time_once(hostile, content))
    return Doubling(hostile, count_bytes(content), median(short), median(long), refused)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default="")
    options.add_argument("--seconds", type=float, default=0.05)
    options.add_argument("--megabytes", type=float, default=16)
    options.add_argument("--markdown", action="store_true")
    chosen = options.parse_args()
    keep_memory()
    found: list[Doubling] = []
    for hostile in HOSTILE:
        if chosen.only not in f"{hostile.parser}: {hostile.what}":
            continue
        one = measure(hostile, chosen.seconds, int(chosen.megabytes * 1e6))
        found.append(one)
        print(
            f"{one.hostile.parser:<22}{one.hostile.what:<44}{one.size / 1e6:>7.2f} MB{one.whole:>8.3f} s{one.ratio:>7.2f}"
            f"{'  refused' if one.refused else ''}{'  SLOW' if one.too_slow else ''}",
            file=sys.stderr if chosen.markdown else sys.stdout,
            flush=True,
        )
    if chosen.markdown:
        print_table(found)
    failed = sum(one.too_slow for one in found)
    print(f"{len(found)} inputs, {failed} above {LIMIT}; {process_time():.0f} s of processor time")
    return int(failed > 0)


def print_table(found: list[Doubling]) -> None:
    """Print a row for each parser: how many inputs, and the one with the highest ratio."""
    print("| parser | inputs | highest ratio | of | size | time |\n|---|---|---|---|---|---|")
    for parser in dict.fromkeys(one.hostile.parser for one in found):
        rows = [one for one in found if one.hostile.parser == parser]
        worst = max((one for one in rows if one.whole > NOISE), key=lambda one: one.ratio, default=None)
        told = (
            f"{worst.ratio:.2f} | {worst.hostile.what} | {worst.size / 1e6:.2f} MB | {worst.whole:.2f} s" if worst else "– | | |"
        )
        print(f"| {parser} | {len(rows)} | {told} |")


if __name__ == "__main__":
    sys.exit(main())
