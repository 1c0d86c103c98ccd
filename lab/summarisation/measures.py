"""All measures of a summary: against its reference, and against its dialogue. What is not defined for a row is left out."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.metrics.bert_score import TokenVectors, score_bert
from core.metrics.coded_texts import RougeCoder, join_codes, rouge_tokens
from core.metrics.dataset_measures import BertScorer
from core.metrics.rouge import RougeScore, score_rouge, score_rouge_lsum
from lab.summarisation.dialogue import SummarisedDialogue
from lab.summarisation.meteor import NO_SYNONYMS, Synonyms, score_meteor
from lab.summarisation.support import (
    ORDERS,
    find_names,
    list_name_parts,
    measure_coverage,
    measure_novelty,
    measure_support,
    measure_unique_overlap,
)
from lab.summarisation.system import Candidate

VERSION = 1
"""The version of the measures: it goes up whenever a figure changes."""

ROUGE_ORDERS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
MEASURES = (
    *(f"{order}.{part}" for order in ROUGE_ORDERS for part in ("precision", "recall", "f1")),
    "meteor",
    *(f"bert_score.{part}" for part in ("precision", "recall", "f1")),
    *(f"novelty.{order}" for order in ORDERS),
    *(f"overlap.{order}" for order in ORDERS),
    "coverage",
    "density",
    "names.supported",
    "speakers.supported",
    "words",
)  # fmt: skip
"""Names of the measures, in the order of the tables."""

OF_REFERENCE = tuple(name for name in MEASURES if not name.startswith((*ROUGE_ORDERS, "meteor", "bert_score")))
"""Those that are defined for a reference itself, beside its dialogue."""

_MOST_REMEMBERED = 1024  # references whose vectors stay in memory: of 100 word pieces each 150 MB


@dataclass(frozen=True, slots=True)
class Measurer:
    """Measures summaries.

    Attributes:
        known_speakers: words of the names of all speakers of the split; those that a summary names are its speakers.
        synonyms: for METEOR's third stage.
        bert: for BERTScore; None: it is not measured.
        vectors: vectors of references that were embedded before; more are put there.
    """

    known_speakers: frozenset[str] = frozenset()
    synonyms: Synonyms = NO_SYNONYMS
    bert: BertScorer | None = None
    vectors: dict[str, TokenVectors] = field(default_factory=dict)
    _coder: RougeCoder = field(default_factory=lambda: RougeCoder(stem=True))

    def measure(self, dialogue: SummarisedDialogue, candidate: Candidate) -> dict[str, float]:
        """Return the measures of a summary by name."""
        reference, sentences = self._coder.code_all(dialogue.sentences), self._coder.code_all(candidate.sentences)
        scores = score_rouge(join_codes(reference), join_codes(sentences))
        orders = (scores.rouge1, scores.rouge2, scores.rouge_l, score_rouge_lsum(reference, sentences))
        found = {name: value for order, score in zip(ROUGE_ORDERS, orders, strict=True) for name, value in _parts(order, score)}
        found["meteor"] = score_meteor(dialogue.summary, candidate.text, self.synonyms)
        found |= self._measure_bert(dialogue.summary, candidate.text)
        return found | self.measure_support(dialogue, candidate.sentences)

    def measure_support(self, dialogue: SummarisedDialogue, sentences: Sequence[str]) -> dict[str, float]:
        """Return the measures of a summary beside its dialogue, without a reference (`OF_REFERENCE`)."""
        document, summary = rouge_tokens(dialogue.text), rouge_tokens(" ".join(sentences))
        plain = RougeCoder()
        coverage = measure_coverage(plain(dialogue.text), plain(" ".join(sentences)))
        here = list_name_parts(dialogue.speakers)
        known = here.union(document)
        names = find_names(sentences)
        figures: dict[str, float | None] = {
            **{f"novelty.{order}": measure_novelty(document, summary, order) for order in ORDERS},
            **{f"overlap.{order}": measure_unique_overlap(document, summary, order) for order in ORDERS},
            "coverage": coverage.coverage if summary else None,
            "density": coverage.density if summary else None,
            "names.supported": measure_support(names, known),
            "speakers.supported": measure_support(names & self.known_speakers, known),
            "words": float(len(summary)),
        }
        return {name: value for name, value in figures.items() if value is not None}

    def _measure_bert(self, reference: str, candidate: str) -> dict[str, float]:
        if self.bert is None:
            return {}
        if reference not in self.vectors:
            if len(self.vectors) >= _MOST_REMEMBERED:
                self.vectors.clear()
            (self.vectors[reference],) = self.bert.embed([reference])
        scores = score_bert(self.bert.embed.parts(candidate), self.vectors[reference], self.bert.idf)
        if scores is None:
            return {}
        return {
            "bert_score.precision": scores.over_document,  # the mean over the candidate's tokens
            "bert_score.recall": scores.over_summary,
            "bert_score.f1": scores.f1,
        }


def describe_measures(synonyms: Collection[str], bert_model: str | None) -> Mapping[str, str]:
    """Return the variant of every measure.

    Args:
        synonyms: names of the index files of WordNet that METEOR has.
        bert_model: name of BERTScore's model; None: not measured.
    """
    stages = f"exact, Porter stem, WordNet synonyms ({', '.join(synonyms)})" if synonyms else "exact, Porter stem; no WordNet"
    return {
        "rouge": "fabula, equal to rouge-score 0.1.2; Porter stems; n-grams and rougeL over the whole text",
        "rougeLsum": "fabula, equal to rouge-score 0.1.2; Porter stems; union over sentences, as split by rules or by the system",
        "meteor": f"NLTK's, alpha 0.9, beta 3, gamma 0.5; ROUGE's tokens; {stages}",
        "bert_score": f"fabula; last layer of {bert_model}, idf of the split's references, no rescaling"
        if bert_model
        else "not measured (--no-bert, or the extra `embeddings` is not installed)",
        "novelty": "share of the summary's n-grams, repeats counted, that the dialogue lacks; ROUGE's tokens, no stems",
        "overlap": "share of the summary's distinct n-grams that the dialogue has; ROUGE's tokens, no stems",
        "coverage": "extractive fragments of Grusky et al. 2018, of one word or more; ROUGE's tokens, no stems",
        "names": "words with a capital inside a sentence; supported if a turn says it or a speaker has it",
        "speakers": "those of these names that belong to a speaker of the split",
    }


def _parts(order: str, score: RougeScore) -> Iterator[tuple[str, float]]:
    yield f"{order}.precision", score.precision
    yield f"{order}.recall", score.recall
    yield f"{order}.f1", score.f1
