"""Fine-tunes a causal language model on the sentences of rooms; a training that is killed at any moment is resumed."""

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from annotated_types import Ge, Gt, Le

from core.errors import ConfigError
from infra.models.language_models import FINAL, choose_pad_token, load_causal_model
from infra.store.objects import LOCAL_TEMPORARY, Store
from lab.training.checkpoints import CheckpointPlace, StoredFiles, save_model
from lab.training.network import FINISHED, TrainingConfig, pad_rows, train_network
from tasks.rooms.labels import read_sentences
from tasks.rooms.writer import TRAINING

if TYPE_CHECKING:
    import torch


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
    """Fine-tune a causal model on the descriptions of a release; a training that was stopped is resumed."""
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

    `model` is a folder, or a name that transformers has cached; `tell` gets the step, the number of steps and the loss.
    """
    if not texts:
        raise ConfigError("found no sentences to train on; run fabula run rooms first, or name another dataset")
    digest = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
    identity = {"model": model, "data_sha256": digest, "settings": asdict(config)}
    folder = folder.resolve()
    for part in (*folder.glob(f".{FINAL}-*"), *folder.glob(f"{LOCAL_TEMPORARY}*")):  # of a killed training
        shutil.rmtree(part) if part.is_dir() else part.unlink()
    files = StoredFiles(Store(str(folder.parent)), folder.name)
    known = files.read("writer.json")
    if known is not None and json.loads(known) != identity:
        raise ConfigError(f"{folder} holds the training of another model, data or settings; name another folder, or remove it")
    files.write("writer.json", json.dumps(identity, indent=1).encode())
    if (folder / FINAL).is_dir():
        return folder / FINAL
    network, tokenizer = load_causal_model(model)
    longest = min(config.max_tokens, getattr(network.config, "max_position_embeddings", config.max_tokens))
    rows = [_encode(tokenizer, text, longest) for text in texts]
    training = TrainingConfig(
        epochs=config.epochs,
        batch=config.batch,
        learning_rate=config.learning_rate,
        warm_up=0.0,
        decay=False,
        weight_decay=config.weight_decay,
        clip=1e6,  # none
        checkpoint_steps=config.checkpoint_steps,
        seed=config.seed,
    )
    steps = config.epochs * -(-len(rows) // config.batch)
    train_network(
        network,
        lambda places: _compute_loss(network, [rows[place] for place in places], choose_pad_token(tokenizer)),
        len(rows),
        None,
        CheckpointPlace(files, "training"),
        identity,
        training,
        lambda step, figures: tell(step, steps, figures["loss"]),
    )
    save_model(network, tokenizer, folder / FINAL)
    CheckpointPlace(files, "training").remove(FINISHED)
    return folder / FINAL


def _encode(tokenizer: Any, text: str, limit: int) -> list[int]:
    tokens: list[int] = tokenizer(text, truncation=True, max_length=limit - 1)["input_ids"]
    return [*tokens, tokenizer.eos_token_id] if tokenizer.eos_token_id is not None else tokens


def _compute_loss(network: Any, rows: Sequence[list[int]], pad: int) -> "torch.Tensor":
    labels = pad_rows(rows, -100).to(network.device)  # -100: what the loss leaves out
    tokens = pad_rows(rows, pad).to(network.device)
    loss: torch.Tensor = network(input_ids=tokens, attention_mask=(labels >= 0).long(), labels=labels).loss
    return loss
