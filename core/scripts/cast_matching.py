"""Names matched to the cast by the n-grams of their letters, and how many characters a sentence and a scene share."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.scripts.scenes import CastMember, Scene

_PUNCTUATION = " \t\n.,;:!?\"'“”‘’()[]{}…—–-"
_TITLES = frozenset(("mr", "mrs", "ms", "miss", "dr", "sir", "lady", "lord", "old", "young", "the", "and", "von", "van"))


@dataclass(frozen=True, slots=True)
class CastConfig:
    """How names find their character. The paper names none of these figures (`papers/README.md`): they are settings.

    `capitalised`: which windows of a sentence are looked up, those with any capitalised word (algorithm 6) or only those of
    capitalised words. `name_parts`: each word of a full name is a name too, so that JUNO finds Juno MacGuff for certain.
    """

    ngram: int = 3
    window_lengths: tuple[int, ...] = (1, 2, 3)
    capitalised: Literal["any", "all"] = "all"
    least_similarity: float = 0.5
    name_parts: bool = True


class CastMatcher:
    """Finds the member of a cast that a name means; each distinct name is looked up once."""

    def __init__(self, cast: Sequence[CastMember], config: CastConfig) -> None:
        """Code the names of `cast`. Raises ValueError where the n of the n-grams or a window's length is below 1."""
        if config.ngram < 1 or min(config.window_lengths, default=1) < 1:
            raise ValueError(f"n-grams and windows must be 1 or longer, not {config.ngram} and {config.window_lengths}")
        self._config = config
        self._members: list[int] = []  # per option: its member
        self._sizes: list[int] = []  # per option: its number of distinct n-grams
        self._holders: dict[str, list[int]] = {}  # per n-gram: the options that have it
        self._known: dict[str, int | None] = {}
        seen = set()
        for member, names in enumerate(_names(character, config.name_parts) for character in cast):
            for name in names:
                if (folded := name.casefold()) and folded not in seen:
                    seen.add(folded)
                    self._add(folded, member)

    def match(self, name: str) -> int | None:
        """Return the place in the cast of the name's best match; None where its similarity is below the least. Ties: the first.

        Reference: SumTitles, algorithm 3 (JaccardBest), on the n-grams of the name's letters in lower case.
        """
        folded = " ".join(name.strip(_PUNCTUATION).casefold().split())
        if folded not in self._known:
            self._known[folded] = self._look_up(folded)
        return self._known[folded]

    def speakers(self, scene: Scene) -> set[int]:
        """Return the cast members who speak in a scene."""
        return self._distinct(speaker for turn in scene.turns for speaker in turn.speakers)

    def mentioned(self, text: str) -> set[int]:
        """Return the cast members whom the windows of a text's words name (algorithm 6; a possessive 's is no part of a name)."""
        words = [_bare(word) for word in text.split()]
        capital = [word[:1].isupper() for word in words]
        test = all if self._config.capitalised == "all" else any
        return self._distinct(
            " ".join(words[start : start + length])
            for length in self._config.window_lengths
            for start in range(len(words) - length + 1)
            if test(capital[start : start + length])
        )

    def _distinct(self, names: Iterable[str]) -> set[int]:
        return {member for name in names if (member := self.match(name)) is not None}

    def _add(self, name: str, member: int) -> None:
        ngrams = _ngrams(name, self._config.ngram)
        for ngram in ngrams:
            self._holders.setdefault(ngram, []).append(len(self._members))
        self._members.append(member)
        self._sizes.append(len(ngrams))

    def _look_up(self, name: str) -> int | None:
        ngrams = _ngrams(name, self._config.ngram)
        shared = Counter(option for ngram in ngrams for option in self._holders.get(ngram, ()))
        best, member = self._config.least_similarity, None
        for option in sorted(shared):
            similarity = shared[option] / (len(ngrams) + self._sizes[option] - shared[option])
            if similarity > best or (member is None and similarity == best):
                best, member = similarity, self._members[option]
        return member


def count_shared(
    sentences: Sequence[set[int]], scenes: Sequence[set[int]], n_members: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return jac and osj (n_sentences × n_scenes) of sets of cast members: shared by union, and shared by the sentence's own.

    An empty denominator gives 0: a scene without speech, a sentence without names, a movie without a cast.

    Reference: SumTitles, algorithm 6 (CastSimilarity).
    """
    named, present = _incidence(sentences, n_members), _incidence(scenes, n_members)
    shared = named @ present.T
    own = named.sum(axis=1, keepdims=True)
    union = own + present.sum(axis=1) - shared
    jac = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    osj = np.divide(shared, own, out=np.zeros_like(shared), where=own > 0)
    return jac, osj


def _incidence(sets: Sequence[set[int]], n_members: int) -> NDArray[np.float64]:
    rows = np.zeros((len(sets), n_members))
    for row, members in zip(rows, sets, strict=True):
        row[list(members)] = 1.0
    return rows


def _names(character: CastMember, parts: bool) -> list[str]:
    names = [_tidy(name) for name in (character.name, *character.alter_egos)]
    if parts:
        words = [_bare(word) for name in names for word in name.split()]
        names += [word for word in words if len(word) > 2 and word[:1].isupper() and word.casefold() not in _TITLES]
    return names


def _tidy(name: str) -> str:
    return " ".join(word for word in map(_bare, name.split()) if word)


def _bare(word: str) -> str:
    word = word.strip(_PUNCTUATION)
    return word[:-2] if word.endswith(("'s", "’s")) else word


def _ngrams(name: str, n: int) -> set[str]:
    """Return the runs of n letters; of a shorter name, the name itself."""
    return {name[start : start + n] for start in range(max(1, len(name) - n + 1))} if name else set()
