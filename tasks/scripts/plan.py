"""Planning a run of `scripts`: the source's files sorted to movies, books and episodes, and its gold links."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from core.dataset.units import RefusedFile, SourceFile, identify_unit
from core.errors import ConfigError, SourceError, StoreError
from core.scripts.config import ScriptsConfig
from core.scripts.discovery import FOLDER_NAMES, StoryFiles, find_units
from core.scripts.gold import GoldLink, find_nearest, read_gold
from core.scripts.series import list_episodes
from core.text.decoding import MARKUP, decode_text
from tasks.frame.model import Discovery, PlanRequest, SizeLimit, Sources, Unit

TEXT_LIMIT = SizeLimit(64 * 2**20, "a script, book or synopsis", "Keep one story in each file")
Role = Literal["text", "synopsis", "cast", "meta", "series"]


@dataclass(frozen=True, slots=True)
class StorySpec:
    """What a story is, and its files by role; a series file holds several episodes."""

    kind: Literal["movie", "book", "episode"]
    files: tuple[tuple[Role, SourceFile], ...]


def plan_scripts(request: PlanRequest[ScriptsConfig]) -> Discovery:
    """List the sources and sort their files to stories. What the release needs to know are the gold links.

    Raises:
        ConfigError: a source does not exist, or gold names a story that is spelt differently in the source.
        StoreError: a source could not be listed.
    """
    files = request.sources.list_files(FOLDER_NAMES)
    found = find_units(files)
    refused = list(found.refused)
    units = [_make_unit(story.id, StorySpec(story.kind, tuple(_roles(story)))) for story in found.units]
    taken = {story.id.casefold(): story.text.path for story in found.units}
    taken |= {unit.id.casefold(): unit.files[0].path for unit in found.waiting}
    for file in found.series:
        episodes = _claim(_list_episodes(request.sources, file, refused), file, taken, refused)
        units += [_make_unit(episode, StorySpec("episode", (("series", file),))) for episode in episodes]
    units.sort(key=lambda unit: unit.id)
    names = [*(unit.id for unit in units), *(unit.id for unit in found.waiting)]
    stories = {identify_unit(name): name for name in names}
    links = ((file, _read_gold(request.sources, file, refused)) for file in found.gold)
    gold = tuple(link for file, found_links in links for link in _name_stories(file, found_links, stories, refused))
    return Discovery(listing=files, units=units, waiting=found.waiting, refused=refused, knowledge=gold)


def _make_unit(unit: str, spec: StorySpec) -> Unit:
    alone = "its episode alone lands" if spec.kind == "episode" else ""  # a store that has the whole file gets it anew
    return Unit(id=unit, files=tuple(file for _, file in spec.files), spec=spec, made_from=alone)


def _roles(story: StoryFiles) -> Iterator[tuple[Role, SourceFile]]:
    yield "text", story.text
    yield "synopsis", story.synopsis
    if story.cast is not None:
        yield "cast", story.cast
    if story.meta is not None:
        yield "meta", story.meta


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


def _list_episodes(sources: Sources, file: SourceFile, refused: list[RefusedFile]) -> tuple[str, ...]:
    try:
        return list_episodes(file.path, _read(sources, file))
    except (SourceError, StoreError) as error:
        refused.append(RefusedFile(file.path, str(error)))
        return ()


def _read_gold(sources: Sources, file: SourceFile, refused: list[RefusedFile]) -> tuple[GoldLink, ...]:
    """Return a file's links; a bad line has the file refused, the others count still: no movie slips into training so."""
    links: list[GoldLink] = []
    try:
        text = _read(sources, file)
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


def _name_stories(
    file: SourceFile, links: Iterable[GoldLink], stories: Mapping[str, str], refused: list[RefusedFile]
) -> Iterator[GoldLink]:
    """Yield the links of stories that the source has, with their ids as the source spells them (`stories` by identity).

    Links of other stories are refused, each story once. A misspelt id ends the run: its story would go on being trained on.
    """
    unknown: dict[str, str] = {}
    for link in links:
        identity = identify_unit(link.unit)
        if identity in stories:
            yield replace(link, unit=stories[identity])
        else:
            unknown.setdefault(link.unit, identity)
    for name, identity in unknown.items():
        nearest, misspelt = find_nearest(identity, stories)
        if misspelt:
            raise ConfigError(
                f"{file.path}: gold for {name!r}, and the source has no such story; the nearest is {stories[nearest]!r}. Correct "
                "movie_id, or take these lines out if they mean a story that the source does not have"
            )
        hint = f"; the nearest is {stories[nearest]!r}" if nearest else ""
        reason = f"gold for {name!r}, and the source has no such story{hint}; correct movie_id, or add the story"
        refused.append(RefusedFile(f"{file.path}#{name[:100]}", reason))


def _read(sources: Sources, file: SourceFile) -> str:
    return decode_text(file.path, sources.read(file, TEXT_LIMIT.bytes), MARKUP)
