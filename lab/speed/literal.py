"""Equations 1, 2 and 3 of the CRD3 paper as printed: the reference of the benchmark and of the tests.

The code is plain Python on purpose: a set of n-grams per text, one β per pair of texts, a list of lists for H.
"""

from collections.abc import Sequence

Ngrams = frozenset[tuple[str, ...]]
Path = list[tuple[int, int]]


def tweet_tokens(text: str) -> list[str]:
    """Return the lower-cased tokens of a new NLTK TweetTokenizer, without single ASCII punctuation marks."""
    import string

    from nltk.tokenize import TweetTokenizer  # type: ignore[import-untyped]

    tokens = [token.lower() for token in TweetTokenizer().tokenize(text)]
    return [token for token in tokens if not (len(token) == 1 and token in string.punctuation)]


def ngrams(tokens: Sequence[str], orders: Sequence[int] = (1, 2)) -> Ngrams:
    """Return τ: the set of n-grams of the given orders."""
    return frozenset(tuple(tokens[i : i + n]) for n in orders for i in range(len(tokens) - n + 1))


def beta(turn: Ngrams, chunk: Ngrams) -> float:
    """Return equation 2, in the order of floating-point operations of the published alignments."""
    overlap = len(turn & chunk)
    if overlap == 0:
        return 0.0
    p = overlap / len(turn)
    r = overlap / len(chunk)
    return 2 * p * r / (p + r) * overlap


def score_matrix(turns: Sequence[Ngrams], chunks: Sequence[Ngrams]) -> list[list[float]]:
    """Return M: β of every turn (row) and chunk (column)."""
    return [[beta(turn, chunk) for chunk in chunks] for turn in turns]


def trace(scores: Sequence[Sequence[float]]) -> Path:
    """Return the path of equation 3: the (turn, chunk) of its cells, first to last. Ties go to diagonal, then up, then left."""
    n_turns, n_chunks = len(scores), len(scores[0])
    h = [[0.0] * (n_chunks + 1) for _ in range(n_turns + 1)]
    for y in range(n_turns + 1):
        h[y][0] = -float(y)
    for x in range(n_chunks + 1):
        h[0][x] = -float(x)
    for y in range(1, n_turns + 1):
        for x in range(1, n_chunks + 1):
            m = scores[y - 1][x - 1]
            h[y][x] = max(h[y - 1][x - 1] + m, h[y - 1][x] + m, h[y][x - 1] + m)
    path: Path = []
    y, x = n_turns, n_chunks
    while y > 0 and x > 0:
        path.append((y - 1, x - 1))
        m = scores[y - 1][x - 1]
        if h[y][x] == h[y - 1][x - 1] + m:
            y, x = y - 1, x - 1
        elif h[y][x] == h[y - 1][x] + m:
            y -= 1
        else:
            x -= 1
    return path[::-1]


def spans(path: Path) -> list[tuple[int, int]]:
    """Return the first and last turn of every chunk on the path."""
    by_chunk: dict[int, list[int]] = {}
    for turn, chunk in path:
        by_chunk.setdefault(chunk, []).append(turn)
    return [(min(turns), max(turns)) for _, turns in sorted(by_chunk.items())]


def greedy_spans(turns: Sequence[Ngrams], chunks: Sequence[Ngrams], window: int) -> list[tuple[int, int, float] | None]:
    """Return equation 1: for each chunk the best window t[c-w..c+w] (0 ≤ w ≤ window), the first in a tie, None if β = 0."""
    found: list[tuple[int, int, float] | None] = []
    for chunk in chunks:
        best: tuple[int, int, float] | None = None
        for centre in range(len(turns)):
            for w in range(window + 1):
                start, end = max(0, centre - w), min(len(turns) - 1, centre + w)
                score = beta(frozenset().union(*turns[start : end + 1]), chunk)
                if score > (best[2] if best else 0.0):
                    best = (start, end, score)
        found.append(best)
    return found
