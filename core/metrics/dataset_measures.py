"""All measures of a dataset from SumTitles (section 5), for the pairs of any pipeline."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from core.metrics.bert_score import IdfWeights, TokenEmbedder, score_bert
from core.metrics.bertsum_oracle import MOST_SENTENCES, find_bertsum_oracle
from core.metrics.coded_texts import Coder, join_codes, make_rouge_coder
from core.metrics.estimates import Moments, measure_moments
from core.metrics.extractive_score import SHORTEST_RUN, score_extraction
from core.metrics.oracle import find_greedy_oracle, find_optimal_oracle, score_selection
from core.metrics.rouge import score_rouge, score_rouge_lsum
from core.text.numbering import Codes
from core.text.tokens import Tokenizer, TokenizerName, make_tokenizer

_NOTHING = Moments()


@dataclass(frozen=True, slots=True)
class SummaryPair:
    """A dialogue and its summary, from any pipeline, as the measures read them.

    `turns` are the utterances in order (for other texts, the sentences); the oracles select from them. `summary` has the
    sentences, or one text. `speakers` are the distinct names, empty if they are not known.
    """

    turns: tuple[str, ...]
    summary: tuple[str, ...]
    speakers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DatasetSize:
    """The figures of table 1 for some pairs. The sizes of parts add up. `speakers` counts only pairs with known speakers."""

    samples: int = 0
    speakers: Moments = _NOTHING
    utterances: Moments = _NOTHING
    summary_sentences: Moments = _NOTHING
    text_tokens: Moments = _NOTHING
    summary_tokens: Moments = _NOTHING

    def __add__(self, other: "DatasetSize") -> "DatasetSize":
        return DatasetSize(
            self.samples + other.samples,
            self.speakers + other.speakers,
            self.utterances + other.utterances,
            self.summary_sentences + other.summary_sentences,
            self.text_tokens + other.text_tokens,
            self.summary_tokens + other.summary_tokens,
        )

    def report(self) -> dict[str, float | None]:
        """Return the row: the number of samples and the means, None for what is not known."""
        return {
            "samples": self.samples,
            "average_speakers": self.speakers.mean,
            "average_utterances": self.utterances.mean,
            "average_summary_sentences": self.summary_sentences.mean,
            "average_text_tokens": self.text_tokens.mean,
            "average_summary_tokens": self.summary_tokens.mean,
        }


def measure_size(pair: SummaryPair, tokenize: Tokenizer) -> DatasetSize:
    """Return the size of one pair. The token counts depend on the tokenizer, so report its name with them.

    Reference: SumTitles, section 5, table 1.
    """
    return DatasetSize(
        1,
        measure_moments([len(pair.speakers)] if pair.speakers else []),
        measure_moments([len(pair.turns)]),
        measure_moments([len(pair.summary)]),
        measure_moments([sum(len(tokenize(turn)) for turn in pair.turns)]),
        measure_moments([sum(len(tokenize(sentence)) for sentence in pair.summary)]),
    )


SCORE_SCALE = 10_000
"""Factor of the extractive score (section 5.5)."""

ROUGE_SCALE = 100
"""Factor of ROUGE (section 5.5)."""


@dataclass(frozen=True, slots=True)
class SummaryInput:
    """Recall of ROUGE-1, ROUGE-2 and ROUGE-L, each 0 to 1."""

    rouge1: float
    rouge2: float
    rouge_l: float


def score_summary_input(document: Codes, summary: Codes) -> SummaryInput:
    """Return ROUGE recall with the summary as reference and the whole document as candidate.

    Reference: SumTitles, section 5.3.
    """
    scores = score_rouge(summary, document)
    return SummaryInput(scores.rouge1.recall, scores.rouge2.recall, scores.rouge_l.recall)


@dataclass(frozen=True, slots=True)
class ExtractivenessFigures:
    """A dataset's means, 0 to 1, in the order of table 2: extractive score, F1 of the oracle, recall of summary-input."""

    extractive_score: float
    oracle_rouge1: float
    oracle_rouge2: float
    oracle_rouge_l: float
    input_rouge1: float
    input_rouge2: float
    input_rouge_l: float


def extractiveness_coefficient(figures: ExtractivenessFigures) -> float:
    """Return EC: the mean of the seven figures, with the extractive score × 10,000 and ROUGE × 100.

    Reference: SumTitles, section 5.5. The paper does not print the terms of the mean; these reproduce the EC column of table 2.
    """
    rouge = (
        figures.oracle_rouge1,
        figures.oracle_rouge2,
        figures.oracle_rouge_l,
        figures.input_rouge1,
        figures.input_rouge2,
        figures.input_rouge_l,
    )
    return (SCORE_SCALE * figures.extractive_score + ROUGE_SCALE * sum(rouge)) / 7


_ORACLES = ("exact", "bertsum", "optimal")
_ORDERS = ("rouge1", "rouge2", "rougeL")  # the orders in EC
_ALL_ORDERS = (*_ORDERS, "rougeLsum")


@dataclass(frozen=True, slots=True)
class MeasureSettings:
    """How to measure a dataset.

    Attributes:
        tokenizer: counts the tokens of the sizes.
        stem: whether ROUGE compares stems.
        exact_sentences: the maximum number of sentences of the exact and the optimal oracle; None: any number.
        bertsum_sentences: the maximum number of sentences of BertSum's oracle.
        shortest_run: the minimum length of a run that the extractive score counts, in tokens.
        optimal_steps: the step limit of the optimal oracle (`find_optimal_oracle`); None: it is not searched.
    """

    tokenizer: TokenizerName = "rouge"
    stem: bool = False
    exact_sentences: int | None = None
    bertsum_sentences: int = MOST_SENTENCES
    shortest_run: int = SHORTEST_RUN
    optimal_steps: int | None = None


@dataclass(frozen=True, slots=True)
class BertScorer:
    """Input of BERTScore: a token embedder, and the idf weights of a reference corpus (`bert_score.weigh_tokens`)."""

    embed: TokenEmbedder
    idf: IdfWeights


@dataclass(frozen=True, slots=True)
class DatasetMeasures:
    """The measures of some pairs as sums, which add up over parts. A pair with an empty side counts only in `size`."""

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
    """Measure pairs in one pass, in memory that does not grow with their number. BERTScore is measured if `bert` is given."""
    measures, coder = DatasetMeasures(), make_rouge_coder(settings.stem)
    for pair in pairs:
        measures += measure_pair(pair, coder, settings, bert)
    return measures


def measure_pair(pair: SummaryPair, coder: Coder, settings: MeasureSettings, bert: BertScorer | None = None) -> DatasetMeasures:
    """Measure one pair. The oracles select from its turns; the joined turns are the document."""
    size = measure_size(pair, make_tokenizer(settings.tokenizer))
    turns, sentences = coder.code_all(pair.turns), coder.code_all(pair.summary)
    document, summary = join_codes(turns), join_codes(sentences)
    if not document.size or not summary.size:
        return DatasetMeasures(size)
    found = score_summary_input(document, summary)
    recalls = (found.rouge1, found.rouge2, found.rouge_l, score_rouge_lsum(sentences, turns).recall)
    figures = {
        "extractive_score": score_extraction(document, summary, settings.shortest_run),
        **_measure_oracles(pair, turns, sentences, settings),
        **dict(zip((f"input.{order}" for order in _ALL_ORDERS), recalls, strict=True)),
    }
    if bert is not None:
        (short,) = bert.embed([" ".join(pair.summary)])
        scores = score_bert(bert.embed.parts(" ".join(pair.turns)), short, bert.idf)
        figures |= {f"bert_score.{name}": value for name, value in asdict(scores).items()} if scores else {}
    return DatasetMeasures(size, {name: measure_moments([value]) for name, value in figures.items()})


def _measure_oracles(
    pair: SummaryPair, turns: Sequence[Codes], sentences: Sequence[Codes], settings: MeasureSettings
) -> dict[str, float]:
    """Return F1 and number of sentences of each oracle, and whether the optimal oracle is proved to be the best (0 or 1)."""
    summary = join_codes(sentences)
    figures = {}
    selections = {
        "exact": find_greedy_oracle(turns, summary, settings.exact_sentences),
        "bertsum": find_bertsum_oracle(pair.turns, " ".join(pair.summary), settings.bertsum_sentences),
    }
    if settings.optimal_steps is not None:
        optimal = find_optimal_oracle(turns, summary, settings.exact_sentences, settings.optimal_steps)
        selections["optimal"] = optimal.sentences
        figures["optimal.proved"] = float(optimal.proved)
    for name, selected in selections.items():
        scores = score_selection(turns, selected, summary)
        by_sentence = score_rouge_lsum(sentences, [turns[place] for place in selected])
        f1 = (scores.rouge1.f1, scores.rouge2.f1, scores.rouge_l.f1, by_sentence.f1)
        figures |= {f"{name}.{order}": figure for order, figure in zip(_ALL_ORDERS, f1, strict=True)}
        figures[f"{name}.sentences"] = float(len(selected))
    return figures


def report_measures(measures: DatasetMeasures, settings: MeasureSettings) -> dict[str, object]:
    """Return the means by name, or None for what was not measured. Means are from 0 to 1, but EC has the paper's scale.

    EC is reported for every oracle. `exact` is the paper's oracle, since its authors fixed BertSum's. `bert_score.measured` is
    the number of pairs in which BERTScore is defined.
    """
    means = {name: moments.mean for name, moments in measures.figures.items()}
    counts = {name: moments.count for name, moments in measures.figures.items()}
    oracles = [name for name in _ORACLES if name != "optimal" or settings.optimal_steps is not None]
    parts = {name: (*_ALL_ORDERS, "sentences", *(("proved",) if name == "optimal" else ())) for name in oracles}
    return {
        "settings": asdict(settings),
        "size": measures.size.report(),
        "measured": counts.get("extractive_score", 0),
        "extractive_score": means.get("extractive_score"),
        "oracle": {name: {part: means.get(f"{name}.{part}") for part in parts[name]} for name in oracles},
        "summary_input": {order: means.get(f"input.{order}") for order in _ALL_ORDERS},
        "extractiveness_coefficient": {name: _coefficient(means, name) for name in oracles},
        "bert_score": {
            **{name: means.get(f"bert_score.{name}") for name in ("over_document", "over_summary", "f1")},
            "measured": counts.get("bert_score.f1", 0),
        },
    }


def _coefficient(means: Mapping[str, float | None], oracle: str) -> float | None:
    names = ("extractive_score", *(f"{oracle}.{order}" for order in _ORDERS), *(f"input.{order}" for order in _ORDERS))
    figures = [mean for name in names if (mean := means.get(name)) is not None]
    return extractiveness_coefficient(ExtractivenessFigures(*figures)) if len(figures) == len(names) else None
