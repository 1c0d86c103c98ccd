"""Finds WordNet's noun lemmas by morphy's rules, in a dictionary that the caller provides."""

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
    """The nouns of a WordNet database: `lemmas`, and `exceptions` (irregular forms with their base forms).

    Dictionaries are compared by identity, since comparing 117,000 words to find a cached tokenizer would take too long.
    """

    lemmas: frozenset[str]
    exceptions: Mapping[str, tuple[str, ...]]

    def lemma(self, word: str) -> str:
        """Return the shortest noun lemma that morphy finds for a lower-case `word`, or `word` itself. Ties go to the first.

        Only the length counts, so "was" becomes "wa" and "us" becomes "u". CRD3's published alignments were made this way.

        Reference: WordNet 3.0, morphy(7WN); "shortest" follows NLTK's WordNetLemmatizer.
        """
        return min(self._candidates(word), key=len, default=word)

    def _candidates(self, word: str) -> list[str]:
        forms = self.exceptions[word] if word in self.exceptions else _detach(word)
        return [form for form in (word, *forms) if form in self.lemmas]


def parse_noun_index(text: str) -> frozenset[str]:
    """Return the lemmas of an `index.noun` file: the first field of every line, except the indented lines of the licence."""
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
    """Return the words that replacing each noun ending of `word` gives."""
    return tuple(word[: -len(ending)] + base for ending, base in _ENDINGS if word.endswith(ending))
