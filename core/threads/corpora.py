"""Other dialogue datasets in the form of a release's dialogues, to be measured beside them.

DailyDialog, Topical-Chat, MultiWOZ and Switchboard are read from the files that their authors publish.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal

from core.errors import SourceError
from core.threads.deep_json import read_json

CorpusName = Literal["DailyDialog", "Topical-Chat", "MultiWOZ", "Switchboard"]
_OTHER_JSON = frozenset(["schema.json", "ontology.json", "dialog_acts.json", "slot_descriptions.json"])
_END_OF_UTTERANCE = "__eou__"
_NOTES = re.compile(r"<<?[^<>]*>>?|\*\[\[[^\]]*\]\]|\[|\]|\+|#|\(\(|\)\)|--|/|\{[A-Z]\s|\}|\*\S*")
_JSON_CORPORA: tuple[tuple[str, CorpusName, str, str], ...] = (
    ("content", "Topical-Chat", "agent", "message"),
    ("turns", "MultiWOZ", "speaker", "utterance"),
)
"""What tells the form: the name of the list of turns; the dataset, and the names of a turn's speaker and text."""
_BLANKS = re.compile(r"\s+")
_LOOSE_COMMA = re.compile(r"\s+(?=[,.?!])|(?:^|(?<=[,.?!]))\s*,")
_COLUMNS = frozenset(["caller", "text"])
_EXPECTED = (
    "dialogues_text.txt of DailyDialog, a JSON file of Topical-Chat (conversations with `content`) or MultiWOZ (`log`, or "
    "`turns` from version 2.2 on), or a CSV file of the Switchboard Dialog Act Corpus (`caller`, `text`)"
)


@dataclass(frozen=True, slots=True)
class CorpusDialogue:
    """A dialogue of another dataset: each turn's speaker and text. Consecutive utterances of one speaker are one turn."""

    corpus: CorpusName
    id: str
    turns: tuple[tuple[str, str], ...]


def is_corpus_file(path: str) -> bool:
    """Tell by its name whether a file may be of such a dataset; Topical-Chat's and MultiWOZ's other files are left out."""
    name = PurePosixPath(path.lower())
    if name.suffix == ".txt":
        return name.name.startswith("dialogues_") and name.stem.split("_")[1] not in ("act", "emotion", "topic")
    if name.suffix == ".csv":
        return name.name != "swda-metadata.csv"
    return name.suffix == ".json" and name.name not in (
        "schema.json",
        "ontology.json",
        "dialog_acts.json",
        "slot_descriptions.json",
    )


def read_corpus(path: str, content: bytes) -> list[CorpusDialogue]:
    """Return the dialogues of a file, told by its form; dialogues without a turn are left out.

    Raises:
        SourceError: the file is of none of the four datasets, or broken.
    """
    suffix = PurePosixPath(path.lower()).suffix
    if suffix == ".json":
        found = _read_json_corpus(path, read_json(content))
    elif suffix in (".txt", ".csv"):
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise SourceError(f"{path}: no UTF-8 ({error}); save the file as UTF-8") from error
        found = _read_daily_dialog(path, text) if suffix == ".txt" else _read_switchboard(path, text)
    else:
        raise SourceError(f"{path}: of no known dataset; expected {_EXPECTED}")
    return [dialogue for dialogue in found if dialogue.turns]


def describe_corpus_row(dialogue: CorpusDialogue, sentences: Sequence[Sequence[str]], coherence: float) -> dict[str, Any]:
    """Return a dialogue as a row that `tasks.threads.release` counts: `sentences` are those of each turn."""
    return {
        "id": dialogue.id,
        "topic": dialogue.corpus,
        "turns": [{"text": text} for _, text in dialogue.turns],
        "pieces": [{"kind": "turn", "sentences": said} for said in sentences],
        "coherence": coherence,
    }


def _read_daily_dialog(path: str, text: str) -> Iterator[CorpusDialogue]:
    """Read a dialogue a line, every utterance of which ends with `__eou__`. The two speakers take turns."""
    if _END_OF_UTTERANCE not in text:
        raise SourceError(f"{path}: no {_END_OF_UTTERANCE} in it; expected {_EXPECTED}")
    for number, line in enumerate(text.splitlines()):
        said = [_BLANKS.sub(" ", part).strip() for part in line.split(_END_OF_UTTERANCE)]
        spoken = [part for part in said if part]
        yield CorpusDialogue("DailyDialog", f"{path}:{number + 1}", tuple(("AB"[k % 2], part) for k, part in enumerate(spoken)))


def _read_json_corpus(path: str, found: Any) -> Iterator[CorpusDialogue]:
    if isinstance(found, list):
        entries: Iterable[tuple[str, Any]] = ((_name(entry), entry) for entry in found)
    elif isinstance(found, dict):
        entries = found.items()
    else:
        entries = [("", None)]
    for name, entry in entries:
        if not isinstance(entry, dict):
            raise SourceError(f"{path}: {name[:100]!r} is {type(entry).__name__}; expected {_EXPECTED}")
        yield _read_entry(path, name, entry)


def _read_entry(path: str, name: str, entry: Mapping[str, Any]) -> CorpusDialogue:
    for list_name, corpus, speaker, text in _JSON_CORPORA:
        if list_name in entry:
            turns = _list(path, name, entry[list_name])
            said = [(_field(path, name, turn, speaker), _field(path, name, turn, text)) for turn in turns]
            return CorpusDialogue(corpus, name, join_turns(said))
    if "log" in entry:  # the user begins, and the system answers
        texts = [_field(path, name, turn, "text") for turn in _list(path, name, entry["log"])]
        said = [("SYSTEM" if place % 2 else "USER", text) for place, text in enumerate(texts)]
        return CorpusDialogue("MultiWOZ", name, join_turns(said))
    raise SourceError(f"{path}: {name[:100]!r} has none of content, turns and log; expected {_EXPECTED}")


def _read_switchboard(path: str, text: str) -> Iterator[CorpusDialogue]:
    """Read the utterances of one conversation a file, or of several (`conversation_no`). Marks of disfluency and noise go."""
    rows = csv.DictReader(io.StringIO(text))
    if not set(rows.fieldnames or ()) >= _COLUMNS:
        raise SourceError(f"{path}: columns {', '.join(rows.fieldnames or ())[:200]}; expected {_EXPECTED}")
    said: dict[str, list[tuple[str, str]]] = {}
    try:
        for row in rows:
            said.setdefault(row.get("conversation_no") or path, []).append(
                (row["caller"] or "", clean_switchboard(row["text"] or ""))
            )
    except csv.Error as error:
        raise SourceError(f"{path}: no CSV ({error}); expected {_EXPECTED}") from error
    for name, spoken in said.items():
        yield CorpusDialogue("Switchboard", name, join_turns(spoken))


def clean_switchboard(text: str) -> str:
    """Return an utterance without the transcribers' marks: restarts `[ I, + I ]`, fillers `{F uh, }`, noises `<laughter>`, `/`.

    The words of restarts and fillers stay.
    """
    return _LOOSE_COMMA.sub("", _BLANKS.sub(" ", _NOTES.sub(" ", text))).strip(" ,")


def join_turns(said: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return turns: the consecutive utterances of one speaker joined by a space, empty ones left out."""
    turns: list[tuple[str, str]] = []
    for speaker, text in said:
        spoken = _BLANKS.sub(" ", text).strip()
        if not spoken:
            continue
        if turns and turns[-1][0] == speaker:
            turns[-1] = (speaker, f"{turns[-1][1]} {spoken}")
        else:
            turns.append((speaker, spoken))
    return tuple(turns)


def _name(entry: Any) -> str:
    return str(entry.get("dialogue_id", "")) if isinstance(entry, dict) else ""


def _list(path: str, name: str, found: Any) -> Sequence[Any]:
    if not isinstance(found, list):
        raise SourceError(f"{path}: the turns of {name[:100]!r} are {type(found).__name__}; expected a list")
    return found


def _field(path: str, name: str, turn: Any, key: str) -> str:
    value = turn.get(key) if isinstance(turn, dict) else None
    if not isinstance(value, str):
        raise SourceError(f"{path}: a turn of {name[:100]!r} has no text as {key!r}; expected {_EXPECTED}")
    return value
