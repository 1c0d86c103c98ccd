"""Descriptions: the neighbouring sentences about one place, which make a row together and stand alone there.

What stands in between is left out: questions, rules, what players say.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.rooms.config import DescriptionConfig
from core.rooms.score import QUOTES, count_words
from core.text.terms import STOP_WORDS

_LEAST_WORDS = 4
"""A shorter sentence beside a description ("Okay.") says nothing of a place, and does not part two that do."""
_MOST_BEFORE = 2
"""Sentences that are taken in before a description to say what its first words refer to."""
_OPENING = r"[\W\d]*(?:(?:and|but|so|then|well|eventually)\b,?\s+)*"
_LINKED = r"(?:is|are|looks?|seems?|appears?|has|have|was|were)\b"
_SHARE = r"(?:some|most|many|one|each|both|all|parts?|the rest)"
_REFERS_BACK = re.compile(
    rf"{_OPENING}(?:(?:it|they|he|she|its|their|his|her|him|them)\b(?!['’]\w)|(?:it|they|he|she|that|this|these|those)['’]\w+|"
    rf"(?:this|that|these|{_SHARE}) {_LINKED}|{_SHARE} of (?:it|them|these|this|that|which)\b|(?:which|but|also)\b|"
    r"the [\w-]+ of (?:it|them)\b|(?:the )?(?:others?|another|same|second|third)\b|there(?: is| are|['’]s) (?:also|another)\b|"
    r"(?:in|inside|behind|beneath|above) (?:it|them)\b[^\w\s])",
    re.IGNORECASE,
)
"""Beginnings of sentences whose subject was named before."""
_TORN_START = re.compile(r"\s*(?:[-–—,;:…]|\.\.|[a-z])")
_TORN_END = re.compile(r"[-–—,;:…]\s*$|\.\.\s*$")


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of a unit as descriptions are made of it.

    `passage` tells its turn, paragraph or record from others, also of other documents. `turn` and `speakers` are those of
    dialogues. `kept`: it describes a place by itself. `free`: it may stand in a row at all.
    """

    text: str
    passage: tuple[str, str, int]
    turn: int | None
    speakers: tuple[str, ...]
    probability: float
    kept: bool
    free: bool

    @property
    def fits(self) -> bool:
        """Whether it could be said among sentences that describe: whole, no question, nobody's speech, not a mere word."""
        whole = not _is_torn(self.text) and count_words(self.text) >= _LEAST_WORDS
        return self.free and whole and not self.text.rstrip(" )").endswith("?") and not any(sign in self.text for sign in QUOTES)


def find_descriptions(told: Sequence[Told], least_alone: float, config: DescriptionConfig) -> list[tuple[int, ...]]:
    """Return the numbers of the sentences of each description, in order.

    A description has a sentence that describes a place by itself (`kept`), and its neighbours with at least `min_probability`;
    one without neighbours has at least `least_alone`. Neighbours stand in one passage with at most `skipped` other sentences in
    between. Or one speaker goes on within `turns` turns, says nothing else in between, and names something again: it is the same
    place then. Where the first words refer back, the sentences before are taken in, or else the first sentence is left out.
    """
    found = []
    for run in _join_neighbours(told, config):
        whole = _begin_alone(told, run)
        if any(told[place].kept for place in whole) and (len(whole) > 1 or told[whole[0]].probability >= least_alone):
            found.append(tuple(whole))
    return found


def _join_neighbours(told: Sequence[Told], config: DescriptionConfig) -> Iterator[list[int]]:
    """Yield the runs of neighbours, whether they hold a description or not."""
    run: list[int] = []
    for place, sentence in enumerate(told):
        describes = sentence.fits and sentence.probability >= config.min_probability
        if not (describes or (sentence.kept and not _is_torn(sentence.text))):
            continue
        if run and not _are_neighbours(told, run[-1], place, config):
            yield run
            run = []
        run.append(place)
    if run:
        yield run


def _are_neighbours(told: Sequence[Told], before: int, after: int, config: DescriptionConfig) -> bool:
    one, other = told[before], told[after]
    if one.passage == other.passage:
        return after - before - 1 <= config.skipped
    if one.turn is None or other.turn is None or one.passage[:2] != other.passage[:2] or one.speakers != other.speakers:
        return False
    between = [each for each in told[before + 1 : after] if each.speakers == one.speakers]
    goes_on = other.turn - one.turn <= config.turns and all(count_words(each.text) < _LEAST_WORDS for each in between)
    return goes_on and not _list_named(one.text).isdisjoint(_list_named(other.text))


def _list_named(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]{4,}", text.lower()) if word not in STOP_WORDS}


def _begin_alone(told: Sequence[Told], run: list[int]) -> list[int]:
    """Return a run of sentences that says what it speaks of: with what stands before it, or without its first ones."""
    while run and _REFERS_BACK.match(told[run[0]].text):
        for count in range(1, _MOST_BEFORE + 1):
            place = run[0] - count
            if place < 0 or told[place].passage != told[run[0]].passage or not told[place].fits:
                break
            if not _REFERS_BACK.match(told[place].text):
                return [*range(place, run[0]), *run]
        run = run[1:]
    return run


def _is_torn(text: str) -> bool:
    """Tell whether a sentence begins or ends in its middle."""
    return _TORN_START.match(text) is not None or _TORN_END.search(text) is not None
