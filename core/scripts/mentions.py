"""Finds whom each synopsis sentence is about: by names, by pronouns carried on, and by groups ("the two").

No model is needed: the rules weigh recency, subjects and gender, as in Lappin and Leass, "An Algorithm for Pronominal Anaphora
Resolution", Computational Linguistics 20 (1994), without their parser.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice, takewhile
from typing import Literal

from core.scripts.names import JOINTS, OPENINGS, POSSESSIVE, CastMatcher, Name, find_actors_names, find_names, tokenise
from core.scripts.people import OTHER, OWNER, SUBJECT, Recall
from core.scripts.person_words import COLLECTIVES, GROUP_NOUNS, GROUP_PRONOUNS, PRONOUNS
from core.scripts.scene_texts import without_asides
from core.scripts.story import CastMember
from core.text.terms import STOP_WORDS

How = Literal["name", "pronoun", "group"]

_AFTER_OBJECT = """
to and or but for in on at by with from about into as after before when while because that so until if of off out up down over
away back who where is was are were will he she they it the a an his their
goodbye goodnight everything nothing something anything how why what which whether again instead anyway too also there here
"""
_OBJECT_ENDS = frozenset(_AFTER_OBJECT.split())  # `her` before one of these is no possessive


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a synopsis sentence that mean people of the cast, and `how` they were understood."""

    sentence: int
    text: str
    how: How
    members: tuple[int, ...]


def resolve_mentions(
    sentences: Sequence[str], cast: Sequence[CastMember], matcher: CastMatcher, genders: Mapping[int, float]
) -> list[Mention]:
    """Return all mentions of cast members, in the order of the synopsis. `genders` are those of `find_genders`."""
    tokens = [tokenise(without_asides(sentence)) for sentence in sentences]
    lower = {word for words in tokens for word in words if word[:1].islower()} | STOP_WORDS | OPENINGS
    aliases = find_actors_names(sentences, cast, matcher)
    reader = _Reader(Recall(genders))
    for number, words in enumerate(tokens):
        reader.read_sentence(number, words, find_names(words, cast, matcher, aliases, lower))
    return reader.mentions


@dataclass(slots=True)
class _Reader:
    """Reads a synopsis from its first sentence to its last. The fields below `mentions` are those of the sentence being read."""

    recall: Recall
    mentions: list[Mention] = field(default_factory=list)
    sentence: int = 0
    words: list[str] = field(default_factory=list)
    clauses: list[int] = field(default_factory=list)
    subjects: dict[int, int] = field(default_factory=dict)  # by clause
    here: list[tuple[int, int]] = field(default_factory=list)  # person and place of each mention

    def read_sentence(self, number: int, words: list[str], names: Sequence[Name]) -> None:
        """Read the next sentence, with the names found in it."""
        self.sentence, self.words = number, words
        self.recall.fade()
        self.clauses, self.subjects, self.here = _number_clauses(words), {}, []
        starts = {name.start: name for name in names}
        place = 0
        while place < len(words):
            if name := starts.get(place):
                self._mention((name.member,), name.start, name.stop, "name")
                self._join_names(name)
                place = name.stop
            else:
                place = self._read_word(place, words[place].casefold())

    def _read_word(self, place: int, word: str) -> int:
        if word in PRONOUNS:
            barred = {self.subjects.get(self.clauses[place])} if word in {"him", "her"} and not self._owns(place) else set()
            owner = self.recall.find_person(PRONOUNS[word] == "m", barred)
            if owner is not None:
                self._mention((owner,), place, place + 1, "pronoun")
        elif word in GROUP_PRONOUNS:
            self._read_group(place, place + 1)
        elif word == "the" and self._word(place + 1) in GROUP_NOUNS:
            self._read_group(place, place + 2)
            return place + 2
        elif word in COLLECTIVES:
            self.recall.groups.append((self.sentence, ()))
        return place + 1

    def _word(self, place: int) -> str:
        return self.words[place].casefold() if place < len(self.words) else "."

    def _owns(self, place: int) -> bool:
        word, following = self._word(place), self._word(place + 1)
        return word == "his" or (word == "her" and following[0].isalpha() and following not in _OBJECT_ENDS)

    def _mention(self, members: tuple[int, ...], start: int, stop: int, how: How) -> None:
        clause = self.clauses[start]
        owns = self.words[stop - 1].endswith(POSSESSIVE) or (how == "pronoun" and self._owns(start))
        for member in members:
            subject = clause not in self.subjects and self._opens_clause(start)
            if subject:
                self.subjects[clause] = member
            self.recall.add(member, OWNER if owns else SUBJECT if subject else OTHER)
            self.here.append((member, start))
        self.mentions.append(Mention(self.sentence, " ".join(self.words[start:stop]), how, members))

    def _opens_clause(self, start: int) -> bool:
        first = bisect_left(self.clauses, self.clauses[start])
        before = (self._word(place) for place in range(first, start))
        return not any(word.isalpha() and word not in OPENINGS for word in before)

    def _read_group(self, place: int, stop: int) -> None:
        barred = self.subjects.get(self.clauses[place]) if self._word(place) == "them" else None
        if group := self.recall.find_group(self.sentence, barred):
            self._mention(group, place, stop, "group")
            self.recall.groups.append((self.sentence, group))

    def _join_names(self, name: Name) -> None:
        """Remember `Anna and Tom`, `he and Tom`, `Anna, Tom and Eve`, and `Anna … with Tom`, as a group."""
        before = self._word(name.start - 1) if name.start else ""
        if before not in {"and", "with"} or len(self.here) < 2:
            return
        member, place = self.here[-2]
        if before == "and" and place < name.start - 3:
            return
        near = takewhile(lambda said: said[1] >= place - 2, islice(reversed(self.here), 2, None))
        listed = {each for each, spot in near if spot == place - 2 and self.words[place - 1] == ","}
        group = tuple(sorted({member, name.member} | listed))
        if len(group) >= 2:
            self.recall.groups.append((self.sentence, group))


def _number_clauses(words: Sequence[str]) -> list[int]:
    """Return the clause of each word: a mark or a conjunction begins the next one."""
    return list(accumulate(int(not word[0].isalnum() or word.casefold() in JOINTS) for word in words))
