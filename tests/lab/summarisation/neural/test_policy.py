"""Rewards and the loss of actor and critic, on figures that can be worked out by hand."""

import numpy as np
import pytest

from core.metrics.coded_texts import RougeCoder

torch = pytest.importorskip("torch", reason="the extra `lab` is not installed")
from lab.summarisation.neural.pointer_extractor import (  # noqa: E402
    NO_ACTION,
    compute_policy_loss,
    discount_rewards,
    reward_walk,
)


def test_each_turn_is_rewarded_against_its_sentence_and_the_stop_with_the_whole() -> None:
    code = RougeCoder().code_all
    rewards = reward_walk(code(["a b", "x y", "q"]), code(["a b", "x z"]), stop_weight=2.0)
    assert rewards == pytest.approx([1.0, 0.5, 0.0, 2.0 * 2 * 3 / (4 + 5)])


def test_rewards_are_summed_backwards() -> None:
    assert discount_rewards([1.0, 0.0, 4.0], 0.5) == [2.0, 2.0, 4.0]


def test_an_action_with_more_reward_than_expected_becomes_likelier_and_nothing_after_a_stop_counts() -> None:
    chances = torch.tensor([[-1.0, -9.0], [-1.0, -1.0]], requires_grad=True)
    values = torch.zeros(2, 2, requires_grad=True)
    actions = torch.tensor([[0, NO_ACTION], [3, 0]])
    compute_policy_loss(actions, chances, values, np.array([[3.0, 99.0], [1.0, 2.0]], np.float32)).backward()
    expected = np.array([[1.2247, 0.0], [-1.2247, 0.0]]) / 3
    np.testing.assert_allclose(-chances.grad.numpy(), expected, atol=1e-3)
    np.testing.assert_allclose(-values.grad.numpy(), 2 * expected, atol=1e-3)
