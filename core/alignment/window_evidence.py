"""How much each turn speaks in the words of each sentence, against chance: a likelihood ratio a pair."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np
from numpy.typing import NDArray

from core.alignment.windows_config import WindowsConfig
from core.compiled import compiled

_Integers = NDArray[np.int64]
_Floats = NDArray[np.float64]
_MOST = 30.0  # nats: as sure as one turn can make us


class TurnTerms:
    """The content terms of a dialogue's turns, numbered: what the sentences are compared with."""

    def __init__(self, turns: Sequence[Sequence[str]]) -> None:
        """Count the terms of each turn."""
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._numbers: Mapping[str, int] = numbers
        codes, bounds = _join([[*map(numbers.__getitem__, dict.fromkeys(terms))] for terms in turns])
        self.words = np.array([len(terms) for terms in turns], dtype=np.float64)
        self._turns = np.repeat(np.arange(len(turns)), np.diff(bounds))[np.argsort(codes, kind="stable")]
        self._bounds = np.append(0, np.cumsum(np.bincount(codes, minlength=len(numbers)))).astype(np.int64)

    def code(self, sentences: Sequence[Sequence[str]]) -> tuple[_Integers, _Integers]:
        """Return the numbers of each sentence's terms that some turn has, without repeats, in compressed rows."""
        return _join([[self._numbers[term] for term in dict.fromkeys(terms) if term in self._numbers] for terms in sentences])

    def weigh(self, sentences: Sequence[Sequence[str]], config: WindowsConfig) -> "SpanEvidence":
        """Return how many times as likely each turn's words are in each sentence's span as elsewhere.

        A term stands in a turn of n content words with 1 − exp(−λ), λ = f · (n + `chance_words`), f its share in the turns'
        words; in the span of a sentence that has it λ grows by κ = `mention` · (n + ½) / (n + `mention_words`). With terms as
        independent, a turn's ratio is Π (1 − e^−(λ+κ)) / (1 − e^−λ) over shared terms, times e^−κ for each of the others. Of a
        span's turns only the share `engaged` follows this, the others are as elsewhere; `trust` is the power it is raised to.
        The first and last turn of a span have a `mention` and an `engaged` of their own.
        Time grows with the terms shared and with the matrices.

        Reference: the binary independence model, Robertson and Zaragoza, 2009, section 3.1, with Poisson counts.
        """
        ratios = _weigh(
            self._turns,
            self._bounds,
            self.words,
            *self.code(sentences),
            np.array([config.edge_mention, config.mention]),
            np.array([config.edge_engaged, *config.engaged]),
            config.mention_words,
            config.trust,
            config.rarity,
            config.chance_words,
        )
        return SpanEvidence(ratios[0], ratios[1:])


@dataclass(frozen=True, slots=True)
class SpanEvidence:
    """Likelihood ratios: of a turn as the first or last of a sentence's span (`edge`, n_sentences × n_turns), and as another one.

    `inside` (components × n_sentences × n_turns) has the latter for each component of the spans' lengths.
    """

    edge: _Floats
    inside: _Floats


def _join(rows: Sequence[Sequence[int]]) -> tuple[_Integers, _Integers]:
    bounds = np.append(0, np.cumsum([len(row) for row in rows], dtype=np.int64)).astype(np.int64)
    return np.fromiter(chain.from_iterable(rows), np.int64, int(bounds[-1])), bounds


@compiled
def _weigh(
    turns: _Integers,
    bounds: _Integers,
    words: _Floats,
    sentence_codes: _Integers,
    sentence_bounds: _Integers,
    mention: _Floats,
    engaged: _Floats,
    mention_words: float,
    trust: float,
    rarity: float,
    chance_words: float,
) -> _Floats:
    """Return the ratios at the edge (row 0) and inside; `turns` has those with each code, from one of `bounds` to the next."""
    n_turns, n_sentences, n_kinds = words.size, sentence_bounds.size - 1, engaged.size
    expected = np.empty((2, n_turns))  # κ at the edge and inside
    for place in range(2):
        expected[place] = mention[place] * (words + 0.5) / (words + mention_words)
    total = max(words.sum(), 1.0)
    gains = np.empty((2, turns.size))  # of sharing a code with a turn, against not sharing it
    for code in np.unique(sentence_codes):
        frequency = (bounds[code + 1] - bounds[code] - 1 + rarity) / total
        for at in range(bounds[code], bounds[code + 1]):
            chance = frequency * (words[turns[at]] + chance_words)
            for place in range(2):
                rate = expected[place, turns[at]]
                gains[place, at] = np.log((1 - np.exp(-chance - rate)) / (1 - np.exp(-chance))) + rate
    n_terms = np.maximum(sentence_bounds[1:] - sentence_bounds[:-1], 1)
    weights = np.empty((n_kinds, n_sentences, n_turns))
    silent, silent_terms = np.empty((n_kinds, n_turns)), -1  # the ratios of turns that share no term, by how many there are
    shared, sharing, seen = np.zeros((2, n_turns)), np.empty(n_turns, np.int64), np.zeros(n_turns, np.bool_)
    for sentence in np.argsort(n_terms):
        if n_terms[sentence] != silent_terms:
            silent_terms = n_terms[sentence]
            for kind in range(n_kinds):
                for turn in range(n_turns):
                    ratio = np.exp(-expected[min(kind, 1), turn] * silent_terms)
                    silent[kind, turn] = (1 - engaged[kind] + engaged[kind] * ratio) ** trust
        weights[:, sentence] = silent
        n_sharing = 0
        for code in sentence_codes[sentence_bounds[sentence] : sentence_bounds[sentence + 1]]:
            for at in range(bounds[code], bounds[code + 1]):
                turn = turns[at]
                if not seen[turn]:
                    seen[turn] = True
                    sharing[n_sharing] = turn
                    n_sharing += 1
                shared[0, turn] += gains[0, at]
                shared[1, turn] += gains[1, at]
        for turn in sharing[:n_sharing]:
            for kind in range(n_kinds):
                place = min(kind, 1)
                ratio = np.exp(min(shared[place, turn] - expected[place, turn] * silent_terms, _MOST))
                weights[kind, sentence, turn] = (1 - engaged[kind] + engaged[kind] * ratio) ** trust
            shared[:, turn] = 0.0
            seen[turn] = False
    return weights
