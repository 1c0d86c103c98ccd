"""All measures of a dataset from SumTitles (section 5), for the pairs of any pipeline."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from core.metrics.bert_score import IdfWeights, TokenEmbedder, score_bert
from core.metrics.bertsum_oracle import MOST_SENTENCES, find_bertsum_oracle
from core.metrics.coded_texts import RougeCoder, join_codes
from core.metrics.estimates import Moments, measure_moments
from core.metrics.extractive_score import SHORTEST_RUN, score_extraction
from core.metrics.oracle import find_greedy_oracle, score_selection
from core.metrics.rouge import score_rouge, score_rouge_lsum
from core.text.numbering import Codes

_ORDERS = ("rouge1", "rouge2", "rougeL")  # the orders in EC
_ALL_ORDERS = (*_ORDERS, "rougeLsum")
_ORACLES = ("exact", "bertsum")
_SIZES = ("speakers", "utterances", "summary_sentences", "text_tokens", "summary_tokens")
SCORE_SCALE, ROUGE_SCALE = 10_000, 100
"""Factors of the extractive score and of ROUGE in the extractiveness coefficient (section 5.5)."""
SETTINGS = {
    "tokenizer": "rouge",
    "stem": False,
    "exact_sentences": None,
    "bertsum_sentences": MOST_SENTENCES,
    "shortest_run": SHORTEST_RUN,
}
"""How a dataset is measured, as its report says: rouge-score's tokens without stems; the exact oracle takes any number."""


@dataclass(frozen=True, slots=True)
class SummaryPair:
    """A dialogue (utterances, or sentences of another text), its summary (sentences or one text), its speakers if known."""

    turns: tuple[str, ...]
    summary: tuple[str, ...]
    speakers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BertScorer:
    """Input of BERTScore: a token embedder, and the idf weights of a reference corpus (`bert_score.weigh_tokens`)."""

    embed: TokenEmbedder
    idf: IdfWeights


@dataclass(frozen=True, slots=True)
class DatasetMeasures:
    """The measures of `samples` pairs as sums, which add up over parts; of a pair with an empty side only the sizes."""

    samples: int = 0
    figures: Mapping[str, Moments] = field(default_factory=dict)

    def __add__(self, other: "DatasetMeasures") -> "DatasetMeasures":
        names = dict.fromkeys((*self.figures, *other.figures))
        empty = Moments()
        sums = {name: self.figures.get(name, empty) + other.figures.get(name, empty) for name in names}
        return DatasetMeasures(self.samples + other.samples, sums)


def measure_pairs(pairs: Iterable[SummaryPair], bert: BertScorer | None = None) -> DatasetMeasures:
    """Measure pairs in one pass, in memory that does not grow with their number; without `bert` no BERTScore."""
    measures = DatasetMeasures()
    for pair in pairs:
        figures = _measure_pair(pair, bert)
        measures += DatasetMeasures(1, {name: measure_moments([value]) for name, value in figures.items()})
    return measures


def _measure_pair(pair: SummaryPair, bert: BertScorer | None) -> dict[str, float]:
    """Return the figures of a pair. The oracles select from its turns; the joined turns are the document."""
    coder = RougeCoder()
    turns, sentences = coder.code_all(pair.turns), coder.code_all(pair.summary)
    document, summary = join_codes(turns), join_codes(sentences)
    sizes = (len(pair.speakers), len(pair.turns), len(pair.summary), document.size, summary.size)
    figures: dict[str, float] = dict(zip(_SIZES, sizes, strict=True))
    if not pair.speakers:
        del figures["speakers"]
    if not document.size or not summary.size:
        return figures
    found = score_rouge(summary, document)  # section 5.3, summary-input: recall of the summary in the whole document
    recalls = (found.rouge1.recall, found.rouge2.recall, found.rouge_l.recall, score_rouge_lsum(sentences, turns).recall)
    figures |= {f"input.{order}": recall for order, recall in zip(_ALL_ORDERS, recalls, strict=True)}
    figures["extractive_score"] = score_extraction(document, summary)
    figures |= _measure_oracles(pair, turns, sentences)
    if bert is not None:
        (short,) = bert.embed([" ".join(pair.summary)])
        scores = score_bert(bert.embed.parts(" ".join(pair.turns)), short, bert.idf)
        figures |= {f"bert_score.{name}": value for name, value in asdict(scores).items()} if scores else {}
    return figures


def _measure_oracles(pair: SummaryPair, turns: Sequence[Codes], sentences: Sequence[Codes]) -> dict[str, float]:
    """Return F1 and number of sentences of each oracle."""
    summary = join_codes(sentences)
    figures: dict[str, float] = {}
    selections = {
        "exact": find_greedy_oracle(turns, summary),
        "bertsum": find_bertsum_oracle(pair.turns, " ".join(pair.summary)),
    }
    for name, selected in selections.items():
        scores = score_selection(turns, selected, summary)
        by_sentence = score_rouge_lsum(sentences, [turns[place] for place in selected])
        f1 = (scores.rouge1.f1, scores.rouge2.f1, scores.rouge_l.f1, by_sentence.f1)
        figures |= {f"{name}.{order}": figure for order, figure in zip(_ALL_ORDERS, f1, strict=True)}
        figures[f"{name}.sentences"] = float(len(selected))
    return figures


def report_measures(measures: DatasetMeasures) -> dict[str, object]:
    """Return the means by name, or None for what was not measured. Means are from 0 to 1, but EC has the paper's scale.

    `exact` is the paper's oracle. `bert_score.measured` is the number of pairs in which BERTScore is defined.

    Reference: SumTitles, section 5, tables 1 and 2.
    """
    means = {name: moments.mean for name, moments in measures.figures.items()}
    counts = {name: moments.count for name, moments in measures.figures.items()}
    parts = (*_ALL_ORDERS, "sentences")
    return {
        "settings": SETTINGS,
        "size": {"samples": measures.samples, **{f"average_{name}": means.get(name) for name in _SIZES}},
        "measured": counts.get("extractive_score", 0),
        "extractive_score": means.get("extractive_score"),
        "oracle": {name: {part: means.get(f"{name}.{part}") for part in parts} for name in _ORACLES},
        "summary_input": {order: means.get(f"input.{order}") for order in _ALL_ORDERS},
        "extractiveness_coefficient": {name: _find_coefficient(means, name) for name in _ORACLES},
        "bert_score": {
            **{name: means.get(f"bert_score.{name}") for name in ("over_document", "over_summary", "f1")},
            "measured": counts.get("bert_score.f1", 0),
        },
    }


def _find_coefficient(means: Mapping[str, float | None], oracle: str) -> float | None:
    rouge = [means.get(f"{part}.{order}") for part in (oracle, "input") for order in _ORDERS]
    score, known = means.get("extractive_score"), [mean for mean in rouge if mean is not None]
    return extractiveness_coefficient(score, known) if score is not None and len(known) == len(rouge) else None


def extractiveness_coefficient(score: float, rouge: Iterable[float]) -> float:
    """Return EC: the mean of the extractive score × 10,000, and of oracle's F1 and summary-input's recall (ROUGE-1, -2, -L; %).

    The paper (section 5.5) does not print the terms of the mean; these reproduce the EC column of table 2.
    """
    return (SCORE_SCALE * score + ROUGE_SCALE * sum(rouge)) / 7
