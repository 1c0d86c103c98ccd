"""Posterior probabilities of where each sentence's span of turns begins and ends, over all layouts of the sentences in order."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.alignment.window_evidence import SpanEvidence
from core.compiled import compiled_when_busy, kernel_part

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]
_LARGE = 1e150  # rows are scaled down from here on: a few dozen turns in the exact words of a sentence would overflow
JUMP = 1e-20
"""Probability of a jump to any turn where order holds. At 0, one sentence told elsewhere would make the others impossible."""


@dataclass(frozen=True, slots=True)
class ChainPriors:
    """Prior probabilities of the spans, before any word is read.

    The length of a span is a mixture of geometric distributions. So is the gap from the last turn of the previous sentence to the
    first turn of this one: same turn, next turn, two kinds of steps forward, and a step back. A span of mean length m that has
    reached a turn with clock c ends there with probability c / (c + m − 1), which is 1 / m for c = 1. Gaps end in the same way.
    """

    length_shares: _Floats  # mixture weights (n_sentences × components)
    length_means: _Floats  # in turns, ≥ 1 (n_sentences × components)
    gap_shares: _Floats  # mixture weights (n_sentences × 5)
    gap_means: _Floats  # steps forward and back, in turns (n_sentences × 3)
    clock: _Floats  # the time that each turn takes (n_turns, > 0, mean 1)
    unaligned: _Floats  # probability that no turn tells of a sentence (n_sentences)
    first: _Floats  # relative probability that the first sentence begins with a turn (n_turns, > 0)
    last: _Floats  # relative probability that the last sentence ends with a turn (n_turns, > 0)
    entries: dict[int, _Floats]  # relative probability of some sentences to begin with a turn (n_turns, > 0), whatever precedes
    jumps: _Floats  # probability that a sentence begins anywhere, whatever the previous one's end (n_sentences)


@dataclass(frozen=True, slots=True)
class SpanPosteriors:
    """Probabilities that a span has begun by a turn, and that it lasts to it or beyond (n_sentences × n_turns), if it is aligned.

    `unaligned` (n_sentences) is the probability that it is not. `log_likelihood` is that of all words given the priors, minus
    that of the same words if they told of no sentence.
    """

    begun: _Floats
    lasting: _Floats
    unaligned: _Floats
    log_likelihood: float


def locate_spans(evidence: SpanEvidence, priors: ChainPriors) -> SpanPosteriors:
    """Return the posteriors of the sentences' spans, given the likelihood ratios of the turns and the priors.

    The model is a hidden semi-Markov model over spans, which are in order except for the steps back. All durations are mixtures
    of geometric distributions, so forward–backward takes time O(n_sentences · n_turns · components).

    Reference: Rabiner, "A Tutorial on Hidden Markov Models", 1989, sections III and IV.D.
    """
    begun, lasting, unaligned, log_likelihood = _locate(*_unpack(evidence, priors, True))
    return SpanPosteriors(begun, lasting, unaligned, log_likelihood)


def rate_layouts(evidence: SpanEvidence, priors: ChainPriors) -> float:
    """Return the log likelihood that `locate_spans` gives, in half the time."""
    return float(_locate(*_unpack(evidence, priors, False))[3])


def _unpack(evidence: SpanEvidence, priors: ChainPriors, backwards: bool) -> tuple[Any, ...]:
    """Return the arguments of `_locate`."""
    places = sorted(priors.entries)
    entries = np.array([np.ones(priors.clock.size), *(priors.entries[place] for place in places)])
    entry_rows = np.zeros(len(priors.unaligned), np.int64)
    entry_rows[places] = np.arange(1, len(places) + 1)
    return (
        evidence.inside,
        evidence.edge,
        priors.length_shares,
        *_stops(priors.length_means, priors.clock),
        priors.gap_shares,
        *_stops(priors.gap_means, priors.clock),
        entries,
        entry_rows,
        priors.unaligned,
        priors.first,
        priors.last,
        priors.jumps,
        backwards,
    )


def _stops(means: _Floats, clock: _Floats) -> tuple[_Floats, _Integers]:
    """Return the probability that a duration ends at a turn it reaches (rows × components × n_turns), and each sentence's row."""
    distinct, rows = np.unique(means, axis=0, return_inverse=True)
    return clock / (clock + distinct[:, :, None] - 1), rows.reshape(-1).astype(np.int64)


@compiled_when_busy
def _locate(
    inside: _Floats,
    edge: _Floats,
    length_shares: _Floats,
    length_stops: _Floats,
    length_rows: _Integers,
    gap_shares: _Floats,
    gap_stops: _Floats,
    gap_rows: _Integers,
    entries: _Floats,
    entry_rows: _Integers,
    unaligned: _Floats,
    first: _Floats,
    last: _Floats,
    jumps: _Floats,
    backwards: bool,
) -> tuple[_Floats, _Floats, _Floats, float]:
    kinds, n_sentences, n_turns = inside.shape
    within = np.empty(kinds)  # probability that the span goes on, by component of its length
    before = np.zeros((n_sentences, n_turns))  # forward probability that sentence i starts at turn t
    ended = np.zeros((n_sentences, n_turns))  # forward probability that sentence i ends at turn t
    _scale(first, _add(first), before[0])
    log_likelihood = 0.0
    for i in range(n_sentences):
        for turn in range(n_turns):
            before[i, turn] *= entries[entry_rows[i], turn]
        reached = _add(before[i])
        log_likelihood += math.log(reached / _add(entries[entry_rows[i]]) * n_turns)
        _scale(before[i], reached, before[i])
        stops, shares = length_stops[length_rows[i]], length_shares[i]
        within[:] = 0.0
        scale = 1.0
        for turn in range(n_turns):
            begins, ends = scale * before[i, turn] * edge[i, turn], 0.0
            for kind in range(kinds):
                stop, going, beginning = stops[kind, turn], within[kind], shares[kind] * begins
                ends += stop * (beginning + going * edge[i, turn])
                within[kind] = (1 - stop) * (beginning + going * inside[kind, i, turn])
            ended[i, turn] = ends
            if max(within) > _LARGE:
                _scale(within, _LARGE, within)
                _scale(ended[i, : turn + 1], _LARGE, ended[i])
                scale /= _LARGE
        log_likelihood -= math.log(scale)
        if i == n_sentences - 1:
            break
        _step(ended[i], before[i + 1], gap_shares[i + 1], gap_stops[gap_rows[i + 1]], jumps[i + 1], False)
        for turn in range(n_turns):
            before[i + 1, turn] = (1 - unaligned[i]) * before[i + 1, turn] + unaligned[i] * before[i, turn]
    fits = 0.0
    for turn in range(n_turns):
        fits += ((1 - unaligned[-1]) * ended[-1, turn] + unaligned[-1] * before[-1, turn]) * last[turn]
    log_likelihood += math.log(fits / _add(last) * n_turns)
    if not backwards:
        return before, ended, unaligned, log_likelihood
    begun, lasting, left_out = before, ended, np.empty(n_sentences)  # each row is overwritten after its last use
    onward = last.copy()  # backward probability of the sentences after i, given that sentence i + 1 starts at turn t
    after, starting = np.empty(n_turns), np.empty(n_turns)
    for i in range(n_sentences - 1, -1, -1):
        if i == n_sentences - 1:
            _scale(onward, 1.0, after)
        else:
            after[:] = 0.0
            _step(onward, after, gap_shares[i + 1], gap_stops[gap_rows[i + 1]], jumps[i + 1], True)
        stops, shares = length_stops[length_rows[i]], length_shares[i]
        within[:] = 0.0
        scale = 1.0
        for turn in range(n_turns - 1, -1, -1):
            ends, starts = scale * after[turn], 0.0
            for kind in range(kinds):
                stop, going = stops[kind, turn], (1 - stops[kind, turn]) * within[kind]
                starts += shares[kind] * (stop * ends + going)
                within[kind] = stop * ends * edge[i, turn] + going * inside[kind, i, turn]
            starting[turn] = starts * edge[i, turn]
            if max(within) > _LARGE:
                _scale(within, _LARGE, within)
                _scale(starting[turn:], _LARGE, starting[turn:])
                scale /= _LARGE
        aligned, skipped, left = 0.0, 0.0, 0.0
        for turn in range(n_turns):
            aligned += before[i, turn] * starting[turn]
            skipped += before[i, turn] * onward[turn]
            begun[i, turn] = aligned
        for turn in range(n_turns - 1, -1, -1):
            left += ended[i, turn] * after[turn]
            lasting[i, turn] = left
        _scale(begun[i], aligned, begun[i])
        _scale(lasting[i], left, lasting[i])
        left_out[i] = unaligned[i] * skipped / (unaligned[i] * skipped + (1 - unaligned[i]) * aligned)
        for turn in range(n_turns):
            onward[turn] = ((1 - unaligned[i]) * starting[turn] + unaligned[i] * onward[turn]) * entries[entry_rows[i], turn]
        _scale(onward, max(onward), onward)
    return begun, lasting, left_out, log_likelihood


@kernel_part
def _step(source: _Floats, target: _Floats, shares: _Floats, stops: _Floats, jump: float, backwards: bool) -> None:
    """Add to `target` the probabilities of `source`, moved over a gap; `backwards` moves them over the same gaps in reverse.

    With the probability `jump` they move to any turn.
    """
    n_turns = source.size
    jumps = jump * _add(source) / n_turns
    if jump < 1:
        for turn in range(n_turns):
            other = turn + 1 if backwards else turn - 1
            target[turn] += shares[0] * source[turn]
            if 0 <= other < n_turns:
                target[turn] += shares[1] * source[other]
        on_the_way = np.zeros(len(stops))
        for at in range(n_turns):
            for kind in range(len(stops)):
                forward = (kind < len(stops) - 1) != backwards
                turn = at if forward else n_turns - 1 - at
                stop, coming = stops[kind, turn], on_the_way[kind]
                if backwards:  # a gap ends where the later sentence starts
                    target[turn] += shares[2 + kind] * coming
                    on_the_way[kind] = coming + stop * (source[turn] - coming)
                else:
                    target[turn] += shares[2 + kind] * stop * coming
                    on_the_way[kind] = coming + source[turn] - stop * coming
    for turn in range(n_turns):
        target[turn] += jumps


@kernel_part
def _add(values: _Floats) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


@kernel_part
def _scale(values: _Floats, divisor: float, target: _Floats) -> None:
    for place in range(values.size):
        target[place] = values[place] / divisor
