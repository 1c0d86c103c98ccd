"""Times ROUGE, the extractive oracles and the extractive score against rouge-score and the literal definitions, in the same run.

    FABULA_CORPORA=DIR python -m lab.speed.metrics

A pair is 30 turns of an episode with an equal share of its summary. Every program tokenises the same texts itself. The results
must be equal, to 1e-4 for ROUGE. The literal oracles tokenise once and count the n-grams of every candidate selection anew, as
BertSum does. The literal extractive score fills one table of common runs per pair. Kernels are compiled or loaded from numba's
cache before the timing. Reference and fabula take turns, and the best of three times counts.

The exit status is 1 if a result differs or fabula is not 10 times as fast in every measure.
"""

import itertools
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from rouge_score.rouge_scorer import RougeScorer  # type: ignore[import-untyped]
from rouge_score.tokenize import tokenize  # type: ignore[import-untyped]

from core.metrics.bertsum_oracle import find_bertsum_oracle
from core.metrics.coded_texts import RougeCoder, join_codes
from core.metrics.extractive_score import SHORTEST_RUN, score_extraction, weigh_runs
from core.metrics.oracle import find_greedy_oracle
from core.metrics.rouge import score_rouge
from lab.speed.alignment import read_texts, split_roughly

Pair = tuple[list[str], str]  # turns, summary
Program = Callable[[Sequence[Pair]], list[Any]]
TURNS, RATIO, MOST, REPEATS, EPISODES = 30, 10, 3, 3, 3


def rouge_by_rouge_score(pairs: Sequence[Pair]) -> list[Any]:
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"])
    scores = [scorer.score(summary, " ".join(turns)) for turns, summary in pairs]
    return [[figure for score in of_pair.values() for figure in score] for of_pair in scores]


def rouge_by_fabula(pairs: Sequence[Pair]) -> list[Any]:
    code, results = RougeCoder(), []
    for turns, summary in pairs:
        scores = score_rouge(code(summary), code(" ".join(turns)))
        measures = (scores.rouge1, scores.rouge2, scores.rouge_l)
        results.append([figure for score in measures for figure in (score.precision, score.recall, score.f1)])
    return results


def bertsum_tokens(text: str) -> list[str]:
    return re.sub("[^a-z0-9 ]", "", " ".join(text.split()).lower()).split()


def bertsum_oracle_literally(pairs: Sequence[Pair]) -> list[Any]:
    def f1(evaluated: set[Any], reference: set[Any]) -> float:
        precision, recall = (len(evaluated & reference) / len(one) if one else 0.0 for one in (evaluated, reference))
        return 2.0 * ((precision * recall) / (precision + recall + 1e-8))

    results = []
    for turns, summary in pairs:
        wanted = [set(grams) for grams in _ngrams(bertsum_tokens(summary))]
        coded = [[set(grams) for grams in _ngrams(bertsum_tokens(turn))] for turn in turns]

        def measure(places: list[int], coded: Any = coded, wanted: Any = wanted) -> float:
            unions = [set.union(*map(set, (coded[place][order] for place in places))) for order in (0, 1)]
            return f1(unions[0], wanted[0]) + f1(unions[1], wanted[1])

        results.append(_select(len(turns), measure, MOST))
    return results


def bertsum_oracle_by_fabula(pairs: Sequence[Pair]) -> list[Any]:
    return [find_bertsum_oracle(turns, summary, MOST) for turns, summary in pairs]


def exact_oracle_literally(pairs: Sequence[Pair]) -> list[Any]:
    results = []
    for turns, summary in pairs:
        wanted = [Counter(grams) for grams in _ngrams(tokenize(summary, None))]
        tokens = [tokenize(turn, None) for turn in turns]

        def measure(places: list[int], tokens: Any = tokens, wanted: Any = wanted) -> float:
            text = [token for place in sorted(places) for token in tokens[place]]
            score = 0.0
            for grams, reference in zip(map(Counter, _ngrams(text)), wanted, strict=True):
                shared = (grams & reference).total()
                score += 2 * shared / (reference.total() + grams.total()) if shared else 0.0
            return score

        results.append(_select(len(turns), measure, len(turns)))
    return results


def exact_oracle_by_fabula(pairs: Sequence[Pair]) -> list[Any]:
    code = RougeCoder()
    return [find_greedy_oracle(code.code_all(turns), code(summary)) for turns, summary in pairs]


def extraction_literally(pairs: Sequence[Pair]) -> list[Any]:
    results = []
    for turns, summary in pairs:
        document, words = tokenize(" ".join(turns), None), tokenize(summary, None)
        longest, before = [0] * len(words), [0] * (len(words) + 1)
        for token in document:  # one row of the table of common runs per token
            row = [0] * (len(words) + 1)
            for place, word in enumerate(words):
                if word == token:
                    row[place + 1] = before[place] + 1
                    longest[place] = max(longest[place], row[place + 1])
            before = row
        runs: list[int] = []
        while longest and max(longest) >= SHORTEST_RUN:
            length = max(longest)
            end = longest.index(length)
            runs.append(length)
            longest[end - length + 1 : end + 1] = [0] * length
            for later in range(end + 1, len(longest)):
                longest[later] = min(longest[later], later - end)
        results.append(weigh_runs(runs, len(words)))
    return results


def extraction_by_fabula(pairs: Sequence[Pair]) -> list[Any]:
    code = RougeCoder()
    return [score_extraction(join_codes(code.code_all(turns)), code(summary)) for turns, summary in pairs]


def _ngrams(tokens: list[str]) -> tuple[list[Any], list[Any]]:
    return tokens, list(itertools.pairwise(tokens))


def _select(count: int, measure: Callable[[list[int]], float], most: int) -> tuple[int, ...]:
    selected: list[int] = []
    best = 0.0
    while len(selected) < most:
        rest = [place for place in range(count) if place not in selected]
        scores = [measure([*selected, place]) for place in rest]
        if not scores or max(scores) <= best:
            break
        best = max(scores)
        selected.append(rest[scores.index(best)])
    return tuple(sorted(selected))


def read_pairs(episodes: int) -> list[Pair]:
    """Return pairs from episodes evenly spread over the corpus, or from the examples."""
    pairs: list[Pair] = []
    for _, turns, summary in read_texts(episodes):
        sentences = split_roughly(summary)
        count = max(len(turns) // TURNS, 1)
        share = max(len(sentences) // count, 1)
        pairs += [
            (turns[place * TURNS : (place + 1) * TURNS], " ".join(sentences[place * share : (place + 1) * share]))
            for place in range(count)
        ]
    return [(turns, summary) for turns, summary in pairs if turns and tokenize(summary, None)]


PROGRAMS: dict[str, tuple[Program, Program]] = {
    "ROUGE-1, -2, -L": (rouge_by_rouge_score, rouge_by_fabula),
    "oracle, as BertSum's": (bertsum_oracle_literally, bertsum_oracle_by_fabula),
    "oracle, exact": (exact_oracle_literally, exact_oracle_by_fabula),
    "extractive score": (extraction_literally, extraction_by_fabula),
}


def time_alternately(programs: tuple[Program, Program], pairs: Sequence[Pair]) -> tuple[list[float], list[list[Any]]]:
    """Run the programs alternately several times. Return the shortest time of each program in seconds, and their results."""
    best: list[float] = [float("inf")] * 2
    results: list[list[Any]] = [[], []]
    for _ in range(REPEATS):
        for place, program in enumerate(programs):
            start = perf_counter()
            results[place] = program(pairs)
            best[place] = min(best[place], perf_counter() - start)
    return best, results


def agree(expected: Any, found: Any) -> bool:
    """Return whether two results agree: figures to 1e-4, selections exactly."""
    return bool(expected == found if isinstance(expected, tuple) else np.allclose(expected, found, atol=1e-4, rtol=0))


def main() -> int:
    pairs = read_pairs(EPISODES)
    print("| measure | reference, ms per pair | fabula, ms per pair | ratio | differing |\n|---|---:|---:|---:|---:|")
    kept = True
    for name, programs in PROGRAMS.items():
        programs[1](pairs[:1])
        seconds, (expected, found) = time_alternately(programs, pairs)
        slow, quick = (1000 * spent / len(pairs) for spent in seconds)
        differing = sum(not agree(*both) for both in zip(expected, found, strict=True))
        print(f"| {name} | {slow:.2f} | {quick:.3f} | {slow / quick:.3g} | {differing} |")
        kept = kept and slow / quick >= RATIO and not differing
    print(f"every measure at least {RATIO} times as fast, with equal results: {'yes' if kept else 'NO'}", file=sys.stderr)
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
