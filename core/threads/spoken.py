"""Datasets of dialogues, in the files that their authors publish, turned into posts: so that ours can be compared with them.

DailyDialog, Topical-Chat, MultiWOZ and Multi-Session Chat. The first turn is the post, and every other turn the comment on the
turn before it; the profile `spoken` tells such a post whole.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from core.errors import SourceError
from core.threads.deep_json import read_json
from core.threads.formats import PEOPLE

_FILE = re.compile(
    r"(?:.*/)?(?:dialogues_(?!act|emotion|topic)\w+|session_\d+/(?:train|valid|test))\.txt(?:\.gz|\.zst)?", re.IGNORECASE
)
"""Names of texts: `dialogues_train.txt` of DailyDialog, `session_2/train.txt` of Multi-Session Chat, whose lines are JSON."""
_END_OF_UTTERANCE = "__eou__"
_ROLE = re.compile(r"[a-z]|(?:agent|assistant|bot|human|person|speaker|system|user)[ _-]?\d*", re.IGNORECASE)
"""Speakers without a name."""
_NO_ID = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class SpokenDialogue:
    """A dialogue of another dataset: its name there, and each turn's speaker and text. No speaker has two turns in a row."""

    corpus: str
    id: str
    turns: tuple[tuple[str, str], ...]


def is_spoken_file(path: str) -> bool:
    """Tell by its name whether a text is one of such a dataset; JSON is told by what it holds."""
    return _FILE.fullmatch(path) is not None


def open_spoken(path: str) -> Callable[[bytes | None], Iterator[SpokenDialogue]]:
    """Return what makes dialogues of the lines of a text, one after the other; None is the end of the file."""
    name, number = PurePosixPath(path).name.partition(".")[0], 0

    def read(line: bytes | None) -> Iterator[SpokenDialogue]:
        nonlocal number
        number += 1
        text = (line or b"").decode("utf-8-sig", "replace").strip()
        if text.startswith("{"):
            yield from list_spoken(read_json(text.encode()))
        elif text:
            if _END_OF_UTTERANCE not in text:
                raise SourceError(f"line {number}: no {_END_OF_UTTERANCE}; expected a dialogue of DailyDialog a line, or JSON")
            said = [part for part in text.split(_END_OF_UTTERANCE) if part.strip()]
            yield SpokenDialogue("DailyDialog", f"{name}-{number}", join_turns(_alternate(said)))

    return read


def list_spoken(found: Any) -> list[SpokenDialogue]:
    """Return the dialogues of one JSON value: a dialogue, a list of them, or an object of them by id; none for another value.

    Dialogues without a turn are left out.
    """
    if isinstance(found, dict) and _find_form(found) is None and found and all(isinstance(each, dict) for each in found.values()):
        entries = [*found.items()]
    else:
        entries = [("", each) for each in (found if isinstance(found, list) else [found])]
    told = [_read(name, entry) for name, entry in entries if isinstance(entry, dict) and _find_form(entry) is not None]
    return [dialogue for dialogue in told if dialogue.turns] if len(told) == len(entries) else []


def write_records(dialogue: SpokenDialogue) -> list[dict[str, Any]]:
    """Return a dialogue as the records of a post and its comments, each on the one before. Speakers are A, B and so on."""
    short = {speaker: chr(ord("A") + place % 26) for place, speaker in enumerate(dict(dialogue.turns))}
    post = _NO_ID.sub("-", f"{dialogue.corpus.lower()}-{dialogue.id.removesuffix('.json')}")[:80]
    (first, text), *others = dialogue.turns
    records = [{"id": post, "subreddit": dialogue.corpus, "title": "", "selftext": text, "author": short[first], "is_self": True}]
    for number, (speaker, said) in enumerate(others, 1):
        above = f"t3_{post}" if number == 1 else f"{post}.{number - 1}"
        records.append({"id": f"{post}.{number}", "link_id": post, "parent_id": above, "body": said, "author": short[speaker]})
    for record, (speaker, _) in zip(records, dialogue.turns, strict=True):
        if not _ROLE.fullmatch(speaker):
            record[PEOPLE] = [speaker]
    return records


def join_turns(said: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return turns: the consecutive utterances of one speaker joined by a space, empty ones left out."""
    turns: list[tuple[str, str]] = []
    for speaker, text in said:
        spoken = " ".join(text.split())
        if spoken and turns and turns[-1][0] == speaker:
            turns[-1] = (speaker, f"{turns[-1][1]} {spoken}")
        elif spoken:
            turns.append((speaker, spoken))
    return tuple(turns)


def _alternate(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    return (("AB"[place % 2], text) for place, text in enumerate(texts))


def _read_sessions(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    said = entry["dialog"]
    speakers = [str(turn.get("id", "AB"[place % 2])) for place, turn in enumerate(said)]
    return zip(speakers, (turn["text"] for turn in said), strict=True)


_FORMS: Mapping[str, tuple[str, Callable[[Mapping[str, Any]], Iterable[tuple[str, str]]]]] = {
    "content message": ("Topical-Chat", lambda entry: ((turn["agent"], turn["message"]) for turn in entry["content"])),
    "turns utterance": ("MultiWOZ", lambda entry: ((turn["speaker"], turn["utterance"]) for turn in entry["turns"])),
    "log text": ("MultiWOZ", lambda entry: _alternate(turn["text"] for turn in entry["log"])),
    "dialog text": ("Multi-Session Chat", _read_sessions),
    "dialogue": ("Multi-Session Chat", lambda entry: zip(entry["speaker"], entry["dialogue"], strict=True)),
    "dialog": ("DailyDialog", lambda entry: _alternate(entry["dialog"])),
}
"""The list of turns and the text of each turn by their names, in the files of each dataset; of the last two in those of a hub."""
MARKS = tuple(f'"{name}"'.encode() for name in dict.fromkeys(form.split()[0] for form in _FORMS))
"""Keys that stand in each of the forms."""


def _find_form(entry: Mapping[str, Any]) -> str | None:
    """Return the form of an object whose turns all have it; None for an object that is no such dialogue."""
    for form in _FORMS:
        field, _, text = form.partition(" ")
        turns = entry.get(field)
        if not isinstance(turns, list) or not turns:
            continue
        if text and all(isinstance(turn, dict) and isinstance(turn.get(text), str) for turn in turns):
            return form
        if not text and all(isinstance(turn, str) for turn in turns) and (field == "dialog" or "session_id" in entry):
            return form
    return None


def _read(name: str, entry: Mapping[str, Any]) -> SpokenDialogue:
    form = _find_form(entry) or ""
    corpus, read = _FORMS[form]
    try:
        turns = join_turns(read(entry))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise SourceError(
            f"a dialogue of {corpus} whose turns cannot be read: {error!r:.100}; expected a speaker for each"
        ) from error
    metadata = entry.get("metadata")
    about = metadata if isinstance(metadata, dict) else {}
    known = [entry.get("dialogue_id"), about.get("initial_data_id"), entry.get("dialoug_id")]
    known += [about.get("session_id"), entry.get("session_id")]
    given = name or "-".join(str(each) for each in known if each is not None)
    return SpokenDialogue(corpus, given or sha256(repr(turns).encode()).hexdigest()[:16], turns)
