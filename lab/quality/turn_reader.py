"""A small reader: given sentences of a recap, it says of each turn of the dialogue how likely the turn tells them.

It is a network of one hidden layer over frozen sentence vectors, shared words, and where in recap and dialogue both stand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d
from torch import nn

from core.metrics.alignment_quality import match_span
from core.text.terms import content_terms
from lab.summarisation.selecting.trained_selection import measure_average_precision

INSIDE, NEAR, ANYWHERE = 8, 8, 16
"""Turns that a row gives: of its span, of the `NEIGHBOURHOOD` turns on each side, and of all others."""
NEIGHBOURHOOD = 100
WINDOWS = (0, 2, 8, 32)
"""Turns on each side over which the signals of a turn are averaged."""
HIDDEN, RANK, EPOCHS, BATCH, RATE = 64, 32, 10, 2_048, 3e-3
Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


class Row(NamedTuple):
    """Sentences of a recap, their place in it (0 to 1), and the turns `start` to `end` (0-based, inclusive) that tell them."""

    episode: str
    text: str
    place: float
    start: int
    end: int


class Seen(NamedTuple):
    """What the reader sees for a row: features (turns × features), the turns' vectors, and the mean vector of the sentences."""

    features: Floats
    turns: Floats
    sentences: Floats


@dataclass(frozen=True, slots=True)
class Heard:
    """The turns of an episode: vectors (turns × dimensions), plain features (turns × 3), and by term its weight and its turns.

    `weights` are idf in the episode, `norms` the sums of those of a turn's terms.
    """

    vectors: Floats
    plain: Floats
    weights: Mapping[str, float]
    turns_of: Mapping[str, Integers]
    norms: Floats


def hear(texts: Sequence[str], masters: Sequence[bool], vectors: Floats) -> Heard:
    """Prepare the turns of an episode; `masters` says which are the game master's."""
    holders: dict[str, list[int]] = {}
    for turn, text in enumerate(texts):
        for term in set(content_terms(text)):
            holders.setdefault(term, []).append(turn)
    weights = {term: float(np.log((len(texts) + 1) / len(turns))) for term, turns in holders.items()}
    norms = np.full(len(texts), 1e-3, np.float32)
    for term, turns in holders.items():
        norms[turns] += weights[term]
    plain = np.stack([np.log1p([len(text.split()) for text in texts]), masters, np.linspace(0, 1, len(texts))], 1)
    turns_of = {term: np.array(turns, np.int64) for term, turns in holders.items()}
    return Heard(vectors, plain.astype(np.float32), weights, turns_of, norms)


def look(heard: Heard, row: Row, sentences: Floats) -> Seen:
    """Return what the reader sees of all turns for a row whose sentences have these vectors."""
    cosines = heard.vectors @ sentences.T
    terms = set(content_terms(row.text)) & heard.weights.keys()
    shared = np.zeros(len(heard.vectors), np.float32)
    for term in terms:
        shared[heard.turns_of[term]] += heard.weights[term]
    whole = sum(heard.weights[term] for term in terms) + 1e-3
    signals = np.stack([cosines.mean(1), cosines.max(1), shared / whole, shared / np.sqrt(whole * heard.norms)], 1)
    smooth = np.hstack([uniform_filter1d(signals, 2 * width + 1, axis=0, mode="nearest") for width in WINDOWS])
    smooth = (smooth - smooth.mean(0)) / (smooth.std(0) + 1e-6)
    late = heard.plain[:, 2] - row.place
    features = np.column_stack([smooth, heard.plain, late, np.abs(late)]).astype(np.float32)
    return Seen(features, heard.vectors, sentences.mean(0))


class Reader(nn.Module):
    """Scores turns for sentences: by their features, and by products of their vectors in `RANK` learned directions."""

    def __init__(self, features: int, dimensions: int) -> None:
        super().__init__()
        self.said, self.told = (nn.Linear(dimensions, RANK, bias=False) for _ in range(2))
        self.head = nn.Sequential(nn.Linear(features + RANK, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))

    def forward(self, features: torch.Tensor, turns: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
        """Return the log-odds that each of n turns tells its sentences; all arguments have n rows."""
        products = self.said(turns) * self.told(sentences) * turns.shape[1]
        scores: torch.Tensor = self.head(torch.cat([features, products], 1)).squeeze(1)
        return scores

    @torch.inference_mode()
    def score(self, seen: Seen) -> Floats:
        """Return the log-odds of all turns of an episode."""
        features, turns, sentences = map(torch.from_numpy, seen)
        scores: Floats = self(features, turns, sentences.expand(len(turns), -1)).numpy()
        return scores


def draw_turns(row: Row, turns: int, draw: np.random.Generator) -> tuple[Integers, Floats]:
    """Return turns that a reader learns from (of so many), and whether each is in the row's span; a turn may come twice."""
    places = np.arange(turns)
    inside = (places >= row.start) & (places <= row.end)
    near = ~inside & (places >= row.start - NEIGHBOURHOOD) & (places <= row.end + NEIGHBOURHOOD)
    groups = ((inside, INSIDE), (near if near.any() else ~inside, NEAR), (~inside, ANYWHERE))
    chosen = np.concatenate([draw.choice(places[group], count) for group, count in groups])
    return chosen, inside[chosen].astype(np.float32)


def train_reader(rows: Sequence[tuple[Row, Seen]], seed: int) -> Reader:
    draw = np.random.default_rng(seed)
    parts = []
    for row, seen in rows:
        places, told = draw_turns(row, len(seen.turns), draw)
        parts.append((seen.features[places], seen.turns[places], np.tile(seen.sentences, (len(places), 1)), told))
    *inputs, labels = (torch.from_numpy(np.concatenate(part)) for part in zip(*parts, strict=True))
    torch.manual_seed(seed)
    reader = Reader(inputs[0].shape[1], inputs[1].shape[1])
    optimiser = torch.optim.AdamW(reader.parameters(), lr=RATE)
    for _ in range(EPOCHS):
        order = torch.from_numpy(draw.permutation(len(labels)))
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            optimiser.zero_grad()
            scores = reader(*(part[chosen] for part in inputs))
            nn.functional.binary_cross_entropy_with_logits(scores, labels[chosen]).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
    return reader


def choose_threshold(scored: Sequence[tuple[Floats, Row]]) -> float:
    """Return the log-odds above which a turn speaks for a run, by the highest F1 on rows that were not learned from."""
    thresholds: list[float] = np.arange(-2, 6, 0.25).tolist()
    return max(thresholds, key=lambda threshold: sum(match_run(scores, row, threshold) for scores, row in scored))


def match_run(scores: Floats, row: Row, threshold: float) -> float:
    return match_span(*find_run(scores - np.float32(threshold)), row.start, row.end).f1


def find_run(values: Floats) -> tuple[int, int]:
    """Return the first and last place of the run with the highest sum."""
    sums = np.concatenate([[0.0], values.cumsum(dtype=np.float64)])
    last = int((sums[1:] - np.minimum.accumulate(sums[:-1])).argmax())
    return int(sums[: last + 1].argmin()), last


def average_precision(scores: Floats, row: Row) -> float:
    """Return the average precision of a row's turns among all turns, ranked by their scores."""
    places = np.arange(len(scores))
    return measure_average_precision((row.start <= places) & (places <= row.end), scores.astype(np.float64))
