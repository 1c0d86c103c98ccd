"""Tells whom a name means: matches names to the cast by character n-grams, and finds names in sentences, speakers and cues."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import takewhile
from string import capwords
from typing import Annotated, Literal

from annotated_types import Ge, Le, Len

from core.bounds import Share
from core.dialogue import Turn
from core.scripts.person_words import EXTRAS, PRONOUNS, ROLE_NOUNS, find_role_word
from core.scripts.story import CastMember, Scene, Story
from core.text.sentences import TITLES

_PUNCTUATION = " \t\n.,;:!?\"'“”‘’()[]{}…—–-*_"
_UNNAMED = TITLES | {"miss", "sir", "lady", "lord", "old", "young", "the", "and", "von", "van"}  # do not name anybody alone
_BREAK = re.compile(r"[\s/–—]+|--+")
POSSESSIVE = ("'s", "’s", "'S", "’S")
_JOINT_WORDS = """
and but or when who while because that which after before until as although though if so then where whom whose since unless
"""
JOINTS = frozenset(_JOINT_WORDS.split())
"""Words that open a clause."""
_OPENING_WORDS = """
the a an in on at during despite later meanwhile however once upon by with without having eventually finally soon afterwards
afterward instead also still even only just both now there
"""
OPENINGS = JOINTS | frozenset(_OPENING_WORDS.split())
"""Words that may stand before a clause's subject."""
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_ASIDE = re.compile(r"[(\[]([^()\[\]]{1,200})[)\]]")  # no actor's name is longer
_QUOTES = "\"“”‘’'"


@dataclass(frozen=True, slots=True)
class CastConfig:
    """How names are matched to characters. The paper gives none of these values (`papers/README.md`), so they are settings.

    `ngram` is the n of the character n-grams, `window_lengths` are the lengths, in words, of the windows of a sentence that are
    looked up: those with any capitalised word (algorithm 6), or those of capitalised words only (`capitalised`). With
    `name_parts`, each word of a full name is a name too, so that JUNO always matches Juno MacGuff.
    """

    ngram: Annotated[int, Ge(1), Le(20)] = 3
    window_lengths: Annotated[tuple[Annotated[int, Ge(1), Le(20)], ...], Len(1, 20)] = (1, 2, 3)
    capitalised: Literal["any", "all"] = "all"
    least_similarity: Share = 0.5
    name_parts: bool = True


class CastMatcher:
    """Finds the cast member that a name means. Each distinct name is looked up once."""

    def __init__(self, cast: Sequence[CastMember], config: CastConfig, n_listed: int | None = None) -> None:
        """Index the names; those after the first `n_listed` are roles of cues (PARIS REPORTER), found letter for letter."""
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
        """Return the cast member who matches a name best; None if the similarity is below `least_similarity`. Ties: the first.

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
        """Return the cast members whom a text mentions: windows of its words are matched, without possessive 's (algorithm 6)."""
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


def match_people(story: Story, config: CastConfig) -> tuple[tuple[CastMember, ...], CastMatcher]:
    """Return the cast, then those whom only the script's cues name by their role (SECOND DETECTIVE), and their matcher."""
    cast = story.cast or ()
    matcher = CastMatcher(cast, config)
    cues = Counter(speaker for turn in story.list_turns() for speaker in turn.speakers) if cast else ()
    roles = [capwords(cue) for cue in cues if find_role_word(cue) and matcher.match(cue) is None]
    people = (*cast, *map(CastMember, dict.fromkeys(roles)))
    return people, CastMatcher(people, config, len(cast)) if roles else matcher


def name_speakers(story: Story, config: CastConfig) -> Story:
    """Rename the speakers whom the cast list knows to their names there; the raw labels stay (SumTitles, section 4)."""
    cast = story.cast or ()
    matcher = CastMatcher(cast, config)

    def rename(turn: Turn) -> Turn:
        named = (matcher.match(speaker) for speaker in turn.speakers)
        speakers = (raw if member is None else cast[member].name for raw, member in zip(turn.speakers, named, strict=True))
        return replace(turn, speakers=tuple(dict.fromkeys(speakers)))

    return replace(story, scenes=tuple(replace(scene, turns=tuple(map(rename, scene.turns))) for scene in story.scenes))


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a sentence: the words from `start` up to `stop` mean the cast member `member`."""

    start: int
    stop: int
    member: int


def find_actors_names(sentences: Sequence[str], cast: Sequence[CastMember], matcher: CastMatcher) -> dict[str, int]:
    """Return other names by what stands before an actor in brackets: `Pete "Maverick" Mitchell (Tom Cruise)`."""
    actors = {_fold_actor(name): place for place, member in enumerate(cast) for name in member.actor.split(", ") if name}
    found: dict[str, int] = {}
    for sentence in sentences:
        last = 0
        for aside in _ASIDE.finditer(sentence):
            before, last = sentence[last : aside.start()], aside.end()
            member = actors.get(_fold_actor(aside[1]))
            if member is None:
                continue
            capitals = takewhile(lambda word: word[:1].isupper() and not word.endswith(POSSESSIVE), reversed(tokenise(before)))
            for name in capitals:
                if len(name) > 2 and name.casefold() not in TITLES and matcher.match(name) is None:
                    found.setdefault(name.casefold(), member)
    return found


def tokenise(text: str) -> list[str]:
    """Return words and marks. Quotes go, and so does the full stop of `Mr.` and of an initial."""
    found: list[str] = []
    for token in _TOKEN.findall(text):
        last = found[-1] if found else ""
        abbreviates = token == "." and (last.casefold() in TITLES or (len(last) == 1 and last.isupper()))
        if token not in _QUOTES and not abbreviates:
            found.append(token)
    return found


def find_names(
    words: Sequence[str], cast: Sequence[CastMember], matcher: CastMatcher, aliases: Mapping[str, int], lower: AbstractSet[str]
) -> list[Name]:
    """Return the names of a sentence, longest first within a run of capitalised words; `lower` are words that begin no name."""
    names: list[Name] = []
    for place in range(len(words)):
        if names and place < names[-1].stop:
            continue
        stop = place
        while stop < len(words) and stop - place < 4 and _is_capital(words, stop, lower):
            stop += 1
            if words[stop - 1].endswith(POSSESSIVE):
                break
        for end in range(stop, place, -1):
            text = " ".join(words[place:end])
            member = matcher.match(text)
            if member is None and end == place + 1:
                member = aliases.get(_bare(text).casefold())
            if member is not None and not _is_part_of_role(text, cast[member].name):
                names.append(Name(place, end, member))
                break
    return names


def _is_part_of_role(text: str, name: str) -> bool:
    """Tell whether a text is only the place of somebody without a name: `New York` of New York Cab Driver."""
    role = find_role_word(name, ROLE_NOUNS | EXTRAS)
    return bool(role) and role not in text.casefold().split()


def _is_capital(words: Sequence[str], place: int, lower: AbstractSet[str]) -> bool:
    word = words[place]
    return word[:1].isupper() and not (place == 0 and word.casefold() in lower) and word.casefold() not in PRONOUNS


def _fold_actor(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold()))


def list_name_parts(character: CastMember) -> Iterator[str]:
    """Yield the parts of a character's names that can stand for the whole name: single words and runs of words.

    A part does not begin or end with a title or a word in lower case, nor end with a possessive (`Anna's Mother`).
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
