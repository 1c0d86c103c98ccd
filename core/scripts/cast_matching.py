"""Matches names to the cast by character n-grams, and measures how many characters a sentence and a scene share."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Le, Len
from numpy.typing import NDArray

from core.bounds import Share
from core.scripts.scenes import CastMember, Scene
from core.text.sentences import TITLES

_PUNCTUATION = " \t\n.,;:!?\"'“”‘’()[]{}…—–-*_"
_UNNAMED = TITLES | {"miss", "sir", "lady", "lord", "old", "young", "the", "and", "von", "van"}  # do not name anybody alone
_BREAK = re.compile(r"[\s/–—]+|--+")
POSSESSIVE = ("'s", "’s", "'S", "’S")


@dataclass(frozen=True, slots=True)
class CastConfig:
    """How names are matched to characters. The paper gives none of these values (`papers/README.md`), so they are settings.

    `ngram` is the n of the character n-grams. `window_lengths` are the lengths, in words, of the windows of a sentence that are
    looked up. `capitalised` says which windows: those with any capitalised word (algorithm 6), or those of capitalised words
    only. A name matches if its similarity is at least `least_similarity`. With `name_parts`, each word of a full name is a name
    too, so that JUNO always matches Juno MacGuff.
    """

    ngram: Annotated[int, Ge(1), Le(20)] = 3
    window_lengths: Annotated[tuple[Annotated[int, Ge(1), Le(20)], ...], Len(1, 20)] = (1, 2, 3)
    capitalised: Literal["any", "all"] = "all"
    least_similarity: Share = 0.5
    name_parts: bool = True


class CastMatcher:
    """Finds the cast member that a name means. Each distinct name is looked up once."""

    def __init__(self, cast: Sequence[CastMember], config: CastConfig, n_listed: int | None = None) -> None:
        """Index the names of `cast`. Those after the first `n_listed` are found by their whole names only, letter for letter.

        These are roles that the cues name (PARIS REPORTER); a part of one, or a name that is like one, means somebody else.

        Raises:
            ValueError: the n of the n-grams or a window's length is below 1.
        """
        if config.ngram < 1 or min(config.window_lengths, default=1) < 1:
            raise ValueError(f"n-grams and windows must be 1 or longer, not {config.ngram} and {config.window_lengths}")
        self._config = config
        self._members: list[int] = []  # by name: the member with this name
        self._sizes: list[int] = []  # by name: its number of distinct n-grams
        self._holders: dict[str, list[int]] = {}  # by n-gram: the names that contain it
        self._known: dict[str, tuple[int | None, float]] = {}  # by folded name: the member, and how similar it is
        listed = cast[:n_listed]
        seen = set()
        for names in (_full_names, list_name_parts) if config.name_parts else (_full_names,):  # full names take precedence
            for member, character in enumerate(listed):
                for name in names(character):
                    if (folded := _fold(name)) and folded not in seen:
                        seen.add(folded)
                        self._add(folded, member)
        for member, character in enumerate(cast[len(listed) :], len(listed)):
            if (folded := _fold(character.name)) not in seen:
                self._known.setdefault(folded, (member, 1.0))

    def match(self, name: str) -> int | None:
        """Return the index of the cast member who matches a name best; None if the similarity is below `least_similarity`.

        Of equal matches, the first wins. Names are compared in lower case, without accents and dots.

        Reference: SumTitles, algorithm 3 (JaccardBest), on character n-grams.
        """
        return self.rate(name)[0]

    def rate(self, name: str) -> tuple[int | None, float]:
        """Return the member of `match`, and the similarity of the name and the member's name, from 0 to 1; 0 without a member."""
        folded = _fold(name)
        if folded not in self._known:
            found = self._look_up(folded)
            if found[0] is None and self._config.name_parts and (bare := _without_titles(folded)) != folded:
                found = self._look_up(bare)
            self._known[folded] = found
        return self._known[folded]

    def speakers(self, scene: Scene) -> set[int]:
        """Return the indices of the cast members who speak in a scene."""
        return self._distinct(speaker for turn in scene.turns for speaker in turn.speakers)

    def mentioned(self, text: str) -> set[int]:
        """Return the indices of the cast members whom a text mentions: windows of its words are matched, without possessive 's.

        Reference: SumTitles, algorithm 6.
        """
        words = [bare for word in _BREAK.split(text) if (bare := _bare(word))]
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

    def _look_up(self, name: str) -> tuple[int | None, float]:
        ngrams = _ngrams(name, self._config.ngram)
        shared = Counter(option for ngram in ngrams for option in self._holders.get(ngram, ()))
        best, member = self._config.least_similarity, None
        for option in sorted(shared):
            similarity = shared[option] / (len(ngrams) + self._sizes[option] - shared[option])
            if similarity > best or (member is None and similarity == best):
                best, member = similarity, self._members[option]
        return (None, 0.0) if member is None else (member, best)


def count_shared(
    sentences: Sequence[set[int]], scenes: Sequence[set[int]], n_members: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the similarities jac and osj of sentences and scenes, given as sets of cast members.

    jac is the number of shared members divided by the size of the union; osj is the same number divided by the size of the
    sentence's set. Both have the shape n_sentences × n_scenes. Where the denominator is 0, the similarity is 0.

    Reference: SumTitles, algorithm 6 (CastSimilarity).
    """
    named, present = _incidence(sentences, n_members), _incidence(scenes, n_members)
    shared = named @ present.T
    own = named.sum(axis=1, keepdims=True)
    union = own + present.sum(axis=1) - shared
    jac = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    osj = np.divide(shared, own, out=np.zeros_like(shared), where=own > 0)
    return jac, osj


def share_meant(meant: NDArray[np.float64], present: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of the people meant by a sentence that are in a scene (n_sentences × n_scenes); 0 where nobody is meant.

    `meant` (n_sentences × n_members) says what each person counts, 0 to 1; `present` (n_members × n_scenes) who is in a scene.
    Where all count 1, this is osj of `count_shared`.
    """
    shared = meant @ present.astype(np.float64)
    own = meant.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(shared, own, out=np.zeros_like(shared), where=own > 0), dtype=np.float64)


def _incidence(sets: Sequence[set[int]], n_members: int) -> NDArray[np.float64]:
    rows = np.zeros((len(sets), n_members))
    for row, members in zip(rows, sets, strict=True):
        row[list(members)] = 1.0
    return rows


def list_name_parts(character: CastMember) -> Iterator[str]:
    """Yield the parts of a character's names that can stand for the whole name: single words and runs of words.

    A part does not begin or end with a title or a word in lower case. It does not end with a possessive, which names somebody
    else (`Anna's Mother`).
    """
    for name in _full_names(character):
        words = name.split()
        for length in range(1, len(words)):
            for start in range(len(words) - length + 1):
                run = words[start : start + length]
                if all(map(_names_somebody, (run[0], run[-1]))) and not run[-1].endswith(POSSESSIVE):
                    yield " ".join(map(_bare, run))


def _full_names(character: CastMember) -> tuple[str, ...]:
    return (character.name, *character.alter_egos)


def _names_somebody(word: str) -> bool:
    bare = _bare(word)
    return len(bare) > 2 and bare[0].isupper() and bare.casefold() not in _UNNAMED


def _bare(word: str) -> str:
    word = word.strip(_PUNCTUATION)
    return word[:-2] if word.endswith(POSSESSIVE) else word


def _fold(name: str) -> str:
    """Fold a name for comparison: `Dr. Élise O’Hara-Bell's` and `DR ELISE O'HARA BELL` become the same."""
    letters = unicodedata.normalize("NFKD", " ".join(map(_bare, name.replace("-", " ").split())).casefold())
    plain = "".join(letter for letter in letters if letter != "." and not unicodedata.combining(letter))
    return " ".join(plain.replace("’", "'").split())


def _without_titles(folded: str) -> str:
    words = folded.split()
    while len(words) > 1 and words[0] in _UNNAMED:
        del words[0]
    return " ".join(words)


def _ngrams(name: str, n: int) -> set[str]:
    """Return the character n-grams of a name; a name shorter than n is its own n-gram."""
    return {name[start : start + n] for start in range(max(1, len(name) - n + 1))} if name else set()
