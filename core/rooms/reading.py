"""What a model is asked about the sentences that the score keeps, and what its answers say: which of them describe a place.

Each question also has sentences of our own whose answer is known, with neighbours from the text. Some sentences are asked about
twice. Both tell how far a reader is believed (`core.reading.belief`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from core.errors import SourceError
from core.reading.belief import Counts, read_entries, weigh_marks
from core.reading.questions import Question, describe_list, describe_object

KIND = "room-sentences"
VERSION = 1
ASKED_TOGETHER = 16
"""Sentences of the text in a question, in the mean."""
MOST_TOGETHER = 24
TWICE = 0.2
"""The share of the sentences that are asked about twice."""
LIKELY = 0.1
"""The share of the sentences that the score keeps that describe a place, as read (`docs/rooms.md`)."""
CONTROLS = 2
"""Sentences of our own in a question, of each kind."""
_SENTENCE_TOKENS = 16  # of an answer
Place = Literal["yes", "part", "no"]
PLACES: tuple[Place, ...] = ("yes", "part", "no")
SCHEMA = describe_object(sentences=describe_list(sentence={"type": "integer"}, place={"type": "string", "enum": [*PLACES]}))


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence as a question shows it, with the sentences before and after it ("": there is none), which are of `member`.

    `place` is its number in its unit; None where it is of our own. `known` says then whether it describes a place.
    """

    text: str
    before: str
    after: str
    member: str
    place: int | None
    known: bool = False


Group = tuple[Shown, ...]
"""The sentences of a question, which numbers them from 1."""


@dataclass(frozen=True, slots=True)
class Controls:
    """Sentences of our own: those that describe a place, and those that do not."""

    rooms: tuple[str, ...]
    others: tuple[str, ...]


def parse_controls(text: str) -> Controls:
    """Read the packaged file: `yes` or `no`, a tab, and a sentence a line."""
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    rooms, others = (tuple(sentence for kind, sentence in rows if kind == which) for which in ("yes", "no"))
    return Controls(rooms, others)


def group_sentences(texts: Sequence[str], members: Sequence[str], asked: Iterable[int], controls: Controls) -> list[Group]:
    """Return the sentences by question, each text once, with those that are asked about twice, and with sentences of our own.

    Draws by the texts decide everything, so that a text that comes or goes changes two or three questions, and not all.

    Args:
        texts: all sentences of a unit, in order.
        members: the document or record of each: neighbours are of the same one.
        asked: the numbers of those to ask about.
        controls: sentences of our own.
    """

    def show(place: int, control: str = "", known: bool = False) -> Shown:
        before, after = (
            texts[other] if 0 <= other < len(texts) and members[other] == members[place] else ""
            for other in (place - 1, place + 1)
        )
        return Shown(control or texts[place], before, after, members[place], None if control else place, known)

    groups: list[list[Shown]] = []
    twice: list[tuple[int, Shown]] = []
    begins = True
    first: dict[str, int] = {}
    for place in asked:
        first.setdefault(texts[place], place)
    for text, place in first.items():
        draw = Random(text)
        if begins or len(groups[-1]) == MOST_TOGETHER:
            groups.append([])
        groups[-1].append(show(place))
        begins = draw.random() < 1 / ASKED_TOGETHER
        if draw.random() < TWICE:
            twice.append((len(groups), show(place)))  # in the group after its own
    if twice and len(groups) == 1:
        groups.append([])
    for number, shown in twice:
        groups[number % len(groups)].append(shown)
    whole = []
    for group in filter(None, groups):
        draw = Random(" ".join(shown.text for shown in group))
        places = [first[shown.text] for shown in group]
        for known, sentences in ((True, controls.rooms), (False, controls.others)):
            for control in draw.sample(sentences, CONTROLS):
                group.append(show(draw.choice(places), control, known))
        draw.shuffle(group)
        whole.append(tuple(group))
    return whole


def list_questions(groups: Sequence[Group], instructions: str) -> list[tuple[Group, Question]]:
    """Return the questions about the sentences of a unit, each with what it shows."""
    asked = []
    for group in groups:
        text = "\n\n".join(_write_sentence(number, shown) for number, shown in enumerate(group, 1))
        about = " ".join(dict.fromkeys(shown.member for shown in group))
        asked.append((group, Question(KIND, VERSION, about, instructions, text, SCHEMA, _SENTENCE_TOKENS * len(group) + 20)))
    return asked


def _write_sentence(number: int, shown: Shown) -> str:
    lines = (f"({shown.before})" if shown.before else "", shown.text, f"({shown.after})" if shown.after else "")
    return "\n".join(f"[{number}] {line}" for line in lines if line)


def read_places(answer: str, group: Group) -> list[tuple[Shown, Place]]:
    """Return what an answer says of the sentences of its question; those that it leaves out are not there.

    Raises:
        SourceError: it has no JSON object with `sentences`, or names a sentence that nobody asked about.
    """
    try:
        found = {entry["sentence"]: entry["place"] for entry in read_entries(answer, "sentences")}
    except (KeyError, TypeError) as error:
        raise SourceError(f"the answer {answer[:60]!r} lacks {error}; expected sentence and place") from None
    for number, place in found.items():
        if type(number) is not int or not 1 <= number <= len(group) or place not in PLACES:
            raise SourceError(f"the answer says {place!r} of sentence {number!r}; expected yes, part or no of 1 to {len(group)}")
    return [(group[number - 1], place) for number, place in found.items()]


@dataclass(frozen=True, slots=True)
class Reading(Counts):
    """What a reader says of a unit: how much he was asked and answered, his answers by the number of the sentence, and the tests.

    `rooms` and `others` have what he says of our own sentences, and `twice` both answers where he was asked twice.
    """

    places: Mapping[int, Place]
    rooms: Sequence[Place]
    others: Sequence[Place]
    twice: Sequence[tuple[Place, Place]]


def gather_places(model: str, asked: Sequence[tuple[Group, Question]], answers: Mapping[str, str]) -> Reading:
    """Return what the answers to the questions about a unit say; `answers` are texts by the digest of their question."""
    places: dict[int, list[Place]] = {}
    own: dict[bool, list[Place]] = {True: [], False: []}
    unreadable = 0
    for group, question in asked:
        if question.digest not in answers:
            continue
        try:
            for shown, place in read_places(answers[question.digest], group):
                if shown.place is None:
                    own[shown.known].append(place)
                else:
                    places.setdefault(shown.place, []).append(place)
        except SourceError:
            unreadable += 1
    answered = sum(question.digest in answers for _, question in asked)
    first = {number: found[0] for number, found in places.items()}
    twice = [(found[0], found[1]) for found in places.values() if len(found) > 1]
    return Reading(model, len(asked), answered, unreadable, first, own[True], own[False], twice)


def weigh_reader(readings: Sequence[Reading]) -> float:
    """Return how far a reader is believed, by all units: that he knows our own sentences apart, and agrees with himself."""
    return weigh_marks(
        [place != "yes" for reading in readings for place in reading.others],
        [place != "yes" for reading in readings for place in reading.rooms],
        [(one != "yes", other != "yes") for reading in readings for one, other in reading.twice],
    )


def rate_place(said: Place, weight: float) -> float:
    """Return the probability that a sentence that the score keeps describes a place, once a reader has said something of it.

    `weight` is how far he is believed. A description with a fault is none.
    """
    return weight * (said == "yes") + (1 - weight) * LIKELY
