"""Judgements of people and models: one file format for every pipeline (JSON Lines), read line by line and written back.

A line is one answer of one annotator to one question about one item:

    {"item": "t3_abc", "dataset": "threads", "version": "1f0c…", "question": "interactions", "answer": [true, false],
     "reader": "anna", "at": "2026-11-22T18:40:00+00:00", "seconds": 95.0, "position": null, "other": null, "note": ""}
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, TypeAlias

from core.errors import SourceError


@dataclass(frozen=True, slots=True)
class TurnSpan:
    """Turns `start` to `end`, 0-based and inclusive; both None: no turn tells of it."""

    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question that an annotator wrote about a summary: its text, the right answer, the choices (none: an open question)."""

    asked: str
    right: str
    choices: tuple[str, ...] = ()


Answer: TypeAlias = bool | int | str | tuple[bool, ...] | tuple[int, ...] | TurnSpan | WrittenQuestion | None

MAX_LINE_BYTES = 2**20
MOST_SECONDS = 1e9
"""No answer takes as long."""
SCALE = 5
"""Levels of the categorical scale and of a pairwise comparison: 1 to 5."""
COMPARISONS = ("naturalness", "preference")
"""Questions that compare an item with another one, on five levels."""
LEVEL_QUESTIONS = ("sense", *COMPARISONS)
WRITTEN_QUESTIONS = ("write-factoid", "write-choice")
"""Questions of the question study whose answers are questions (CRD3, section 4.1): open ones, and ones with four choices."""
REPLIES = ("answer-factoid", "answer-choice")
"""Questions of the question study whose answers may be declined (null)."""
UNSURE = "unsure"
"""Answered with true by who cannot tell: it decides nothing, and the row stays for others."""
YES_OR_NO = ("pair", "room", UNSURE)
CHOICES = 4
_STORED = {"annotator": "reader", "digest": "basis"}
"""Fields that have another name in a line."""
_TEXTS = ("item", "dataset", "version", "question", "annotator", "at")
_FREE = ("note", "unit", "digest")
_NAMES = {_STORED.get(name, name) for name in (*_TEXTS, *_FREE, "answer", "seconds", "position", "other")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One answer of one annotator.

    `item` is the id of the row that was judged, in `version` of `dataset`. `question` names what was asked:

    - `interactions`: the answer is a tuple, for each interaction (an utterance and its reply) whether it is good;
    - `sense`: the answer is a level from 1 (nonsensical) to 5 (perfect);
    - `naturalness`: the item was compared with `other`; the answer is 1 (the one shown first is significantly less natural) to
      5 (significantly more natural); `preference` is the same for descriptions of rooms;
    - `span`: the turns that tell of the item, a `TurnSpan` (an object with `start` and `end`);
    - `links`: a tuple of the scenes that a sentence tells of, as positions from 0; empty if no scene does;
    - `pair`, `room`: whether the pair is good, whether the sentence describes a room;
    - `write-factoid`, `write-choice`: a `WrittenQuestion` about the item's summary (an object with `asked`, `right`, `choices`);
    - `answer-factoid`, `answer-choice`: what another annotator answers to the question that `other` wrote; None: declined;
    - any other name: a yes or no, a whole number or a label.

    `annotator` is a pseudonym of a person, or the name of a model. `at` is the time of the answer with its offset from UTC, and
    `seconds` the time spent (None: unknown). `position` is the place at which the item was shown: 1 or 2 in a comparison, the
    place in the annotator's list elsewhere, None where it is unknown. `unit` is the episode, film or post that the item is of.
    `digest` is that of the texts that the answer rests on ("": unknown): where they have changed, a span of turn numbers means
    nothing any more.
    """

    item: str
    dataset: str
    version: str
    question: str
    answer: Answer
    annotator: str
    at: str
    seconds: float | None = None
    position: int | None = None
    other: str | None = None
    note: str = ""
    unit: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Reviews:
    """Judgements in order, and what is none of those that were read, each with the place and the reason."""

    judgements: tuple[Judgement, ...]
    refused: tuple[str, ...]


def read_judgements(lines: Iterable[bytes], name: str = "") -> Reviews:
    """Read the lines of the file `name`. Empty lines are passed over, and a bad line is refused alone, with its number from 1."""
    judgements: list[Judgement] = []
    refused: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            judgements.append(parse_judgement(line))
        except SourceError as error:
            refused.append(f"{name}, line {number}: {error}")
    return Reviews(tuple(judgements), tuple(refused))


def parse_judgement(line: bytes) -> Judgement:
    """Return the judgement that a line holds.

    Raises:
        SourceError: the line is no judgement.
    """
    if len(line) > MAX_LINE_BYTES:
        raise SourceError(
            f"found a line of {len(line):,} bytes, expected a judgement of at most {MAX_LINE_BYTES:,}; shorten its note"
        )
    try:
        found = json.loads(line)
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise SourceError("found half of a surrogate pair, expected whole characters") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"found no JSON ({error}); expected one object a line") from error
    if not isinstance(found, dict):
        raise SourceError(f"found {type(found).__name__}, expected an object with the fields {', '.join(sorted(_NAMES))}")
    if unknown := sorted(set(found) - _NAMES):
        raise SourceError(f"found the fields {', '.join(map(ascii, unknown))}, expected only {', '.join(sorted(_NAMES))}")
    texts = {name: _read_text(found, _STORED.get(name, name)) for name in _TEXTS}
    _check_time(texts["at"])
    free = {name: found.get(_STORED.get(name, name), "") for name in _FREE}
    for name, value in free.items():
        if not isinstance(value, str):
            raise SourceError(f"found the {name} {value!r}, expected a text")
    judgement = Judgement(
        **texts,
        **free,
        answer=_read_answer(found.get("answer"), texts["question"]),
        seconds=_read_seconds(found.get("seconds")),
        position=_read_position(found.get("position")),
        other=None if found.get("other") is None else _read_text(found, "other"),
    )
    if judgement.question in COMPARISONS and (judgement.other is None or judgement.position not in (1, 2)):
        raise SourceError("found a comparison without its other item, or without the position (1 or 2) of its item")
    return judgement


def write_judgements(judgements: Iterable[Judgement]) -> bytes:
    """Return judgements as the lines of a file; `read_judgements` gives the same judgements back."""
    lines = ({_STORED.get(name, name): value for name, value in asdict(judgement).items()} for judgement in judgements)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


_TOLD_APART = ("dataset", "version", "question", "item", "other", "annotator")


def keep_latest(judgements: Iterable[Judgement], fields: Sequence[str] = _TOLD_APART) -> list[Judgement]:
    """Return the last of the judgements that are alike in these fields, in the order of the first ones.

    By default this is each annotator's last answer to each question about an item (and its other).
    """
    latest: dict[tuple[Any, ...], Judgement] = {}
    for judgement in judgements:
        key = attrgetter(*fields)(judgement)
        latest[key] = max(judgement, latest.get(key, judgement), key=find_moment)
    return list(latest.values())


def select_question(judgements: Iterable[Judgement], question: str, least_seconds: float = 0.0) -> list[Judgement]:
    """Return the answers to one question that took at least `least_seconds`; answers whose time is unknown stay.

    Reference: thesis, section 4.4: only ratings given after a minute count.
    """
    return [
        judgement
        for judgement in judgements
        if judgement.question == question and (judgement.seconds is None or judgement.seconds >= least_seconds)
    ]


def _read_text(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str) or not value.strip():
        raise SourceError(f"found {name} {value!r}, expected a text that is not empty")
    return value


def _check_time(value: str) -> None:
    try:
        aware = datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        aware = False
    if not aware:
        raise SourceError(f"found the time {value!r}, expected one like 2026-11-22T18:40:00+00:00, with its offset from UTC")


_ANSWERS = {
    "span": "start and end, turns from 0 in order, or null twice",
    "links": "a list of scenes, counted from 0",
    "interactions": "a list of true and false",
    "write-factoid": "an object with asked and right",
    "write-choice": f"an object with asked, right and {CHOICES} different choices, right among them",
    **dict.fromkeys(YES_OR_NO, "true or false"),
    **dict.fromkeys(LEVEL_QUESTIONS, f"a level from 1 to {SCALE}"),
}
"""What answers a question. Any other one is answered by true or false, a whole number or a label."""


def _read_answer(value: object, question: str) -> Answer:
    if question == "span" and isinstance(value, dict) and set(value) == {"start", "end"}:
        start, end = value["start"], value["end"]
        if (start is None and end is None) or (type(start) is int and type(end) is int and 0 <= start <= end):
            return TurnSpan(start, end)
    elif question == "links" and isinstance(value, list):
        if all(type(entry) is int and entry >= 0 for entry in value):
            return tuple(sorted(set(value)))
    elif question == "interactions" and isinstance(value, list):
        if value and all(isinstance(entry, bool) for entry in value):
            return tuple(value)
    elif question in WRITTEN_QUESTIONS and isinstance(value, dict) and set(value) <= {"asked", "right", "choices"}:
        asked, right, choices = value.get("asked"), value.get("right"), value.get("choices", [])
        wanted = CHOICES if question == "write-choice" else 0
        texts = isinstance(choices, list) and all(isinstance(each, str) and each.strip() for each in [asked, right, *choices])
        if texts and len(set(choices)) == len(choices) == wanted and (right in choices or not wanted):
            return WrittenQuestion(str(asked), str(right), tuple(choices))
    elif (
        (question in YES_OR_NO and isinstance(value, bool))
        or (question in REPLIES and value is None)
        or (question in LEVEL_QUESTIONS and type(value) is int and 1 <= value <= SCALE)
        or (question not in _ANSWERS and (isinstance(value, bool | int) or (isinstance(value, str) and value.strip())))
    ):
        return value
    expected = _ANSWERS.get(question, "true or false, a whole number or a label")
    raise SourceError(f"found the answer {value!r} to {question!r}, expected {expected}")


def _read_seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < MOST_SECONDS:
        raise SourceError(f"found {repr(value)[:40]} seconds, expected a number from 0 to {MOST_SECONDS:.0e}, or null")
    return float(value)


def _read_position(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise SourceError(f"found the position {value!r}, expected a whole number from 1 on, or null")
    return value


def group_by_item(judgements: Iterable[Judgement]) -> dict[tuple[str, str, str, str | None], Sequence[Judgement]]:
    """Return the judgements by what was judged: dataset, version, item and the item that it was compared with."""
    groups: dict[tuple[str, str, str, str | None], list[Judgement]] = {}
    for judgement in judgements:
        groups.setdefault((judgement.dataset, judgement.version, judgement.item, judgement.other), []).append(judgement)
    return dict(groups)


def find_moment(judgement: Judgement) -> datetime:
    """Return when an answer was given: `at` may have any offset from UTC."""
    return datetime.fromisoformat(judgement.at)


def follow_answers(now: datetime, answers: Iterable[Judgement]) -> str:
    """Return the time of a new answer: `now`, but after an annotator's former `answers`, also where a clock was ahead meanwhile.

    A correction must not be older than what it corrects.
    """
    return max([now, *(find_moment(each) + timedelta(microseconds=1) for each in answers)]).isoformat()


_DIGITS = 16


def digest_texts(texts: Iterable[str]) -> str:
    """Return a digest of texts in order, such as the turns of a dialogue."""
    digest = hashlib.sha256()
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(content))
        digest.update(content)
    return digest.hexdigest()[:_DIGITS]


def digest_row(summary: str, dialogue: str) -> str:
    """Return the digest of a decision: `dialogue` is the digest of the dialogue's turns, all of them, since spans count turns."""
    return digest_texts((summary, dialogue))


PREFIX = "model@"
"""How the name of an annotator that is a model begins."""
MEASURED = "measured-agreement"
"""The question under which earlier versions kept how far a model agrees with gold; answers: "believed", "not believed"."""
BELIEVED = "believed"


def is_model(annotator: str) -> bool:
    """Tell whether an annotator is a model."""
    return annotator.startswith(PREFIX)


def list_believed(judgements: Iterable[Judgement]) -> frozenset[str]:
    """Return the models whose last measurement on gold was good enough. One that was never measured is not believed."""
    measured = (each for each in judgements if each.question == MEASURED and is_model(each.annotator))
    return frozenset(each.annotator for each in keep_latest(measured, ("question", "annotator")) if each.answer == BELIEVED)
