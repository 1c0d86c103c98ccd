"""What a model is asked about the films of a shard, and what its answers say: whether a summary is that of its film.

Some films are asked about twice, with other lines, and twice more with the summary of another film: that is how far a reader is
believed (`core.reading.belief`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Literal

from core.errors import SourceError
from core.reading import belief
from core.reading.questions import Question, read_value

KIND = "subtitle-summary"
VERSION = 1
LINES = 40
"""Lines of a film in a question."""
MOST_LINE = 200
"""Characters of a line."""
MOST_SUMMARY = 6_000
"""Characters of a summary."""
TWICE = 1 / 3
"""The share of the films that are asked about twice, and with another summary."""
MOST_LENDERS = 200
"""Films that another summary is drawn from, so that a large shard takes no longer for each."""
USUAL = 0.95
"""The probability that a film has its own summary, where nobody has read them: both were found under one id."""
Same = Literal["yes", "no", "unsure"]
ANSWERS: tuple[Same, ...] = ("yes", "no", "unsure")
SCHEMA = {
    "type": "object",
    "properties": {"same": {"type": "string", "enum": [*ANSWERS]}},
    "required": ["same"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class FilmText:
    """A film's id, its lines and its summary."""

    film: str
    lines: tuple[str, ...]
    summary: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question is about: a film, with its own summary or another one's, and the first or second lines of it (0, 1)."""

    film: str
    own: bool
    draw: Literal[0, 1]


@dataclass(frozen=True, slots=True)
class Reading(belief.Counts):
    """What a reader says of a shard: how much he was asked and answered, and his answers by film.

    `others` are those about another film's summary. The second answer is None where he was not asked again, or did not answer.
    """

    own: Mapping[str, tuple[Same | None, Same | None]]
    others: Mapping[str, tuple[Same | None, Same | None]]


def draw_lines(lines: Sequence[str], second: bool) -> list[str]:
    """Return the longest line of each stretch of a film, of its first or of its `second` half: long ones have names."""
    stretches = max(min(LINES, len(lines) // 2), 1)
    drawn = []
    for stretch in range(stretches):
        start, stop = (len(lines) * (2 * stretch + half) // (2 * stretches) for half in (second, second + 1))
        drawn.append(max(lines[start:stop] or lines[start : start + 1], key=len, default=""))
    return [line[:MOST_LINE] for line in drawn if line]


def list_questions(films: Sequence[FilmText], instructions: str) -> list[tuple[Asked, Question]]:
    """Return the questions about the films of a shard, each with what it is about."""
    asked = []
    for film in films:
        pairs = [(Asked(film.film, True, 0), film)]
        if Random(film.film).random() < TWICE:
            pairs.append((Asked(film.film, True, 1), film))
            strange = [*islice((other for other in films if other.summary != film.summary), MOST_LENDERS)]
            if strange:
                other = min(strange, key=lambda each: Random(f"{film.film} {each.film}").random())
                pairs += [(Asked(film.film, False, 0), other), (Asked(film.film, False, 1), other)]
        for about, told in pairs:
            lines = "\n".join(draw_lines(film.lines, about.draw == 1))
            text = f"Summary:\n{told.summary[:MOST_SUMMARY]}\n\nLines:\n{lines}"
            names = " ".join(dict.fromkeys((film.film, told.film)))
            asked.append((about, Question(KIND, VERSION, names, instructions, text, SCHEMA, 20)))
    return asked


def read_answer(answer: str) -> Same:
    """Return what an answer says.

    Raises:
        SourceError: it has no JSON object whose `same` is one of `ANSWERS`.
    """
    said = read_value(answer, "same")
    found = next((each for each in ANSWERS if each == said), None)
    if found is None:
        raise SourceError(f"the answer says {said!r}; expected one of {', '.join(ANSWERS)}")
    return found


def gather_answers(model: str, asked: Sequence[tuple[Asked, Question]], answers: Mapping[str, str]) -> Reading:
    """Return what the answers to the questions about a shard say; `answers` are texts by the digest of their question."""
    found, answered, unreadable = belief.gather_answers(asked, answers, lambda answer, about: {about: read_answer(answer)})
    said = {about: votes[-1][1] for about, votes in found.items()}

    def pair(own: bool) -> dict[str, tuple[Same | None, Same | None]]:
        films = dict.fromkeys(each.film for each in said if each.own is own)
        return {film: (said.get(Asked(film, own, 0)), said.get(Asked(film, own, 1))) for film in films}

    return Reading(model, len(asked), answered, unreadable, pair(True), pair(False))


def weigh_reader(readings: Iterable[Reading]) -> float:
    """Return how far a reader is believed, by all shards: that he knows other films' summaries, and agrees with himself."""
    found = [*readings]
    pairs = [pair for reading in found for pair in (*reading.own.values(), *reading.others.values())]
    return belief.weigh_marks(
        [said == "no" for reading in found for pair in reading.others.values() for said in pair if said],
        [pair[0] == "no" for reading in found for pair in reading.own.values() if pair[0]],
        [(one == "no", other == "no") for one, other in pairs if one and other],
    )


def is_strange(said: Same | None, weight: float) -> bool:
    """Tell whether a summary is more probably another film's than its own, by a reader who is believed so far."""
    return weight * (said != "no") + (1 - weight) * USUAL < 0.5 if said else False
