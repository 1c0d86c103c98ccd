"""Fine-tuning next-sentence prediction on dialogues of other datasets: true next turns against turns of other dialogues.

Reference: thesis, section 3.2.6.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le

from core.errors import ConfigError
from core.threads.scoring import ReplyScorer, ScoreRequest
from core.threads.spoken import SpokenDialogue
from infra.models.language_models import NextSentenceScorer, encode_request, load_next_sentence
from lab.training.checkpoints import save_model
from lab.training.corpora import read_corpora
from lab.training.network import plan_batches
from tasks.threads.evaluation import rate_share

_HELD_OUT = 51  # of 256: a fifth of the dialogues


@dataclass(frozen=True, slots=True)
class FineTuningConfig:
    """Settings of a fine-tuning. `part`: the head, as in the thesis (with the pooler before it), or all weights."""

    part: Literal["head", "all"] = "head"
    epochs: Annotated[int, Ge(1), Le(100)] = 1
    batch: Annotated[int, Ge(1), Le(1_024)] = 16
    learning_rate: Annotated[float, Gt(0), Le(1)] = 5e-5
    seed: int = 0


def fine_tune_next_sentence(
    sources: Sequence[str],
    model: str,
    out: str,
    config: FineTuningConfig,
    limit: int,
    tell: Callable[[int, int, float], None] = lambda _, __, ___: None,
) -> dict[str, Any]:
    """Fine-tune a checkpoint on at most `limit` turns, write it to `out`, and measure it beside the original on held-out ones.

    A fifth of the dialogues, by a hash of their turns, is not trained on. `before` and `after` are how often the true next turn
    of these scores higher than a turn of another dialogue.
    """
    dialogues, refused = read_corpora(sources)
    training, testing = ([dialogue for dialogue in dialogues if _is_held_out(dialogue) == held] for held in (False, True))
    if len(training) < 2 or len(testing) < 2:
        raise ConfigError(f"{', '.join(sources)}: {len(dialogues)} dialogues are too few to train on some and measure others")
    trained, measured = draw_turns(training, limit), draw_turns(testing, limit)
    fine_tune(model, trained, Path(out), config, tell)
    before, after = (_measure(measured, NextSentenceScorer(name)) for name in (model, out))
    counts = {"turns": len(trained), "held_out_turns": len(measured)}
    return {"folder": out, **counts, "before": before, "after": after, "refused": refused}


def draw_turns(dialogues: Sequence[SpokenDialogue], limit: int) -> list[tuple[ScoreRequest, ScoreRequest]]:
    """Return for at most `limit` turns the request with the true next turn, and that with a turn drawn from another dialogue."""
    draw = Random(0)
    turns = [(place, turn) for place, dialogue in enumerate(dialogues) for turn in range(1, len(dialogue.turns))]
    drawn = []
    for place, turn in draw.sample(turns, min(limit, len(turns))):
        said = dialogues[place].turns
        other = draw.choice([*range(place), *range(place + 1, len(dialogues))])
        context = tuple((text,) for _, text in said[:turn])
        _, false = draw.choice(dialogues[other].turns)
        drawn.append((ScoreRequest(context, (said[turn][1],)), ScoreRequest(context, (false,))))
    return drawn


def _measure(pairs: Sequence[tuple[ScoreRequest, ScoreRequest]], scorer: ReplyScorer) -> dict[str, float] | None:
    scores = scorer([request for pair in pairs for request in pair]).reshape(-1, 2)
    rate = rate_share(int((scores[:, 0] > scores[:, 1]).sum()), len(pairs))
    return None if rate is None else asdict(rate)


def _is_held_out(dialogue: SpokenDialogue) -> bool:
    return hashlib.sha256(repr(dialogue.turns).encode("utf-8", "replace")).digest()[0] < _HELD_OUT


def fine_tune(
    model: str,
    pairs: Sequence[tuple[ScoreRequest, ScoreRequest]],
    out: Path,
    config: FineTuningConfig,
    tell: Callable[[int, int, float], None],
) -> None:
    """Fine-tune a checkpoint on pairs of a true reply and another one, and write the result to the new folder `out`.

    Reference: thesis, section 3.2.6.
    """
    if out.exists():
        raise ConfigError(f"{out} is there already; name another folder, or remove it")
    if not pairs:
        raise ConfigError("found no true replies; expected true and other ones, from more dialogues")
    import torch

    torch.manual_seed(config.seed)
    network, tokenizer = load_next_sentence(model, whole=False)
    for name, weight in network.named_parameters():
        weight.requires_grad = config.part == "all" or name.startswith(("cls.", "bert.pooler."))
    trained = [weight for weight in network.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=config.learning_rate)
    rows = [encode_request(tokenizer, network, request) for pair in pairs for request in pair]
    labels = torch.tensor([0, 1] * len(pairs), device=network.device)  # 0: the second text follows the first
    plan = list(plan_batches(len(rows), config.batch, config.epochs, config.seed))
    network.train()
    for step, places in enumerate(plan, 1):
        batch = tokenizer.pad([rows[place] for place in places], return_tensors="pt").to(network.device)
        loss = network(**batch, labels=labels[places]).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        tell(step, len(plan), float(loss.detach()))
    save_model(network, tokenizer, out)
