"""All measures of a summary: against its reference, and against its dialogue. What is not defined for a row is left out."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.metrics.bert_score import TokenVectors, score_bert
from core.metrics.coded_texts import RougeCoder, join_codes, rouge_tokens
from core.metrics.dataset_measures import BertScorer
from core.metrics.extractive_score import find_common_runs
from core.metrics.rouge import score_rouge, score_rouge_lsum
from core.text.numbering import Codes
from lab.summarisation.dialogue import Candidate, SummarisedDialogue
from lab.summarisation.meteor import NO_SYNONYMS, Synonyms, score_meteor

ORDERS = (1, 2, 3)
"""Orders of the n-grams that are counted."""

_CAPITALISED = re.compile(r"\b[A-Z][\w'’-]*")
_SHORTEST_NAME = 3  # letters: shorter parts of names are initials and particles
_NO_NAMES = frozenset({"i", "i'm", "i'll", "i've", "i'd", "ok"})
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
        found: dict[str, float] = {}
        for order, score in zip(ROUGE_ORDERS, orders, strict=True):
            found |= {f"{order}.precision": score.precision, f"{order}.recall": score.recall, f"{order}.f1": score.f1}
        found["meteor"] = score_meteor(dialogue.summary, candidate.text, self.synonyms)
        found |= self._measure_bert(dialogue.summary, candidate.text)
        return found | self.measure_support(dialogue, candidate.sentences)

    def measure_support(self, dialogue: SummarisedDialogue, sentences: Sequence[str]) -> dict[str, float]:
        """Return the measures of a summary beside its dialogue, without a reference (`OF_REFERENCE`)."""
        document, summary = rouge_tokens(dialogue.text), rouge_tokens(" ".join(sentences))
        plain = RougeCoder()
        coverage, density = measure_coverage(plain(dialogue.text), plain(" ".join(sentences)))
        here = list_name_parts(dialogue.speakers)
        known = here.union(document)
        names = find_names(sentences)
        figures: dict[str, float | None] = {
            **{f"novelty.{order}": measure_novelty(document, summary, order) for order in ORDERS},
            **{f"overlap.{order}": measure_unique_overlap(document, summary, order) for order in ORDERS},
            "coverage": coverage if summary else None,
            "density": density if summary else None,
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


def measure_coverage(document: Codes, summary: Codes) -> tuple[float, float]:
    """Return coverage and density: the share of the summary's words in fragments of the document, and the mean length of these.

    A word outside all fragments counts as a fragment of length 0. A summary without words has 0 for both.

    Reference: Grusky et al., "Newsroom", 2018, section 4.
    """
    if not summary.size:
        return 0.0, 0.0
    lengths = find_common_runs(document, summary, 1).tolist()
    return sum(lengths) / summary.size, sum(length * length for length in lengths) / summary.size


def measure_novelty(document: Sequence[str], summary: Sequence[str], order: int) -> float | None:
    """Return the share of the summary's n-grams, repeats counted, that the document lacks; None where it has no n-gram."""
    wanted, found = list_ngrams(summary, order), set(list_ngrams(document, order))
    return sum(gram not in found for gram in wanted) / len(wanted) if wanted else None


def measure_unique_overlap(document: Sequence[str], summary: Sequence[str], order: int) -> float | None:
    """Return the share of the summary's distinct n-grams that the document has; None where it has no n-gram.

    Reference: CRD3, section 5.2 ("the mean ratio of unique overlapping summary n-grams to total unique summary n-grams").
    """
    wanted = set(list_ngrams(summary, order))
    return len(wanted & set(list_ngrams(document, order))) / len(wanted) if wanted else None


def list_ngrams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """Return the n-grams of a text, in order."""
    return list(zip(*(tokens[start:] for start in range(order)), strict=False))


def find_names(sentences: Sequence[str]) -> frozenset[str]:
    """Return the lower-case words of some sentences that look like names: capitalised, and not only at a sentence's start.

    It is a rule of English spelling, and no model: names at the start of a sentence are missed where they occur nowhere else.
    """
    found = set()
    for sentence in sentences:
        stripped = sentence.lstrip("\"'“‘(*-– ")
        for match in _CAPITALISED.finditer(stripped):
            name = _fold(match[0])
            if match.start() and len(name) >= _SHORTEST_NAME and match[0].lower() not in _NO_NAMES:
                found.add(name)
    return frozenset(found)


def list_name_parts(speakers: Collection[str]) -> frozenset[str]:
    """Return the words of speakers' names, lower case; words of fewer than three letters are left out."""
    return frozenset(part for speaker in speakers for part in rouge_tokens(speaker) if len(part) >= _SHORTEST_NAME)


def measure_support(names: Collection[str], known: Collection[str]) -> float | None:
    """Return the share of names that are known to the dialogue; None where there are no names."""
    return sum(name in known for name in names) / len(names) if names else None


def _fold(word: str) -> str:
    """Return the first token of a word: "Vex's" is "vex"."""
    return next(iter(rouge_tokens(word)), "")
