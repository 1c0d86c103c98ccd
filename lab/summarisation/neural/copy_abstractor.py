"""The abstractor of Chen and Bansal: rewrites a turn with an LSTM that attends to it, and copies words from it.

A copied word may be one that the vocabulary lacks: the words of a batch have numbers of their own beyond it.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn

from lab.summarisation.neural.settings import RewriteConfig
from lab.summarisation.neural.vocabulary import END, PAD, START, UNKNOWN, Candidate, Vocabulary

_FLOOR = 1e-8
_NEVER = -1e18


class Source(NamedTuple):
    """Turns to rewrite, as numbers of words (batch × n).

    For a word that the vocabulary lacks `words` has `UNKNOWN`, and `extended` a number beyond it; `others` are these words.
    """

    words: torch.Tensor
    extended: torch.Tensor
    others: tuple[str, ...]


class State(NamedTuple):
    """What the decoder carries from word to word: hidden and cell state (batch × hidden), and its last output."""

    hidden: torch.Tensor
    cell: torch.Tensor
    output: torch.Tensor


class CopyAbstractor(nn.Module):
    """An encoder-aligner-decoder with a copy mechanism.

    Reference: Chen and Bansal, 2018, section 2.3; See et al., 2017; `CopySumm` of Chen and Bansal's program.
    """

    def __init__(self, words: int, config: RewriteConfig) -> None:
        super().__init__()
        hidden, width = config.hidden, config.embedding
        self._words = words
        self._embedding = nn.Embedding(words, width, padding_idx=PAD)
        self._encoder = nn.LSTM(width, hidden, batch_first=True, bidirectional=True)
        self._memory = nn.Linear(2 * hidden, hidden, bias=False)
        self._start_hidden = nn.Linear(2 * hidden, hidden, bias=False)
        self._start_cell = nn.Linear(2 * hidden, hidden, bias=False)
        self._decoder = nn.LSTMCell(2 * width, hidden)
        self._query = nn.Linear(hidden, hidden, bias=False)
        self._output = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.Tanh(), nn.Linear(hidden, width, bias=False))
        self._copy = nn.Linear(2 * hidden + 2 * width, 1)

    def read(self, source: Source) -> tuple[torch.Tensor, State]:
        """Return the memory of the turns (batch × n × hidden) and the decoder's first state."""
        sizes = (source.words != PAD).sum(1).clamp(min=1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self._embedding(source.words), sizes.cpu(), batch_first=True, enforce_sorted=False
        )
        read, (hidden, cell) = self._encoder(packed)
        vectors, _ = nn.utils.rnn.pad_packed_sequence(read, batch_first=True, total_length=source.words.shape[1])
        memory = self._memory(vectors)
        first = self._start_hidden(torch.cat([hidden[0], hidden[1]], 1))
        mean = memory.sum(1) / sizes.to(memory.device).unsqueeze(1)
        output = self._output(torch.cat([first, mean], 1))
        return memory, State(first, self._start_cell(torch.cat([cell[0], cell[1]], 1)), output)

    def step(
        self, words: torch.Tensor, state: State, memory: torch.Tensor, source: Source
    ) -> tuple[torch.Tensor, State, torch.Tensor]:
        """Return the log-probability of each next word (batch × vocabulary and others), the state, and the attention."""
        known = words.masked_fill(words >= self._words, UNKNOWN)
        given = torch.cat([self._embedding(known), state.output], 1)
        hidden, cell = self._decoder(given, (state.hidden, state.cell))
        scores = torch.bmm(memory, self._query(hidden).unsqueeze(2)).squeeze(2).masked_fill(source.words == PAD, -1e9)
        attention = torch.softmax(scores, 1)
        context = torch.bmm(attention.unsqueeze(1), memory).squeeze(1)
        output = self._output(torch.cat([hidden, context], 1))
        written = torch.softmax(output @ self._embedding.weight.t(), 1)
        copied = torch.sigmoid(self._copy(torch.cat([context, hidden, given], 1)))
        chances = torch.cat([(1 - copied) * written, written.new_zeros(written.shape[0], len(source.others))], 1)
        chances = chances.scatter_add(1, source.extended, copied * attention)
        return torch.log(chances + _FLOOR), State(hidden, cell, output), attention

    def forward(self, source: Source, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean negative log-probability of a word of the targets (batch × m, ended by END, filled with PAD)."""
        memory, state = self.read(source)
        before = torch.full_like(targets[:, 0], START)
        losses = []
        for place in range(targets.shape[1]):
            known, state, _ = self.step(before, state, memory, source)
            losses.append(-known.gather(1, targets[:, place : place + 1]).squeeze(1))
            before = targets[:, place]
        there = targets != PAD
        return torch.stack(losses, 1)[there].sum() / there.sum()

    @torch.no_grad()
    def write(self, source: Source, vocabulary: Vocabulary, most: int) -> list[list[str]]:
        """Return the likeliest next words of each turn, one after the other, at most `most`."""
        memory, state = self.read(source)
        before = torch.full_like(source.words[:, 0], START)
        running = torch.ones_like(before, dtype=torch.bool)
        found: list[list[str]] = [[] for _ in range(len(before))]
        for length in range(most):
            known, state, attention = self.step(before, state, memory, source)
            before = _forbid(known, length).argmax(1)
            running = running & (before != END)
            if not running.any():
                break
            places = attention.argmax(1).tolist()
            for row in running.nonzero().flatten().tolist():
                found[row].append(_name(int(before[row]), places[row], row, source, vocabulary))
        return found

    @torch.no_grad()
    def search(self, source: Source, vocabulary: Vocabulary, most: int, beams: int, diversity: float) -> list[Candidate]:
        """Return at most `beams` candidates for one turn, the likeliest first.

        Of the words that may follow a hypothesis, the k-th likeliest (from 0) is ranked as if its log-probability were
        k · `diversity` less: candidates come from different hypotheses.

        Reference: Chen and Bansal, 2018, section 3.3; Li et al., 2016.
        """
        memory, state = self.read(source)
        hypotheses = [_Hypothesis((START,), (), 0.0, 0.0)]
        ended: list[_Hypothesis] = []
        for length in range(most):
            rows = len(hypotheses)
            wide = Source(source.words.expand(rows, -1), source.extended.expand(rows, -1), source.others)
            before = torch.tensor([one.numbers[-1] for one in hypotheses], device=memory.device)
            known, state, attention = self.step(before, state, memory.expand(rows, -1, -1), wide)
            chances, numbers = _forbid(known, length).topk(min(2 * beams, known.shape[1]), 1)
            places = attention.argmax(1).tolist()
            longer = [
                (row, one.extend(number, _name(number, places[row], 0, source, vocabulary), chance, rank * diversity))
                for row, one in enumerate(hypotheses)
                for rank, (chance, number) in enumerate(zip(chances[row].tolist(), numbers[row].tolist(), strict=True))
            ]
            longer.sort(key=lambda found: -found[1].ranked)
            going = [(row, one) for row, one in longer if one.numbers[-1] != END][:beams]
            ended += [one for _, one in longer[:beams] if one.numbers[-1] == END]
            if len(ended) >= beams or not going:
                break
            hypotheses = [one for _, one in going]
            kept = torch.tensor([row for row, _ in going], device=memory.device)
            state = State(state.hidden[kept], state.cell[kept], state.output[kept])
        best = sorted(ended or hypotheses, key=lambda one: -one.log_probability / len(one.numbers))
        return [Candidate(one.words, one.log_probability) for one in best[:beams]]


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """The beginning of a sentence; `ranked` is its log-probability less the penalties for its ranks."""

    numbers: tuple[int, ...]
    words: tuple[str, ...]
    log_probability: float
    ranked: float

    def extend(self, number: int, word: str, chance: float, penalty: float) -> "_Hypothesis":
        """Return this beginning with one more word."""
        words = self.words if number == END else (*self.words, word)
        return _Hypothesis((*self.numbers, number), words, self.log_probability + chance, self.log_probability + chance - penalty)


def _forbid(known: torch.Tensor, length: int) -> torch.Tensor:
    """Return log-probabilities without those of filling, of the beginning and, before the first word, of the end."""
    known = known.clone()
    known[:, [PAD, START] if length else [PAD, START, END]] = _NEVER
    return known


def _name(number: int, place: int, row: int, source: Source, vocabulary: Vocabulary) -> str:
    """Return the word of a number; the unknown word stands for the word at `place` of the turn, which is attended to most."""
    if number == UNKNOWN:
        number = int(source.extended[row, place])
    return vocabulary.name(number, source.others) if number > END else ""
