"""Fine-tunes a causal language model on the sentences of rooms, with checkpoints that survive a kill at any moment.

A checkpoint is a folder `step-<number>`: it is written beside under another name and renamed when it is whole. It holds the
model and the optimiser's state as safetensors, and the step. The order of the sentences and every random number come from the
seed and the step, so that a resumed training ends with the same weights as one that was never stopped.
"""

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from annotated_types import Ge, Gt, Le

from core.errors import ConfigError
from infra.models.language_models import FINAL, choose_pad_token, load_causal_model
from infra.store.objects import Store
from lab.training.checkpoints import load_optimiser, pack_optimiser
from lab.training.network import plan_batches, seed_step
from tasks.rooms.labels import read_sentences
from tasks.rooms.writer import TRAINING

if TYPE_CHECKING:
    import torch

logger = logging.getLogger(__name__)
_STATE = "training.json"
_OPTIMISER = "optimiser.safetensors"


@dataclass(frozen=True, slots=True)
class WriterConfig:
    """How a writer is trained and sampled. The report used Adam, with 2 and with 5 epochs (section 4)."""

    epochs: Annotated[int, Ge(1), Le(100)] = 5
    batch: Annotated[int, Ge(1), Le(1_024)] = 8
    learning_rate: Annotated[float, Gt(0), Le(1)] = 5e-5
    weight_decay: Annotated[float, Ge(0), Le(1)] = 0.0
    max_tokens: Annotated[int, Ge(8), Le(1_024)] = 96
    checkpoint_steps: Annotated[int, Ge(1), Le(1_000_000)] = 50
    seed: Annotated[int, Ge(0), Le(2**31 - 1)] = 1


def train_room_writer(
    model: str, store_url: str, dataset: str, folder: str, config: WriterConfig, tell: Callable[[int, int, float], None]
) -> dict[str, Any]:
    """Fine-tune a causal model on the descriptions of a release; a training that was stopped is resumed.

    Raises:
        ConfigError: there is no release, no model, or the folder holds another training.
    """
    texts = sorted({row["text"] for row in read_sentences(Store(store_url), dataset, ("rooms",))})
    path = Path(folder)
    found = train_writer(model, texts, path, config, tell)
    (path / TRAINING).write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    return {"writer": str(found), "sentences": len(texts)}


def train_writer(
    model: str,
    texts: Sequence[str],
    folder: Path,
    config: WriterConfig,
    tell: Callable[[int, int, float], None] = lambda _, __, ___: None,
) -> Path:
    """Fine-tune a causal model on sentences and return the folder of the result; a training that was stopped is resumed.

    Args:
        model: folder of the model and its tokeniser, or a name that transformers has cached.
        texts: the sentences.
        folder: where checkpoints and the result go.
        config: the settings.
        tell: is called after each step with the step, the number of steps and the loss.

    Raises:
        ConfigError: the extra `lab` or the model is missing, or `folder` holds another training.
    """
    import torch

    if not texts:
        raise ConfigError("found no sentences to train on; run fabula run rooms first, or name another dataset")
    identity = _identify(model, texts, config)
    folder.mkdir(parents=True, exist_ok=True)
    _check_folder(folder, identity)
    for part in (*folder.glob(".step-*"), *folder.glob(f".{FINAL}-*")):  # of a training that was killed while it saved
        shutil.rmtree(part)
    if (folder / FINAL / _STATE).is_file():
        return folder / FINAL
    found = _find_checkpoint(folder)
    network, tokenizer = load_causal_model(str(found) if found else model)
    rows = [_encode(tokenizer, text, config.max_tokens) for text in texts]
    optimiser = torch.optim.AdamW(network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
    done = _restore(optimiser, network, found) if found else 0
    plan = list(plan_batches(len(rows), config.batch, config.epochs, config.seed))
    network.train()
    for step, batch in enumerate(plan[done:], done + 1):
        seed_step(config.seed, step)
        loss = _step(network, optimiser, [rows[place] for place in batch], tokenizer)
        tell(step, len(plan), loss)
        if step % config.checkpoint_steps == 0 and step < len(plan):
            _save(network, tokenizer, optimiser, folder, f"step-{step}", {"step": step, **identity})
    _save(network, tokenizer, None, folder, FINAL, {"step": len(plan), **identity})
    for old in folder.glob("step-*"):
        shutil.rmtree(old)
    return folder / FINAL


def _identify(model: str, texts: Sequence[str], config: WriterConfig) -> dict[str, Any]:
    digest = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
    return {"model": model, "data_sha256": digest, "settings": asdict(config)}


def _check_folder(folder: Path, identity: dict[str, Any]) -> None:
    path = folder / "writer.json"
    if not path.is_file():
        beside = folder / f".writer-{os.getpid()}.json"
        beside.write_text(json.dumps(identity, indent=1), encoding="utf-8")
        beside.replace(path)
        return
    if json.loads(path.read_text("utf-8")) != identity:
        raise ConfigError(f"{folder} holds the training of another model, data or settings; name another folder, or remove it")


def _find_checkpoint(folder: Path) -> Path | None:
    found = [path for path in folder.glob("step-*") if (path / _STATE).is_file()]
    return max(found, key=lambda path: int(path.name.partition("-")[2]), default=None)


def _encode(tokenizer: Any, text: str, limit: int) -> list[int]:
    tokens: list[int] = tokenizer(text, truncation=True, max_length=limit - 1)["input_ids"]
    return [*tokens, tokenizer.eos_token_id] if tokenizer.eos_token_id is not None else tokens


def _step(network: Any, optimiser: "torch.optim.Optimizer", rows: Sequence[list[int]], tokenizer: Any) -> float:
    import torch

    width = max(map(len, rows))
    tokens = torch.full((len(rows), width), choose_pad_token(tokenizer))
    labels = torch.full((len(rows), width), -100)  # what the loss leaves out
    mask = torch.zeros((len(rows), width), dtype=torch.long)
    for place, row in enumerate(rows):
        tokens[place, : len(row)] = labels[place, : len(row)] = torch.tensor(row)
        mask[place, : len(row)] = 1
    loss = network(input_ids=tokens, attention_mask=mask, labels=labels).loss
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    return float(loss.detach())


def _save(
    network: Any, tokenizer: Any, optimiser: "torch.optim.Optimizer | None", folder: Path, name: str, state: dict[str, Any]
) -> None:
    """Write a checkpoint beside, then rename it: a reader finds all of it or nothing."""
    from safetensors.torch import save_file

    beside = folder / f".{name}-{os.getpid()}"
    shutil.rmtree(beside, ignore_errors=True)
    network.save_pretrained(beside)
    tokenizer.save_pretrained(beside)
    if optimiser is not None:
        save_file(pack_optimiser(optimiser), beside / _OPTIMISER)
    (beside / _STATE).write_text(json.dumps(state, indent=1), encoding="utf-8")
    target = folder / name
    if target.is_dir():
        shutil.rmtree(target)
    beside.rename(target)
    for other in folder.glob("step-*"):
        if other != target and optimiser is not None:
            shutil.rmtree(other)


def _restore(optimiser: "torch.optim.Optimizer", network: Any, checkpoint: Path) -> int:
    """Give the optimiser its state of a checkpoint, and return the step of the checkpoint."""
    from safetensors.torch import load_file

    load_optimiser(optimiser, load_file(checkpoint / _OPTIMISER))
    step = int(json.loads((checkpoint / _STATE).read_text("utf-8"))["step"])
    logger.info("training is resumed after step %d (%d parameters)", step, sum(part.numel() for part in network.parameters()))
    return step
