"""Planning a run of `scripts`: the source's files sorted to movies, books and episodes, and its gold links."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.errors import SourceError
from core.fingerprints import fingerprint
from core.scripts.config import ScriptsConfig
from core.scripts.discovery import StoryFiles, find_units
from core.scripts.gold import GoldLink, read_gold
from core.scripts.series import list_episodes
from core.text.decoding import decode_text
from core.units import RefusedFile, SourceFile
from infra.catalog import CatalogEntry
from infra.sources import FolderSource
from tasks.landing import MAX_FILE_BYTES
from tasks.planning import Candidate, RunPlan, plan_units
from tasks.scripts import STAGE_VERSIONS, Role, StoryRequest


@dataclass(frozen=True, slots=True)
class ScriptPlan:
    """What a run has to do, and the gold links that the source holds."""

    run: RunPlan
    gold: tuple[GoldLink, ...]


def plan_scripts(
    source_url: str, store_url: str, config: ScriptsConfig, catalog: Mapping[str, CatalogEntry], limit: int | None
) -> ScriptPlan:
    """List the source, sort its files to stories and compare them with the catalog.

    Raises:
        ConfigError: the source does not exist.
    """
    source = FolderSource(source_url)
    discovery = find_units(source.list_files())
    refused = list(discovery.refused)
    gold = tuple(link for file in discovery.gold for link in _read_gold(source, file, refused))
    candidates = [Candidate(story.id, _files(story), _request(story, source_url, store_url, config)) for story in discovery.units]
    for file in discovery.series:
        candidates += [
            Candidate(unit, (file,), StoryRequest(unit, "episode", (("series", file),), source_url, store_url, config))
            for unit in _list_episodes(source, file, refused)
        ]
    parts = [config.screenplays, config.long_texts, config.synopsis, config.cast, config.alignment]
    settings = fingerprint("settings", 1, [], [parts, STAGE_VERSIONS])
    candidates.sort(key=lambda candidate: candidate.unit)
    return ScriptPlan(plan_units(candidates, discovery.waiting, refused, settings, catalog, limit), gold)


def read_gold_links(source_url: str) -> tuple[GoldLink, ...]:
    """Return every gold link of a source.

    Raises:
        ConfigError: the source does not exist.
        SourceError: a gold file is malformed.
    """
    source = FolderSource(source_url)
    files = find_units(source.list_files()).gold
    return tuple(link for file in files for link in read_gold(file.path, _read(source, file)))


def _files(story: StoryFiles) -> tuple[SourceFile, ...]:
    return tuple(file for _, file in _roles(story))


def _roles(story: StoryFiles) -> Iterator[tuple[Role, SourceFile]]:
    yield "text", story.text
    yield "synopsis", story.synopsis
    if story.cast is not None:
        yield "cast", story.cast
    if story.meta is not None:
        yield "meta", story.meta


def _request(story: StoryFiles, source: str, store: str, config: ScriptsConfig) -> StoryRequest:
    return StoryRequest(story.id, story.kind, tuple(_roles(story)), source, store, config)


def _list_episodes(source: FolderSource, file: SourceFile, refused: list[RefusedFile]) -> tuple[str, ...]:
    try:
        return list_episodes(file.path, _read(source, file))
    except SourceError as error:
        refused.append(RefusedFile(file.path, str(error)))
        return ()


def _read_gold(source: FolderSource, file: SourceFile, refused: list[RefusedFile]) -> tuple[GoldLink, ...]:
    try:
        return read_gold(file.path, _read(source, file))
    except SourceError as error:
        refused.append(RefusedFile(file.path, str(error)))
        return ()


def _read(source: FolderSource, file: SourceFile) -> str:
    return decode_text(file.path, source.read(file.path, MAX_FILE_BYTES))
