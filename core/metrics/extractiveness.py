"""The Extractiveness Coefficient of SumTitles."""

from dataclasses import dataclass

SCORE_SCALE = 10_000
"""By what the extractive score is multiplied (section 5.5)."""

ROUGE_SCALE = 100
"""By what ROUGE is multiplied (section 5.5)."""


@dataclass(frozen=True, slots=True)
class ExtractivenessFigures:
    """A dataset's means, each 0 to 1, in the order of table 2: extractive score; F1 of the oracle; recall of summary-input."""

    extractive_score: float
    oracle_rouge1: float
    oracle_rouge2: float
    oracle_rouge_l: float
    input_rouge1: float
    input_rouge2: float
    input_rouge_l: float


def extractiveness_coefficient(figures: ExtractivenessFigures) -> float:
    """Return EC: the mean of the seven figures, the extractive score × 10,000 and ROUGE × 100.

    Reference: SumTitles, section 5.5; the paper does not print the mean's terms, table 2's EC column follows from these.
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
