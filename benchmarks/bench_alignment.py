"""Times fabula's alignment against the paper's equations in plain Python, on the same episodes in the same run.

    FABULA_CORPORA=DIR python benchmarks/bench_alignment.py [--episodes 5]

Both align all nine chunkings (sizes 2 to 4, every offset) of an episode's summary with its turns, and must find the same spans.
Each side contains

- literal, `literal.py`: one chunking after the other, as the paper's authors did. tokenise: turns and chunks of every chunking by
  NLTK, and their sets of n-grams; score: eq. 2 for each pair of sets; align: eq. 3, its traceback and the spans.
- fabula: tokenise: the turns once and the chunks of every chunking, to coded sets of n-grams; score: eq. 2, a matrix a chunking;
  align: eq. 3, its traceback and the spans with their scores.

After each episode of the literal program fabula goes through all of them, so that both meet the same load; the means of these
passes count. Before a pass its tokeniser forgets all words, as in a fresh worker: the first episode costs most, and the ratio
grows with the number of episodes. Seconds are processor time, and both programs use one core. What it takes to import libraries
and to compile or load the kernels is shown apart.

Then the default aligner goes through all episodes of the corpus beside Needleman-Wunsch with the same tokeniser, each as a fresh
worker would; the default may take three times as long. `--aligners` does this part only.
"""

import argparse
import gc
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time
from typing import ParamSpec, TypeVar

import literal  # beside this file

from core.alignment.chunks import chunk_all
from core.alignment.config import AlignmentConfig
from core.alignment.needleman_wunsch import read_spans, trace_path
from core.dialogue import Turn
from core.similarity.ngrams import NgramIndex
from core.similarity.overlap import overlap_matrix
from core.text import terms
from core.text.tokens import Tokenizer, make_tokenizer
from core.text.tweets import TweetTokenizer
from core.transcripts.recaps.recap import Recap, RecapSection
from tasks.transcripts.build import align_recap
from tasks.transcripts.crd3_layout import list_episodes, read_turns

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")
Spans = list[tuple[int | None, int | None]]
Episode = tuple[str, list[str], list[list[str]]]  # name, turns, chunks by chunking
LIMIT = 3.0  # the default aligner's time over that of Needleman-Wunsch
PARTS = ("tokenise", "score", "align")


class Stopwatch:
    """Seconds by part."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)

    def time(self, part: str, work: Callable[Arguments, Value], *args: Arguments.args, **named: Arguments.kwargs) -> Value:
        """Call `work` and add the time it takes to `part`."""
        start = process_time()
        value = work(*args, **named)
        self.seconds[part] += process_time() - start
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


def align_with_fabula(
    turns: Sequence[str], chunkings: Sequence[Sequence[str]], tokenize: Tokenizer, watch: Stopwatch
) -> list[Spans]:
    index = watch.time("tokenise", NgramIndex, turns, tokenize, (1, 2))
    spans: list[Spans] = []
    for chunks in chunkings:
        scores = watch.time("score", overlap_matrix, index.turns, watch.time("tokenise", index.code, chunks))
        path = watch.time("align", trace_path, scores)
        spans.append([(span.start, span.end) for span in watch.time("align", read_spans, path)])
    return spans


def pass_with_fabula(episodes: Sequence[Episode]) -> tuple[list[list[Spans]], list[Stopwatch]]:
    """Align all episodes with a tokeniser that remembers no word yet; return each one's spans and seconds."""
    tokenize = TweetTokenizer(str.lower)
    watches = [Stopwatch() for _ in episodes]
    return [
        align_with_fabula(turns, chunkings, tokenize, watch)
        for (_, turns, chunkings), watch in zip(episodes, watches, strict=True)
    ], watches


def read_corpus(root: Path, count: int) -> list[Episode]:
    """Episodes evenly spread over the corpus; sentences are cut after full stops, which is good enough to time."""
    names = list_episodes(root)
    picked = names[:: max(len(names) // count, 1)][:count]
    episodes = []
    for name in picked:
        metadata = json.loads((root / "cleaned data" / f"{name}.json").read_bytes())["METADATA"]
        text = " ".join(part["content"] for section in metadata["Synopsis"] for part in section["content"])
        episodes.append((name, [turn.text for turn in read_turns(root, name)], _cut(text)))
    return episodes


def read_recaps(root: Path) -> list[tuple[list[Turn], Recap]]:
    """Return every episode as the pipeline aligns it: a section for each heading of the recap, a paragraph for each text."""
    episodes = []
    for name in list_episodes(root):
        metadata = json.loads((root / "cleaned data" / f"{name}.json").read_bytes())["METADATA"]
        sections = []
        for section in metadata["Synopsis"]:
            paragraphs = tuple(part["content"] for part in section["content"])
            sentences = tuple(sentence for text in paragraphs for sentence in _split(text))
            sections.append(RecapSection("plot", section["heading"], "", paragraphs, sentences))
        turns = [
            Turn(number, turn.speakers, (turn.text,), " ".join(turn.speakers), turn.text)
            for number, turn in enumerate(read_turns(root, name))
        ]
        episodes.append((turns, Recap("", "", tuple(sections))))
    return episodes


def forget_words() -> None:
    """Empty the memories of all tokenisers, as they are in a fresh worker."""
    make_tokenizer.cache_clear()
    for memory in (terms._terms, terms._stem):
        memory.cache_clear()


def compare_aligners(root: Path, rounds: int = 3) -> None:
    """Print the default aligner's time over the whole corpus as a multiple of Needleman-Wunsch's: medians of the rounds."""
    default = AlignmentConfig()
    configs = {"needleman-wunsch": replace(default, aligner="needleman-wunsch", similarity="overlap"), "default": default}
    episodes = read_recaps(root)
    for config in configs.values():  # compiles the kernels, or loads them
        align_recap(*episodes[0], config, None)
    seconds: dict[str, list[float]] = {name: [] for name in configs}
    for _ in range(rounds):
        for name, config in configs.items():
            forget_words()
            start = process_time()
            for turns, recap in episodes:
                align_recap(turns, recap, config, None)
            seconds[name].append(process_time() - start)
    slow, fast = median(seconds["default"]), median(seconds["needleman-wunsch"])
    print(f"\n{len(episodes)} episodes, all chunkings: needleman-wunsch {fast:.2f} s, default ({default.aligner}) {slow:.2f} s")
    print(f"the default takes {slow / fast:.2f} times as long; at most {LIMIT:g}: {'kept' if slow <= LIMIT * fast else 'BROKEN'}")


def read_examples(folder: Path) -> list[Episode]:
    """Return the plain-text example transcripts with their recaps, whose markup is cut out: good enough to time."""
    episodes = []
    for transcript in sorted((folder / "transcripts").glob("*.txt")):
        turns = [line for line in transcript.read_text(encoding="utf-8").splitlines() if line.strip()]
        for recap in sorted((folder / "recaps").glob(f"{transcript.stem}_*")):
            text = re.sub(r"<[^>]*>", " ", recap.read_text(encoding="utf-8"))
            episodes.append((transcript.stem, turns, _cut(text)))
    return episodes


def _cut(text: str) -> list[list[str]]:
    return [[chunk.text for chunk in chunks] for chunks in chunk_all(_split(text), (2, 3, 4))]


def _split(text: str) -> list[str]:
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+", text) if sentence.strip()]


def _sum(watches: Sequence[Stopwatch]) -> Stopwatch:
    total = Stopwatch()
    total.seconds = {part: sum(watch.seconds[part] for watch in watches) for part in PARTS}
    return total


def _mean(watches: Sequence[Stopwatch]) -> Stopwatch:
    mean = Stopwatch()
    mean.seconds = {part: seconds / len(watches) for part, seconds in _sum(watches).seconds.items()}
    return mean


def _row(name: str, *cells: object) -> str:
    return f"{name:<22}" + "".join(f"{cell:>12}" if isinstance(cell, str) else f"{cell:>12.3f}" for cell in cells)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=5, help="how many episodes (about 10 s of plain Python each)")
    parser.add_argument("--aligners", action="store_true", help="only the default aligner beside Needleman-Wunsch")
    options = parser.parse_args()
    count = max(options.episodes, 1)
    corpora = os.environ.get("FABULA_CORPORA")
    if options.aligners and corpora:
        compare_aligners(Path(corpora) / "crd3")
        return 0
    if not corpora:
        print("FABULA_CORPORA is unset: timing the small examples, which say little about real episodes", file=sys.stderr)
    examples = Path(__file__).resolve().parents[1] / "examples" / "transcripts"
    episodes = read_corpus(Path(corpora) / "crd3", count) if corpora else read_examples(examples)[:count]
    if not episodes:
        print(f"no episodes under {examples}", file=sys.stderr)
        return 1
    start = process_time()
    pass_with_fabula([("", ["warm up", "the kernels"], [["warm up"]])])
    print(f"warm-up (imports, compilation or its cache): {process_time() - start:.3f} s, not counted below\n")
    gc.collect()
    gc.freeze()  # the garbage collector has nothing of the libraries and texts to look through, whichever program it interrupts
    literal_watches: list[Stopwatch] = []
    passes: list[list[Stopwatch]] = []
    for name, turns, chunkings in episodes:
        literal_watches.append(Stopwatch())
        expected = align_literally(turns, chunkings, literal_watches[-1])
        spans, watches = pass_with_fabula(episodes)
        passes.append(watches)
        if spans[len(literal_watches) - 1] != expected:
            print(f"{name}: the spans differ", file=sys.stderr)
            return 1
    fabula_watches = [_mean(watches) for watches in zip(*passes, strict=True)]
    print(_row("seconds", *PARTS, "in all", "ratio"))
    for (name, _, _), slow, fast in zip(episodes, literal_watches, fabula_watches, strict=True):
        print(_row(f"{name} literal", *slow.seconds.values(), slow.total))
        print(_row(f"{name} fabula", *fast.seconds.values(), fast.total, slow.total / fast.total))
    slow, fast = _sum(literal_watches), _sum(fabula_watches)
    print(_row("all literal", *slow.seconds.values(), slow.total))
    print(_row("all fabula", *fast.seconds.values(), fast.total, slow.total / fast.total))
    print(_row("times as fast", *(slow.seconds[part] / fast.seconds[part] for part in PARTS)))
    slowest, fastest = (slow.total / choose(_sum(watches).total for watches in passes) for choose in (max, min))
    print(f"\n{len(episodes)} episodes, equal spans: {slow.total / fast.total:.0f} times as fast")
    print(f"({slowest:.0f} in the slowest pass, {fastest:.0f} in the fastest)")
    if corpora:
        compare_aligners(Path(corpora) / "crd3")
    return 0


if __name__ == "__main__":
    sys.exit(main())
