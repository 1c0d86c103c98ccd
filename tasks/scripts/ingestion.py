"""How the pipeline `scripts` makes units of its sources: files sorted to movies, books and episodes, and their gold links."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from core.dataset.units import RefusedFile, SourceFile, identify_unit
from core.errors import ConfigError, SourceError, StoreError
from core.scripts.config import ScriptsConfig
from core.scripts.discovery import FOLDER_NAMES, StoryFiles, find_units
from core.scripts.json_files import list_episodes, read_gold
from core.scripts.similarities import needs_vectors
from core.scripts.story import GoldLink
from core.text.decoding import MARKUP, decode_text
from infra.models.sentence_embedder import SentenceEmbedder
from infra.store.answers import fingerprint_answers
from tasks.frame.model import Discovery, Ingestion, PlanRequest, Resources, SizeLimit, Sources, Unit

TEXT_LIMIT = SizeLimit(64 * 2**20, "a script, book or synopsis", "Keep one story in each file")
STAGE_VERSIONS = {"story": 19, "links": 12, "reading": 3}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


def plan_scripts(request: PlanRequest[ScriptsConfig]) -> Discovery:
    """List the sources and sort their files to stories. What the release needs to know are the gold links.

    Raises:
        ConfigError: gold names a story that is spelt differently in the source.
    """
    files = request.sources.list_files(FOLDER_NAMES, records="scripts")
    found = find_units(file for file in files if not file.is_bad_record)
    refused = [*found.refused, *(RefusedFile(file.path, file.fault) for file in files if file.is_bad_record)]
    units = [_make_unit(story) for story in found.units]
    taken = {unit.id.casefold(): unit.files[0].path for unit in units}
    taken |= {unit.id.casefold(): unit.files[0].path if unit.files else unit.id for unit in found.waiting}
    for file in found.series:
        episodes = _claim(_list_episodes(request.sources, file, refused), file, taken, refused)
        units += [_make_unit(StoryFiles(episode, "episode", (("series", file),))) for episode in episodes]
    units.sort(key=lambda unit: unit.id)
    names = [*(unit.id for unit in units), *(unit.id for unit in found.waiting)]
    stories = {identify_unit(name): name for name in names}
    links = ((file, _read_gold(request.sources, file, refused)) for file in found.gold)
    gold = tuple(link for file, found_links in links for link in _name_stories(file, found_links, stories, refused))
    answers = fingerprint_answers(request.store, request.config.reader)
    return Discovery(listing=files, units=units, waiting=found.waiting, refused=refused, knowledge=gold, made_from=answers)


def _make_unit(story: StoryFiles) -> Unit:
    alone = "its episode alone lands" if story.kind == "episode" else ""  # a store that has the whole file gets it anew
    return Unit(id=story.id, files=tuple(file for _, file in story.files), spec=story, made_from=alone)


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
        nearest, misspelt = _find_nearest(identity, stories)
        if misspelt:
            raise ConfigError(
                f"{file.path}: gold for {name!r}, and the source has no such story; the nearest is {stories[nearest]!r}. Correct "
                "movie_id, or take these lines out if they mean a story that the source does not have"
            )
        hint = f"; the nearest is {stories[nearest]!r}" if nearest else ""
        reason = f"gold for {name!r}, and the source has no such story{hint}; correct movie_id, or add the story"
        refused.append(RefusedFile(f"{file.path}#{name[:100]}", reason))


def _find_nearest(name: str, names: Iterable[str]) -> tuple[str, bool]:
    """Return the most similar of some names, "" where there is none, and whether `name` is a misspelling of it.

    A misspelling differs in one letter, or in one of every twelve (a letter too many, too few or another, two neighbours
    exchanged), and not in its numbers: `s1_e02` is another episode than `s1_e01`.
    """
    found = process.extractOne(name, sorted(names), scorer=fuzz.ratio)
    if found is None:
        return "", False
    nearest: str = found[0]
    allowed = max(1, len(name) // 12)
    numbers = [re.findall(r"\d+", text) for text in (name, nearest)]
    return nearest, numbers[0] == numbers[1] and OSA.distance(name, nearest) <= allowed


def _read(sources: Sources, file: SourceFile) -> str:
    return decode_text(file.path, sources.read(file, TEXT_LIMIT.bytes), MARKUP)


def find_resources(config: ScriptsConfig, resources: Resources) -> Resources:
    """Look for the sentence model where a weight needs it; ConfigError where it is missing."""
    if needs_vectors(config.alignment.weights):
        SentenceEmbedder(config.alignment.embedding_model).check()
    return resources


INGESTION = Ingestion(
    config=ScriptsConfig,
    find_resources=find_resources,
    plan=plan_scripts,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: [config.screenplays, config.long_texts, config.synopsis, config.cast, config.alignment],
)
