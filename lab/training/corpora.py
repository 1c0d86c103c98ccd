"""Other dialogue datasets, in the files that their authors publish: DailyDialog, Topical-Chat, MultiWOZ and Switchboard."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from core.errors import SourceError
from infra.sources.opening import list_sources, read_file

MAX_CORPUS = 2**30
"""Largest file of a corpus, in bytes."""
_OTHER_FILES = ("schema.json", "ontology.json", "dialog_acts.json", "slot_descriptions.json", "swda-metadata.csv")
_END_OF_UTTERANCE = "__eou__"
_NOTES = re.compile(r"<<?[^<>]*>>?|\*\[\[[^\]]*\]\]|\[|\]|\+|#|\(\(|\)\)|--|/|\{[A-Z]\s|\}|\*\S*")
_LOOSE_COMMA = re.compile(r"\s+(?=[,.?!])|(?:^|(?<=[,.?!]))\s*,")
_EXPECTED = (
    "dialogues_text.txt of DailyDialog, a JSON file of Topical-Chat (conversations with `content`) or MultiWOZ (`log`, or "
    "`turns` from version 2.2 on), or a CSV file of the Switchboard Dialog Act Corpus (`caller`, `text`)"
)


@dataclass(frozen=True, slots=True)
class CorpusDialogue:
    """A dialogue of another dataset: each turn's speaker and text. Consecutive utterances of one speaker are one turn."""

    corpus: str
    id: str
    turns: tuple[tuple[str, str], ...]


def read_corpora(sources: Sequence[str]) -> tuple[list[CorpusDialogue], dict[str, str]]:
    """Return the dialogues of the four datasets in sources, and why other files were refused."""
    found: list[CorpusDialogue] = []
    refused: dict[str, str] = {}
    for file in list_sources(sources):
        if is_corpus_file(file.path):
            try:
                found += read_corpus(file.path, read_file(file, MAX_CORPUS))
            except SourceError as error:
                refused[file.path] = str(error)
    return found, refused


def is_corpus_file(path: str) -> bool:
    """Tell by its name whether a file may be of such a dataset; the datasets' other files are left out."""
    name = PurePosixPath(path.lower())
    if name.suffix == ".txt":
        return name.name.startswith("dialogues_") and name.stem.split("_")[1] not in ("act", "emotion", "topic")
    return name.suffix in (".csv", ".json") and name.name not in _OTHER_FILES


def read_corpus(path: str, content: bytes) -> list[CorpusDialogue]:
    """Return the dialogues of a file, told by its form; dialogues without a turn are left out."""
    readers = {".txt": _read_daily_dialog, ".json": _read_json_corpus, ".csv": _read_switchboard}
    try:
        read = readers[PurePosixPath(path.lower()).suffix]
        return [dialogue for dialogue in read(path, content.decode("utf-8-sig")) if dialogue.turns]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, csv.Error) as error:
        raise SourceError(f"{path}: {error!r:.200}; expected {_EXPECTED}") from error


def _read_daily_dialog(path: str, text: str) -> Iterator[CorpusDialogue]:
    """Read a dialogue a line, every utterance of which ends with `__eou__`. The two speakers take turns."""
    if _END_OF_UTTERANCE not in text:
        raise ValueError(f"no {_END_OF_UTTERANCE}")
    for number, line in enumerate(text.splitlines()):
        said = [" ".join(part.split()) for part in line.split(_END_OF_UTTERANCE)]
        turns = enumerate(part for part in said if part)
        yield CorpusDialogue("DailyDialog", f"{path}:{number + 1}", tuple(("AB"[k % 2], part) for k, part in turns))


def _read_json_corpus(_: str, text: str) -> Iterator[CorpusDialogue]:
    found = json.loads(text)
    for name, entry in found.items() if isinstance(found, dict) else ((each.get("dialogue_id", ""), each) for each in found):
        if "content" in entry:
            said = [(turn["agent"], turn["message"]) for turn in entry["content"]]
            yield CorpusDialogue("Topical-Chat", name, join_turns(said))
        elif "turns" in entry:
            yield CorpusDialogue("MultiWOZ", name, join_turns((turn["speaker"], turn["utterance"]) for turn in entry["turns"]))
        else:  # the user begins, and the system answers
            texts = [turn["text"] for turn in entry["log"]]
            said = [("SYSTEM" if place % 2 else "USER", text) for place, text in enumerate(texts)]
            yield CorpusDialogue("MultiWOZ", name, join_turns(said))


def _read_switchboard(path: str, text: str) -> Iterator[CorpusDialogue]:
    """Read the utterances of one conversation a file, or of several (`conversation_no`). Marks of disfluency and noise go."""
    said: dict[str, list[tuple[str, str]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        said.setdefault(row.get("conversation_no") or path, []).append((row["caller"], clean_switchboard(row["text"])))
    for name, spoken in said.items():
        yield CorpusDialogue("Switchboard", name, join_turns(spoken))


def clean_switchboard(text: str) -> str:
    """Return an utterance without the transcribers' marks: restarts `[ I, + I ]`, fillers `{F uh, }`, noises `<laughter>`, `/`.

    The words of restarts and fillers stay.
    """
    return _LOOSE_COMMA.sub("", " ".join(_NOTES.sub(" ", text).split())).strip(" ,")


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
