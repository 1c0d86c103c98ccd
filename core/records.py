"""Records: a dialogue and what sums it up in one object, as research datasets have them (SAMSum, QMSum, MediaSum, SummScreen, …).

The names of fields tell what they hold; a user may name them instead. `docs/own-data.md` shows the forms.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.errors import SourceError

_DIALOGUES = (
    *("dialogue", "dialog", "turns", "utterances", "conversation", "conversations", "meeting_transcripts", "transcript"),
    *("transcripts", "messages", "log", "lines", "utt"),
)
"""Names of the field with the dialogue, in lower case, the surest first; as all names here."""
_SPEAKERS = ("speaker", "speakers", "name", "names", "role", "from", "author", "user", "sender", "speaker_id")
_PEOPLE = ("nickname", "name", "username", "id")
_TEXTS = ("text", "utterance", "utterances", "content", "value", "message", "sentence", "sentences")
_SUMMARIES = (
    *("summary", "summaries", "abstractive_summaries", "abstract", "recap", "synopsis", "highlights", "chunk"),
    *("summary1", "summary2", "summary3"),
)
_IDS = ("id", "fname", "dialogue_id", "dialog_id", "conversation_id", "meeting_id", "filename")
_LABEL = re.compile(r"\s*#?(?P<speaker>[^\s:\[(][^:\n]{0,59}?)#?\s*:(?:\s+|$)(?P<text>.*)", re.DOTALL)
_PERSON = re.compile(r"#(Person\d{1,3})#")  # DialogSum's names, as labels and in texts
_DIRECTION = re.compile(r"\s*(?:\[[^\[\]]*\]|\([^()]*\))\s*")
_DEEPEST = 3  # a dialogue may lie in an object inside the record: {"dialog": {"turns": […]}}


@dataclass(frozen=True, slots=True)
class FieldNames:
    """The fields that a user has named, by dots where they lie inside others ("": they are recognised)."""

    dialogue: str = ""
    speaker: str = ""
    text: str = ""
    summary: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """A text that sums up the whole dialogue, or a part of it; `spans` are the turns that people have given it (inclusive)."""

    text: str
    heading: str = ""
    whole: bool = True
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A dialogue as (speaker, text), and the texts that sum it up: those of parts before those of the whole."""

    name: str
    turns: tuple[tuple[str, str], ...]
    summaries: tuple[SummaryPart, ...]


def is_record(found: Any, fields: FieldNames) -> bool:
    """Tell whether an object is a record: whether it has a dialogue."""
    return isinstance(found, Mapping) and _find_dialogue(found, fields) is not None


def read_record(found: Any, fields: FieldNames) -> Record:
    """Return a record of any known form.

    Raises:
        SourceError: it has no dialogue, or a part of it is of no known form; or `found` is the error with which it was parsed.
    """
    if isinstance(found, SourceError):
        raise found
    if not isinstance(found, Mapping):
        raise SourceError(f"found {type(found).__name__}, expected an object with a dialogue and a summary")
    dialogue = _find_dialogue(found, fields)
    if dialogue is None:
        names = ", ".join(map(str, list(found)[:12]))
        raise SourceError(
            f"found the fields {names}; expected a dialogue under {', '.join(_DIALOGUES[:6])}, …: name it, ?dialogue=FIELD"
        )
    turns = tuple(read_turns(dialogue, fields))
    if not any(text for _, text in turns):
        raise SourceError("the dialogue has no turns with text; expected a list of turns, or lines such as `Anna: Hello.`")
    turns = tuple((speaker, _PERSON.sub(r"\1", text)) for speaker, text in turns)
    parts = [*_read_queries(found), *_read_summaries(found, fields)]
    parts = [replace(part, text=_PERSON.sub(r"\1", part.text)) for part in parts]
    name = find_field(found, fields.id) if fields.id else pick_field(found, _IDS)
    name = str(name) if isinstance(name, str | int) else ""
    return Record(name, turns, tuple(sorted(parts, key=lambda part: part.whole)))


def write_halves(record: Record) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return a record as the JSON that `transcripts` reads: its transcript, and its recap (None: nothing sums it up)."""
    lines = [{"name": speaker, "text": text} for speaker, text in record.turns]
    if not record.summaries:
        return {"lines": lines}, None
    sections = [{"heading": part.heading, "text": part.text} for part in record.summaries]
    return {"lines": lines}, {"sections": sections, "whole": sum(part.whole for part in record.summaries)}


def write_gold(record: Record) -> list[dict[str, Any]]:
    """Return the spans that people have given to parts of the summary, as `fabula evaluate transcripts` reads them."""
    return [
        {"text": part.text, "turn_start": min(map(min, part.spans)), "turn_end": max(map(max, part.spans))}
        for part in record.summaries
        if part.spans
    ]


def _find_dialogue(found: Mapping[str, Any], fields: FieldNames, depth: int = 0) -> Any:
    if fields.dialogue:
        return find_field(found, fields.dialogue)
    value = pick_field(found, _DIALOGUES)
    if isinstance(value, Mapping) and depth < _DEEPEST:
        return _zip_columns(value) or _find_dialogue(value, fields, depth + 1)
    speakers = pick_field(found, ("speaker",))
    if isinstance(value, list) and isinstance(speakers, list) and len(value) == len(speakers):  # MediaSum
        return [{"speaker": speaker, "text": text} for speaker, text in zip(speakers, value, strict=True)]
    return value if isinstance(value, list | str) and value else None


def list_entries(value: Any) -> list[Any]:
    """Return a list as it is, an object of lists as a list of objects; nothing for another value."""
    return _zip_columns(value) if isinstance(value, Mapping) else value if isinstance(value, list) else []


def _zip_columns(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return an object of lists as a list of objects, as `datasets` hands over what was one; nothing for another object."""
    columns = {name: column for name, column in value.items() if isinstance(column, list)}
    lengths = {len(column) for column in columns.values()}
    if len(lengths) != 1 or pick_field(columns, _TEXTS) is None:
        return []
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def read_turns(dialogue: str | list[Any], fields: FieldNames) -> Iterator[tuple[str, str]]:
    """Yield the turns of a dialogue, which is one text with labels, a list of such lines, or of objects: (speaker, text)."""
    if isinstance(dialogue, str):
        yield from _join_lines(dialogue.splitlines())
    elif all(isinstance(turn, str) for turn in dialogue):
        yield from _join_lines(dialogue)
    else:
        for number, turn in enumerate(dialogue):
            yield _read_turn(number, turn, fields)  # an empty one too: spans count turns


def _join_lines(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the turns of labelled lines; a line without a label goes on with the turn before, a stage direction is nobody's."""
    speaker, said = "", list[str]()
    for line in lines:
        label, direction = _LABEL.match(line), _DIRECTION.fullmatch(line)
        if label or direction:
            if said:
                yield speaker, " ".join(said)
            speaker, said = (label["speaker"].strip(), [label["text"].strip()]) if label else ("", [line.strip()])
        elif line.strip():
            said.append(line.strip())
    if any(said):
        yield speaker, " ".join(said)


def _read_turn(number: int, turn: Any, fields: FieldNames) -> tuple[str, str]:
    if isinstance(turn, list) and turn:  # messages that one person sent one after the other
        told = [_read_turn(number, message, fields) for message in turn]
        return told[0][0], " ".join(text for _, text in told)
    if not isinstance(turn, Mapping):
        raise SourceError(f"turn {number} is {str(turn)[:40]!r}; expected an object with a speaker and a text")
    text = find_field(turn, fields.text) if fields.text else pick_field(turn, _TEXTS)
    speaker = find_field(turn, fields.speaker) if fields.speaker else pick_field(turn, _SPEAKERS)
    if isinstance(speaker, Mapping):  # exports of chats
        speaker = pick_field(speaker, _PEOPLE)
    elif speaker is None and isinstance(turn.get("is_agent"), bool):  # TweetSumm
        speaker = "Agent" if turn["is_agent"] else "Customer"
    names = (fields.text.partition(".")[0],) if fields.text else _TEXTS
    if text is None and not any(name in names or str(name).lower() in names for name in turn):  # one that is null says nothing
        raise SourceError(f"turn {number} has the fields {', '.join(map(str, turn))[:80]}; expected a text: name it, ?text=FIELD")
    return write_text(speaker, ", ").strip(), write_text(text, " ").strip()


def _read_summaries(found: Mapping[str, Any], fields: FieldNames) -> Iterator[SummaryPart]:
    """Yield what sums up the whole dialogue: a list under a plural name is several summaries, any other one in paragraphs."""
    names = {name.lower(): name for name in found if isinstance(name, str)}
    wanted = [fields.summary] if fields.summary else [names[name] for name in _SUMMARIES if name in names]
    for name in wanted:
        value = find_field(found, name)
        if isinstance(value, Mapping):
            yield from _read_summaries(value, FieldNames())
        elif isinstance(value, list) and name.lower().endswith("ies"):
            texts = [write_text(entry, " ").strip() for entry in value]
            yield from (SummaryPart(text) for text in texts if text)
        elif text := write_text(value, "\n").strip():
            yield SummaryPart(text)


def _read_queries(found: Mapping[str, Any]) -> Iterator[SummaryPart]:
    """Yield QMSum's answers: those about parts of the meeting, in no order, and those about all of it."""
    specific = [
        SummaryPart(
            write_text(entry.get("answer"), " ").strip(), write_text(entry.get("query"), " ").strip(), False, _read_spans(entry)
        )
        for entry in _objects(found.get("specific_query_list"))
    ]
    yield from (part for part in specific if part.text)
    for entry in _objects(found.get("general_query_list")):
        if text := write_text(entry.get("answer"), " ").strip():
            yield SummaryPart(text, write_text(entry.get("query"), " ").strip())


def _read_spans(entry: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    spans = []
    listed = entry.get("relevant_text_span")
    for span in listed if isinstance(listed, list) else ():
        if isinstance(span, Sequence) and len(span) == 2 and all(str(end).isdecimal() and len(str(end)) < 8 for end in span):
            start, end = map(int, span)
            spans.append((min(start, end), max(start, end)))
    return tuple(spans)


def write_text(value: Any, between: str) -> str:
    """Return a value as text: lists are joined, their entries by blanks."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return between.join(filter(None, (write_text(entry, " ").strip() for entry in value)))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []


def pick_field(found: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the value of the first of some names that an object has, in whatever case; None where it has none."""
    known = {name.lower(): value for name, value in found.items() if isinstance(name, str) and value is not None}
    return next((known[name] for name in names if name in known), None)


def find_field(found: Mapping[str, Any], path: str) -> Any:
    """Return the value of a field, by dots where it lies inside others; None where it is not there."""
    value: Any = found
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
