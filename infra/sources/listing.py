"""The files of several sources as one list."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.errors import ConfigError
from core.units import SourceFile
from infra.sources.opening import open_source


def list_sources(urls: Sequence[str]) -> list[SourceFile]:
    """Return the files of all sources, by path.

    A path that several sources have stands once, with the first source that has it, the others' files as its `copies`.

    Raises:
        ConfigError: no URL is given, or there is no such place.
        StoreError: a source could not be listed in full; none of the others is taken for the whole.
    """
    if not urls:
        raise ConfigError("no source is given; name at least one folder or URL")
    sources = {source.url: source for source in map(open_source, urls)}
    return _merge(file for source in sources.values() for file in source.list_files())


def _merge(files: Iterable[SourceFile]) -> list[SourceFile]:
    """Put files of one path together, in the order that they come in."""
    places: dict[str, list[SourceFile]] = {}
    for file in files:
        places.setdefault(file.path, []).append(file)
    merged = (replace(first, copies=tuple(others)) if others else first for first, *others in places.values())
    return sorted(merged, key=lambda file: file.path)
