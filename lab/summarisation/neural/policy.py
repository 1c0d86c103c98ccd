"""Advantage actor-critic: an extractor is rewarded for what an abstractor makes of the turns that it chooses."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from core.metrics.coded_texts import join_codes
from core.metrics.rouge import score_rouge
from core.text.numbering import Codes
from lab.summarisation.neural.pointer_extractor import NO_ACTION


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
    found: list[float] = []
    total = 0.0
    for reward in reversed(rewards):
        total = reward + discount * total
        found.append(total)
    return found[::-1]


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
