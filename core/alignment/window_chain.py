"""Where each sentence's span of turns begins and ends, over all ways to lay the sentences out in order."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled

_Floats = NDArray[np.float64]
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
        priors.length_means,
        priors.gap_shares,
        priors.gap_means,
        priors.shareable,
        priors.clock,
        priors.unaligned,
        priors.opening,
        priors.closing,
    )
    return SpanPosteriors(begun, lasting, unaligned)


@compiled
def _locate(
    ratios: _Floats,
    length_shares: _Floats,
    length_means: _Floats,
    gap_shares: _Floats,
    gap_means: _Floats,
    shareable: _Floats,
    clock: _Floats,
    unaligned: float,
    opening: float,
    closing: float,
) -> tuple[_Floats, _Floats, _Floats]:
    n_sentences, n_turns = ratios.shape
    kinds = length_shares.shape[1]
    before = np.zeros((n_sentences, n_turns))  # of all layouts of the sentences before, those after which this one starts here
    ended = np.zeros((n_sentences, n_turns))  # of all layouts up to this sentence, those in which it ends here
    for turn in range(n_turns):
        before[0, turn] = (np.exp(-turn / opening) + 1e-3) * clock[turn]
    before[0] /= before[0].sum()
    for i in range(n_sentences):
        for kind in range(kinds):
            more = length_means[i, kind] - 1
            inside = 0.0
            for turn in range(n_turns):
                stop = clock[turn] / (clock[turn] + more)
                inside = ratios[i, turn] * (length_shares[i, kind] * before[i, turn] + inside)
                ended[i, turn] += stop * inside
                inside *= 1 - stop
        if i == n_sentences - 1:
            break
        _step(ended[i], before[i + 1], gap_shares[i + 1], gap_means[i + 1], shareable, clock, False)
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
            _step(onward, after, gap_shares[i + 1], gap_means[i + 1], shareable, clock, True)
        starting[:] = 0.0
        for kind in range(kinds):
            more = length_means[i, kind] - 1
            inside = 0.0
            for turn in range(n_turns - 1, -1, -1):
                stop = clock[turn] / (clock[turn] + more)
                inside = ratios[i, turn] * (stop * after[turn] + (1 - stop) * inside)
                starting[turn] += length_shares[i, kind] * inside
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
def _step(
    source: _Floats, target: _Floats, shares: _Floats, means: _Floats, shareable: _Floats, clock: _Floats, backwards: bool
) -> None:
    """Add to `target` what reaches each turn over a gap from `source`; `backwards`: over the same gaps the other way."""
    n_turns = source.size
    for turn in range(n_turns):
        other = turn + 1 if backwards else turn - 1
        target[turn] += shares[0] * shareable[turn] * source[turn]
        if 0 <= other < n_turns:
            target[turn] += shares[1] * source[other]
    for kind in range(means.size):
        more = means[kind] - 1
        forward = (kind < means.size - 1) != backwards
        on_the_way = 0.0
        for at in range(n_turns):
            turn = at if forward else n_turns - 1 - at
            stop = clock[turn] / (clock[turn] + more)  # a gap's end is the turn where the later sentence starts
            if backwards:
                target[turn] += shares[2 + kind] * on_the_way
                on_the_way += stop * (source[turn] - on_the_way)
            else:
                target[turn] += shares[2 + kind] * stop * on_the_way
                on_the_way += source[turn] - stop * on_the_way
    target += _JUMP * source.sum() / n_turns
