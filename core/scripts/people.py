"""Remembers the people of a synopsis: of which gender they are, and how lately they were mentioned."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from core.scripts.names import CastMatcher
from core.scripts.person_words import NAME_GENDERS, NOUN_GENDERS, PRONOUNS, has_surname
from core.scripts.story import CastMember, Scene

_SENTENCE = re.compile(r"[^.!?]+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BY_TITLE, _BY_NAME, _BY_PRONOUN = 5.0, 2.0, 1.0  # log-odds that a word tells; pronouns: times the log of their ratio
_SIGNS = {"m": 1.0, "f": -1.0}

SUBJECT, OTHER, OWNER = 1.0, 0.6, 0.45
"""What a mention counts as the subject of its clause, elsewhere in it, and before what somebody owns (`Anna's`)."""

_DECAY = 0.5  # what a mention counts a sentence later
_LEAST = 0.12  # a pronoun whose best candidate counts less is nobody's: that one was named three sentences ago
_FORGOTTEN = 0.03
_REMEMBERED = 64  # people, and groups of a sentence; no synopsis has as many at once, and a pronoun goes through all
_LEAST_GENDER = 0.2  # a candidate less likely to be of the pronoun's gender is none
_MOST = 1.3  # mentions of one person add up to this: one who was named often does not outdo one who is named now


def find_genders(
    cast: Sequence[CastMember], scenes: Sequence[Scene], sentences: Sequence[str], matcher: CastMatcher
) -> dict[int, float]:
    """Return the log-odds that each member is a man (natural logarithm); members that nothing tells are left out.

    Titles and kin in a name (`Mrs. Elster`, `Clay's Dad`) tell most, then given names, also those of the actors, and the pronouns
    that follow a name where a sentence names nobody else.
    """
    texts = [text for scene in scenes for text in scene.narration]
    counts = _count_pronouns([*texts, *sentences], matcher, len(cast))
    found = {}
    for place, member in enumerate(cast):
        male, female = counts[place]
        odds = _BY_PRONOUN * float(np.log((male + 0.5) / (female + 0.5)))
        odds += max((_judge_name(name) for name in (member.name, *member.alter_egos)), key=abs)
        odds += _BY_NAME * _sign(NAME_GENDERS.get(next(iter(member.actor.casefold().split()), ""), ""))
        if odds:
            found[place] = odds
    return found


def _judge_name(name: str) -> float:
    words = [word.casefold() for word in _WORD.findall(name)]
    if not words:
        return 0.0
    for word in (words[0],) if has_surname(name) else (words[-1], words[0]):  # Sarah King is no king
        if word in NOUN_GENDERS:
            return _BY_TITLE * _sign(NOUN_GENDERS[word])
    return _BY_NAME * _sign(next((NAME_GENDERS[word] for word in words if word in NAME_GENDERS), ""))


def _sign(gender: str) -> float:
    return _SIGNS.get(gender, 0.0)


def _count_pronouns(texts: Iterable[str], matcher: CastMatcher, n_members: int) -> np.ndarray:
    """Return how often `he` and `she` follow each member's name (n_members × 2), where a sentence names that member alone.

    A sentence that begins with the pronoun goes on with the member whom the sentence before named alone.
    """
    counts = np.zeros((n_members, 2))
    for text in texts:
        sentences = _SENTENCE.findall(text)
        words = [[word.casefold() for word in _WORD.findall(sentence)] for sentence in sentences]
        told = [[PRONOUNS[word] for word in each if word in PRONOUNS] for each in words]
        goes_on = [bool(each) and each[0] in {"he", "she"} for each in words]
        last_going = max((place for place, goes in enumerate(goes_on) if goes), default=-1)
        last: int | None = None
        for place, sentence in enumerate(sentences):
            if not told[place] and place >= last_going:
                continue  # no pronoun needs this sentence's names
            named = matcher.mentioned(sentence)
            if len(named) == 1:
                (last,) = named
                spoken = [] if words[place] and words[place][0] in PRONOUNS else told[place]
            else:
                spoken = told[place][:1] if not named and goes_on[place] else []
                last = last if not named else None
            if last is not None and len(set(spoken)) == 1:
                counts[last, 0 if spoken[0] == "m" else 1] += 1
    return counts


@dataclass(slots=True)
class Recall:
    """The people mentioned so far: the log-odds that each is a man, and how much each counts.

    `groups` has the sentence and the members of each group; one of nobody stands for several without names (`the squad`).
    """

    odds: Mapping[int, float]
    salience: dict[int, float] = field(default_factory=dict)
    groups: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)

    def fade(self) -> None:
        """Go on to the next sentence: who was mentioned before counts less."""
        self.salience = {member: value * _DECAY for member, value in self.salience.items() if value > _FORGOTTEN}

    def add(self, member: int, weight: float) -> None:
        """Count a mention of somebody. Of too many people, the one who counts least is forgotten."""
        self.salience[member] = min(self.salience.get(member, 0.0) + weight, _MOST)
        if len(self.salience) > _REMEMBERED:
            del self.salience[min(self.salience, key=lambda each: (each == member, self.salience[each]))]

    def share_male(self, member: int) -> float:
        """Return the probability that somebody is a man."""
        return float(1 / (1 + np.exp(-np.clip(self.odds.get(member, 0.0), -8, 8))))

    def find_person(self, male: bool, barred: Collection[int | None] = ()) -> int | None:
        """Return who is most likely meant by `he` or `she`, None if nobody is likely."""
        best, chosen = _LEAST, None
        for member, score in self.salience.items():
            likely = self.share_male(member) if male else 1 - self.share_male(member)
            if member not in barred and likely >= _LEAST_GENDER and score * likely**0.5 > best:
                best, chosen = score * likely**0.5, member
        return chosen

    def find_group(self, sentence: int, barred: int | None) -> tuple[int, ...]:
        """Return the last group of this sentence or the one before, else the two people who were mentioned last."""
        for number, members in islice(reversed(self.groups), _REMEMBERED):
            if number < sentence - 1:
                break
            if not members:
                return ()
            if barred not in members:
                return members
        known = [member for member in self.salience if member != barred]
        ranked = sorted(known, key=lambda member: -self.salience[member])
        lately = [member for member in ranked if self.salience[member] > 2 * _LEAST][:2]
        return tuple(sorted(lately)) if len(lately) == 2 else ()
