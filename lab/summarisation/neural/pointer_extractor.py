"""The extractor of Chen and Bansal: turns as vectors, and a pointer network that chooses one after the other, or stops.

It is an advantage actor-critic: it is rewarded for what an abstractor makes of the turns that it chooses.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.metrics.coded_texts import join_codes
from core.metrics.rouge import score_rouge
from core.text.numbering import Codes
from lab.summarisation.neural.settings import RewriteConfig
from lab.summarisation.neural.vocabulary import PAD

STOP = 0
"""The action that ends an extraction; action i + 1 extracts turn i."""
NO_ACTION = -100
_KERNELS = (3, 4, 5)
_REFUSED = -1e9
_TURNS_AT_ONCE = 256


class Memory(NamedTuple):
    """What a pointer chooses from: vectors (batch × actions × width), and which of the actions there are."""

    vectors: torch.Tensor
    there: torch.Tensor


class Shown(NamedTuple):
    """A memory as a pointer sees it at every step: projected once for its glimpses and once for its choices (… × hidden)."""

    glimpsed: torch.Tensor
    pointed: torch.Tensor
    there: torch.Tensor


class Walk(NamedTuple):
    """Actions of some dialogues (batch × steps, `NO_ACTION` after the stop), and their log-probabilities."""

    actions: torch.Tensor
    log_probabilities: torch.Tensor


def list_chosen(walk: Walk) -> list[list[int]]:
    """Return the turns that each walk chooses, in the order of the choice."""
    return [[action - 1 for action in row if action not in (STOP, NO_ACTION)] for row in walk.actions.tolist()]


class TurnEncoder(nn.Module):
    """Makes vectors of turns: convolutions over words with the maximum over time, then an LSTM over turns, both ways."""

    def __init__(self, words: int, config: RewriteConfig) -> None:
        super().__init__()
        self._embedding = nn.Embedding(words, config.embedding, padding_idx=PAD)
        self._convolutions = nn.ModuleList(nn.Conv1d(config.embedding, config.filters, kernel) for kernel in _KERNELS)
        self._turns = nn.LSTM(len(_KERNELS) * config.filters, config.hidden, batch_first=True, bidirectional=True)
        self._stop = nn.Parameter(torch.empty(2 * config.hidden).uniform_(-0.01, 0.01))

    def forward(self, words: torch.Tensor, sizes: torch.Tensor) -> Memory:
        """Return the memory of dialogues: words (batch × turns × words, at least 5 of them), and how many turns each has."""
        batch, turns, _ = words.shape
        features = self._read_turns(words.flatten(0, 1)).view(batch, turns, -1)
        packed = nn.utils.rnn.pack_padded_sequence(features, sizes.cpu(), batch_first=True, enforce_sorted=False)
        read, _ = nn.utils.rnn.pad_packed_sequence(self._turns(packed)[0], batch_first=True, total_length=turns)
        vectors = torch.cat([self._stop.expand(batch, 1, -1), read], 1)
        there = torch.arange(turns + 1, device=words.device).unsqueeze(0) <= sizes.to(words.device).unsqueeze(1)
        return Memory(vectors, there)

    def _read_turns(self, words: torch.Tensor) -> torch.Tensor:
        """Return the features of turns (turns × features): turns of equal length together, so that little is filled up.

        Windows that reach beyond a turn do not count, unless the turn is shorter than the window.
        """
        sizes = (words != PAD).sum(1)
        order = sizes.argsort(descending=True, stable=True)
        order = order[: int((sizes > 0).sum())]
        parts = []
        groups = torch.split(order, _TURNS_AT_ONCE)
        read_words = [words[chosen, : max(int(sizes[chosen].max()), _KERNELS[-1])] for chosen in groups]
        # Embedded at once: each call makes a gradient of the size of the whole vocabulary.
        vectors = self._embedding(torch.cat([part.flatten() for part in read_words])).split([part.numel() for part in read_words])
        for chosen, part, vector in zip(groups, read_words, vectors, strict=True):
            size = sizes[chosen]
            embedded = vector.view(*part.shape, -1).transpose(1, 2)
            found = []
            for kernel, layer in zip(_KERNELS, self._convolutions, strict=True):
                read = torch.relu(layer(embedded))
                windows = (size - kernel + 1).clamp(min=1).unsqueeze(1)
                inside = torch.arange(read.shape[2], device=words.device).unsqueeze(0) < windows
                found.append((read * inside.unsqueeze(1)).amax(2))
            parts.append(torch.cat(found, 1))
        read = torch.cat(parts)
        features = read.new_zeros(len(words), read.shape[1])
        return features.index_copy(0, order, read)


class Pointer(nn.Module):
    """An LSTM that looks at a memory before each step (glimpses) and scores what to point at next.

    Reference: Vinyals et al., 2015; Chen and Bansal, 2018, section 2.2.
    """

    def __init__(self, hidden: int, hops: int) -> None:
        super().__init__()
        self._cell = nn.LSTMCell(2 * hidden, hidden)
        self._first = nn.ParameterList(
            nn.Parameter(torch.empty(size).uniform_(-0.01, 0.01)) for size in (2 * hidden, hidden, hidden)
        )
        self._hops = hops
        self._glimpse = _Attention(hidden)
        self._point = _Attention(hidden)

    def start(self, batch: int) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        """Return the first input (batch × 2 · hidden) and state."""
        seen, hidden, cell = (part.expand(batch, -1) for part in self._first)
        return seen, (hidden, cell)

    def show(self, memory: Memory) -> Shown:
        """Return a memory as `forward` takes it; most of the work of a walk is done here, once."""
        return Shown(self._glimpse.project(memory.vectors), self._point.project(memory.vectors), memory.there)

    def forward(
        self, shown: Shown, seen: torch.Tensor, state: tuple[torch.Tensor, torch.Tensor]
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        """Return the score of each action (batch × actions) and the next state, after `seen` was chosen."""
        state = self._cell(seen, state)
        query = state[0]
        for _ in range(self._hops):
            weights = torch.softmax(self._glimpse(shown.glimpsed, shown.there, query), 1)
            query = torch.bmm(weights.unsqueeze(1), shown.glimpsed).squeeze(1)
        return self._point(shown.pointed, shown.there, query), state


class PointerExtractor(nn.Module):
    """Chooses turns one after the other; no turn twice, at least one, and at most `most`."""

    def __init__(self, words: int, config: RewriteConfig) -> None:
        super().__init__()
        self.encoder = TurnEncoder(words, config)
        self.pointer = Pointer(config.hidden, config.hops)
        self._most = config.max_extracted

    def score(self, memory: Memory, actions: torch.Tensor) -> torch.Tensor:
        """Return the log-probabilities of given actions (batch × steps); 0 after the stop."""
        return self._walk(memory, actions, sample=False).log_probabilities

    def walk(self, memory: Memory, sample: bool) -> Walk:
        """Choose turns until the stop: the likeliest ones, or ones that are drawn."""
        return self._walk(memory, None, sample)

    def _walk(self, memory: Memory, given: torch.Tensor | None, sample: bool) -> Walk:
        batch = memory.vectors.shape[0]
        shown = self.pointer.show(memory)
        seen, state = self.pointer.start(batch)
        allowed = memory.there.clone()
        running = torch.ones(batch, dtype=torch.bool, device=memory.vectors.device)
        actions, chances = [], []
        for step in range(given.shape[1] if given is not None else self._most + 1):
            scores, state = self.pointer(shown, seen, state)
            allowed[:, STOP] = step > 0
            if given is None and step == self._most:
                allowed[:, STOP + 1 :] = False
            known = torch.log_softmax(scores.masked_fill(~allowed, _REFUSED).float(), 1)
            if given is not None:
                action = given[:, step].clamp(min=STOP)
                running = given[:, step] != NO_ACTION
            else:
                action = torch.multinomial(known.detach().exp(), 1).squeeze(1) if sample else known.argmax(1)
            actions.append(action.masked_fill(~running, NO_ACTION))
            chances.append(known.gather(1, action.unsqueeze(1)).squeeze(1).masked_fill(~running, 0.0))
            seen = memory.vectors[torch.arange(batch), action]
            allowed = allowed.scatter(1, action.unsqueeze(1), value=False)
            running = running & (action != STOP)
            if given is None and not running.any():
                break
        return Walk(torch.stack(actions, 1), torch.stack(chances, 1))


class Critic(nn.Module):
    """Estimates the reward that is still to come at each step of a walk.

    Reference: Chen and Bansal, 2018, section 3.2; `PtrScorer` of their program.
    """

    def __init__(self, config: RewriteConfig) -> None:
        super().__init__()
        self._pointer = Pointer(config.hidden, config.hops)
        self._value = nn.Linear(2 * config.hidden, 1)

    def begin_as(self, extractor: PointerExtractor) -> None:
        """Give the critic's pointer the weights of an extractor's."""
        self._pointer.load_state_dict(extractor.pointer.state_dict())

    def forward(self, memory: Memory, steps: int) -> torch.Tensor:
        """Return the estimates of the first steps (batch × steps)."""
        shown = self._pointer.show(memory)
        seen, state = self._pointer.start(memory.vectors.shape[0])
        values = []
        for _ in range(steps):
            scores, state = self._pointer(shown, seen, state)
            weights = torch.softmax(scores.masked_fill(~memory.there, _REFUSED), 1)
            seen = torch.bmm(weights.unsqueeze(1), memory.vectors).squeeze(1)
            values.append(self._value(seen).squeeze(1))
        return torch.stack(values, 1)


class ActorCritic(nn.Module):
    """An extractor and its critic, which share the encoder."""

    def __init__(self, words: int, config: RewriteConfig) -> None:
        super().__init__()
        self.extractor = PointerExtractor(words, config)
        self.critic = Critic(config)


class _Attention(nn.Module):
    """Scores the vectors of a memory for a query (additive attention)."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self._memory = nn.Linear(2 * hidden, hidden, bias=False)
        self._query = nn.Linear(hidden, hidden, bias=False)
        self._score = nn.Linear(hidden, 1, bias=False)

    def project(self, vectors: torch.Tensor) -> torch.Tensor:
        """Return the vectors of a memory (batch × actions × 2 · hidden) as the attention compares and reads them (… × hidden)."""
        projected: torch.Tensor = self._memory(vectors)
        return projected

    def forward(self, projected: torch.Tensor, there: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
        """Return the scores (batch × actions); those of actions that are not there are very small."""
        scores = self._score(torch.tanh(projected + self._query(query).unsqueeze(1))).squeeze(2)
        refused: torch.Tensor = scores.masked_fill(~there, _REFUSED)
        return refused


def reward_walk(written: Sequence[Codes], sentences: Sequence[Codes], stop_weight: float) -> list[float]:
    """Return the reward of each step of a walk: of each chosen turn, and of the stop.

    The t-th rewritten turn is rewarded with its ROUGE-L F1 against the t-th sentence of the summary; turns beyond the last
    sentence get 0. The stop is rewarded with ROUGE-1 F1 of the whole summary, times `stop_weight`.

    Args:
        written: what was made of the chosen turns, coded, in the order of the choice.
        sentences: the sentences of the reference.
        stop_weight: the weight of the stop's reward.

    Reference: Chen and Bansal, 2018, section 3.2, equations 9 and 10.
    """
    rewards = [score_rouge(sentences[step], one).rouge_l.f1 if step < len(sentences) else 0.0 for step, one in enumerate(written)]
    return [*rewards, stop_weight * score_rouge(join_codes(sentences), join_codes(written)).rouge1.f1]


def discount_rewards(rewards: Sequence[float], discount: float) -> list[float]:
    """Return for each step the sum of its reward and the later ones, each multiplied by `discount` once a step."""
    return list(accumulate(reversed(rewards), lambda later, reward: reward + discount * later))[::-1]


def compute_policy_loss(
    actions: torch.Tensor, log_probabilities: torch.Tensor, values: torch.Tensor, returns: NDArray[np.float32]
) -> torch.Tensor:
    """Return the loss of actor and critic over all steps of some walks.

    The returns are made to have mean 0 and variance 1. An action is made likelier by its advantage: the return less what the
    critic expected.

    Args:
        actions: the actions of the walks (batch × steps).
        log_probabilities: those of the actions (batch × steps).
        values: what the critic expects (batch × steps).
        returns: the discounted rewards (batch × steps); what stands after a stop is not looked at.

    Reference: Chen and Bansal, 2018, section 3.2; Mnih et al., 2016.
    """
    there = actions != NO_ACTION
    taken = torch.from_numpy(returns).to(values.device)[there]
    taken = (taken - taken.mean()) / (taken.std(correction=0) + 1e-6)
    expected = values[there].float()
    advantage = taken - expected.detach()
    actor = -(log_probabilities[there] * advantage).mean()
    return actor + torch.nn.functional.mse_loss(expected, taken)
