"""Writes rooms with a trained model, without near copies, measured beside the table-based baseline."""

import json
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.errors import ConfigError, SourceError
from core.review.agreement import rate_items
from core.review.blind_sheet import SheetText, choose_answers, read_sheet, write_sheet_line
from core.review.judgements import Judgement, read_judgements
from core.rooms.config import CopyConfig
from core.rooms.writing import find_near_copies, measure_writing, roll_room
from infra.models.language_models import FINAL, Sampling, sample_texts
from infra.named_files import read_named_text, write_named_text
from infra.sources.opening import list_sources, read_file

TRAINING = "training.jsonl"
"""The sentences that a writer was trained on, beside it: what it writes is compared with them."""
WRITE_SHEET = "fabula write rooms --sheet writes one"
_SHEET_BYTES = 64 * 2**20


def write_rooms(folder: str, prompts: tuple[str, ...], sampling: Sampling, sheet: str | None) -> dict[str, Any]:
    """Return what a trained writer writes to some prompts, without near copies of its training data, and the measures.

    The table-based baseline writes as much. With `sheet` both are mixed blindly: `<sheet>.jsonl` has the texts, and
    `<sheet>.key.jsonl` who wrote each.
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
    rolled_copies = [copy for copy in find_near_copies(rolled, training, CopyConfig()) if copy is not None]
    return {
        "texts": written,
        "near_copies": [asdict(copy) for copy in copies if copy is not None],
        "near_copy_shares": {"writer": 1 - len(written) / len(sampled), "tables": len(rolled_copies) / len(rolled)},
        "writer": measure_writing(written, training),
        "tables": measure_writing(rolled, training),
    }


def open_sheet(sheet: str) -> dict[str, SheetText]:
    """Return the texts of a sheet by item; ConfigError where its file is no sheet."""
    try:
        return read_sheet(read_named_text(f"{sheet}.jsonl", "sheet", WRITE_SHEET).splitlines())
    except SourceError as error:
        raise ConfigError(f"{sheet}.jsonl is no sheet ({error}); {WRITE_SHEET}") from error


def rate_sheet(sheet: str, judgements: str) -> dict[str, Any]:
    """Return how raters judged the texts of each writer of a blind sheet: the mean level (1 to 5) with its 95 % interval.

    Answers about the texts of another sheet (`other_texts`) and those that were too fast (`too_fast`) are counted, and left out.

    Args:
        sheet: the name that `write_rooms` was given; its key tells who wrote which text.
        judgements: folder with *.jsonl files of judgements of the sheet's texts.
    """
    texts = open_sheet(sheet)
    keys = read_named_text(f"{sheet}.key.jsonl", "key of a sheet", WRITE_SHEET)
    try:
        writers = {str(line["item"]): str(line["writer"]) for line in map(json.loads, keys.splitlines())}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(f"{sheet}.key.jsonl is no key of a sheet ({error!r}); {WRITE_SHEET}") from error
    found: list[Judgement] = []
    refused: list[str] = []
    for file in list_sources([judgements]):
        if file.path.endswith(".jsonl"):
            read = read_judgements(read_file(file, _SHEET_BYTES).splitlines(), file.path)
            found += read.judgements
            refused += read.refused
    answers = choose_answers({item: text for item, text in texts.items() if item in writers}, found)
    known = answers.counted
    if not known:
        raise ConfigError(
            f"--judgements {judgements}: found no judgement of a text of {sheet}.jsonl that counts ({answers.others} are about "
            f"other texts, {answers.hasty} were too fast); expected its items, each with the basis that its line has"
        )
    rated = {
        writer: rate_items([entry for entry in known if writers[entry.item] == writer])
        for writer in sorted(set(writers.values()))
    }
    return {
        "writers": {writer: None if score is None else asdict(score) for writer, score in rated.items()},
        "readers": len({entry.annotator for entry in known}),
        "other_texts": answers.others,
        "too_fast": answers.hasty,
        "refused": refused,
    }


def _write_sheet(sheet: str, texts: dict[str, list[str]], seed: int) -> None:
    """Write the texts of writers, shuffled, in the fields of judgements (`core.review.judgements`), and the key apart."""
    entries = [(writer, text) for writer, written in sorted(texts.items()) for text in written]
    random.Random(seed).shuffle(entries)
    lines, keys = [], []
    for place, (writer, text) in enumerate(entries, 1):
        item = f"text-{place:04d}"
        lines.append(write_sheet_line(item, f"seed-{seed}", place, text))
        keys.append(json.dumps({"item": item, "writer": writer}))
    write_named_text(f"{sheet}.jsonl", "--sheet", "\n".join(lines) + "\n")
    write_named_text(f"{sheet}.key.jsonl", "--sheet", "\n".join(keys) + "\n")
