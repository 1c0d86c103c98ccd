"""Opens sources by their URLs, lists the files of several as one, and reads a file from its source."""

import hashlib
import logging
import re
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import IO, Any, Protocol, cast
from urllib.parse import urlsplit

from core.dataset.units import SourceFile, choose_copy
from core.errors import ConfigError, SourceError
from infra.sources.folder import open_folder

RECORDS = "records+"
"""What the URL of a file of records begins with, inside fabula; a user leaves it out."""
KINDS = {"mediawiki+": ("infra.sources.mediawiki", "MediaWikiSource"), RECORDS: ("infra.sources.records", "RecordSource")}
"""Sources that are no folders, by what their URLs begin with: a module and its class, imported when a URL asks for one."""
ENDINGS = frozenset([".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".arrow"])
"""Endings of files that may hold records."""


class Source(Protocol):
    """A place that has files."""

    url: str

    def list_files(self) -> list[SourceFile]:
        """Return every file."""

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return up to `limit` + 1 bytes of a file."""

    def open(self, file: SourceFile) -> AbstractContextManager[IO[bytes]]:
        """Give a file as a stream."""

    def checksum(self, file: SourceFile) -> str:
        """Return the SHA-256 of a file, or "" if it cannot be read."""


_OF_STORE = re.compile(r"(?:^|/)(?:runs|running|catalog/[^/]+)/\d{8}T\d{6}-\d{6}\.(?:json|parquet)$")
"""The path of what every run writes into its store, from its first moment on."""
logger = logging.getLogger(__name__)


class FileSource:
    """One file of this machine, such as a mailbox: it is listed as if nothing else lay in its folder, and read from there."""

    def __init__(self, path: Path) -> None:
        folder = open_folder(str(path.parent))
        self.url = f"{folder.url}/{path.name}"
        self._find = partial(folder.find, path.name)
        self.read, self.open, self.checksum = folder.read, folder.open, folder.checksum

    def list_files(self) -> list[SourceFile]:
        """Return the file."""
        found = self._find()
        return [found] if found is not None else []


@lru_cache(maxsize=16)
def open_source(url: str) -> Source:
    """Return the source for a folder or file, fsspec URL or wiki (`mediawiki+https://…`); the same for the same URL."""
    kind = next(filter(url.startswith, KINDS), "")
    if not kind and any(map(names_records, (url, url.rpartition("?")[0]))) and not Path(url).is_dir():
        kind = RECORDS
    if kind:
        module, name = KINDS[kind]
        return cast(Source, getattr(import_module(module), name)(url))
    path = Path(url.removeprefix("file://"))
    return FileSource(path) if path.is_file() and path.suffix.lower() != ".zip" else open_folder(url)


def names_records(path: str) -> bool:
    """Tell by its name whether a file may hold records."""
    return PurePosixPath(path.lower().removesuffix(".gz")).suffix in ENDINGS


def read_file(file: SourceFile, limit: int) -> bytes:
    """Return a whole file from its source; SourceError where it is larger than `limit`, or a copy of it has other content."""
    content = open_source(file.source).read(file, limit)
    if len(content) > limit:  # cut off, it would look like another file
        raise SourceError(f"{file.path}: too large; at most {limit:,} bytes are read. Is it the right file? Divide it")
    if file.copies:
        copies = [(copy, open_source(copy.source).read(copy, limit)) for copy in file.copies]
        choose_copy([(each, hashlib.sha256(found).hexdigest()) for each, found in [(file, content), *copies]])
    return content


@dataclass(frozen=True, slots=True)
class OpenedSources:
    """The sources of a run by their URLs (`tasks.frame.model.Sources`); each is opened where it is read, also on a worker."""

    urls: tuple[str, ...]

    def list_files(self, folders: Collection[str] = (), records: str = "") -> list[SourceFile]:
        """Return the files of all sources, as `list_sources` does."""
        return list_sources(self.urls, folders, records)

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return a whole file of at most `limit` bytes, as `read_file` does."""
        return read_file(file, limit)

    def open(self, file: SourceFile) -> AbstractContextManager[IO[bytes]]:
        """Return a file as a stream, for one that may be larger than the memory; copies in other sources are not compared."""
        return open_source(file.source).open(file)

    def checksum(self, file: SourceFile) -> str:
        """Return the SHA-256 of a file's content, or "" if it cannot be read."""
        return open_source(file.source).checksum(file)


def list_sources(urls: Sequence[str], folders: Collection[str] = (), records: str = "") -> list[SourceFile]:
    """Return the files of all sources, by path.

    A path that several sources have is listed once: as the file of the first source, with the other files as its `copies`.
    `folders` are lower-case names that a pipeline expects at the root. A source that has none of them but has such a name itself,
    such as `s3://bucket/recaps` or `recaps.zip`, counts as that folder. With `records`, a pipeline's name, files of records are
    listed as the files that it reads, where a source is not of its layout anyway (`infra.sources.records`).
    """
    if not urls:
        raise ConfigError("no source is given; name at least one folder or URL")
    if not all(urls):  # an empty URL would mean the current folder of the process
        raise ConfigError("a source is empty; check that its environment variable (FABULA_SOURCE_…) is set")
    sources = {source.url: source for source in map(open_source, urls)}
    places: dict[str, list[SourceFile]] = {}
    for source in sources.values():
        named: Any = source if source.url.startswith(RECORDS) else None
        files = [named.find_file()] if named else _place(source.url, source.list_files(), folders)
        if records and (named or any(names_records(file.path) for file in files)):
            files = import_module(KINDS[RECORDS][0]).expand_records(files, records, named)
        for file in files:
            places.setdefault(file.path, []).append(file)
    merged = (replace(first, copies=tuple(others)) if others else first for first, *others in places.values())
    return sorted(merged, key=lambda file: file.path)


def _place(url: str, files: Sequence[SourceFile], folders: Collection[str]) -> Sequence[SourceFile]:
    """If the source itself is one of the folders, return its files with the folder's name in their paths."""
    files = _drop_bookkeeping(_drop_stores(url, _open_top_folder(url, files, folders)))
    root = _name_root(url)
    if root.lower() not in folders or any(file.path.partition("/")[0].lower() in folders for file in files if "/" in file.path):
        return files
    return [replace(file, path=f"{root}/{file.path}", name=file.name or file.path) for file in files]


def _drop_stores(url: str, files: Sequence[SourceFile]) -> Sequence[SourceFile]:
    """Return the files without those of fabula's own stores, such as `./fabula-store` where the source is the current folder."""
    stores = {file.path[: found.start()] for file in files if (found := _OF_STORE.search(file.path))}
    if "" in stores:
        raise ConfigError(f"source {url}: this is a store of fabula; expected what it was made from, or one of its releases")
    for store in sorted(stores):
        _tell_store(url, store)
    within = tuple(f"{store}/" for store in stores)
    return [file for file in files if not file.path.startswith(within)] if within else files


@lru_cache(maxsize=64)  # once a process: a watcher lists its sources again and again
def _tell_store(url: str, store: str) -> None:
    logger.warning("source %s: %s is a store of fabula; nothing in it counts as source", url, store)


def _drop_bookkeeping(files: Sequence[SourceFile]) -> list[SourceFile]:
    """Return the files without those that `save_to_disk` of Hugging Face's `datasets` writes beside the data."""
    kept = {"dataset_info.json", "dataset_dict.json", "state.json"}
    saved = {file.path.rpartition("/")[0] for file in files if file.path.endswith(("dataset_info.json", "dataset_dict.json"))}
    parts = ((file, *file.path.rpartition("/")[::2]) for file in files)
    return [file for file, folder, name in parts if name not in kept or folder not in saved]


def _open_top_folder(url: str, files: Sequence[SourceFile], folders: Collection[str]) -> Sequence[SourceFile]:
    """If an archive has one top folder, which holds the known folders or the units' folders, return its files without it.

    Archives made of a folder have such a top folder. What macOS adds (`__MACOSX`) and hidden files are left out.
    """
    if not url.lower().endswith(".zip"):
        return files
    hidden = (".", "__MACOSX")
    shown = [file for file in files if file.fault or not any(part.startswith(hidden) for part in file.path.split("/"))]
    whole = [file.path for file in shown if not file.fault]  # names that are refused say nothing of folders
    tops = {path.partition("/")[0] for path in whole}
    if len(tops) != 1 or min(tops).lower() in folders:
        return files
    top = f"{min(tops)}/"
    below = [path.removeprefix(top) for path in whole]
    if not any(path.partition("/")[0].lower() in folders for path in below) and any(path.count("/") != 1 for path in below):
        return files
    return [replace(file, path=file.path.removeprefix(top), name=file.name or file.path) for file in shown]


def _name_root(url: str) -> str:
    """Return the name of the folder or archive at a URL."""
    head, _, rest = url.rpartition("::")
    inside = head.partition("://")[2]
    name = PurePosixPath(inside or (urlsplit(rest).path if "://" in rest else rest)).name
    return name[:-4] if name.lower().endswith(".zip") else name
