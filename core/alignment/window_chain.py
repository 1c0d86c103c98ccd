"""Where each sentence's span of turns begins and ends, over all ways to lay the sentences out in order."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]
_JUMP = 1e-7  # of the paths, those that go anywhere: no sentence can make its neighbours impossible


@dataclass(frozen=True, slots=True)
class ChainPriors:
    """What is expected of spans before any word is read.

    Lengths of spans are mixtures of geometric distributions (`length_shares`, `length_means`: n_sentences × components, in turns,
    ≥ 1); so are the gaps from the last turn of the sentence before to the first of this one: in the same turn (where
    `shareable` (n_turns), a factor from 0 to 1, allows it), in the next, two kinds of steps forward, and back
    (`gap_shares`: n_sentences × 5, `gap_means`: n_sentences × 3). Turns pass by a `clock` (n_turns, > 0, mean 1): a span of mean
    length m that has reached a turn ends with it with the probability c / (c + m − 1), 1 / m where the clock c is 1, and
    so does a gap. `unaligned` is the share of sentences that no turn tells of. `opening` and `closing` are the mean numbers of
    turns before the first and after the last sentence.
    """

    length_shares: _Floats
    length_means: _Floats
    gap_shares: _Floats
    gap_means: _Floats
    shareable: _Floats
    clock: _Floats
    unaligned: float
    opening: float
    closing: float


@dataclass(frozen=True, slots=True)
class SpanPosteriors:
    """The probabilities, n_sentences × n_turns, that a sentence's span has begun by a turn, and that it lasts to it or beyond.

    Both are given that the sentence is aligned; `unaligned` (n_sentences) is the probability that it is not.
    """

    begun: _Floats
    lasting: _Floats
    unaligned: _Floats


def locate_spans(ratios: _Floats, priors: ChainPriors) -> SpanPosteriors:
    """Return where the sentences' spans are, given how many times as likely each turn is in each span (n_sentences × n_turns).

    A hidden semi-Markov model over spans, in order but for the steps back; since all durations are mixtures of geometric ones,
    forward–backward costs O(n_sentences · n_turns · components). Rows are scaled, so that nothing runs over.

    Reference: Rabiner, "A Tutorial on Hidden Markov Models", 1989, sections III and IV.D.
    """
    begun, lasting, unaligned = _locate(
        ratios,
        priors.length_shares,
        *_stops(priors.length_means, priors.clock),
        priors.gap_shares,
        *_stops(priors.gap_means, priors.clock),
        priors.shareable,
        priors.clock,
        priors.unaligned,
        priors.opening,
        priors.closing,
    )
    return SpanPosteriors(begun, lasting, unaligned)


def _stops(means: _Floats, clock: _Floats) -> tuple[_Floats, _Integers]:
    """Return how likely a duration ends with each turn it reaches (rows × components × n_turns), and each sentence's row."""
    distinct, rows = np.unique(means, axis=0, return_inverse=True)
    return clock / (clock + distinct[:, :, None] - 1), rows.reshape(-1).astype(np.int64)


@compiled
def _locate(
    ratios: _Floats,
    length_shares: _Floats,
    length_stops: _Floats,
    length_rows: _Integers,
    gap_shares: _Floats,
    gap_stops: _Floats,
    gap_rows: _Integers,
    shareable: _Floats,
    clock: _Floats,
    unaligned: float,
    opening: float,
    closing: float,
) -> tuple[_Floats, _Floats, _Floats]:
    n_sentences, n_turns = ratios.shape
    kinds = length_shares.shape[1]
    inside = np.empty(kinds)  # of a span's length, component by component: the layouts in which the span goes on
    before = np.zeros((n_sentences, n_turns))  # of all layouts of the sentences before, those after which this one starts here
    ended = np.zeros((n_sentences, n_turns))  # of all layouts up to this sentence, those in which it ends here
    for turn in range(n_turns):
        before[0, turn] = (np.exp(-turn / opening) + 1e-3) * clock[turn]
    before[0] /= before[0].sum()
    for i in range(n_sentences):
        stops, shares = length_stops[length_rows[i]], length_shares[i]
        inside[:] = 0.0
        for turn in range(n_turns):
            ending = 0.0
            for kind in range(kinds):
                here = ratios[i, turn] * (shares[kind] * before[i, turn] + inside[kind])
                ending += stops[kind, turn] * here
                inside[kind] = here - stops[kind, turn] * here
            ended[i, turn] = ending
        if i == n_sentences - 1:
            break
        _step(ended[i], before[i + 1], gap_shares[i + 1], gap_stops[gap_rows[i + 1]], shareable, False)
        before[i + 1] *= 1 - unaligned
        before[i + 1] += unaligned * before[i]
        before[i + 1] /= before[i + 1].sum()
    begun, lasting, left_out = before, ended, np.empty(n_sentences)  # each row is replaced when it has been read
    onward = np.empty(n_turns)  # of all layouts of the sentences from the next on, those that let it start here
    for turn in range(n_turns):
        onward[turn] = np.exp(-(n_turns - 1 - turn) / closing) + 1e-3
    after, starting = np.empty(n_turns), np.empty(n_turns)
    for i in range(n_sentences - 1, -1, -1):
        if i == n_sentences - 1:
            after[:] = onward
        else:
            after[:] = 0.0
            _step(onward, after, gap_shares[i + 1], gap_stops[gap_rows[i + 1]], shareable, True)
        stops, shares = length_stops[length_rows[i]], length_shares[i]
        inside[:] = 0.0
        for turn in range(n_turns - 1, -1, -1):
            starts = 0.0
            for kind in range(kinds):
                inside[kind] = ratios[i, turn] * (inside[kind] + stops[kind, turn] * (after[turn] - inside[kind]))
                starts += shares[kind] * inside[kind]
            starting[turn] = starts
        aligned, skipped, left = 0.0, 0.0, 0.0
        for turn in range(n_turns):
            aligned += before[i, turn] * starting[turn]
            skipped += before[i, turn] * onward[turn]
            begun[i, turn] = aligned
        for turn in range(n_turns - 1, -1, -1):
            left += ended[i, turn] * after[turn]
            lasting[i, turn] = left
        begun[i] /= aligned
        lasting[i] /= left
        left_out[i] = unaligned * skipped / (unaligned * skipped + (1 - unaligned) * aligned)
        highest = 0.0
        for turn in range(n_turns):
            onward[turn] = (1 - unaligned) * starting[turn] + unaligned * onward[turn]
            highest = max(highest, onward[turn])
        onward /= highest
    return begun, lasting, left_out


@compiled
def _step(source: _Floats, target: _Floats, shares: _Floats, stops: _Floats, shareable: _Floats, backwards: bool) -> None:
    """Add to `target` what reaches each turn over a gap from `source`; `backwards`: over the same gaps the other way."""
    n_turns = source.size
    for turn in range(n_turns):
        other = turn + 1 if backwards else turn - 1
        target[turn] += shares[0] * shareable[turn] * source[turn]
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
    target += _JUMP * source.sum() / n_turns
