"""Doubles hostile inputs of every parser, and tells how much longer each takes: linear time is a ratio of 2.

Each input of `benchmarks/hostile.py` is doubled until reading it takes `--seconds` of processor time or it has `--megabytes`.
Then the last size and its half are read in turns, and the least time of each counts. A ratio above 2.3 fails. Inputs that a
parser refuses are marked: they count as well.

    python -m benchmarks.bench_parsers [--only WORD] [--seconds .4] [--megabytes 4] [--all]

Without `--all` only the slowest ratio of each parser is printed, and every one above the limit.
"""

import argparse
import gc
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

from benchmarks.hostile import HOSTILE, Hostile, read

LIMIT = 2.3
ROUNDS = 5


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


def measure(hostile: Hostile, seconds: float, most: int) -> tuple[int, float, float, bool]:
    """Return the size that was reached, the times of its half and of it, and whether the input is refused."""
    size = hostile.first
    content = hostile.make(size)
    while time_once(hostile, content) < seconds and count_bytes(content) < most:
        size *= 2
        content = hostile.make(size)
    half = hostile.make(size // 2)
    short = long = float("inf")
    for round_number in range(ROUNDS):
        short, long = min(short, time_once(hostile, half)), min(long, time_once(hostile, content))
        if round_number and long <= 2.1 * short:
            break
    return count_bytes(content), short, long, read(hostile, content)


def run(only: str, seconds: float, most: int) -> Iterator[tuple[Hostile, int, float, float, bool]]:
    """Measure every input whose parser or description has the word."""
    for hostile in HOSTILE:
        if only in f"{hostile.parser}: {hostile.what}":
            yield hostile, *measure(hostile, seconds, most)


def main() -> int:
    """Measure and print; return 1 if a ratio is above the limit."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default="")
    options.add_argument("--seconds", type=float, default=0.4)
    options.add_argument("--megabytes", type=float, default=4)
    options.add_argument("--all", action="store_true")
    chosen = options.parse_args()
    slowest: dict[str, tuple[float, str]] = {}
    count = failed = 0
    for hostile, size, short, long, refused in run(chosen.only, chosen.seconds, int(chosen.megabytes * 1e6)):
        ratio = long / max(short, 1e-6)
        over = ratio > LIMIT and long > 0.02  # shorter times are noise
        count, failed = count + 1, failed + over
        line = (
            f"{hostile.parser:<22}{hostile.what:<44}{size / 1e6:>7.2f} MB{long:>8.3f} s{ratio:>7.2f}"
            f"{'  refused' if refused else ''}{'  SLOW' if over else ''}"
        )
        if chosen.all or over:
            print(line, flush=True)
        if long > 0.02:
            slowest[hostile.parser] = max(slowest.get(hostile.parser, (0.0, "")), (ratio, line))
    if not chosen.all:
        print("\n".join(line for _, line in slowest.values()))
    print(f"{count} inputs, {failed} above {LIMIT}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
