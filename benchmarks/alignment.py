"""Times fabula's alignment against the paper's equations in plain Python, on the same episodes in the same run.

    FABULA_CORPORA=DIR python -m benchmarks.alignment [--episodes 5]

Both align all nine chunkings (sizes 2 to 4, every offset) of an episode's summary with its turns, and must find the same spans.
The plain program aligns one chunking after the other and tokenises both texts each time, as the paper's authors did; fabula codes
the turns once. The time to import libraries and to compile or load the kernels is shown apart; words are new to the tokeniser's
memory at first, as in a fresh worker, so the ratio grows with the number of episodes.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import ParamSpec, TypeVar

from benchmarks import literal
from core.alignment.chunks import chunk_all
from core.alignment.needleman_wunsch import read_spans, trace_path
from core.similarity.ngrams import NgramIndex
from core.similarity.overlap import OverlapScorer
from core.text.tokens import make_tokenizer
from infra.crd3_layout import list_episodes, read_turns

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")
Spans = list[tuple[int | None, int | None]]
Episode = tuple[str, list[str], list[str]]  # name, turns, summary sentences
PARTS = ("tokenise", "score", "align")


class Stopwatch:
    """Seconds by part."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)

    def time(self, part: str, work: Callable[Arguments, Value], *args: Arguments.args, **named: Arguments.kwargs) -> Value:
        """Call `work` and add the time it takes to `part`."""
        start = perf_counter()
        value = work(*args, **named)
        self.seconds[part] += perf_counter() - start
        return value

    @property
    def total(self) -> float:
        """Seconds in all."""
        return sum(self.seconds.values())


def tau(texts: Sequence[str]) -> list[literal.Ngrams]:
    return [literal.ngrams(literal.tweet_tokens(text)) for text in texts]


def align_literally(turns: Sequence[str], chunkings: Sequence[Sequence[str]], watch: Stopwatch) -> list[Spans]:
    spans: list[Spans] = []
    for chunks in chunkings:
        coded_turns, coded_chunks = watch.time("tokenise", tau, turns), watch.time("tokenise", tau, chunks)
        scores = watch.time("score", literal.score_matrix, coded_turns, coded_chunks)
        spans.append([*literal.spans(watch.time("align", literal.trace, scores))])
    return spans


def align_with_fabula(turns: Sequence[str], chunkings: Sequence[Sequence[str]], watch: Stopwatch) -> list[Spans]:
    index = watch.time("tokenise", NgramIndex, turns, make_tokenizer("tweet"), (1, 2))
    spans: list[Spans] = []
    for chunks in chunkings:
        scores = watch.time("score", OverlapScorer(index), chunks)  # tokenises the chunks too
        path = watch.time("align", trace_path, scores)
        spans.append([(span.start, span.end) for span in watch.time("align", read_spans, path)])
    return spans


def read_corpus(root: Path, count: int) -> list[Episode]:
    """Episodes evenly spread over the corpus; sentences are cut after full stops, which is good enough to time."""
    names = list_episodes(root)
    picked = names[:: max(len(names) // count, 1)][:count]
    episodes = []
    for name in picked:
        metadata = json.loads((root / "cleaned data" / f"{name}.json").read_bytes())["METADATA"]
        text = " ".join(part["content"] for section in metadata["Synopsis"] for part in section["content"])
        episodes.append((name, [turn.text for turn in read_turns(root, name)], _sentences(text)))
    return episodes


def read_examples(folder: Path) -> list[Episode]:
    """Return the plain-text example transcripts with their recaps, whose markup is cut out: good enough to time."""
    episodes = []
    for transcript in sorted((folder / "transcripts").glob("*.txt")):
        turns = [line for line in transcript.read_text(encoding="utf-8").splitlines() if line.strip()]
        for recap in sorted((folder / "recaps").glob(f"{transcript.stem}_*")):
            text = re.sub(r"<[^>]*>", " ", recap.read_text(encoding="utf-8"))
            episodes.append((transcript.stem, turns, _sentences(text)))
    return episodes


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+", text) if sentence]


def _row(name: str, *cells: object) -> str:
    return f"{name:<22}" + "".join(f"{cell:>12}" if isinstance(cell, str) else f"{cell:>12.3f}" for cell in cells)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=5, help="how many episodes (about 10 s of plain Python each)")
    count = max(parser.parse_args().episodes, 1)
    corpora = os.environ.get("FABULA_CORPORA")
    if not corpora:
        print("FABULA_CORPORA is unset: timing the small examples, which say little about real episodes", file=sys.stderr)
    examples = Path(__file__).resolve().parents[1] / "examples" / "transcripts"
    episodes = read_corpus(Path(corpora) / "crd3", count) if corpora else read_examples(examples)[:count]
    if not episodes:
        print(f"no episodes under {examples}", file=sys.stderr)
        return 1
    start = perf_counter()
    align_with_fabula(["warm up", "the kernels"], [["warm up"]], Stopwatch())
    print(f"warm-up (imports, compilation or its cache): {perf_counter() - start:.3f} s, not counted below\n")
    print(_row("seconds", *PARTS, "in all", "ratio"))
    totals = [0.0, 0.0]
    for name, turns, sentences in episodes:
        chunkings = [[chunk.text for chunk in chunks] for chunks in chunk_all(sentences, (2, 3, 4))]
        slow, fast = Stopwatch(), Stopwatch()
        ours = align_with_fabula(turns, chunkings, fast)
        if ours != align_literally(turns, chunkings, slow):
            print(f"{name}: the spans differ", file=sys.stderr)
            return 1
        print(_row(f"{name} literal", *slow.seconds.values(), slow.total))
        print(_row(f"{name} fabula", *fast.seconds.values(), fast.total, slow.total / fast.total))
        totals = [totals[0] + slow.total, totals[1] + fast.total]
    slow_total, fast_total = totals
    print(f"\n{len(episodes)} episodes, equal spans: {slow_total:.2f} s literal, {fast_total:.3f} s fabula")
    print(f"{slow_total / fast_total:.0f} times as fast")
    return 0


if __name__ == "__main__":
    sys.exit(main())
