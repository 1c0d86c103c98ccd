"""Sorts a source's files into movies, books and series."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from core.dataset.units import RefusedFile, SourceFile, WaitingUnit, make_unit_id
from core.scripts.story import StoryKind

Role = Literal["text", "synopsis", "cast", "meta", "series"]

_STORY_FOLDERS = frozenset({"movies", "books"})
_SERIES_FOLDERS = frozenset({"friends", "series"})
_GOLD_FOLDER = "gold"
FOLDER_NAMES = _STORY_FOLDERS | _SERIES_FOLDERS | {_GOLD_FOLDER}
"""Names of the folders at a source's root, in lower case."""

_ROLES = {
    "script.txt": "script",
    "text.txt": "text",
    "text.md": "text",
    "synopsis.txt": "synopsis",
    "cast.json": "cast",
    "meta.json": "meta",
}
_BESIDE: tuple[Role, ...] = ("synopsis", "cast", "meta")
_READ = (".fountain", ".fdx", ".pdf", ".xml")
"""Extensions of forms of scripts that are read where there is no `script.txt`."""
_MAY_BE_SUBTITLES = re.compile(r"[^/]+/[^/]+\.xml", re.IGNORECASE)  # OPUS's, in a folder of the pipeline `subtitles`
_SCRIPTS = (".fountain", ".fdx", ".celtx", ".txt", ".pdf", ".rtf", ".docx", ".doc", ".odt", ".xml", ".html", ".htm", ".md")
"""Extensions of files that may be a screenplay under another name, the likeliest first: a story without one is told of them."""
_PLAIN = (".txt", ".md")
_NO_SCRIPT = re.compile(
    r"read[-_ ]?me|licen[cs]e|copying|notice|authors|credits|changelog|index|cover|posters?|notes?|synopsis|plot|summary",
    re.IGNORECASE,
)
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # control characters, and bytes that are not UTF-8


@dataclass(frozen=True, slots=True)
class StoryFiles:
    """The files of one story by role. `text` is the script or the book's text; an episode has its `series` file alone."""

    id: str
    kind: StoryKind
    files: tuple[tuple[Role, SourceFile], ...]


@dataclass(frozen=True, slots=True)
class Discovery:
    """What a source holds; each file of `series` holds several episodes, those of `gold` hold gold links."""

    units: tuple[StoryFiles, ...]
    series: tuple[SourceFile, ...] = ()
    gold: tuple[SourceFile, ...] = ()
    waiting: tuple[WaitingUnit, ...] = ()
    refused: tuple[RefusedFile, ...] = ()


def find_units(files: Iterable[SourceFile]) -> Discovery:
    """Sort the files of a source into units.

    A unit is a folder `movies/ID`, `books/ID`, or `ID` at the root. A movie's folder has `script.txt`, a book's `text.txt` or
    `text.md`. Both need `synopsis.txt` and may have `cast.json` and `meta.json`. Without `script.txt` a file of another form
    (`_READ`) is the script, where it is the only one, or called `script` or like its folder. `friends/*.json` and
    `series/*.json` are series, `gold/*.jsonl` is gold. Other files and hidden files are ignored; where a story's script is
    missing, the waiting unit names a file of its folder that may be one. Unit ids that differ in case only are the same unit.
    """
    stories: dict[str, dict[str, list[SourceFile]]] = defaultdict(lambda: defaultdict(list))
    series: list[SourceFile] = []
    gold: list[SourceFile] = []
    refused: list[RefusedFile] = []
    strays: dict[str, list[SourceFile]] = {}
    for file in sorted(files, key=lambda file: file.path):
        path = PurePosixPath(file.path)
        if any(part.startswith(".") for part in path.parts):
            continue
        place = _find_place(path)
        if place is None:
            if _is_in_story(path) and _may_be_script(path) and _UNPRINTABLE.search(file.path) is None:
                strays.setdefault(str(path.parent), []).append(file)
                if len(path.parts) == 3 and make_unit_id(path.parent.name) is not None:
                    stories[str(path.parent)]  # it waits, though nothing of it is read
            continue
        if _UNPRINTABLE.search(file.path) is not None:
            shown = _UNPRINTABLE.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", file.path)
            refused.append(RefusedFile(shown, "the file name has control characters or is not UTF-8; rename the file"))
        elif place == "series":
            series.append(file)
        elif place == "gold":
            gold.append(file)
        elif make_unit_id(folder := path.parent.name) is None:
            reason = (
                f"no unit id can be made of {folder[:120]!r}; expected a name of at most 100 characters; rename the folder, for "
                "example panic-room"
            )
            refused.append(RefusedFile(file.path, reason))
        else:
            stories[str(path.parent)][place].append(file)
    units, waiting = _pair_halves(stories, refused, strays)
    refused.sort(key=lambda file: file.path)
    return Discovery(tuple(units), tuple(series), tuple(gold), tuple(waiting), tuple(refused))


def _find_place(path: PurePosixPath) -> str | None:
    """Return what a file is, by its path: a role in a unit's folder, `series`, `gold`, or None for a file to ignore."""
    folder, suffix = path.parts[0].lower(), path.suffix.lower()
    if len(path.parts) == 2 and folder in _SERIES_FOLDERS:
        return "series" if suffix == ".json" else None
    if len(path.parts) == 2 and folder == _GOLD_FOLDER:
        return "gold" if suffix == ".jsonl" else None
    return _ROLES.get(path.name.lower()) if _is_in_story(path) else None


def _is_in_story(path: PurePosixPath) -> bool:
    """Tell whether a file lies directly in the folder of a story."""
    return len(path.parts) == 2 or (len(path.parts) == 3 and path.parts[0].lower() in _STORY_FOLDERS)


def _pair_halves(
    stories: dict[str, dict[str, list[SourceFile]]], refused: list[RefusedFile], strays: Mapping[str, Sequence[SourceFile]]
) -> tuple[list[StoryFiles], list[WaitingUnit]]:
    """Make units of the stories, and add to `refused`; `strays` has for a folder the files that may be its script."""
    units: list[StoryFiles] = []
    waiting: list[WaitingUnit] = []
    taken: dict[str, str] = {}
    for folder, roles in sorted(stories.items()):
        name = PurePosixPath(folder).name
        unit = make_unit_id(name) or name
        if not roles["script"] + roles["text"]:
            roles["script"] = _choose_script(strays.get(folder, ()))
        if (other := taken.setdefault(unit.casefold(), folder)) != folder:
            reason = f"{other} is the same unit {unit}; keep one of them, or rename a folder, for example {unit}-2"
            refused += [RefusedFile(file.path, reason) for role in dict.fromkeys(_ROLES.values()) for file in roles[role]]
            continue
        chosen = {role: candidates[0] for role, candidates in roles.items() if candidates}
        texts = roles["script"] + roles["text"]
        spare = [*texts[1:], *(file for role in _BESIDE for file in roles[role][1:])]
        refused += [RefusedFile(file.path, "the folder has another file of that kind; keep one of them") for file in spare]
        if texts and "synopsis" in chosen:
            others = ((role, chosen[role]) for role in _BESIDE if role in chosen)
            units.append(StoryFiles(unit, "movie" if roles["script"] else "book", (("text", texts[0]), *others)))
        else:
            kept = tuple(file for file in chosen.values() if file not in spare)
            waiting.append(WaitingUnit(unit, "synopsis" if texts else _describe_missing(strays.get(folder, ())), kept))
    units.sort(key=lambda story: story.id.casefold())
    waiting.sort(key=lambda story: story.id.casefold())
    return units, waiting


def _may_be_script(path: PurePosixPath) -> bool:
    return path.suffix.lower() in _SCRIPTS and _NO_SCRIPT.fullmatch(path.stem) is None


def _choose_script(strays: Sequence[SourceFile]) -> list[SourceFile]:
    """Return the script among files with other names than `script.txt`; [] where none is read, or several may be it."""
    read = sorted((file for file in strays if PurePosixPath(file.path).suffix.lower() in _READ), key=_rank_script)
    named = [file for file in read if not _rank_script(file)[0]]
    alone = len(read) == 1 and not _MAY_BE_SUBTITLES.fullmatch(read[0].path)
    return named[:1] or (read if alone else [])


def _describe_missing(strays: Sequence[SourceFile]) -> str:
    """Return what a story without a script lacks; of the files that may be it the likeliest is named."""
    if not strays:
        return "script"
    stray = PurePosixPath(min(strays, key=_rank_script).path)
    if stray.suffix.lower() in _READ:
        return f"script ({stray.name} may be it: call the right file script{stray.suffix})"
    todo = "rename it" if stray.suffix.lower() in _PLAIN else "export it as PDF, which keeps its columns"
    return f"script ({stray.name} is not read; expected script.txt, {', '.join(_READ)}, or text.txt of a book: {todo})"


def _rank_script(file: SourceFile) -> tuple[bool, int, str]:
    """Return what puts files in order by how likely they are the script: by name, then by extension."""
    path = PurePosixPath(file.path)
    named = path.stem.casefold() in {"script", "text", path.parent.name.casefold()}
    return not named, _SCRIPTS.index(path.suffix.lower()), path.name
