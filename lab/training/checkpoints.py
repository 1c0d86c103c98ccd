"""Checkpoints of a training: a file each, whole or not there, without pickles.

A checkpoint is a safetensors file: weights, the optimiser's state, losses, and JSON in its header. The store writes a file whole
or not at all, so a training that is killed at any moment leaves the checkpoint before or the one after.
"""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import ConfigError, StoreError
from infra.store.objects import Store

if TYPE_CHECKING:
    import torch

WEIGHTS, OPTIMISER, LOSSES = "weights.", "optimiser.", "losses"
_STATE = "state"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Tensors by name, and what else a training must remember, as JSON."""

    tensors: Mapping[str, "torch.Tensor"]
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StoredFiles:
    """The files of a training, in a folder of a store; a file is written whole or not at all."""

    store: Store
    folder: str

    def read(self, name: str) -> bytes | None:
        """Return a file, None where there is none."""
        found = self.store.read_if_there(f"{self.folder}/{name}")
        return None if found is None else found[0]

    def write(self, name: str, content: bytes) -> None:
        """Put a file, in place of the one before."""
        self.store.write(f"{self.folder}/{name}", content)

    def delete(self, name: str) -> None:
        """Remove a file if it is there."""
        self.store.delete(f"{self.folder}/{name}")


@dataclass(frozen=True, slots=True)
class CheckpointPlace:
    """The checkpoints of one training, by its name, among the files of several."""

    files: StoredFiles
    training: str

    def __str__(self) -> str:
        """Return the name of the training."""
        return self.training

    def write(self, name: str, checkpoint: Checkpoint) -> None:
        """Put a checkpoint at its name, in place of the one before."""
        from safetensors.torch import save

        tensors = {key: value.detach().cpu().contiguous() for key, value in checkpoint.tensors.items()}
        self.files.write(self._file(name), save(tensors, {_STATE: json.dumps(checkpoint.state)}))

    def read(self, name: str) -> Checkpoint | None:
        """Return a checkpoint, its tensors in memory, or None where there is none."""
        from safetensors import SafetensorError
        from safetensors.torch import load

        found = self.files.read(self._file(name))
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
        self.files.delete(self._file(name))

    def _file(self, name: str) -> str:
        return f"{self.training}-{name}.safetensors"


def save_model(network: Any, tokenizer: Any, out: Path) -> None:
    """Write a network of transformers and its tokeniser to a new folder, which appears when all of it is written."""
    beside = out.with_name(f".{out.name}-{os.getpid()}")
    try:
        network.save_pretrained(beside, safe_serialization=True)
        tokenizer.save_pretrained(beside)
        beside.rename(out)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise ConfigError(f"{out}: {error.strerror}; name a folder that can be written") from error


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
