"""Summary-input: how much of a summary stands anywhere in its document."""

from dataclasses import dataclass

from core.metrics.rouge import score_rouge
from core.text.numbering import Codes


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
