"""Finds whom each synopsis sentence is about: by names, by pronouns carried on, by groups ("the two") and by roles ("his wife").

No model is needed: the rules weigh recency, subjects and gender, as in Lappin and Leass, "An Algorithm for Pronominal Anaphora
Resolution", Computational Linguistics 20 (1994), without their parser.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from core.scripts.names import JOINTS, OPENINGS, OWNERS, CastMatcher, Name, bare, find_actors_names, find_names, tokenise
from core.scripts.people import OTHER, OWNER, SUBJECT, KnownRoles, Recall
from core.scripts.person_words import COLLECTIVES, GROUP_NOUNS, GROUP_PRONOUNS, NAME_GENDERS, PRONOUNS, ROLE_NOUNS
from core.scripts.scene_texts import without_asides
from core.scripts.story import CastMember, Scene
from core.text.sentences import split_by_rules
from core.text.terms import STOP_WORDS

How = Literal["name", "pronoun", "group", "role"]

_AFTER_OBJECT = """
to and or but for in on at by with from about into as after before when while because that so until if of off out up down over
away back who where is was are were will he she they it the a an his their
goodbye goodnight everything nothing something anything how why what which whether again instead anyway too also there here
"""
_NO_ADVERBS = frozenset(
    ["family", "belly", "ally", "bully", "reply", "fly", "jelly", "assembly", "rally", "butterfly", "elderly", "only", "lovely"]
)
_OBJECT_ENDS = frozenset(_AFTER_OBJECT.split())  # `her` before one of these is no possessive
_PLACES = frozenset({"in", "at", "near", "outside", "inside", "from"})
_INTRODUCES = (", a ", ", an ", ", the ")
_ROLE_WINDOW = 3  # words between `his` and `wife`, with the role


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a synopsis sentence that mean people of the cast, and `how` they were understood."""

    sentence: int
    text: str
    how: How
    members: tuple[int, ...]


def resolve_mentions(
    sentences: Sequence[str],
    cast: Sequence[CastMember],
    scenes: Sequence[Scene],
    matcher: CastMatcher,
    genders: Mapping[int, float],
) -> list[Mention]:
    """Return all mentions of cast members, in the order of the synopsis.

    The scenes are searched for introductions (`ANNA, a lawyer`) only. `genders` are those of `find_genders`.
    """
    tokens = [tokenise(without_asides(sentence)) for sentence in sentences]
    lower = {word for words in tokens for word in words if word[:1].islower()} | STOP_WORDS | OPENINGS
    aliases = find_actors_names(sentences, cast, matcher)
    reader = _Reader(len(cast), Recall(len(cast), dict(genders)), KnownRoles(cast))
    reader.roles.learn_cast()
    named = [find_names(words, cast, matcher, aliases, lower) for words in tokens]
    for words, names in zip(tokens, named, strict=True):
        reader.roles.learn_titles(words, names)
    for words in _list_introductions(scenes):
        reader.roles.learn_titles(words, find_names(words, cast, matcher, aliases, lower))
    for number, (words, names) in enumerate(zip(tokens, named, strict=True)):
        reader.read_sentence(number, words, names)
    return reader.mentions


def _list_introductions(scenes: Sequence[Scene]) -> list[list[str]]:
    """Return the words of the action's sentences that may say what somebody is."""
    texts = (text for scene in scenes for text in scene.narration if any(mark in text for mark in _INTRODUCES))
    lines = [line for text in texts for line in split_by_rules(text) if any(mark in line for mark in _INTRODUCES)]
    listed = (tokenise(without_asides(line)) for line in lines)
    return [words for words in listed if not ROLE_NOUNS.isdisjoint(word.casefold() for word in words)]


@dataclass(slots=True)
class _Reader:
    """Reads a synopsis from its first sentence to its last. The fields below `mentions` are those of the sentence being read."""

    n_members: int
    recall: Recall
    roles: KnownRoles
    mentions: list[Mention] = field(default_factory=list)
    sentence: int = 0
    words: list[str] = field(default_factory=list)
    names: list[Name] = field(default_factory=list)
    starts: dict[int, Name] = field(default_factory=dict)  # by the place of a name's first word
    taken: set[int] = field(default_factory=set)  # the places of all words of names
    ahead: Name | None = None  # the first name that opens a clause
    last_comma: int = -1
    clauses: list[int] = field(default_factory=list)
    first_words: dict[int, str] = field(default_factory=dict)  # by clause
    subjects: dict[int, int | None] = field(default_factory=dict)  # by clause; that of an earlier clause may be carried on
    here: list[tuple[int, int]] = field(default_factory=list)  # person and place of each mention

    def read_sentence(self, number: int, words: list[str], names: list[Name]) -> None:
        """Read the next sentence, with the names found in it."""
        self.sentence, self.words, self.names = number, words, names
        self.recall.fade()
        self.clauses, self.subjects, self.here = _number_clauses(words), {}, []
        self.first_words = {}
        for clause, word in zip(self.clauses, words, strict=True):
            self.first_words.setdefault(clause, word.casefold())
        self.starts = {name.start: name for name in names}
        self.taken = {place for name in names for place in range(name.start, name.stop)}
        self.ahead = next((name for name in names if self._opens_clause(name.start)), None)
        self.last_comma = max((place for place, word in enumerate(words) if word == ","), default=-1)
        place = 0
        while place < len(words):
            if name := self.starts.get(place):
                place = self._read_name(name)
            elif place not in self.taken and words[place][:1].isupper() and bare(words[place]).casefold() in NAME_GENDERS:
                place = self._read_stranger(place)
            else:
                place = self._read_word(place, words[place].casefold())

    def _read_name(self, name: Name) -> int:
        self._mention((name.member,), name.start, name.stop, "name")
        self._join_names(name)
        if self.words[name.stop - 1].endswith(OWNERS):
            return self._read_role(name.member, name.stop)
        self._read_apposition(name)
        return name.stop

    def _read_stranger(self, place: int) -> int:
        name = bare(self.words[place])
        self._mention((self.recall.add_stranger(NAME_GENDERS[name.casefold()], name),), place, place + 1, "name")
        return place + 1

    def _read_word(self, place: int, word: str) -> int:
        if word in PRONOUNS:
            owner = self._resolve_pronoun(place, word)
            if owner is not None:
                self._mention((owner,), place, place + 1, "pronoun")
            return self._read_role(owner, place + 1) if self._owns(place) else place + 1
        if word in GROUP_PRONOUNS:
            return self._read_group(place, place + 1)
        if word == "the":
            following = self._word(place + 1)
            if following in GROUP_NOUNS:
                return place + 2 if following == "two" and self._counts_others(place + 2) else self._read_group(place, place + 2)
            return self._read_title(place)
        if word in COLLECTIVES:
            self.recall.groups.append((self.sentence, ()))
        return place + 1

    def _word(self, place: int) -> str:
        return self.words[place].casefold() if place < len(self.words) else "."

    def _counts_others(self, place: int) -> bool:
        """Tell whether `the two` goes on with what it counts (`the two cars`); a verb after it ends in ss (`kiss`) or no s."""
        word = self._word(place)
        return word.endswith("s") and not word.endswith("ss") and word != "lovers"

    def _owns(self, place: int) -> bool:
        word, following = self._word(place), self._word(place + 1)
        return word == "his" or (word == "her" and following[0].isalpha() and not self._ends_object(place + 1))

    def _ends_object(self, place: int) -> bool:
        """Tell whether `her` before this word is an object: `sees her again`, `hugs her tightly.`, but `her newly built boat`."""
        word, following = self._word(place), self._word(place + 1)
        adverb = word.endswith("ly") and word not in _NO_ADVERBS and (following in _OBJECT_ENDS or not following[0].isalpha())
        return adverb or word in _OBJECT_ENDS

    def _mention(self, members: tuple[int, ...], start: int, stop: int, how: How) -> None:
        clause = self.clauses[start]
        owns = self.words[stop - 1].endswith(OWNERS) or (how == "pronoun" and self._owns(start))
        aside = how == "name" and start > 0 and self._word(start - 1) in _PLACES
        for member in members:
            subject = clause not in self.subjects and self._opens_clause(start)
            if subject:
                self.subjects[clause] = member
            self.recall.add(member, OWNER if owns or aside else SUBJECT if subject else OTHER)
            self.here.append((member, start))
        known = tuple(member for member in members if member < self.n_members)
        if known:
            self.mentions.append(Mention(self.sentence, " ".join(self.words[start:stop]), how, known))

    def _opens_clause(self, start: int) -> bool:
        place = start - 1
        while place >= 0 and self.clauses[place] == self.clauses[start]:
            word = self._word(place)
            if word.isalpha() and word not in OPENINGS and not word.endswith("ly"):
                return False
            place -= 1
        return True

    def _resolve_pronoun(self, place: int, word: str) -> int | None:
        barred = {self._find_subject(place)} if word in {"him", "her"} and not self._owns(place) else set()
        boosts = {self.ahead.member: SUBJECT} if self.ahead and self._looks_ahead(place) else {}
        return self.recall.find_person(PRONOUNS[word] == "m", barred, boosts)

    def _find_subject(self, place: int) -> int | None:
        """Return the subject of a word's clause: that of the clause before, where `and` goes on without a subject of its own."""
        clause = here = self.clauses[place]
        while clause not in self.subjects and clause and self.first_words[clause] in {"and", "but"}:
            clause -= 1
        subject = self.subjects.get(clause)
        for read in range(clause, here):  # these clauses have been read, so their subjects stay
            self.subjects[read] = subject
        return subject

    def _looks_ahead(self, place: int) -> bool:
        """Tell whether a pronoun stands in an opening clause, before any name: `After learning that she must go, Ann …`."""
        first = self._word(0)
        opening = first in OPENINGS or first.endswith("ing")
        return opening and not (self.names and self.names[0].start < place) and place < self.last_comma

    def _read_group(self, place: int, stop: int) -> int:
        barred = self._find_subject(place) if self._word(place) == "them" else None
        if group := self.recall.find_group(self.sentence, barred):
            self._mention(group, place, stop, "group")
            self.recall.groups.append((self.sentence, group))
        return stop

    def _join_names(self, name: Name) -> None:
        """Remember `Anna and Tom`, `he and Tom`, `Anna, Tom and Eve`, and `Anna … with Tom`, as a group."""
        before = self._word(name.start - 1) if name.start else ""
        if before not in {"and", "with"} or len(self.here) < 2:
            return
        member, place = self.here[-2]
        if before == "and" and place < name.start - 3:
            return
        listed = set()
        for each, spot in islice(reversed(self.here), 2, None):
            if spot < place - 2:
                break
            if spot == place - 2 and self.words[place - 1] == ",":
                listed.add(each)
        known = tuple(sorted(each for each in {member, name.member} | listed if each < self.n_members))
        if len(known) >= 2:
            self.recall.groups.append((self.sentence, known))

    def _read_role(self, owner: int | None, place: int) -> int:
        """Read `his wife` or `Anna's boss` from the word after the owner; a name beside it says who that is."""
        noun = self._find_role_noun(place)
        if noun is None or owner is None:
            return place
        role, after = self._word(noun), noun + 1
        beside = after + 1 if self._word(after) == "," else after
        name = self.starts.get(beside)
        apposed = name is not None and (beside == after or self._word(name.stop) in {",", ".", ";"})
        if name and apposed and name.member != owner and not self.words[name.stop - 1].endswith(OWNERS):
            self.roles.relate(owner, role, name.member, self.recall)
        else:
            self._mention((self.roles.find_related(owner, role, self.recall),), noun, after, "role")
        return after

    def _find_role_noun(self, place: int) -> int | None:
        """Return the place of the role among the next words, if no name stands before it."""
        for spot in range(place, min(place + _ROLE_WINDOW, len(self.words))):
            if spot in self.taken or not self.words[spot][0].isalpha():
                return None
            if self._word(spot) in ROLE_NOUNS:
                return spot
        return None

    def _read_apposition(self, name: Name) -> None:
        """Read `Anna, his wife` and `Anna, Tom's boss`."""
        if self._word(name.stop) != ",":
            return
        owner, start = None, name.stop + 2
        if (word := self._word(name.stop + 1)) in {"his", "her"}:
            owner = self.recall.find_person(word == "his", {name.member})
        elif (possessor := self.starts.get(name.stop + 1)) is not None:
            start = possessor.stop
            owner = possessor.member if self.words[possessor.stop - 1].endswith(OWNERS) else None
        noun = self._find_role_noun(start)
        if owner is not None and owner != name.member and noun is not None:
            self.roles.relate(owner, self._word(noun), name.member, self.recall)

    def _read_title(self, place: int) -> int:
        """Read `the detective`, where somebody is known as one."""
        noun = self._find_role_noun(place + 1)
        if noun is None:
            return place + 1
        chosen = self.roles.find_title(self._word(noun), self.recall.salience)
        if chosen is not None and noun + 1 not in self.taken:
            self._mention((chosen,), place, noun + 1, "role")
        return noun + 1


def _number_clauses(words: Sequence[str]) -> list[int]:
    """Return the clause of each word: a mark or a conjunction begins the next one."""
    numbers, clause = [], 0
    for word in words:
        if not word[0].isalnum() or word.casefold() in JOINTS:
            clause += 1
        numbers.append(clause)
    return numbers
