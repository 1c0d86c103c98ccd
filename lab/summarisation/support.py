"""How far a summary is supported by its dialogue: copied words, new n-grams, and names that the dialogue lacks."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.metrics.coded_texts import rouge_tokens
from core.metrics.extractive_score import find_common_runs
from core.text.numbering import Codes

ORDERS = (1, 2, 3)
"""Orders of the n-grams that are counted."""

_CAPITALISED = re.compile(r"\b[A-Z][\w'’-]*")
_SHORTEST_NAME = 3  # letters: shorter parts of names are initials and particles
_NO_NAMES = frozenset({"i", "i'm", "i'll", "i've", "i'd", "ok"})


@dataclass(frozen=True, slots=True)
class Coverage:
    """Extractive fragment coverage and density of a summary."""

    coverage: float
    density: float


def measure_coverage(document: Codes, summary: Codes) -> Coverage:
    """Return the share of the summary's words in fragments shared with the document, and the mean length of a word's fragment.

    A word outside all fragments counts as a fragment of length 0. A summary without words has 0 for both.

    Reference: Grusky et al., "Newsroom", 2018, section 4.
    """
    if not summary.size:
        return Coverage(0.0, 0.0)
    lengths = find_common_runs(document, summary, 1).tolist()
    return Coverage(sum(lengths) / summary.size, sum(length * length for length in lengths) / summary.size)


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
