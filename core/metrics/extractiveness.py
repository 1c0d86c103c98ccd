"""The Extractiveness Coefficient of SumTitles, and summary-input: how much of a summary occurs anywhere in its document."""

from dataclasses import dataclass

from core.metrics.rouge import score_rouge
from core.text.numbering import Codes

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
