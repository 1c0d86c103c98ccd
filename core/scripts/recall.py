"""Remembers whom a synopsis has mentioned, how lately, and of which gender: who may be meant by `he` and by `they`."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from core.scripts.person_words import Gender

SUBJECT, OTHER, OWNER = 1.0, 0.6, 0.45
"""What a mention counts as the subject of its clause, elsewhere in it, and before what somebody owns (`Anna's`)."""

_DECAY = 0.5  # what a mention counts a sentence later
_LEAST = 0.12  # a pronoun whose best candidate counts less is nobody's: that one was named three sentences ago
_FORGOTTEN = 0.03
_REMEMBERED = 64  # people, and groups of a sentence; no synopsis has as many at once, and a pronoun goes through all
_LEAST_GENDER = 0.2  # a candidate less likely to be of the pronoun's gender is none
_MOST = 1.3  # mentions of one person add up to this: one who was named often does not outdo one who is named now
_CERTAIN = 6.0  # log-odds of a gender that a role tells


@dataclass(slots=True)
class Recall:
    """The people mentioned so far. Positions below `n_members` are cast members, others are strangers to the cast list.

    `odds` are the log-odds that a member is a man. `groups` has the sentence and the members of each group; a group of nobody
    stands for several people without names (`the squad`).
    """

    n_members: int
    odds: dict[int, float]
    salience: dict[int, float] = field(default_factory=dict)
    groups: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    strangers: dict[int, Gender] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)

    def fade(self) -> None:
        """Go on to the next sentence: who was mentioned before counts less."""
        self.salience = {member: value * _DECAY for member, value in self.salience.items() if value > _FORGOTTEN}

    def add(self, member: int, weight: float) -> None:
        """Count a mention of somebody. Of too many people, the one who counts least is forgotten."""
        self.salience[member] = min(self.salience.get(member, 0.0) + weight, _MOST)
        if len(self.salience) > _REMEMBERED:
            del self.salience[min(self.salience, key=lambda each: (each == member, self.salience[each]))]

    def add_stranger(self, gender: Gender, name: str = "") -> int:
        """Return the number of somebody whom the cast list does not have: `he` may mean him too. A name has one number."""
        if name and name in self.names:
            return self.names[name]
        number = self.n_members + len(self.strangers)
        self.strangers[number] = gender
        if name:
            self.names[name] = number
        return number

    def tell_gender(self, member: int, gender: Gender) -> None:
        """Note a gender that a role tells: of `his wife Anna`."""
        if gender and member < self.n_members:
            self.odds[member] = _CERTAIN if gender == "m" else -_CERTAIN

    def share_male(self, member: int) -> float:
        """Return the probability that somebody is a man."""
        if member in self.strangers:
            return {"m": 1.0, "f": 0.0, "": 0.5}[self.strangers[member]]
        return float(1 / (1 + np.exp(-np.clip(self.odds.get(member, 0.0), -8, 8))))

    def find_person(
        self, male: bool, barred: Collection[int | None] = (), boosts: Mapping[int, float] | None = None
    ) -> int | None:
        """Return who is most likely meant by `he` or `she`, None if nobody is likely. `boosts` are added to what people count."""
        best, chosen = _LEAST, None
        scores = dict(self.salience)
        for member, boost in (boosts or {}).items():
            scores[member] = scores.get(member, 0.0) + boost
        for member, score in scores.items():
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
            if barred not in members and all(self.salience.get(member, 0.0) > _LEAST for member in members):
                return members
        known = [member for member in self.salience if member < self.n_members and member != barred]
        ranked = sorted(known, key=lambda member: -self.salience[member])
        lately = [member for member in ranked if self.salience[member] > 2 * _LEAST][:2]
        return tuple(sorted(lately)) if len(lately) == 2 else ()
