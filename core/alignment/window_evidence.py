"""How much each turn speaks in the words of each sentence, against chance: a likelihood ratio a pair."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
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
        self.codes, self.bounds = _join([[*map(numbers.__getitem__, dict.fromkeys(terms))] for terms in turns])
        self.words = np.array([len(terms) for terms in turns], dtype=np.float64)
        self.turns_with = np.bincount(self.codes, minlength=len(numbers)).astype(np.float64)

    def code(self, sentences: Sequence[Sequence[str]]) -> tuple[_Integers, _Integers]:
        """Return the numbers of each sentence's terms that some turn has, without repeats, in compressed rows."""
        return _join([[self._numbers[term] for term in dict.fromkeys(terms) if term in self._numbers] for terms in sentences])

    def weigh(self, sentences: Sequence[Sequence[str]], config: WindowsConfig) -> _Floats:
        """Return how many times as likely each turn's words are in the sentence's span as elsewhere (n_sentences × n_turns).

        A term stands in a turn of n content words with 1 − exp(−λ), λ = f · (n + `chance_words`), f its share in the turns'
        words; in the span of a sentence that has it λ grows by κ = `mention` · (n + ½) / (n + `mention_words`). With terms as
        independent, a turn's ratio is Π (1 − e^−(λ+κ)) / (1 − e^−λ) over shared terms, times e^−κ for each of the others. Of a
        span's turns only the share `engaged` follows this, the others are as elsewhere; `trust` is the power it is raised to.
        Time grows with the terms shared and with the matrix.

        Reference: the binary independence model, Robertson and Zaragoza, 2009, section 3.1, with Poisson counts.
        """
        codes, bounds = self.code(sentences)
        return _weigh(
            self.codes,
            self.bounds,
            self.words,
            self.turns_with,
            codes,
            bounds,
            config.mention,
            config.mention_words,
            config.engaged,
            config.trust,
            config.rarity,
            config.chance_words,
        )


def _join(rows: Sequence[Sequence[int]]) -> tuple[_Integers, _Integers]:
    bounds = np.append(0, np.cumsum([len(row) for row in rows], dtype=np.int64)).astype(np.int64)
    return np.fromiter(chain.from_iterable(rows), np.int64, int(bounds[-1])), bounds


@compiled
def _weigh(
    codes: _Integers,
    bounds: _Integers,
    words: _Floats,
    turns_with: _Floats,
    sentence_codes: _Integers,
    sentence_bounds: _Integers,
    mention: float,
    mention_words: float,
    engaged: float,
    trust: float,
    rarity: float,
    chance_words: float,
) -> _Floats:
    n_turns, n_sentences, n_codes = words.size, sentence_bounds.size - 1, turns_with.size
    held = np.zeros(n_codes + 1, np.int64)  # which sentences have each code, in compressed rows
    for code in sentence_codes:
        held[code + 1] += 1
    held = np.cumsum(held)
    holders, filled = np.empty(sentence_codes.size, np.int64), held[:-1].copy()
    for sentence in range(n_sentences):
        for code in sentence_codes[sentence_bounds[sentence] : sentence_bounds[sentence + 1]]:
            holders[filled[code]] = sentence
            filled[code] += 1
    total = max(words.sum(), 1.0)
    n_terms = np.maximum(sentence_bounds[1:] - sentence_bounds[:-1], 1)
    weights = np.empty((n_sentences, n_turns))
    gains = np.zeros(n_sentences)
    silent = np.empty(n_terms.max() + 1)  # the weight of a turn that shares no term, by how many the sentence has
    order = np.argsort(words)
    last_words = -1.0
    for turn in order:
        expected = mention * (words[turn] + 0.5) / (words[turn] + mention_words)
        if words[turn] != last_words:
            last_words = words[turn]
            for terms in range(silent.size):
                silent[terms] = (1 - engaged + engaged * np.exp(-expected * terms)) ** trust
        for code in codes[bounds[turn] : bounds[turn + 1]]:
            if held[code] == held[code + 1]:
                continue
            chance = (turns_with[code] - 1 + rarity) / total * (words[turn] + chance_words)
            gain = np.log((1 - np.exp(-chance - expected)) / (1 - np.exp(-chance))) + expected
            for at in range(held[code], held[code + 1]):
                gains[holders[at]] += gain
        for sentence in range(n_sentences):
            weight = silent[n_terms[sentence]]
            if gains[sentence] > 0:
                ratio = np.exp(min(gains[sentence] - expected * n_terms[sentence], _MOST))
                weight = (1 - engaged + engaged * ratio) ** trust
                gains[sentence] = 0.0
            weights[sentence, turn] = weight
    return weights
