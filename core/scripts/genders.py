"""Tells whether a character is a man or a woman: by the cast list, the script's and the synopsis's own pronouns."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from core.scripts.cast_matching import CastMatcher
from core.scripts.person_words import NAME_GENDERS, NOUN_GENDERS, PRONOUNS, has_surname
from core.scripts.scenes import CastMember, Scene

_SENTENCE = re.compile(r"[^.!?]+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BY_TITLE, _BY_NAME, _BY_PRONOUN = 5.0, 2.0, 1.0  # log-odds that a word tells; pronouns: times the log of their ratio
_SIGNS = {"m": 1.0, "f": -1.0}


def find_genders(
    cast: Sequence[CastMember], scenes: Sequence[Scene], sentences: Sequence[str], matcher: CastMatcher
) -> dict[int, float]:
    """Return the log-odds that each member is a man (natural logarithm); members that nothing tells are left out.

    Titles and kin in a name (`Mrs. Elster`, `Clay's Dad`) tell most, then given names, also those of the actors, and the pronouns
    that follow a name where a sentence of the script's action, or of the synopsis, names nobody else.
    """
    texts = [text for scene in scenes for text in scene.narration]
    counts = _count_pronouns([*texts, *sentences], matcher, len(cast))
    found = {}
    for place, member in enumerate(cast):
        male, female = counts[place]
        odds = _BY_PRONOUN * float(np.log((male + 0.5) / (female + 0.5)))
        odds += max((_judge_name(name) for name in (member.name, *member.alter_egos)), key=abs)
        odds += _BY_NAME * _sign(NAME_GENDERS.get(_first(member.actor), ""))
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


def _first(name: str) -> str:
    return next(iter(name.casefold().split()), "")


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
