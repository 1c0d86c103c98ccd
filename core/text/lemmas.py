"""WordNet's noun lemmas by morphy's rules, over a dictionary that the caller read."""

from collections.abc import Mapping
from dataclasses import dataclass

_ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("ves", "f"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
)


@dataclass(frozen=True, slots=True, eq=False)
class NounDictionary:
    """The nouns of a WordNet database: their `lemmas`, and irregular forms with their base forms (`exceptions`).

    Compared by identity: 117,000 words are not worth comparing to find a tokeniser made earlier.
    """

    lemmas: frozenset[str]
    exceptions: Mapping[str, tuple[str, ...]]

    def lemma(self, word: str) -> str:
        """Return the shortest noun lemma that morphy finds for a lower-case `word` (the first of equals), or `word` itself.

        Being shortest and nothing else, it turns "was" into "wa" and "us" into "u": CRD3's published alignments were made so.

        Reference: WordNet 3.0, morphy(7WN); "shortest" follows NLTK's WordNetLemmatizer.
        """
        return min(self._candidates(word), key=len, default=word)

    def _candidates(self, word: str) -> list[str]:
        forms = self.exceptions[word] if word in self.exceptions else _detach(word)
        return [form for form in (word, *forms) if form in self.lemmas]


def parse_noun_index(text: str) -> frozenset[str]:
    """Return the lemmas of an `index.noun` file: the first field of every line but the licence, whose lines are indented."""
    return frozenset(line.split(" ", 1)[0] for line in text.splitlines() if line and not line.startswith(" "))


def parse_noun_exceptions(text: str) -> dict[str, tuple[str, ...]]:
    """Return the irregular forms of a `noun.exc` file, each with its base forms."""
    exceptions: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        form, *lemmas = line.split() or [""]
        if form:
            exceptions[form] = (*exceptions.get(form, ()), *lemmas)
    return exceptions


def _detach(word: str) -> tuple[str, ...]:
    """Return `word` with each of the noun endings that it has replaced."""
    return tuple(word[: -len(ending)] + base for ending, base in _ENDINGS if word.endswith(ending))
