"""Dialogues to learn from: those that `core.threads.spoken` reads, and Switchboard."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from core.errors import SourceError
from core.threads.deep_json import read_json
from core.threads.spoken import SpokenDialogue, is_spoken_file, join_turns, list_spoken, open_spoken
from infra.sources.opening import list_sources, read_file

MAX_CORPUS = 2**30
"""Largest file of a corpus, in bytes."""
OTHER_FILES = ("schema.json", "ontology.json", "dialog_acts.json", "slot_descriptions.json", "swda-metadata.csv")
_NOTES = re.compile(r"<<?[^<>]*>>?|\*\[\[[^\]]*\]\]|\[|\]|\+|#|\(\(|\)\)|--|/|\{[A-Z]\s|\}|\*\S*")
_LOOSE_COMMA = re.compile(r"\s+(?=[,.?!])|(?:^|(?<=[,.?!]))\s*,")
_EXPECTED = (
    "dialogues_text.txt of DailyDialog, a JSON file of Topical-Chat, MultiWOZ or Multi-Session Chat, or a CSV file of the "
    "Switchboard Dialog Act Corpus (`caller`, `text`)"
)


def read_corpora(sources: Sequence[str]) -> tuple[list[SpokenDialogue], dict[str, str]]:
    """Return the dialogues of these datasets in sources, and why other files were refused."""
    found: list[SpokenDialogue] = []
    refused: dict[str, str] = {}
    for file in list_sources(sources):
        name = PurePosixPath(file.path.lower())
        if is_spoken_file(file.path) or (name.suffix in (".csv", ".json", ".jsonl") and name.name not in OTHER_FILES):
            try:
                found += read_corpus(file.path, read_file(file, MAX_CORPUS))
            except SourceError as error:
                refused[file.path] = str(error)
    return found, refused


def read_corpus(path: str, content: bytes) -> list[SpokenDialogue]:
    """Return the dialogues of a file, told by its form; dialogues without a turn are left out."""
    try:
        if path.lower().endswith(".csv"):
            return [dialogue for dialogue in _read_switchboard(path, content.decode("utf-8-sig")) if dialogue.turns]
        if is_spoken_file(path):
            read = open_spoken(path)
            return [dialogue for line in content.splitlines() for dialogue in read(line)]
        lines = content.splitlines() if path.lower().endswith(".jsonl") else [content]
        found = [dialogue for line in lines if line.strip() for dialogue in list_spoken(read_json(line))]
    except (SourceError, ValueError, LookupError, csv.Error) as error:
        raise SourceError(f"{path}: {error!r:.200}; expected {_EXPECTED}") from error
    if not found:
        raise SourceError(f"{path}: no dialogues; expected {_EXPECTED}")
    return found


def _read_switchboard(path: str, text: str) -> Iterator[SpokenDialogue]:
    """Read the utterances of one conversation a file, or of several (`conversation_no`). Marks of disfluency and noise go."""
    said: dict[str, list[tuple[str, str]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        said.setdefault(row.get("conversation_no") or path, []).append((row["caller"], clean_switchboard(row["text"])))
    for name, spoken in said.items():
        yield SpokenDialogue("Switchboard", name, join_turns(spoken))


def clean_switchboard(text: str) -> str:
    """Return an utterance without the transcribers' marks: restarts `[ I, + I ]`, fillers `{F uh, }`, noises `<laughter>`, `/`.

    The words of restarts and fillers stay.
    """
    return _LOOSE_COMMA.sub("", " ".join(_NOTES.sub(" ", text).split())).strip(" ,")
