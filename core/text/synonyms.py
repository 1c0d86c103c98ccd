"""Synonyms of words in the index files of a WordNet database, which the caller provides."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Lemma:
    word: str

    def name(self) -> str:
        """Return the lemma, words joined by underscores."""
        return self.word


@dataclass(frozen=True, slots=True)
class _Synset:
    words: tuple[_Lemma, ...]

    def lemmas(self) -> tuple[_Lemma, ...]:
        """Return the words of the synset."""
        return self.words


@dataclass(frozen=True, slots=True, eq=False)
class Synonyms:
    """Synsets by lemma, in the form in which NLTK's METEOR asks for them. Two lemmas of one synset are synonyms.

    A word is looked up as it is, without morphy: METEOR has compared the stems before.
    """

    by_lemma: Mapping[str, tuple[_Synset, ...]]

    def synsets(self, word: str) -> tuple[_Synset, ...]:
        """Return the synsets of a lower-case word; none where WordNet does not have it."""
        return self.by_lemma.get(word, ())


def parse_synonyms(indexes: Iterable[str]) -> Synonyms:
    """Return the synonyms of index files (`index.noun`, `index.verb`, …), each as its text.

    A line is `lemma pos n_synsets n_pointers [pointer…] n_senses n_tagged offset…`; equal offsets of a part of speech are one
    synset. Lines that begin with a space are the licence.

    Reference: WordNet 3.0, wndb(5WN).
    """
    found: dict[str, list[_Synset]] = defaultdict(list)
    for text in indexes:
        members: dict[str, list[str]] = defaultdict(list)
        for line in text.splitlines():
            if line and not line.startswith(" "):
                fields = line.split()
                for offset in fields[len(fields) - int(fields[2]) :]:
                    members[offset].append(fields[0])
        for words in members.values():
            if len(words) > 1:
                synset = _Synset(tuple(map(_Lemma, words)))
                for word in words:
                    found[word].append(synset)
    return Synonyms({word: tuple(synsets) for word, synsets in found.items()})
