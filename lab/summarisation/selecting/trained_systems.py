"""Trains the selector of `trained_selection.py`, and keeps it without a pickle: arrays and JSON, with a checksum."""

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from core.errors import ConfigError
from infra.models.sentence_embedder import PACKAGED_MODEL, SentenceEmbedder
from lab.summarisation.dialogue import SummarisedDialogue
from lab.summarisation.selecting.selection import measure_lengths
from lab.summarisation.selecting.trained_selection import (
    STRENGTHS,
    SpeakerRates,
    TrainedSelector,
    count_rates,
    fit_selector,
    gather_features,
    label_units,
    make_features,
    measure_average_precision,
)
from lab.summarisation.speech import list_spoken, make_candidate
from lab.summarisation.system import Candidate, Dialogues, Workbench
from lab.summarisation.systems import Implementation

_ARRAYS = ("means", "scales", "weights")
_FACTS, _NUMBERS = "selector.json", "selector.npz"


@dataclass(frozen=True, slots=True)
class SelectorSettings:
    """How the selector is trained: on at most so many rows of each split, drawn with the benchmark's seed."""

    train_rows: Annotated[int, Ge(1)] = 120
    validation_rows: Annotated[int, Ge(1)] = 30


class TrainedSelection:
    """A `System` that selects the units with the highest decision values."""

    def __init__(self, settings: SelectorSettings, bench: Workbench) -> None:
        """Learn nothing yet."""
        self._settings = settings
        self._bench = bench
        self._selector: TrainedSelector | None = None

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Fit the selector, or read the one that the checkpoints have.

        The strength of the regularisation is the one with the highest average precision on the validation split; without
        validation rows it is the third of `STRENGTHS`.

        Raises:
            ConfigError: the train split has no rows, or too few, or the extra `lab` is missing.
        """
        kept = self._read()
        if kept is not None:
            for step, figure in enumerate(kept["validation_average_precision"].values()):
                self._bench.tell(step, {"validation_average_precision": figure})
            return kept
        rows = draw(train, self._settings.train_rows, self._bench.seed)
        if not rows:
            raise ConfigError("the train split has no rows to learn from; benchmark a dataset with more units, or leave it out")
        unit, embed = self._bench.budget.unit, self._bench.embed
        labelled = label_units(rows, unit)
        features = gather_features(rows, unit, embed, labelled, same=True)
        rates = count_rates(labelled)
        held_out = draw(validation, self._settings.validation_rows, self._bench.seed)
        checked = label_units(held_out, unit)
        scores: dict[float, float] = {}
        strength = STRENGTHS[2]
        if held_out and checked.labels.any():
            tested = gather_features(held_out, unit, embed, labelled, same=False)
            for step, tried in enumerate(STRENGTHS):
                fitted = fit_selector(features, labelled.labels, rates, tried)
                scores[tried] = measure_average_precision(checked.labels, fitted.score(tested))
                self._bench.tell(step, {"validation_average_precision": scores[tried]})
            strength = max(scores, key=scores.__getitem__)
        self._selector = fit_selector(features, labelled.labels, rates, strength)
        facts = {
            "train_rows": len(rows),
            "train_units": len(labelled.labels),
            "selected_units": int(labelled.labels.sum()),
            "validation_rows": len(held_out),
            "validation_average_precision": {str(tried): score for tried, score in scores.items()},
            "chance": float(checked.labels.mean()) if len(checked.labels) else None,
            "strength": strength,
        }
        self._write(facts)
        return facts

    def summarise(self, dialogues: Sequence[SummarisedDialogue]) -> list[Candidate]:
        """Return the units of each dialogue with the highest values, as many as the budget has room for."""
        return [self._select(dialogue) for dialogue in dialogues]

    def _select(self, dialogue: SummarisedDialogue) -> Candidate:
        spoken = list_spoken(dialogue, self._bench.budget.unit)
        if not spoken or self._selector is None:
            return Candidate(())
        values = self._selector.score(make_features(dialogue, spoken, self._bench.embed, self._selector.rates))
        ranking = sorted(range(len(spoken)), key=lambda place: (-values[place], place))
        return make_candidate(spoken, self._bench.budget.choose(ranking, measure_lengths(spoken)))

    def _write(self, facts: Mapping[str, Any]) -> None:
        if self._selector is None:
            return
        buffer = io.BytesIO()
        np.savez(buffer, **{name: getattr(self._selector, name) for name in _ARRAYS})
        arrays = buffer.getvalue()
        content = {
            "arrays_sha256": hashlib.sha256(arrays).hexdigest(),
            "intercept": self._selector.intercept,
            "rate": self._selector.rates.overall,
            "rates": dict(self._selector.rates.by_speaker),
            "facts": dict(facts),
        }
        self._bench.checkpoints.write(_NUMBERS, arrays)
        self._bench.checkpoints.write(_FACTS, json.dumps(content, indent=1).encode())  # last: it makes the pair whole

    def _read(self) -> Mapping[str, Any] | None:
        """Read the selector that the checkpoints have; None where there is none, or where it is damaged."""
        content, arrays = self._bench.checkpoints.read(_FACTS), self._bench.checkpoints.read(_NUMBERS)
        if content is None or arrays is None:
            return None
        told = json.loads(content)
        if told["arrays_sha256"] != hashlib.sha256(arrays).hexdigest():
            return None
        found = np.load(io.BytesIO(arrays), allow_pickle=False)
        rates = SpeakerRates(told["rate"], told["rates"])
        means, scales, weights = (found[name] for name in _ARRAYS)
        self._selector = TrainedSelector(means, scales, weights, told["intercept"], rates)
        facts: Mapping[str, Any] = told["facts"]
        return facts


def draw(dialogues: Dialogues, most: int, seed: int) -> list[SummarisedDialogue]:
    """Return at most `most` dialogues, drawn with a seed, in their order."""
    count = len(dialogues)
    if most >= count:
        return list(islice(dialogues, count))
    chosen = frozenset(Random(seed).sample(range(count), most))
    return [dialogue for place, dialogue in enumerate(dialogues) if place in chosen]


SELECTOR = Implementation(
    settings=SelectorSettings,
    make=TrainedSelection,
    identify=lambda _: SentenceEmbedder(PACKAGED_MODEL).checksum,
    select_learned=lambda settings, budget: {"settings": settings, "unit": budget.unit},
)
