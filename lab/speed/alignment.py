"""Times fabula's alignment against the paper's equations in plain Python, on the same episodes in the same run.

    FABULA_CORPORA=DIR python -m lab.speed.alignment [--episodes 5] [--aligners]

Both programs align all nine chunkings (sizes 2 to 4, every offset) of an episode's summary with its turns. They must find the
same spans. The parts of each program are

- literal (`lab/speed/literal.py`), one chunking after the other, as the paper's authors did. tokenise: NLTK's tokens of turns and
  chunks, for every chunking, and their sets of n-grams. score: eq. 2 for each pair of sets. align: eq. 3, its traceback and the
  spans.
- fabula. tokenise: coded sets of n-grams of the turns, once, and of the chunks of every chunking. score: eq. 2, one matrix per
  chunking. align: eq. 3, its traceback and the spans with their scores.

The programs take turns, an episode each. Fabula's tokenizer starts with an empty cache, as in a new worker; the first episode
takes longest for that reason. Times are processor seconds; both programs use one core. The time to import libraries and to
compile or load the kernels is not counted.

The second part runs the default aligner and Needleman-Wunsch with the same tokenizer on all episodes of the corpus, each as a new
worker would. The default aligner may take at most three times as long; where it takes longer, the program ends with status 1.
`--aligners` runs only this part.
"""

import argparse
import gc
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from statistics import median
from time import process_time
from typing import ParamSpec, TypeVar

from core.alignment.config import AlignmentConfig
from core.alignment.needleman_wunsch import read_spans, trace_path
from core.alignment.spans import chunk_all
from core.dialogue import Turn
from core.similarity.ngrams import NgramIndex
from core.similarity.set_scores import score_sets
from core.text import terms
from core.text.stems import stem_word
from core.text.tokens import Tokenizer, TweetTokenizer, make_tokenizer
from core.transcripts.recaps.recap import Recap, RecapSection
from lab.corpora import find_corpora, find_source
from lab.speed import literal
from tasks.transcripts.build import align_recap
from tasks.transcripts.crd3 import list_episodes, read_turns

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")
Spans = list[tuple[int | None, int | None]]
LIMIT = 3.0  # maximum time of the default aligner, as a multiple of Needleman-Wunsch's
PARTS = ("tokenise", "score", "align")


class Stopwatch(Counter[str]):
    """Adds up the processor seconds of each part."""

    def time(self, part: str, work: Callable[Arguments, Value], *args: Arguments.args, **named: Arguments.kwargs) -> Value:
        """Return the result of `work`, and add the time it takes to `part`."""
        start = process_time()
        value = work(*args, **named)
        self[part] += process_time() - start  # type: ignore[assignment]  # counts seconds
        return value


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
        scores = watch.time("score", score_sets, index.turns, watch.time("tokenise", index.code, chunks), "overlap")
        path = watch.time("align", trace_path, scores)
        spans.append([(span.start, span.end) for span in watch.time("align", read_spans, path)])
    return spans


def read_texts(count: int) -> list[tuple[str, list[str], str]]:
    """Return name, turns and summary of episodes evenly spread over the corpus, or of the first plain-text examples.

    Removing markup of the examples by a pattern is good enough for timing.
    """
    root = find_source("crd3", "transcripts")
    if (root / "cleaned data").is_dir():
        names = list_episodes(root)
        return [
            (name, [turn.text for turn in read_turns(root, name)], " ".join(text for _, text in _read_synopsis(root, name)))
            for name in names[:: max(len(names) // count, 1)][:count]
        ]
    found = [
        (path.stem, [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()], recap.read_text("utf-8"))
        for path in sorted((root / "transcripts").glob("*.txt"))
        for recap in sorted((root / "recaps").glob(f"{path.stem}_*"))
    ]
    return [(name, turns, re.sub(r"<[^>]*>", " ", text)) for name, turns, text in found[:count]]


def _read_synopsis(root: Path, name: str) -> list[tuple[str, str]]:
    """Return the texts of an episode's synopsis, each with its heading."""
    metadata = json.loads((root / "cleaned data" / f"{name}.json").read_bytes())["METADATA"]
    return [(section["heading"], part["content"]) for section in metadata["Synopsis"] for part in section["content"]]


def read_recaps(root: Path) -> list[tuple[list[Turn], Recap]]:
    """Return every episode as the pipeline aligns it, with a section per heading of the recap and a paragraph per text."""
    episodes = []
    for name in list_episodes(root):
        sections = []
        for heading, parts in groupby(_read_synopsis(root, name), key=lambda part: part[0]):
            paragraphs = tuple(text for _, text in parts)
            sentences = tuple(sentence for text in paragraphs for sentence in split_roughly(text))
            sections.append(RecapSection("plot", heading, "", paragraphs, sentences))
        turns = [
            Turn(number, turn.speakers, (turn.text,), " ".join(turn.speakers), turn.text)
            for number, turn in enumerate(read_turns(root, name))
        ]
        episodes.append((turns, Recap("", "", tuple(sections))))
    return episodes


def clear_caches() -> None:
    """Empty the caches of all tokenizers, as in a new worker."""
    make_tokenizer.cache_clear()
    terms._join_terms.cache_clear()
    stem_word.cache_clear()


def compare_aligners(root: Path, rounds: int = 3) -> bool:
    """Print the default aligner's time on the whole corpus as a multiple of Needleman-Wunsch's, from medians over the rounds.

    Return whether the limit is kept.
    """
    default = AlignmentConfig()
    configs = {"needleman-wunsch": replace(default, aligner="needleman-wunsch", similarity="overlap"), "default": default}
    episodes = read_recaps(root)
    for config in configs.values():  # compiles or loads the kernels
        align_recap(*episodes[0], config, None)
    seconds: dict[str, list[float]] = {name: [] for name in configs}
    for _ in range(rounds):
        for name, config in configs.items():
            clear_caches()
            start = process_time()
            for turns, recap in episodes:
                align_recap(turns, recap, config, None)
            seconds[name].append(process_time() - start)
    slow, fast = median(seconds["default"]), median(seconds["needleman-wunsch"])
    print(f"\n{len(episodes)} episodes, all chunkings: needleman-wunsch {fast:.2f} s, default ({default.aligner}) {slow:.2f} s")
    kept = slow <= LIMIT * fast
    print(f"the default takes {slow / fast:.2f} times as long (limit {LIMIT:g}: {'kept' if kept else 'BROKEN'})")
    return kept


def _cut(text: str) -> list[list[str]]:
    return [[chunk.text for chunk in chunks] for chunks in chunk_all(split_roughly(text), (2, 3, 4))]


def split_roughly(text: str) -> list[str]:
    """Return sentences, split after full stops: good enough for timing."""
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+", text) if sentence.strip()]


def compare_with_literal(count: int) -> None:
    """Print the seconds of both programs on some episodes; the program ends where their spans differ."""
    tokenize, both = TweetTokenizer(str.lower), (Stopwatch(), Stopwatch())
    align_with_fabula(["warm up", "the kernels"], [["warm up"]], tokenize, Stopwatch())
    episodes = read_texts(count)
    gc.collect()
    gc.freeze()  # the garbage collector skips the libraries and texts, so it costs both programs the same
    print(f"{'seconds':<22}" + "".join(f"{part:>12}" for part in (*PARTS, "total", "ratio")))
    for name, turns, text in episodes:
        chunkings, watches = _cut(text), (Stopwatch(), Stopwatch())
        if align_literally(turns, chunkings, watches[0]) != align_with_fabula(turns, chunkings, tokenize, watches[1]):
            raise SystemExit(f"{name}: fabula's spans differ from the literal program's")
        _print_pair(name, *watches)
        for all_episodes, watch in zip(both, watches, strict=True):
            all_episodes.update(watch)
    _print_pair("all", *both)
    print(f"{len(episodes)} episodes, equal spans: {both[0].total() / both[1].total():.0f} times as fast")


def _print_pair(name: str, slow: Stopwatch, fast: Stopwatch) -> None:
    for program, watch in (("literal", slow), ("fabula", fast)):
        figures = (*(watch[part] for part in PARTS), watch.total(), slow.total() / watch.total())
        print(f"{name + ' ' + program:<22}" + "".join(f"{figure:>12.3f}" for figure in figures))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=5, help="number of episodes (about 10 s of plain Python each)")
    parser.add_argument("--aligners", action="store_true", help="compare only the default aligner with Needleman-Wunsch")
    options = parser.parse_args()
    if not options.aligners:
        compare_with_literal(max(options.episodes, 1))
        if not os.environ.get("FABULA_CORPORA"):
            return 0
    return 0 if compare_aligners(find_corpora() / "crd3") else 1


if __name__ == "__main__":
    sys.exit(main())
