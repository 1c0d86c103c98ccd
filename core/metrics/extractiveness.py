"""The Extractiveness Coefficient of SumTitles."""

from dataclasses import dataclass

SCORE_SCALE = 10_000
"""Factor of the extractive score (section 5.5)."""

ROUGE_SCALE = 100
"""Factor of ROUGE (section 5.5)."""


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
