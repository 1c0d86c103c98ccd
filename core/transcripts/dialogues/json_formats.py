import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple, TypeGuard

from lxml import html

from core.errors import SourceError
from core.text.captions import Cue
from core.text.decoding import mend_text
from core.transcripts.dialogues.chat_logs import join_messages, read_markup
from core.transcripts.dialogues.cleaning import drop_invisible
from core.transcripts.dialogues.labels import LabelRule
from core.transcripts.dialogues.text_formats import RawTurn, join_repeated, read_cues


def read_dialogue_json(name: str, text: str, known: Collection[str] = (), rule: LabelRule = "learned") -> list[RawTurn]:
    """Read the turns of a JSON dialogue; from CRD3's clean ones only invisible characters and empty utterances are dropped."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{name}: not valid JSON ({error}); export the file again") from error
    if isinstance(document, list):
        if captions := list(_read_captions(document)):
            return read_cues(name, captions, known, rule)
        document = {"messages": document}
    document = _object(document)
    if isinstance(document.get("TURNS"), list):
        return [_read_crd3_turn(name, number, turn) for number, turn in enumerate(document["TURNS"])]
    if isinstance(document.get("lines"), list):
        return [_read_line(name, number, line) for number, line in enumerate(document["lines"])]
    if isinstance(document.get("events"), list):
        return read_cues(name, list(_read_youtube(document["events"])), known, rule)
    if (turns := read_speech_json(name, document)) is not None or (turns := _read_parts(document)):
        return turns
    raise SourceError(
        f'{name}: JSON without turns; expected {{"TURNS": [{{"NAMES": […], "UTTERANCES": […]}}, …]}} (CRD3), '
        '{"lines": [{"name": …, "text": …}, …]}, what a program for chats (Discord, Telegram, Foundry, Roll20) or for speech '
        "(Whisper, WhisperX, Amazon Transcribe, Deepgram, AssemblyAI, Gladia) writes, or captions of YouTube. "
        "Export the file again in one of these forms"
    )


def _read_crd3_turn(name: str, number: int, turn: Any) -> RawTurn:
    names, utterances = _object(turn).get("NAMES"), _object(turn).get("UTTERANCES")
    if not _are_strings(names) or not _are_strings(utterances):
        raise SourceError(f"{name}: turn {number} of TURNS is malformed; expected NAMES and UTTERANCES, both lists of strings")
    lines = [line for utterance in utterances if (line := _tidy(utterance)) and not line.isspace()]
    return RawTurn(", ".join(map(_tidy, names)), "\n".join(lines), utterances=tuple(lines))


def _read_line(name: str, number: int, line: Any) -> RawTurn:
    if not isinstance(line, dict) or not _are_strings([line.get("name"), line.get("text")]):
        raise SourceError(f"{name}: line {number} of lines is malformed; expected an object with the strings name and text")
    return RawTurn(_tidy(line["name"]).strip(), mend_text(line["text"]), _read_time(line.get("ts")))


def _tidy(text: str) -> str:
    """Put a text on one line, mend it and drop invisible characters."""
    text = mend_text(text)
    if text.isprintable():
        return text
    return drop_invisible(text.replace("\r", "\n")).replace("\n", " ").replace("\t", " ")


def _read_time(stamp: Any) -> float | None:
    """Convert {"h": …, "m": …, "s": …} to seconds. The values may be numbers or strings of digits; anything else gives None."""
    if not isinstance(stamp, dict):
        return None
    parts = [str(stamp.get(unit, 0)) for unit in "hms"]
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        return None
    hours, minutes, seconds = map(int, parts)
    return float(hours * 3600 + minutes * 60 + seconds)


def _are_strings(values: Any) -> TypeGuard[list[str]]:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def read_speech_json(name: str, document: Mapping[str, Any]) -> list[RawTurn] | None:
    """Return the turns of a recogniser's document, or None if it has none of the known forms."""
    results = document.get("results")
    if isinstance(document.get("segments"), list):
        turns = list(_read_whisper(name, document["segments"]))
    elif isinstance(results, dict) and isinstance(results.get("items"), list):
        turns = list(_read_amazon(name, results))
    elif isinstance(results, dict) and (isinstance(results.get("channels"), list) or isinstance(results.get("utterances"), list)):
        turns = list(_read_deepgram(name, results))
    else:
        return None
    turns = [turn for turn in turns if turn.text]
    return join_repeated(turns, {turn.label for turn in turns})


def _read_whisper(name: str, segments: Iterable[Any]) -> Iterator[RawTurn]:
    for number, segment in enumerate(segments):
        if not isinstance(segment, dict) or not isinstance(segment.get("text"), str):
            raise _malformed(name, f"segment {number} of segments", "an object with start, end, text and, if known, speaker")
        speakers = Counter(word["speaker"] for word in _objects(segment.get("words")) if isinstance(word.get("speaker"), str))
        speaker = segment.get("speaker") or (speakers.most_common(1)[0][0] if speakers else "")
        yield _turn(speaker, segment["text"], segment.get("start"), segment.get("end"))


def _read_amazon(name: str, results: Mapping[str, Any]) -> Iterator[RawTurn]:
    """Yield a turn for each word. The speaker stands at the word, or in `speaker_labels` at the word's start time."""
    speakers = {
        str(entry.get("start_time")): entry.get("speaker_label")
        for segment in _objects(_object(results.get("speaker_labels")).get("segments"))
        for entry in _objects(segment.get("items"))
    }
    speaker, start, end = "", None, None
    words: list[str] = []
    for number, item in enumerate(results["items"]):
        item = _object(item)
        word = _first(item.get("alternatives")).get("content")
        if not isinstance(word, str):
            raise _malformed(name, f"item {number} of results.items", "an object with alternatives, each with content")
        if item.get("type") == "punctuation":
            words.append(word)
            continue
        of_word = item.get("speaker_label") or item.get("channel_label") or speakers.get(str(item.get("start_time"))) or ""
        if of_word != speaker and words:
            yield _turn(speaker, "".join(words), start, end)
            words = []
        start = start if words else item.get("start_time")
        words.append(f" {word}")
        speaker, end = of_word, item.get("end_time")
    if words:
        yield _turn(speaker, "".join(words), start, end)


class _Form(NamedTuple):
    """Where a program's document has its parts, and the fields of each: the first that has a text is taken.

    `times` are the fields of start and end, in `unit` seconds; `kinds` the values of the field `kind` that are speech, or all
    where empty; `markup` says whether texts are HTML.
    """

    parts: tuple[str, ...]
    speakers: tuple[str, ...]
    text: str
    times: tuple[str, str] = ("", "")
    unit: float = 1.0
    kinds: tuple[Any, ...] = ()
    markup: bool = False
    kind: str = "type"


_FORMS = (
    _Form(("utterances",), ("speaker",), "text", ("start", "end"), 0.001),  # AssemblyAI
    _Form(("result", "transcription", "utterances"), ("speaker",), "text", ("start", "end")),  # Gladia
    _Form(("prediction",), ("speaker",), "transcription", ("time_begin", "time_end")),  # Gladia, first version
    _Form(("messages",), ("author.nickname", "author.name"), "content", kinds=("Default", "Reply")),  # DiscordChatExporter
    _Form(("messages",), ("from",), "text", kinds=("message",)),  # Telegram
    _Form(("messages",), ("who",), "content", kinds=("general",), markup=True),  # Roll20
    _Form(("messages",), ("speaker.alias",), "content", kinds=(1, 2, "ic", "ooc"), markup=True),  # Foundry
    _Form(("messages",), ("speaker.alias",), "content", kinds=(1, 2), markup=True, kind="style"),  # Foundry from version 12 on
)


def _read_parts(document: Mapping[str, Any]) -> list[RawTurn]:
    """Return the turns of the first form that has some; rolls of dice and what a program says are none."""
    for form in _FORMS:
        parts: Any = document
        for key in form.parts:
            parts = _object(parts).get(key)
        turns = []
        for part in _objects(parts):
            if (form.kinds and part.get(form.kind) not in form.kinds) or part.get("rolls"):
                continue
            speaker = next((found for field in form.speakers if (found := _find(part, field)) or found == 0), "")
            speaker = _name_speaker(speaker) if form.times[0] else speaker
            start, end = (time * form.unit if isinstance(time := part.get(field), int | float) else None for field in form.times)
            turns.append(_turn(speaker, _read_text(part.get(form.text), form.markup), start, end))
        if any(turn.label for turn in turns):
            return join_messages(turns)
    return []


def _find(part: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path of one or two fields."""
    field, _, inner = path.partition(".")
    return _object(part.get(field)).get(inner) if inner else part.get(field)


def _read_text(text: Any, markup: bool) -> str:
    """Return the words of a text that may be cut into pieces, as Telegram cuts it, or have mark-up."""
    if isinstance(text, list):
        return "".join(piece if isinstance(piece, str) else str(_object(piece).get("text", "")) for piece in text)
    text = text if isinstance(text, str) else ""
    return read_markup(html.fragment_fromstring(text, create_parent=True)) if markup and "<" in text else text


def _read_youtube(events: Iterable[Any]) -> Iterator[Cue]:
    """Yield the captions of YouTube's JSON3."""
    for event in _objects(events):
        text = "".join(str(piece.get("utf8", "")) for piece in _objects(event.get("segs"))).strip()
        start, length = (_seconds(event.get(field)) or 0.0 for field in ("tStartMs", "dDurationMs"))
        if text:
            yield Cue(start / 1000, (start + length) / 1000, mend_text(text))


def _read_captions(entries: list[Any]) -> Iterator[Cue]:
    """Yield the captions of YouTube as programs that fetch them write them: text, start and duration."""
    for entry in _objects(entries):
        start, length = _seconds(entry.get("start")), _seconds(entry.get("duration"))
        if start is not None and length is not None and (text := _clean(entry.get("text"))):
            yield Cue(start, start + length, text)


def _read_deepgram(name: str, results: Mapping[str, Any]) -> Iterator[RawTurn]:
    """Yield a turn for each utterance; without utterances for each paragraph, or else each word, of the first alternatives."""
    parts = _objects(results.get("utterances"))
    for part in parts:
        yield _turn(_name_speaker(part.get("speaker")), part.get("transcript"), part.get("start"), part.get("end"))
    for channel in [] if parts else _list(results.get("channels")):
        found = _first(_object(channel).get("alternatives"))
        if not found:
            raise _malformed(name, "a channel of results.channels", "an object with alternatives")
        for part in _objects(_object(found.get("paragraphs")).get("paragraphs")):
            text = " ".join(str(sentence.get("text", "")) for sentence in _objects(part.get("sentences")))
            yield _turn(_name_speaker(part.get("speaker")), text, part.get("start"), part.get("end"))
        words = [] if found.get("paragraphs") else _objects(found.get("words"))
        for speaker, spoken in groupby(words, key=lambda word: word.get("speaker")):
            run = list(spoken)
            text = " ".join(str(word.get("punctuated_word") or word.get("word") or "") for word in run)
            yield _turn(_name_speaker(speaker), text, run[0].get("start"), run[-1].get("end"))


def _name_speaker(speaker: Any) -> str:
    """Return a speaker's name; a number or a single letter of a program is `Speaker 1`, `Speaker A`."""
    if isinstance(speaker, int) or (isinstance(speaker, str) and len(speaker) == 1 and speaker.isascii()):
        return f"Speaker {speaker}"
    return speaker if isinstance(speaker, str) else ""


def _turn(speaker: Any, text: Any, start: Any, end: Any) -> RawTurn:
    return RawTurn(_clean(speaker), _clean(text), _seconds(start), _seconds(end))


def _clean(text: Any) -> str:
    """Return a text composed (NFC) and without lone surrogates; anything else than a text is empty."""
    return mend_text(text).strip() if isinstance(text, str) else ""


def _seconds(value: Any) -> float | None:
    """Return a time in seconds, a number or its digits; None for anything else."""
    if isinstance(value, str) and len(value) < 20 and re.fullmatch(r"\d+(?:\.\d+)?", value, re.ASCII):
        value = float(value)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e7 else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in _list(value) if isinstance(entry, dict)]


def _first(value: Any) -> dict[str, Any]:
    return _object(next(iter(_list(value)), None))


def _malformed(name: str, where: str, expected: str) -> SourceError:
    return SourceError(f"{name}: {where} is malformed; expected {expected}. Export the file again")
