"""Checkpoints of a training: a file each, whole or not there, without pickles.

A checkpoint is a safetensors file: weights, the optimiser's state, losses, and JSON in its header. The store writes a file whole
or not at all, so a training that is killed at any moment leaves the checkpoint before or the one after.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from core.errors import StoreError

if TYPE_CHECKING:
    import torch

WEIGHTS, OPTIMISER, LOSSES = "weights.", "optimiser.", "losses"
_STATE = "state"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Tensors by name, and what else a training must remember, as JSON."""

    tensors: Mapping[str, "torch.Tensor"]
    state: Mapping[str, Any]


class CheckpointFiles(Protocol):
    """Where the files of a training are kept; a file is written whole or not at all."""

    def read(self, name: str) -> bytes | None:
        """Return a file, None where there is none."""
        ...

    def write(self, name: str, content: bytes) -> None:
        """Put a file, in place of the one before."""
        ...

    def delete(self, name: str) -> None:
        """Remove a file if it is there."""
        ...


class CheckpointPlace:
    """The checkpoints of one training, among the files of several."""

    def __init__(self, files: CheckpointFiles, training: str) -> None:
        """Choose where files are kept, and the name of the training."""
        self._files = files
        self._training = training

    def __str__(self) -> str:
        """Return the name of the training."""
        return self._training

    def write(self, name: str, checkpoint: Checkpoint) -> None:
        """Put a checkpoint at its name, in place of the one before."""
        from safetensors.torch import save

        tensors = {key: value.detach().cpu().contiguous() for key, value in checkpoint.tensors.items()}
        self._files.write(self._file(name), save(tensors, {_STATE: json.dumps(checkpoint.state)}))

    def read(self, name: str) -> Checkpoint | None:
        """Return a checkpoint, its tensors in memory, or None where there is none."""
        from safetensors import SafetensorError
        from safetensors.torch import load

        found = self._files.read(self._file(name))
        if found is None:
            return None
        try:
            length = int.from_bytes(found[:8], "little")  # a safetensors file begins with the length of its JSON header
            header = json.loads(found[8 : 8 + length])
            return Checkpoint(load(found), json.loads(header["__metadata__"][_STATE]))
        except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise StoreError(
                f"the checkpoint {self._file(name)} is damaged ({error!r}); remove it, and the training goes on without it"
            ) from error

    def remove(self, name: str) -> None:
        """Remove a checkpoint if it is there."""
        self._files.delete(self._file(name))

    def _file(self, name: str) -> str:
        return f"{self._training}-{name}.safetensors"


def pack_weights(network: "torch.nn.Module") -> dict[str, "torch.Tensor"]:
    """Return the weights of a network by name; weights that are shared under several names stand there once."""
    packed: dict[str, torch.Tensor] = {}
    seen: set[tuple[int, tuple[int, ...]]] = set()
    for name, value in network.state_dict().items():
        place = (value.data_ptr(), tuple(value.shape))
        if value.numel() == 0 or place not in seen:
            seen.add(place)
            packed[WEIGHTS + name] = value
    return packed


def load_weights(network: "torch.nn.Module", checkpoint: Checkpoint) -> None:
    """Give a network the weights of a checkpoint."""
    found = {name.removeprefix(WEIGHTS): value for name, value in checkpoint.tensors.items() if name.startswith(WEIGHTS)}
    expected = {name.removeprefix(WEIGHTS): value for name, value in pack_weights(network).items()}
    wrong = [name for name in expected.keys() | found.keys() if _shape(found, name) != _shape(expected, name)]
    if wrong:
        raise StoreError(
            f"the checkpoint fits another network: {len(wrong)} tensors differ, {min(wrong)} is {_shape(found, min(wrong))} and "
            f"should be {_shape(expected, min(wrong))}; remove the checkpoint, or name the model that it is of"
        )
    network.load_state_dict(found, strict=False)


def pack_optimiser(optimiser: "torch.optim.Optimizer") -> dict[str, "torch.Tensor"]:
    """Return the tensors that an optimiser keeps for each weight; its settings are not among them."""
    kept = optimiser.state_dict()["state"]
    return {f"{OPTIMISER}{place}.{key}": value for place, found in kept.items() for key, value in found.items()}


def load_optimiser(optimiser: "torch.optim.Optimizer", tensors: Mapping[str, "torch.Tensor"]) -> None:
    """Give an optimiser the tensors that `pack_optimiser` returned."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, value in tensors.items():
        if name.startswith(OPTIMISER):
            place, _, key = name.removeprefix(OPTIMISER).partition(".")
            state.setdefault(int(place), {})[key] = value
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})


def _shape(tensors: Mapping[str, "torch.Tensor"], name: str) -> tuple[int, ...] | None:
    return tuple(tensors[name].shape) if name in tensors else None
