"""A trained extractive selector: a logistic regression on frozen sentence vectors, positions and speakers.

It is the small counterpart of BertSumExt and of CRD3's extractor: the labels are those of an extractive oracle, and the encoder
is not fine-tuned. It is kept as JSON.

Reference: SumTitles, section 6.1; CRD3, section 5.1.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge
from numpy.typing import NDArray

from core.errors import ConfigError
from core.metrics.coded_texts import rouge_tokens
from infra.models.sentence_embedder import PACKAGED_MODEL, SentenceEmbedder
from lab.summarisation.dialogue import Candidate, SpokenUnit, SummarisedDialogue, UnitName, list_spoken, make_candidate
from lab.summarisation.rows import draw_places
from lab.summarisation.selecting.selection import choose_oracle, measure_lengths
from lab.summarisation.system import Dialogues, EmbedUnit, Workbench
from lab.summarisation.systems import Implementation

Matrix = NDArray[np.float64]
STRENGTHS = (1e-4, 1e-3, 1e-2, 1e-1)
"""Inverse strengths of the regularisation (scikit-learn's C) that are tried on the validation split."""
PLAIN = (
    "centre_cosine", "position", "from_end", "first_tenth", "last_tenth", "words", "turn_words", "place_in_turn", "first_in_turn",
    "speaker_share", "main_speaker", "speaker_rate", "question", "new_speaker",
)  # fmt: skip
"""Features beside the vector."""
_PRIOR = 50.0  # units that the rate of a speaker starts from
_MOST_ITERATIONS = 300


@dataclass(frozen=True, slots=True)
class SpeakerRates:
    """How often units of each speaker are selected in the train split; `overall` stands for a speaker who is not in it."""

    overall: float
    by_speaker: Mapping[str, float] = field(default_factory=dict)

    def find(self, speakers: Sequence[str]) -> float:
        """Return the rate of the first speaker."""
        return self.by_speaker.get(speakers[0], self.overall) if speakers else self.overall


@dataclass(frozen=True, slots=True)
class TrainedSelector:
    """A fitted selector: `means`, `scales` and `weights` have a value for each feature, vectors first."""

    means: Matrix
    scales: Matrix
    weights: Matrix
    intercept: float
    rates: SpeakerRates

    def score(self, rows: Matrix) -> Matrix:
        """Return the decision value of each row of features (n × n_features)."""
        values: Matrix = ((rows - self.means) / self.scales) @ self.weights + self.intercept
        return values


@dataclass(frozen=True, slots=True)
class LabelledUnits:
    """The sentences or turns of some dialogues: which are selected (n), who says each, and the unit of the release it is of."""

    labels: NDArray[np.bool_]
    speakers: Sequence[str]
    units: Sequence[str]


def label_units(dialogues: Sequence[SummarisedDialogue], unit: UnitName) -> LabelledUnits:
    """Return which units of dialogues the exact greedy oracle selects."""
    labels: list[bool] = []
    speakers: list[str] = []
    units: list[str] = []
    for dialogue in dialogues:
        spoken = list_spoken(dialogue, unit)
        chosen = set(choose_oracle(dialogue, spoken))
        labels += [place in chosen for place in range(len(spoken))]
        speakers += [next(iter(dialogue.turns[each.turn].speakers), "") for each in spoken]
        units += [dialogue.unit] * len(spoken)
    return LabelledUnits(np.array(labels, bool), speakers, units)


def count_rates(labelled: LabelledUnits) -> SpeakerRates:
    """Return the rates of the speakers, smoothed towards the overall rate."""
    said, selected = _count(labelled)
    return _divide(sum(said.values(), Counter()), sum(selected.values(), Counter()))


def count_rates_of_others(labelled: LabelledUnits) -> dict[str, SpeakerRates]:
    """Return for each episode the rates of the speakers in all other episodes."""
    said, selected = _count(labelled)
    all_said, all_selected = sum(said.values(), Counter[str]()), sum(selected.values(), Counter[str]())
    return {unit: _divide(all_said - said[unit], all_selected - selected[unit]) for unit in said}


def _count(labelled: LabelledUnits) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    """Return how many units each speaker says and how many of them are selected, by episode."""
    said: dict[str, Counter[str]] = defaultdict(Counter)
    selected: dict[str, Counter[str]] = defaultdict(Counter)
    for speaker, unit, label in zip(labelled.speakers, labelled.units, labelled.labels.tolist(), strict=True):
        said[unit][speaker] += 1
        selected[unit][speaker] += label
    return said, selected


def _divide(said: Counter[str], selected: Counter[str]) -> SpeakerRates:
    overall = selected.total() / max(said.total(), 1)
    rates = {speaker: (selected[speaker] + _PRIOR * overall) / (count + _PRIOR) for speaker, count in said.items()}
    return SpeakerRates(overall, rates)


def make_features(dialogue: SummarisedDialogue, spoken: Sequence[SpokenUnit], embed: EmbedUnit, rates: SpeakerRates) -> Matrix:
    """Return the features of a dialogue's units (n × (n_dimensions + features of `PLAIN`)), vectors first."""
    vectors = embed(dialogue.unit, [unit.text for unit in spoken]).astype(np.float64)
    centre = vectors.mean(0)
    centre /= max(float(np.linalg.norm(centre)), 1e-9)
    turn_words = [len(rouge_tokens(turn.text)) for turn in dialogue.turns]
    said = Counter[str]()
    for turn, words in zip(dialogue.turns, turn_words, strict=True):
        said[_name(turn.speakers)] += words
    main, most = said.most_common(1)[0]
    in_turn: dict[int, int] = defaultdict(int)
    plain = np.zeros((len(spoken), len(PLAIN)))
    for row, unit in enumerate(spoken):
        speakers = dialogue.turns[unit.turn].speakers
        before = _name(dialogue.turns[unit.turn - 1].speakers) if unit.turn else ""
        position = row / max(len(spoken) - 1, 1)
        place = in_turn[unit.turn]
        in_turn[unit.turn] += 1
        plain[row] = (
            vectors[row] @ centre,
            position,
            np.log1p(len(spoken) - 1 - row),
            position < 0.1,
            position > 0.9,
            np.log1p(len(rouge_tokens(unit.text))),
            np.log1p(turn_words[unit.turn]),
            np.log1p(place),
            place == 0,
            said[_name(speakers)] / max(said.total(), 1),
            _name(speakers) == main and most > 0,
            rates.find(speakers),
            unit.text.rstrip("\"'”’ ").endswith("?"),
            before != _name(speakers),
        )
    return np.hstack([vectors, plain])


def gather_features(
    dialogues: Sequence[SummarisedDialogue], unit: UnitName, embed: EmbedUnit, labelled: LabelledUnits, same: bool
) -> Matrix:
    """Return the features of all units of dialogues, one dialogue below the other.

    The rates come from `labelled`. `same`: the dialogues are those it was counted on, and a unit's own episode is left out of its
    rates, or a speaker who speaks in one episode only would give the labels away.
    """
    rates = count_rates(labelled)
    of_unit = count_rates_of_others(labelled) if same else {}
    said = [list_spoken(dialogue, unit) for dialogue in dialogues]
    texts: dict[str, list[str]] = defaultdict(list)
    for dialogue, spoken in zip(dialogues, said, strict=True):
        texts[dialogue.unit] += [each.text for each in spoken]
    rows = []
    for dialogue, spoken in zip(dialogues, said, strict=True):
        if dialogue.unit in texts:
            embed(dialogue.unit, texts.pop(dialogue.unit))  # of a whole unit at once, which is faster than by dialogue
        if spoken:
            rows.append(make_features(dialogue, spoken, embed, of_unit.get(dialogue.unit, rates)))
    return np.vstack(rows)


def fit_selector(rows: Matrix, labels: NDArray[np.bool_], rates: SpeakerRates, strength: float) -> TrainedSelector:
    """Fit a selector on features (n × n_features) and labels (n)."""
    from sklearn.linear_model import LogisticRegression  # part of the extra `lab`

    if not labels.any() or labels.all():
        raise ConfigError(
            f"found {int(labels.sum())} selected units among {len(labels)}; expected some of each kind. Train on more rows"
        )
    means, scales = rows.mean(0), rows.std(0)
    scales[scales == 0] = 1.0
    fitted = LogisticRegression(C=strength, class_weight="balanced", max_iter=_MOST_ITERATIONS)
    fitted.fit((rows - means) / scales, labels)
    return TrainedSelector(means, scales, fitted.coef_[0], float(fitted.intercept_[0]), rates)


def measure_average_precision(labels: NDArray[np.bool_], scores: Matrix) -> float:
    """Return the average precision of a ranking of all units by their scores; 0 where none is selected."""
    order = np.argsort(-scores, kind="stable")
    hits = labels[order]
    if not hits.any():
        return 0.0
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(precision[hits].mean())


def _name(speakers: Sequence[str]) -> str:
    return speakers[0] if speakers else ""


_ARRAYS = ("means", "scales", "weights")
_FILE = "selector.json"


@dataclass(frozen=True, slots=True)
class SelectorSettings:
    """How the selector is trained: on at most so many rows of each split, drawn with the benchmark's seed."""

    train_rows: Annotated[int, Ge(1)] = 120
    validation_rows: Annotated[int, Ge(1)] = 30


class TrainedSelection:
    """A `System` that selects the units with the highest decision values."""

    def __init__(self, settings: SelectorSettings, bench: Workbench) -> None:
        self._settings = settings
        self._bench = bench
        self._selector: TrainedSelector | None = None

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Fit the selector, or read the one that the checkpoints have.

        The strength of the regularisation is the one with the highest average precision on the validation split; without
        validation rows it is the third of `STRENGTHS`.
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
        content = {
            **{name: getattr(self._selector, name).tolist() for name in _ARRAYS},
            "intercept": self._selector.intercept,
            "rate": self._selector.rates.overall,
            "rates": dict(self._selector.rates.by_speaker),
            "facts": dict(facts),
        }
        self._bench.checkpoints.write(_FILE, json.dumps(content, indent=1).encode())

    def _read(self) -> Mapping[str, Any] | None:
        """Read the selector that the checkpoints have; None where there is none, or where it is damaged."""
        content = self._bench.checkpoints.read(_FILE)
        try:
            told = json.loads(content or b"{}")
            means, scales, weights = (np.array(told[name], np.float64) for name in _ARRAYS)
            rates = SpeakerRates(told["rate"], told["rates"])
            facts: Mapping[str, Any] = told["facts"]
            self._selector = TrainedSelector(means, scales, weights, told["intercept"], rates)
        except (ValueError, KeyError, TypeError):
            return None
        return facts


def draw(dialogues: Dialogues, most: int | None, seed: int) -> list[SummarisedDialogue]:
    """Return at most `most` dialogues (None: all), drawn with a seed, in their order."""
    if most is None:
        return list(dialogues)
    chosen = draw_places(len(dialogues), most, seed)
    return [dialogue for place, dialogue in enumerate(dialogues) if place in chosen]


SELECTOR = Implementation(
    settings=SelectorSettings,
    make=TrainedSelection,
    identify=lambda _: SentenceEmbedder(PACKAGED_MODEL).checksum,
    select_learned=lambda settings, budget: {"settings": settings, "unit": budget.unit},
)
