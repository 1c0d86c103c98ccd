"""Planning a run of `scripts`: the source's files sorted to movies, books and episodes, and its gold links."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from core.errors import SourceError, StoreError
from core.fingerprints import fingerprint
from core.scripts.config import ScriptsConfig
from core.scripts.discovery import FOLDER_NAMES, StoryFiles, find_units
from core.scripts.gold import GoldLink, read_gold
from core.scripts.series import list_episodes
from core.text.decoding import decode_text
from core.units import RefusedFile, SourceFile
from infra.sources.listing import list_sources
from infra.sources.opening import read_file
from infra.store.catalog import CatalogEntry
from infra.store.objects import Store
from infra.store.takedown import read_takedown
from tasks.frame.landing import MAX_FILE_BYTES
from tasks.frame.planning import Candidate, RunPlan, plan_units
from tasks.scripts.build import PIPELINE, STAGE_VERSIONS, Role, StoryRequest


@dataclass(frozen=True, slots=True)
class ScriptPlan:
    """What a run has to do, and the gold links that the source holds."""

    run: RunPlan
    gold: tuple[GoldLink, ...]


def plan_scripts(
    sources: Sequence[str], store_url: str, config: ScriptsConfig, catalog: Mapping[str, CatalogEntry], limit: int | None
) -> ScriptPlan:
    """List the sources, sort its files to stories and compare them with the catalog.

    Raises:
        ConfigError: a source does not exist.
        StoreError: a source could not be listed.
    """
    files = list_sources(sources, FOLDER_NAMES)
    discovery = find_units(files)
    refused = list(discovery.refused)
    gold = tuple(link for file in discovery.gold for link in _read_gold(file, refused))
    candidates = [Candidate(story.id, _files(story), _request(story, store_url, config)) for story in discovery.units]
    taken = {story.id.casefold(): story.text.path for story in discovery.units}
    taken |= {unit.id.casefold(): unit.files[0].path for unit in discovery.waiting}
    for file in discovery.series:
        candidates += [
            Candidate(unit, (file,), StoryRequest(unit, "episode", (("series", file),), store_url, config))
            for unit in _claim(_list_episodes(file, refused), file, taken, refused)
        ]
    parts = [config.screenplays, config.long_texts, config.synopsis, config.cast, config.alignment]
    settings = fingerprint("settings", 1, [], [parts, STAGE_VERSIONS])
    candidates.sort(key=lambda candidate: candidate.unit)
    takedown = read_takedown(Store(store_url), PIPELINE)
    return ScriptPlan(plan_units(files, candidates, discovery.waiting, refused, settings, catalog, limit, takedown), gold)


def _files(story: StoryFiles) -> tuple[SourceFile, ...]:
    return tuple(file for _, file in _roles(story))


def _roles(story: StoryFiles) -> Iterator[tuple[Role, SourceFile]]:
    yield "text", story.text
    yield "synopsis", story.synopsis
    if story.cast is not None:
        yield "cast", story.cast
    if story.meta is not None:
        yield "meta", story.meta


def _request(story: StoryFiles, store: str, config: ScriptsConfig) -> StoryRequest:
    return StoryRequest(story.id, story.kind, tuple(_roles(story)), store, config)


def _claim(units: Iterable[str], file: SourceFile, taken: dict[str, str], refused: list[RefusedFile]) -> list[str]:
    """Return the episodes whose ids no other story has; the others are refused, or one would overwrite the other."""
    claimed = []
    for unit in units:
        if (owner := taken.setdefault(unit.casefold(), file.path)) != file.path:
            reason = f"the episode {unit} has the id of another story ({owner}); give it an id of its own"
            refused.append(RefusedFile(f"{file.path}#{unit}", reason))
        else:
            claimed.append(unit)
    return claimed


def _list_episodes(file: SourceFile, refused: list[RefusedFile]) -> tuple[str, ...]:
    try:
        return list_episodes(file.path, _read(file))
    except (SourceError, StoreError) as error:
        refused.append(RefusedFile(file.path, str(error)))
        return ()


def _read_gold(file: SourceFile, refused: list[RefusedFile]) -> tuple[GoldLink, ...]:
    """Return a file's links; a bad line has the file refused, the others count still: no movie slips into training so."""
    links: list[GoldLink] = []
    try:
        text = _read(file)
        try:
            return read_gold(file.path, text)
        except SourceError as error:
            refused.append(RefusedFile(file.path, str(error)))
            for line in text.split("\n"):
                with suppress(SourceError):
                    links += read_gold(file.path, line)
    except (SourceError, StoreError) as error:
        refused.append(RefusedFile(file.path, str(error)))
    return tuple(links)


def _read(file: SourceFile) -> str:
    return decode_text(file.path, read_file(file, MAX_FILE_BYTES))
