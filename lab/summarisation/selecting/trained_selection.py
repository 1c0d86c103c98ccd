"""A trained extractive selector: a logistic regression on frozen sentence vectors, positions and speakers.

It is the small counterpart of BertSumExt and of CRD3's extractor: the labels are those of an extractive oracle, and the encoder
is not fine-tuned.

Reference: SumTitles, section 6.1; CRD3, section 5.1.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError
from core.metrics.coded_texts import rouge_tokens
from lab.summarisation.budget import UnitName
from lab.summarisation.dialogue import SummarisedDialogue
from lab.summarisation.selecting.selection import choose_oracle
from lab.summarisation.speech import SpokenUnit, list_spoken
from lab.summarisation.system import EmbedUnit

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
        if rows.shape[1] != len(self.weights):
            raise ConfigError(f"the selector has {len(self.weights)} features, and the units have {rows.shape[1]}; train it anew")
        values: Matrix = ((rows - self.means) / self.scales) @ self.weights + self.intercept
        return values


@dataclass(frozen=True, slots=True)
class LabelledUnits:
    """The units of some dialogues: their labels (n) and speakers; `counts` has the number of units of each dialogue."""

    labels: NDArray[np.bool_]
    speakers: Sequence[str]
    units: Sequence[str]
    counts: Sequence[int]


def label_units(dialogues: Sequence[SummarisedDialogue], unit: UnitName) -> LabelledUnits:
    """Return which units of dialogues the exact greedy oracle selects."""
    labels: list[bool] = []
    speakers: list[str] = []
    units: list[str] = []
    counts: list[int] = []
    for dialogue in dialogues:
        spoken = list_spoken(dialogue, unit)
        chosen = set(choose_oracle(dialogue, spoken))
        labels += [place in chosen for place in range(len(spoken))]
        speakers += [next(iter(dialogue.turns[each.turn].speakers), "") for each in spoken]
        units += [dialogue.unit] * len(spoken)
        counts.append(len(spoken))
    return LabelledUnits(np.array(labels, bool), speakers, units, counts)


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
    """Fit a selector on features (n × n_features) and labels (n).

    Raises:
        ConfigError: all units have the same label.
    """
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
