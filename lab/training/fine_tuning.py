"""Fine-tuning next-sentence prediction on dialogues of other datasets: true next turns against turns of other dialogues."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from core.errors import ConfigError
from core.threads.scoring import ReplyScorer, ScoreRequest
from infra.models.language_models import NextSentenceScorer
from lab.training.corpora import CorpusDialogue, read_corpora
from lab.training.next_sentence import FineTuningConfig, fine_tune
from tasks.threads.evaluation import rate_share

_HELD_OUT = 51  # of 256: a fifth of the dialogues


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

    Raises:
        ConfigError: no source is given or one does not exist, its dialogues are too few, or the model is missing.
        StoreError: a source could not be read.
    """
    dialogues, refused = read_corpora(sources)
    training, testing = ([dialogue for dialogue in dialogues if _is_held_out(dialogue) == held] for held in (False, True))
    if len(training) < 2 or len(testing) < 2:
        raise ConfigError(f"{', '.join(sources)}: {len(dialogues)} dialogues are too few to train on some and measure others")
    trained, measured = draw_turns(training, limit), draw_turns(testing, limit)
    requests = [request for pair in trained for request in pair]
    fine_tune(model, requests, [place % 2 == 0 for place in range(len(requests))], Path(out), config, tell)
    before, after = (_measure(measured, NextSentenceScorer(name)) for name in (model, out))
    counts = {"turns": len(trained), "held_out_turns": len(measured)}
    return {"folder": out, **counts, "before": before, "after": after, "refused": refused}


def draw_turns(dialogues: Sequence[CorpusDialogue], limit: int) -> list[tuple[ScoreRequest, ScoreRequest]]:
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


def _is_held_out(dialogue: CorpusDialogue) -> bool:
    return hashlib.sha256(repr(dialogue.turns).encode("utf-8", "replace")).digest()[0] < _HELD_OUT
