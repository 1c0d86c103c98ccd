"""METEOR: words of two texts are paired by form, by stem and by synonym (WordNet), and pairs out of order cost."""

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

from core.errors import ConfigError
from core.metrics.coded_texts import rouge_tokens
from infra.models.wordnet import DEBIAN_FOLDER, REMEDY
from infra.named_files import read_named, read_named_text


class _Lemma(str):
    __slots__ = ()

    def name(self) -> str:
        """Return the lemma, words joined by underscores."""
        return str(self)


class _Synset(tuple[_Lemma, ...]):
    __slots__ = ()

    def lemmas(self) -> "_Synset":
        """Return the words of the synset."""
        return self


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


def find_synonym_files(folder: str | None = None, environment: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Return the index files of the WordNet database that `find_wordnet` looks for, by part of speech; none where it is missing.

    Raises ConfigError if `folder` is given and has none.
    """
    named = environment.get("WNSEARCHDIR", "")
    place = Path(folder) if folder else Path(named) if named else DEBIAN_FOLDER
    found = tuple(path for part in ("noun", "verb", "adj", "adv") if (path := place / f"index.{part}").is_file())
    if folder and not found:
        raise ConfigError(f"{folder} has no index files of WordNet (index.noun, index.verb, …); {REMEDY}")
    return found


@lru_cache(maxsize=2)
def read_synonyms(files: tuple[Path, ...]) -> Synonyms:
    """Return the synonyms of index files. Raises ConfigError if one cannot be read."""
    return parse_synonyms(read_named_text(path, "WordNet's file", REMEDY) for path in files)


@lru_cache(maxsize=2)
def checksum_synonyms(files: tuple[Path, ...]) -> str:
    """Return the SHA-256 of index files, for fingerprints; "" where there are none."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + read_named(path, "WordNet's file", REMEDY))
    return digest.hexdigest() if files else ""


NO_SYNONYMS = Synonyms({})
ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""Weight of recall, exponent and weight of the penalty for chunks, as in the program of 2007."""


@lru_cache(maxsize=1)
def _stemmer() -> SimpleNamespace:
    """Return NLTK's Porter stemmer, which stems a word once."""
    from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped]

    return SimpleNamespace(stem=lru_cache(maxsize=200_000)(PorterStemmer().stem))


def score_meteor(reference: str, candidate: str, synonyms: Synonyms = NO_SYNONYMS) -> float:
    """Return METEOR of a candidate against one reference, 0 to 1.

    NLTK's program: words are paired in three stages (exact, Porter stem, synonym), each stage from the end of the text, and not
    with the fewest chunks. The tokens are ROUGE's. METEOR 1.5, which the paper names, also has paraphrases, weights for function
    words and other constants: figures of the two programs are near each other and not equal.

    Reference: Banerjee and Lavie, "METEOR", 2005; Lavie and Agarwal, 2007 (constants); CRD3, table 5 (Denkowski and Lavie, 2014).
    """
    from nltk.translate.meteor_score import single_meteor_score  # type: ignore[import-untyped]

    first, second = rouge_tokens(reference), rouge_tokens(candidate)
    if not first or not second:
        return 0.0
    return float(
        single_meteor_score(
            first, second, stemmer=_stemmer(), wordnet=synonyms, alpha=ALPHA, beta=BETA, gamma=GAMMA, preprocess=str
        )
    )
