"""Finds the names of cast members in synopsis sentences, with their places among the words."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.scripts.cast_matching import CastMatcher
from core.scripts.person_words import EXTRAS, PRONOUNS, ROLE_NOUNS, find_role_word
from core.scripts.scenes import CastMember
from core.text.sentences import TITLES
from core.text.terms import STOP_WORDS

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
POSSESSIVE = ("'s", "’s", "s'", "s’")


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a sentence: the words from `start` up to `stop` mean the cast member `member`."""

    start: int
    stop: int
    member: int


def find_actors_names(sentences: Sequence[str], cast: Sequence[CastMember], matcher: CastMatcher) -> dict[str, int]:
    """Return other names by what stands before an actor in brackets: `Pete "Maverick" Mitchell (Tom Cruise)`.

    Each name of such a run that matches nobody in the cast list goes to the actor's character.
    """
    actors = {_fold(name): place for place, member in enumerate(cast) for name in member.actor.split(", ") if name}
    found: dict[str, int] = {}
    for sentence in sentences:
        last = 0
        for aside in _ASIDE.finditer(sentence):
            before, last = sentence[last : aside.start()], aside.end()
            member = actors.get(_fold(aside[1]))
            if member is None:
                continue
            words = tokenise(before)
            first = len(words)
            while first and words[first - 1][:1].isupper() and not words[first - 1].endswith(POSSESSIVE):
                first -= 1
            run = words[first:]
            if not first and run and run[0].casefold() in STOP_WORDS | OPENINGS:
                del run[0]
            for name in run:
                if len(name) > 2 and name.casefold() not in TITLES and matcher.match(name) is None:
                    found.setdefault(name.casefold(), member)
    return found


def tokenise(text: str) -> list[str]:
    """Return words and marks. Quotes go, but not that of `James' boat`; and so does the full stop of `Mr.` and of an initial."""
    found: list[str] = []
    owner = -1  # where a name ends that a quote may make an owner
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in _QUOTES:
            if match.start() == owner and token in "'’" and text[match.end() : match.end() + 1].isspace():
                found[-1] += token
            continue
        is_open = text[match.start() - 1 : match.start()] in {"'", "‘", "’"}
        owner = match.end() if token[0].isupper() and token.endswith("s") and not is_open else -1
        if token == "." and found and (found[-1].casefold() in TITLES or (len(found[-1]) == 1 and found[-1].isupper())):
            continue
        found.append(token)
    return found


def find_names(
    words: Sequence[str],
    cast: Sequence[CastMember],
    matcher: CastMatcher,
    aliases: Mapping[str, int],
    lower: AbstractSet[str],
) -> list[Name]:
    """Return the names of a sentence, longest first within a run of capitalised words; `lower` are words that begin no name."""
    names, place = [], 0
    while place < len(words):
        if not _is_capital(words, place, lower):
            place += 1
            continue
        stop = place
        while stop < len(words) and stop - place < 4 and _is_capital(words, stop, lower):
            stop += 1
            if words[stop - 1].endswith(POSSESSIVE):
                break
        found = None
        for end in range(stop, place, -1):
            text = " ".join(words[place:end])
            member = matcher.match(text)
            if member is None and end == place + 1:
                member = aliases.get(bare(text).casefold())
            if member is not None and not _is_part_of_role(text, cast[member].name):
                found = Name(place, end, member)
                break
        if found:
            names.append(found)
            place = found.stop
        else:
            place += 1
    return names


def _is_part_of_role(text: str, name: str) -> bool:
    """Tell whether a text is only the place of somebody without a name: `New York` of New York Cab Driver."""
    role = find_role_word(name, ROLE_NOUNS | EXTRAS)
    return bool(role) and role not in text.casefold().split()


def bare(word: str) -> str:
    """Return a word without a possessive ending."""
    return word[:-2] if word.endswith(("'s", "’s")) else word.rstrip("'’")


def _is_capital(words: Sequence[str], place: int, lower: AbstractSet[str]) -> bool:
    word = words[place]
    return word[:1].isupper() and not (place == 0 and word.casefold() in lower) and word.casefold() not in PRONOUNS


def _fold(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold()))


def is_owner(word: str) -> bool:
    """Tell whether a word ends as a possessive."""
    return word.endswith(POSSESSIVE)
