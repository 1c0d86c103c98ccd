"""Everything that SumTitles measures of a dataset (section 5), over the pairs of any pipeline."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

from core.metrics.bert_score import IdfWeights, TokenEmbedder, score_bert
from core.metrics.bertsum_oracle import MOST_SENTENCES, find_bertsum_oracle
from core.metrics.coded_texts import Coder, join_codes, make_rouge_coder
from core.metrics.dataset_size import DatasetSize, SummaryPair, measure_size
from core.metrics.extractive_score import SHORTEST_RUN, score_extraction
from core.metrics.extractiveness import ExtractivenessFigures, extractiveness_coefficient
from core.metrics.moments import Moments, measure_moments
from core.metrics.oracle import find_greedy_oracle, score_selection
from core.metrics.rouge import RougeScores
from core.metrics.summary_input import score_summary_input
from core.text.tokens import TokenizerName, make_tokenizer

_ORACLES = ("exact", "bertsum")
_ORDERS = ("rouge1", "rouge2", "rougeL")


@dataclass(frozen=True, slots=True)
class MeasureSettings:
    """How to measure a dataset.

    `tokenizer` counts tokens; `stem` is for ROUGE; the oracles take at most `exact_sentences` and `bertsum_sentences` (None: any
    number); `shortest_run` is the shortest run of tokens that the extractive score counts.
    """

    tokenizer: TokenizerName = "rouge"
    stem: bool = False
    exact_sentences: int | None = None
    bertsum_sentences: int = MOST_SENTENCES
    shortest_run: int = SHORTEST_RUN


@dataclass(frozen=True, slots=True)
class BertScorer:
    """What BERTScore needs: token vectors, and idf weights of a reference corpus (`bert_score.weigh_tokens`)."""

    embed: TokenEmbedder
    idf: IdfWeights


@dataclass(frozen=True, slots=True)
class DatasetMeasures:
    """The measures of some pairs, as sums; those of parts add up. Pairs with an empty side count in `size` only."""

    size: DatasetSize = field(default_factory=DatasetSize)
    figures: Mapping[str, Moments] = field(default_factory=dict)

    def __add__(self, other: "DatasetMeasures") -> "DatasetMeasures":
        names = dict.fromkeys((*self.figures, *other.figures))
        empty = Moments()
        sums = {name: self.figures.get(name, empty) + other.figures.get(name, empty) for name in names}
        return DatasetMeasures(self.size + other.size, sums)


def measure_dataset(
    pairs: Iterable[SummaryPair], settings: MeasureSettings | None = None, bert: BertScorer | None = None
) -> dict[str, object]:
    """Return all measures of a dataset as plain values for JSON: `report_measures` of `measure_pairs`."""
    settings = settings or MeasureSettings()
    return report_measures(measure_pairs(pairs, settings, bert), settings)


def measure_pairs(pairs: Iterable[SummaryPair], settings: MeasureSettings, bert: BertScorer | None = None) -> DatasetMeasures:
    """Measure pairs one by one, read once, in memory that does not grow with their number; BERTScore where `bert` is given."""
    measures, coder = DatasetMeasures(), make_rouge_coder(settings.stem)
    for pair in pairs:
        measures += measure_pair(pair, coder, settings, bert)
    return measures


def measure_pair(pair: SummaryPair, coder: Coder, settings: MeasureSettings, bert: BertScorer | None = None) -> DatasetMeasures:
    """Measure one pair; the turns are what the oracles select from, and joined they are the document."""
    size = measure_size(pair, make_tokenizer(settings.tokenizer))
    turns, summary = coder.code_all(pair.turns), join_codes(coder.code_all(pair.summary))
    document = join_codes(turns)
    if not document.size or not summary.size:
        return DatasetMeasures(size)
    exact = find_greedy_oracle(turns, summary, settings.exact_sentences)
    bertsum = find_bertsum_oracle(pair.turns, " ".join(pair.summary), settings.bertsum_sentences)
    found = score_summary_input(document, summary)
    figures = {
        "extractive_score": score_extraction(document, summary, settings.shortest_run),
        **_name_f1("exact", score_selection(turns, exact, summary)),
        **_name_f1("bertsum", score_selection(turns, bertsum, summary)),
        "exact.sentences": len(exact),
        "bertsum.sentences": len(bertsum),
        **dict(zip((f"input.{order}" for order in _ORDERS), (found.rouge1, found.rouge2, found.rouge_l), strict=True)),
    }
    if bert is not None:
        text, short = bert.embed([" ".join(pair.turns), " ".join(pair.summary)])
        scores = score_bert(text, short, bert.idf)
        figures |= {f"bert_score.{name}": value for name, value in asdict(scores).items()}
    return DatasetMeasures(size, {name: measure_moments([value]) for name, value in figures.items()})


def report_measures(measures: DatasetMeasures, settings: MeasureSettings) -> dict[str, object]:
    """Return the means by name, 0 to 1 but for EC, which has the paper's scale; None where nothing was measured.

    EC is given for both oracles: `exact` is the paper's, whose authors mended BertSum's.
    """
    means = {name: moments.mean for name, moments in measures.figures.items()}
    measured = measures.figures["extractive_score"].count if measures.figures else 0
    return {
        "settings": asdict(settings),
        "size": measures.size.report(),
        "measured": measured,
        "extractive_score": means.get("extractive_score"),
        "oracle": {name: {part: means.get(f"{name}.{part}") for part in (*_ORDERS, "sentences")} for name in _ORACLES},
        "summary_input": {order: means.get(f"input.{order}") for order in _ORDERS},
        "extractiveness_coefficient": {name: _coefficient(means, name) for name in _ORACLES},
        "bert_score": {name: means.get(f"bert_score.{name}") for name in ("over_document", "over_summary", "f1")},
    }


def _name_f1(oracle: str, scores: RougeScores) -> dict[str, float]:
    figures = (scores.rouge1.f1, scores.rouge2.f1, scores.rouge_l.f1)
    return {f"{oracle}.{order}": figure for order, figure in zip(_ORDERS, figures, strict=True)}


def _coefficient(means: Mapping[str, float | None], oracle: str) -> float | None:
    names = ("extractive_score", *(f"{oracle}.{order}" for order in _ORDERS), *(f"input.{order}" for order in _ORDERS))
    figures = [mean for name in names if (mean := means.get(name)) is not None]
    return extractiveness_coefficient(ExtractivenessFigures(*figures)) if len(figures) == len(names) else None
