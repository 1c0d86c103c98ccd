"""Fine-tuning of next-sentence prediction on dialogues (section 3.2.6): the head alone, or the whole of BERT."""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le

from core.errors import ConfigError
from infra.models.language_models import Request, encode_request, load_next_sentence
from lab.training.network import plan_batches


@dataclass(frozen=True, slots=True)
class FineTuningConfig:
    """Settings of a fine-tuning. `part`: the head, as in the thesis (with the pooler before it), or all weights."""

    part: Literal["head", "all"] = "head"
    epochs: Annotated[int, Ge(1), Le(100)] = 1
    batch: Annotated[int, Ge(1), Le(1_024)] = 16
    learning_rate: Annotated[float, Gt(0), Le(1)] = 5e-5
    seed: int = 0


def fine_tune(
    model: str,
    requests: Sequence[Request],
    true: Sequence[bool],
    out: Path,
    config: FineTuningConfig,
    tell: Callable[[int, int, float], None] = lambda _, __, ___: None,
) -> None:
    """Fine-tune a checkpoint and write the result, with its tokeniser, to the folder `out`; `scorer.model` may name it then.

    Args:
        model: folder or name of the checkpoint.
        requests: contexts with replies.
        true: for each request, whether the reply is the true one.
        out: the folder, which must not be there yet. It appears when all of it is written.
        config: the settings.
        tell: is called after each step with the step, the number of steps and the loss.

    Raises:
        ConfigError: transformers or the checkpoint is missing, `out` is there already, or requests are all true or all false.

    Reference: thesis, section 3.2.6.
    """
    if out.exists():
        raise ConfigError(f"{out} is there already; name another folder, or remove it")
    if all(true) or not any(true):
        raise ConfigError(f"found {sum(true)} true replies of {len(true)}; expected true and other ones, from more dialogues")
    import torch

    torch.manual_seed(config.seed)
    network, tokenizer = load_next_sentence(model, whole=False)
    trained = _choose_weights(network, config.part)
    optimiser = torch.optim.AdamW(trained, lr=config.learning_rate)
    rows = [encode_request(tokenizer, network, request) for request in requests]
    labels = torch.tensor([0 if one else 1 for one in true])  # 0: the second text follows the first
    plan = list(plan_batches(len(rows), config.batch, config.epochs, config.seed))
    network.train()
    for step, places in enumerate(plan, 1):
        batch = tokenizer.pad([rows[place] for place in places], return_tensors="pt")
        loss = network(**batch, labels=labels[places]).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        tell(step, len(plan), float(loss.detach()))
    _write(network, tokenizer, out)


def _choose_weights(network: Any, part: str) -> list[Any]:
    """Return the weights to train; all others stay as they are."""
    for name, weight in network.named_parameters():
        weight.requires_grad = part == "all" or name.startswith(("cls.", "bert.pooler."))
    return [weight for weight in network.parameters() if weight.requires_grad]


def _write(network: Any, tokenizer: Any, out: Path) -> None:
    beside = out.with_name(f".{out.name}-{os.getpid()}")
    try:
        network.save_pretrained(beside, safe_serialization=True)
        tokenizer.save_pretrained(beside)
        beside.rename(out)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise ConfigError(f"{out}: {error.strerror}; name a folder that can be written") from error
