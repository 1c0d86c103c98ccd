"""Trains the writer of rooms on a release, and writes without near copies, measured beside the table-based baseline."""

import json
import random
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.errors import ConfigError
from core.rooms.config import CopyConfig
from core.rooms.writing import find_near_copies, measure_writing, roll_room, shuffle_blindly
from infra.models.causal_model import FINAL, Sampling, WriterConfig, sample_texts, train_writer
from infra.store.objects import Store
from tasks.rooms.labels import read_sentences

TRAINING = "training.jsonl"
"""The sentences that a writer was trained on, beside it: what it writes is compared with them."""


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


def write_rooms(folder: str, prompts: tuple[str, ...], sampling: Sampling, sheet: str | None) -> dict[str, Any]:
    """Return what a trained writer writes to some prompts, without near copies of its training data, and the measures.

    The table-based baseline writes as much. With `sheet` both are mixed blindly: `<sheet>.jsonl` has the texts, and
    `<sheet>.key.jsonl` who wrote each.

    Raises:
        ConfigError: `folder` holds no trained writer.
    """
    path = Path(folder)
    if not (path / FINAL).is_dir() or not (path / TRAINING).is_file():
        raise ConfigError(f"{folder} holds no trained writer; train one: fabula train room-writer --model MODEL --out {folder}")
    training = [json.loads(line)["text"] for line in (path / TRAINING).read_text("utf-8").splitlines()]
    sampled = [text for prompt in prompts for text in sample_texts(str(path / FINAL), prompt, sampling)]
    copies = find_near_copies(sampled, training, CopyConfig())
    written = [text for text, copy in zip(sampled, copies, strict=True) if copy is None]
    dice = random.Random(sampling.seed)
    rolled = [roll_room(prompt, dice) for prompt in prompts for _ in range(sampling.count)]
    if sheet is not None:
        _write_sheet(sheet, {"writer": written, "tables": rolled}, sampling.seed)
    return {
        "texts": written,
        "near_copies": [asdict(copy) for copy in copies if copy is not None],
        "writer": _describe(measure_writing(written, training)),
        "tables": _describe(measure_writing(rolled, training)),
    }


def _describe(quality: Any) -> dict[str, Any] | None:
    return None if quality is None else asdict(quality)


def _write_sheet(sheet: str, texts: dict[str, list[str]], seed: int) -> None:
    """Write the texts without their writers, in the fields of judgements (`core.judgements`), and the key apart."""
    entries = shuffle_blindly(texts, seed)
    common = {"dataset": "room-writer", "version": f"seed-{seed}", "question": "sense"}
    lines = [json.dumps({"item": entry.item, **common, "position": entry.position, "text": entry.text}) for entry in entries]
    keys = [json.dumps({"item": entry.item, "writer": entry.writer}) for entry in entries]
    try:
        Path(f"{sheet}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        Path(f"{sheet}.key.jsonl").write_text("\n".join(keys) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"--sheet {sheet}: {error.strerror}; name a file in an existing folder") from error
