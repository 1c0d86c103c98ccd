"""Trains a network step by step, so that a training that is killed at any moment is resumed and ends as if it had not been.

The order of the rows, the learning rate and every random number follow from the seed and the step. A step therefore needs the
weights and the optimiser's state of the step before, and nothing else.
"""

import json
import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from annotated_types import Ge, Gt, Le

from core.errors import ConfigError, StoreError
from infra.models.model_folder import mixed_precision, name_precision
from lab.training.checkpoints import (
    LOSSES,
    Checkpoint,
    CheckpointPlace,
    load_optimiser,
    load_weights,
    pack_optimiser,
    pack_weights,
)

if TYPE_CHECKING:
    import torch

logger = logging.getLogger(__name__)
LAST, BEST, FINISHED = "last", "best", "finished"
"""Names of checkpoints: where a training goes on, the best weights so far (with their step), and those of one that has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """How a network is trained: AdamW, a linear warm-up and a linear decay of the learning rate.

    `batch` rows make a step; `rows_at_once` of them are in memory together (0: all). `warm_up` is a share of all steps.
    `patience`: the training ends after so many epochs in a row without a better figure on the validation rows. A benchmark sets
    `seed` to its own.
    """

    epochs: Annotated[int, Ge(1), Le(10_000)] = 10
    batch: Annotated[int, Ge(1), Le(65_536)] = 8
    rows_at_once: Annotated[int, Ge(0), Le(65_536)] = 0
    learning_rate: Annotated[float, Gt(0), Le(1)] = 3e-5
    warm_up: Annotated[float, Ge(0), Le(1)] = 0.05
    decay: bool = True
    weight_decay: Annotated[float, Ge(0), Le(1)] = 0.01
    clip: Annotated[float, Gt(0), Le(1e6)] = 1.0
    patience: Annotated[int, Ge(1), Le(10_000)] = 3
    checkpoint_steps: Annotated[int, Ge(1), Le(1_000_000)] = 200
    seed: Annotated[int, Ge(0), Le(2**31 - 1)] = 1


@dataclass(frozen=True, slots=True)
class EpochFigure:
    """The figure on the validation rows after an epoch: 1-based epoch, its last step, and the figure (lower is better)."""

    epoch: int
    step: int
    figure: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingCurve:
    """How a training went: the loss of each step, the figures of the epochs, and why it ended.

    `best_step` is the step whose weights were kept. `resumed_after` is 0 for a training that was never stopped.
    """

    losses: tuple[float, ...]
    epochs: tuple[EpochFigure, ...]
    best_step: int
    stopped_early: bool
    resumed_after: int
    device: str
    precision: str


TellStep = Callable[[int, Mapping[str, float]], None]
"""Notes figures of a step: a point of the curves of a training."""


def seed_step(seed: int, step: int) -> None:
    """Seed torch for a step: what dropout and sampling do depends on the step alone."""
    import torch

    torch.manual_seed(seed * 1_000_003 + step)


def pad_rows(rows: Sequence[Sequence[int]], value: int) -> "torch.Tensor":
    """Return rows of numbers as one tensor (n_rows × longest), short ones filled up with a value."""
    import torch

    return torch.nn.utils.rnn.pad_sequence([torch.tensor(row, dtype=torch.long) for row in rows], True, value)


def plan_batches(count: int, batch: int, epochs: int, seed: int) -> Iterator[list[int]]:
    """Yield the rows of each step: every epoch has all rows in an order of its own."""
    for epoch in range(epochs):
        order = np.random.default_rng([seed, epoch]).permutation(count).tolist()
        yield from (order[start : start + batch] for start in range(0, count, batch))


def train_network(
    network: "torch.nn.Module",
    compute_loss: Callable[[Sequence[int]], "torch.Tensor"],
    count: int,
    validate: Callable[[], float] | None,
    place: CheckpointPlace,
    identity: Mapping[str, Any],
    config: TrainingConfig,
    tell: TellStep = lambda _, __: None,
) -> TrainingCurve:
    """Train a network; it has the best weights at the end.

    A training that was stopped is resumed, and one that ended is not repeated. Two processes may have the same training under
    way: both compute it, and the second to end takes what the first has written, where its own checkpoints are gone.

    Args:
        network: the network, on its device.
        compute_loss: returns the mean loss of some rows, a tensor to differentiate.
        count: the number of rows.
        validate: returns the figure on the validation rows, lower is better; without it the last weights are the best.
        place: where checkpoints stand.
        identity: JSON that tells this training from others: model, data, settings.
        config: the settings.
        tell: is called after each step with its loss and, after an epoch, the figure on the validation rows; a training that is
            resumed tells the steps before once more.

    Raises:
        ConfigError: `place` holds another training, or there are no rows.
        StoreError: the store failed.
    """
    if count < 1:
        raise ConfigError("found no rows to train on; name a dataset, or a split, that has some")
    return _Training(network, compute_loss, count, validate, place, identity, config).run(tell)


@dataclass
class _Training:
    _network: "torch.nn.Module"
    _compute_loss: Callable[[Sequence[int]], "torch.Tensor"]
    _count: int
    _validate: Callable[[], float] | None
    _place: CheckpointPlace
    _given: Mapping[str, Any]
    _config: TrainingConfig

    def __post_init__(self) -> None:
        import torch

        config, count = self._config, self._count
        self._identity = json.loads(json.dumps({**self._given, "training": asdict(config), "rows": count}))  # as it is read back
        self._weights = [weight for weight in self._network.parameters() if weight.requires_grad]
        self._optimiser = torch.optim.AdamW(self._weights, lr=config.learning_rate, weight_decay=config.weight_decay)
        self._device = str(next(self._network.parameters()).device.type)
        self._plan = list(plan_batches(count, config.batch, config.epochs, config.seed))
        self._steps_per_epoch = -(-count // config.batch)
        self._losses: list[float] = []
        self._epochs: list[EpochFigure] = []
        self._resumed_after = 0

    def run(self, tell: TellStep) -> TrainingCurve:
        finished = self._read(FINISHED)
        if finished is not None:
            self._take_up(finished)
            self._resumed_after = int(finished.state["resumed_after"])
            self._tidy()
            self._tell_again(tell)
            return self._conclude(int(finished.state["best_step"]))
        last = self._read(LAST)
        if last is not None:
            self._take_up(last)
            load_optimiser(self._optimiser, last.tensors)
            self._resumed_after = len(self._losses)
            self._tell_again(tell)
            logger.info("training %s is resumed after step %d", self._place, self._resumed_after)
        for step in range(len(self._losses) + 1, len(self._plan) + 1):
            if self._is_tired():
                break
            loss = self._step(step)
            self._losses.append(loss)
            if step % self._steps_per_epoch == 0:
                self._end_epoch(step)
            elif step % self._config.checkpoint_steps == 0:
                self._write(LAST, with_optimiser=True)
            tell(step, self._figures(step))
        return self._finish()

    def _tell_again(self, tell: TellStep) -> None:
        for step in range(1, len(self._losses) + 1):
            tell(step, self._figures(step))

    def _figures(self, step: int) -> dict[str, float]:
        epochs = {epoch.step: epoch.figure for epoch in self._epochs}
        return {"loss": self._losses[step - 1], **({"validation": epochs[step]} if step in epochs else {})}

    def _step(self, step: int) -> float:
        import torch

        seed_step(self._config.seed, step)
        self._network.train()
        rate = self._config.learning_rate * self._scale(step)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        rows = self._plan[step - 1]
        size = self._config.rows_at_once or len(rows)
        self._optimiser.zero_grad()
        total = 0.0
        for start in range(0, len(rows), size):
            part = rows[start : start + size]
            with mixed_precision(self._device):
                loss = self._compute_loss(part) * (len(part) / len(rows))
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        if not math.isfinite(total):
            raise ConfigError(f"the loss of step {step} is {total}; choose a smaller learning_rate or clip")
        torch.nn.utils.clip_grad_norm_(self._weights, self._config.clip)
        self._optimiser.step()
        return total

    def _scale(self, step: int) -> float:
        """Return the learning rate of a step as a share of the highest one."""
        warm = round(self._config.warm_up * len(self._plan))
        if step <= warm:
            return step / warm
        return (len(self._plan) - step + 1) / max(len(self._plan) - warm, 1) if self._config.decay else 1.0

    def _end_epoch(self, step: int) -> None:
        if self._validate is not None:
            import torch

            seed_step(self._config.seed, step)
            self._network.eval()
            with torch.no_grad(), mixed_precision(self._device):
                figure = self._validate()
            before = self._best_step()
            self._epochs.append(EpochFigure(step // self._steps_per_epoch, step, figure))
            best = self._best_step()
            if best == step:
                self._write(f"{BEST}-{step}", with_optimiser=False)  # first: no checkpoint names weights that are not there
            self._write(LAST, with_optimiser=True)
            for gone in {before, step} - {best}:
                self._place.remove(f"{BEST}-{gone}")
        else:
            self._write(LAST, with_optimiser=True)

    def _best_step(self) -> int:
        return min(self._epochs, key=lambda epoch: (epoch.figure, epoch.step)).step if self._epochs else len(self._losses)

    def _is_tired(self) -> bool:
        """Tell whether the last epochs, as many as the patience, were no better than the best before them."""
        if not self._epochs:
            return False
        best = next(place for place, epoch in enumerate(self._epochs) if epoch.step == self._best_step())
        return len(self._epochs) - 1 - best >= self._config.patience

    def _finish(self) -> TrainingCurve:
        best = self._best_step()
        if self._epochs:
            kept = self._read(f"{BEST}-{best}")
            if kept is None and (finished := self._read(FINISHED)) is not None:  # by another process, which has tidied up
                self._take_up(finished)
                self._tidy()
                return self._conclude(int(finished.state["best_step"]))
            if kept is None:
                raise StoreError(
                    f"the checkpoint of the best epoch of the training {self._place!s} is gone; remove its other checkpoints, "
                    "and it starts anew"
                )
            load_weights(self._network, kept)
        self._write(FINISHED, with_optimiser=False)
        self._tidy()
        return self._conclude(best)

    def _tidy(self) -> None:
        for name in (LAST, *(f"{BEST}-{epoch.step}" for epoch in self._epochs)):
            self._place.remove(name)

    def _conclude(self, best: int) -> TrainingCurve:
        self._network.eval()
        return TrainingCurve(
            losses=tuple(self._losses),
            epochs=tuple(self._epochs),
            best_step=best,
            stopped_early=len(self._losses) < len(self._plan),
            resumed_after=self._resumed_after,
            device=self._device,
            precision=name_precision(self._device),
        )

    def _read(self, name: str) -> Checkpoint | None:
        found = self._place.read(name)
        if found is not None and found.state["identity"] != self._identity:
            other = sorted(key for key, value in self._identity.items() if found.state["identity"].get(key) != value)
            raise ConfigError(
                f"the checkpoints of the training {self._place!s} are of another one (it differs in {', '.join(other)}); "
                "name another place, or remove them"
            )
        return found

    def _take_up(self, checkpoint: Checkpoint) -> None:
        load_weights(self._network, checkpoint)
        self._losses = checkpoint.tensors[LOSSES].tolist()
        self._epochs = [EpochFigure(**epoch) for epoch in checkpoint.state["epochs"]]

    def _write(self, name: str, with_optimiser: bool) -> None:
        import torch

        tensors = pack_weights(self._network) | {LOSSES: torch.tensor(self._losses, dtype=torch.float64)}
        if with_optimiser:
            tensors |= pack_optimiser(self._optimiser)
        state = {
            "identity": self._identity,
            "epochs": [asdict(epoch) for epoch in self._epochs],
            "best_step": self._best_step(),
            "resumed_after": self._resumed_after,
        }
        self._place.write(name, Checkpoint(tensors, state))
