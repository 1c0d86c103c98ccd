"""The files of several sources as one list."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from core.errors import ConfigError
from core.units import SourceFile
from infra.sources.opening import open_source


def list_sources(urls: Sequence[str], folders: Collection[str] = ()) -> list[SourceFile]:
    """Return the files of all sources, by path.

    A path that several sources have stands once, with the first source that has it, the others' files as its `copies`.

    Args:
        urls: the sources, in order.
        folders: names (small letters) that a pipeline expects at the root. A source that has none of them and is called so
            itself, as `s3://bucket/recaps` or `recaps.zip`, counts as that folder.

    Raises:
        ConfigError: no URL is given, one is empty, or there is no such place.
        StoreError: a source could not be listed in full; none of the others is taken for the whole.
    """
    if not urls:
        raise ConfigError("no source is given; name at least one folder or URL")
    if not all(urls):  # it would mean the folder that the process happens to work in
        raise ConfigError("a source is empty; is the environment variable unset that it was to come from (FABULA_SOURCE_…)?")
    sources = {source.url: source for source in map(open_source, urls)}
    return _merge(file for source in sources.values() for file in _place(source.url, source.list_files(), folders))


def _place(url: str, files: Sequence[SourceFile], folders: Collection[str]) -> Iterable[SourceFile]:
    """Put the files of a source that is one of the folders itself into it."""
    root = _name_root(url)
    if root.lower() not in folders or any(file.path.partition("/")[0].lower() in folders for file in files if "/" in file.path):
        return files
    return (replace(file, path=f"{root}/{file.path}", name=file.name or file.path) for file in files)


def _name_root(url: str) -> str:
    """Return what the folder or archive at a URL is called."""
    head, _, rest = url.rpartition("::")
    inside = head.partition("://")[2]
    name = PurePosixPath(inside or (urlsplit(rest).path if "://" in rest else rest)).name
    return name[:-4] if name.lower().endswith(".zip") else name


def _merge(files: Iterable[SourceFile]) -> list[SourceFile]:
    """Put files of one path together, in the order that they come in."""
    places: dict[str, list[SourceFile]] = {}
    for file in files:
        places.setdefault(file.path, []).append(file)
    merged = (replace(first, copies=tuple(others)) if others else first for first, *others in places.values())
    return sorted(merged, key=lambda file: file.path)
