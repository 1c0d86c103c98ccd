"""Sources as passages, and passages as sentences, each with its licence: of `sources.toml`, a donated text's head, or a record.

Reference: Rooms, sections 3.1 and 8.
"""

import csv
import hashlib
import io
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Any, TypeGuard

from core.dataset.units import make_unit_id
from core.errors import ConfigError, SourceError
from core.record_files import ROWS
from core.records import FieldNames, is_record
from core.records import read_record as read_dialogue
from core.rooms.game_sources import ENDINGS, read_game_source
from core.rooms.markdown import strip_markdown
from core.text.decoding import MARKUP, decode_text, mend_text
from core.text.sentences import SentenceSplitter

TEXT_COLUMNS = ("text", "sentence", "description")
"""Names under which a record or a table has its text; the first that is there counts."""
DOCUMENT_TYPES = (".txt", ".md", ".docx", *ENDINGS, ".json", ".csv", ".tsv")

LEAST_SENTENCES = 10
"""A shorter document has no introduction and no sign-off."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_SPACE = re.compile(r"\s+")
_NAME_WORD = r"(?:[A-Z0-9][\w'’-]*|of|the|and|in|at|on|a|an|to|from|with|by|[-–—&])"
_HEADING = re.compile(
    rf"\n[^\S\n]*\n(?=[^\n]{{1,60}}\n)[^\S\n]*[A-Z0-9][\w'’-]*[.):]?(?:[^\S\n]+{_NAME_WORD}){{0,7}}:?[^\S\n]*\n(?=[^\S\n]*[A-Z\"“])"
)
"""A line of a few capitalised words above a sentence: the sentence would begin with it."""
_EXITS = re.compile(r"^[ \t]*\[?(?:(?:obvious|visible)[ ])?exits?[ ]*:.*$", re.IGNORECASE | re.MULTILINE)
_MOST_NAME = 1_000
"""Characters of a licence, an attribution or the name of a document: more is text in a wrong place."""
_OTHER_COLUMNS = frozenset({"license", "attribution", "redistributable", "id", "document", "episode", "speaker"})
"""A first line with one of these is a heading, also where it names no text."""


@dataclass(frozen=True, slots=True)
class Rights:
    """Licence of a text and whom to credit; text that is not `redistributable` never reaches a release."""

    license: str
    attribution: str
    redistributable: bool = True


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a source: a turn, a paragraph or a record. `document` is the episode or file that it stands in."""

    document: str
    text: str
    rights: Rights
    turn: int | None = None
    speakers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoomSentence:
    """A sentence of a passage. `number` and `passage` count those of its unit from 0; `place` is from 0 to 1 in its document."""

    number: int
    passage: int
    document: str
    turn: int | None
    speakers: tuple[str, ...]
    place: float
    text: str
    rights: Rights


def clean_text(text: str) -> str:
    """Return a text as one line, mended (`mend_text`) and without control characters."""
    return _SPACE.sub(" ", _CONTROL.sub(" ", mend_text(text))).strip()


def leave_headings_out(text: str) -> str:
    """Return running text without headings that stand on a paragraph's first line, and without lines that list a room's exits."""
    return _HEADING.sub("\n\n", "\n\n" + _EXITS.sub("", text.replace("\r\n", "\n")))


def read_document(path: str, content: bytes, unit: str, rights: Rights) -> list[Passage]:
    """Return the passages of a file: CRD3 JSON (`.json`), a table (`.csv`, `.tsv`), or running text (all others).

    Of the source of a game, whatever its extension, these are the descriptions of its rooms (`core.rooms.game_sources`).
    """
    suffix = PurePosixPath(path).suffix.lower()
    text = decode_text(path, content, MARKUP if suffix == ".json" else None)
    if suffix == ".json":
        passages = _read_turns(path, text, unit, rights)
    elif suffix in (".csv", ".tsv"):
        passages = list(_read_table(path, text, unit, rights))
    else:
        running = strip_markdown(text) if suffix == ".md" else text
        parts = read_game_source(text, suffix)
        if parts is None and suffix in ENDINGS:
            raise SourceError(
                f"{path}: found no description of a room, as {suffix} has them; rename it .txt if it is running text"
            )
        parts = parts or re.split(r"\n[^\S\n]*\n", leave_headings_out(running))
        passages = [Passage(unit, part, rights) for part in parts]
    passages = [kept for passage in passages if (kept := replace(passage, text=clean_text(passage.text))).text]
    if not passages:
        raise SourceError(f"{path}: found no text, expected sentences; remove the file or save it again")
    return passages


def name_record(line: bytes) -> str:
    """Return the id of a record: its `id`, or a name made of its content."""
    found = _load_record("a record", line)
    name = found.get("id")
    if name is None and _is_dialogue(found):
        name = make_unit_id(read_dialogue(found, FieldNames()).name)
    if name is None:
        return f"r-{hashlib.sha256(line).hexdigest()[:16]}"
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise SourceError(f"found the id {name!r}, expected a text or a whole number")
    return str(name)


def read_record(name: str, line: bytes, rights: Rights) -> list[Passage]:
    """Return the passages of a record of a JSON Lines file: its text, or the turns of its dialogue.

    Its own `license`, `attribution` and `redistributable` count more than `rights`. `document` or `episode` names its origin.
    """
    found = _load_record(name, line)
    own = read_rights(name, found, rights)
    document = next((_name_document(name, found[key]) for key in ("document", "episode") if found.get(key)), name)
    if _is_dialogue(found):
        turns = [(clean_text(who), clean_text(said)) for who, said in read_dialogue(found, FieldNames()).turns]
        return [Passage(document, said, own, number, (who,) if who else ()) for number, (who, said) in enumerate(turns) if said]
    speaker = found.get("speaker")
    speakers = (clean_text(speaker),) if isinstance(speaker, str) and speaker.strip() else ()
    text = clean_text(_find_text(name, found))
    if not text:
        raise SourceError(f"{name}: found an empty text, expected at least a sentence; remove the record")
    return [Passage(document, text, own, None, speakers)]


def _is_dialogue(found: Mapping[str, Any]) -> bool:
    return all(found.get(key) is None for key in TEXT_COLUMNS) and is_record(found, FieldNames())


def read_rights(name: str, given: Mapping[str, Any], default: Rights) -> Rights:
    """Return the rights that a record, a table's row or an entry of `sources.toml` gives; what it leaves out is the default's."""
    found = {key: given.get(key) for key in ("license", "attribution")}
    texts = {key: getattr(default, key) if value is None or value == "" else value for key, value in found.items()}
    for key, value in texts.items():
        if not isinstance(value, str):
            raise SourceError(f"{name}: found {key} {value!r}, expected a text")
        if len(value) > _MOST_NAME:
            raise SourceError(f"{name}: found {key} of {len(value):,} characters, expected at most {_MOST_NAME:,}")
    free = given.get("redistributable")
    if isinstance(free, str):
        free = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": None}.get(
            free.strip().lower(), free
        )
    if free is not None and not isinstance(free, bool):
        raise SourceError(f"{name}: found redistributable {free!r}, expected true or false")
    allowed = default.redistributable and (free is None or free)  # a row cannot set free what its file withholds
    return Rights(clean_text(texts["license"]), clean_text(texts["attribution"]), allowed)


def _name_document(name: str, value: Any) -> str:
    if not isinstance(value, str | int) or isinstance(value, bool) or len(str(value)) > _MOST_NAME:
        raise SourceError(
            f"{name}: found the document {str(value)[:100]!r}, expected a text of at most {_MOST_NAME:,} characters"
        )
    return clean_text(str(value))


def split_passages(passages: list[Passage], split: SentenceSplitter) -> list[RoomSentence]:
    """Return the sentences of passages, in order; `place` tells how far into its document each begins.

    A document of fewer than `LEAST_SENTENCES` has no beginning and end that could be told from its middle: its `place` is .5.
    """
    found = [(count, passage, sentence) for count, passage in enumerate(passages) for sentence in split(passage.text)]
    totals = Counter(passage.document for _, passage, _ in found)
    seen: Counter[str] = Counter()
    sentences = []
    for number, (count, passage, text) in enumerate(found):
        total = totals[passage.document]
        place = seen[passage.document] / (total - 1) if total >= LEAST_SENTENCES else 0.5
        seen[passage.document] += 1
        sentences.append(
            RoomSentence(number, count, passage.document, passage.turn, passage.speakers, place, text, passage.rights)
        )
    return sentences


def _read_turns(path: str, text: str, unit: str, rights: Rights) -> list[Passage]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}: not valid JSON ({error}); export the file again") from error
    turns = document.get("TURNS") if isinstance(document, dict) else None
    if not isinstance(turns, list):
        raise SourceError(
            f'{path}: found JSON without "TURNS"; expected an episode of CRD3, or records with a `text`. Write each room of '
            "another export, such as a journal of Foundry, as a line of JSON with `text`, or as Markdown"
        )
    passages = []
    for number, turn in enumerate(turns):
        names, lines = (turn.get("NAMES"), turn.get("UTTERANCES")) if isinstance(turn, dict) else (None, None)
        if not _are_texts(names) or not _are_texts(lines):
            raise SourceError(f"{path}: turn {number} of TURNS is malformed; expected NAMES and UTTERANCES, both lists of texts")
        passages.append(Passage(unit, " ".join(lines), rights, number, tuple(map(clean_text, names))))
    return passages


def _are_texts(values: Any) -> TypeGuard[list[str]]:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _read_table(path: str, text: str, unit: str, rights: Rights) -> Iterator[Passage]:
    """Yield the rows of a table with a column of text; a file without such a heading has one text a line."""
    head = text.split("\n", 1)[0]
    columns = {sign: {name.strip().strip('"').lower() for name in head.split(sign)} for sign in "\t|;," if sign in head}
    delimiter = next((sign for sign, names in columns.items() if not names.isdisjoint(TEXT_COLUMNS)), None)
    if delimiter is None and head.strip().strip('"').lower() not in TEXT_COLUMNS:
        if any(_OTHER_COLUMNS & names for names in columns.values()):
            raise SourceError(f"{path}: found the heading {head[:200]!r}, expected a column {', '.join(TEXT_COLUMNS)}")
        yield from (Passage(unit, line, rights) for line in text.split("\n"))
        return
    try:
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter or ",", strict=True)
        rows.fieldnames = [name.strip().lower() for name in rows.fieldnames or ()]
        if twice := sorted(name for name, times in Counter(rows.fieldnames).items() if name and times > 1):
            raise SourceError(f"{path}: found two columns {twice[0]!r}, expected one; take one out, or name it otherwise")
        for number, row in enumerate(rows, 2):
            if None in row:
                raise SourceError(f"{path}: row {number} has more cells than the heading; put texts with a delimiter in quotes")
            yield Passage(unit, _find_text(f"{path}, row {number}", row), read_rights(f"{path}, row {number}", row, rights))
    except csv.Error as error:
        raise SourceError(f"{path}: not a valid table ({error}); export it again") from error


def _find_text(name: str, found: Mapping[str, Any]) -> str:
    value = next((found[key] for key in TEXT_COLUMNS if found.get(key) is not None), None)
    if not isinstance(value, str):
        raise SourceError(f"{name}: found no text, expected one under {', '.join(TEXT_COLUMNS)}")
    return value


def _load_record(name: str, line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{name}: found no JSON ({error}), expected an object with a text") from error
    if not isinstance(found, dict):
        raise SourceError(f"{name}: found {type(found).__name__}, expected an object with a text")
    if not _is_dialogue(found):
        _find_text(name, found)
    return found


RIGHTS_FILE = "sources.toml"
CONTRIBUTIONS = "contributions"
"""The folder of donated texts."""
_KEYS = {"files", "license", "attribution", "redistributable"}
_HEAD = ("author", "license", "consent")
_MOST_HEAD_LINES = 20
_MOST_ENTRY = 1_000


@dataclass(frozen=True, slots=True)
class FileRights:
    """The rights of the files whose path matches a pattern (`adventures/*.txt`)."""

    pattern: str
    rights: Rights


@dataclass(frozen=True, slots=True)
class DocumentSpec:
    """A document: how it is read, and its rights. A contribution's rights stand in its own head."""

    kind: str
    rights: Rights


@dataclass(frozen=True, slots=True)
class RoomSources:
    """What all units share: the entries of `sources.toml`, and the rights of what it does not name."""

    entries: tuple[FileRights, ...]
    default: Rights


def parse_rights(text: str, default: Rights) -> tuple[FileRights, ...]:
    """Read `sources.toml`: entries `[[source]]` with `files`, and `license`, `redistributable` where they differ."""
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else error
        raise ConfigError(f"{RIGHTS_FILE}: {said}; expected TOML with entries [[source]]") from error
    entries = found.get("source", [])
    if set(found) - {"source"} or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ConfigError(f"{RIGHTS_FILE}: found {', '.join(map(repr, found))}; expected entries [[source]] and nothing else")
    rights = []
    for number, entry in enumerate(entries, 1):
        name = f"{RIGHTS_FILE}, entry {number}"
        if unknown := sorted(set(entry) - _KEYS):
            raise ConfigError(f"{name}: {unknown[0]!r} is not known; expected some of {', '.join(sorted(_KEYS))}")
        if not isinstance(entry.get("files"), str) or not entry["files"]:
            raise ConfigError(f'{name}: found files {entry.get("files")!r}; expected a pattern such as "adventures/*.txt"')
        try:
            rights.append(FileRights(entry["files"], read_rights(name, entry, default)))
        except SourceError as error:
            raise ConfigError(str(error)) from error
    return tuple(rights)


def find_rights(path: str, entries: Sequence[FileRights], default: Rights) -> Rights:
    """Return the rights of a file: those of the first entry whose pattern it matches."""
    return next((entry.rights for entry in entries if fnmatchcase(path.removesuffix(ROWS), entry.pattern)), default)


def is_contribution(path: str) -> bool:
    """Tell whether a file lies in a folder of donated texts, however the folder's name is written."""
    return any(part.lower() == CONTRIBUTIONS for part in PurePosixPath(path).parts[:-1])


def read_contribution(path: str, text: str, marked: Rights) -> tuple[Rights, str]:
    """Return the rights and the text of a donated file, which begins with a head and a line `---`:

        author: Jane Roe
        license: CC BY 4.0
        consent: yes, 2 November 2026
        ---

    What `sources.toml` marks as not redistributable (`marked`) stays so.

    Reference: Rooms, sections 8 and 9 (an open call for donations).
    """  # noqa: D400, D415 -- the head is shown as it is typed
    lines = text.split("\n")
    end = next((number for number, line in enumerate(lines[:_MOST_HEAD_LINES]) if line.strip() == "---"), None)
    if end is None:
        raise SourceError(f"{path}: found no head; a donated text begins with {', '.join(_HEAD)} and a line ---")
    head = {
        key.strip().lower(): clean_text(value) for key, colon, value in (line.partition(":") for line in lines[:end]) if colon
    }
    if missing := [key for key in _HEAD if not head.get(key)]:
        raise SourceError(f"{path}: its head has no {' and no '.join(missing)}; ask the donor, and write it down")
    if too_long := [key for key in _HEAD if len(head[key]) > _MOST_ENTRY]:
        raise SourceError(f"{path}: {too_long[0]} has {len(head[too_long[0]]):,} characters; expected at most {_MOST_ENTRY:,}")
    if not head["consent"].lower().startswith("yes"):
        raise SourceError(f"{path}: consent is {head['consent']!r}; a text is used only where it begins with 'yes'")
    return Rights(head["license"], head["author"], marked.redistributable), "\n".join(lines[end + 1 :])
