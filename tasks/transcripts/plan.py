"""Planning a run of `transcripts`: the source's files paired to episodes, with everything that their results depend on."""

from pathlib import Path

from core.errors import ConfigError, SourceError
from core.text.decoding import decode_text
from core.transcripts.config import AlignmentConfig, TranscriptsConfig
from core.transcripts.dialogues.speakers import parse_alias_table
from core.transcripts.discovery import FOLDER_NAMES, EpisodeFiles, UnitRule, find_units
from core.units import SourceFile
from infra.models.entities import count_entities
from infra.models.wordnet import checksum_nouns, find_wordnet
from infra.settings import read_profile_table
from infra.sources.listing import list_sources
from infra.sources.opening import read_file
from tasks.frame.landing import SizeLimit
from tasks.frame.pipeline import Discovery, PlanRequest, Resources, Unit

MAX_TABLE_BYTES = 2**24
TEXT_LIMIT = SizeLimit(64 * 2**20, "a transcript or recap", "Divide it into parts (EPISODE-1, EPISODE-2, …)")


def plan_transcripts(request: PlanRequest[TranscriptsConfig]) -> Discovery:
    """List the sources and pair their files to episodes.

    Raises:
        ConfigError: a source does not exist, or the unit rule or an alias table is unusable.
        StoreError: a source could not be listed.
    """
    listing = list_sources(request.sources, FOLDER_NAMES)
    found = find_units(listing, UnitRule(request.config.unit_pattern))
    aliases = _read_alias_tables(found.alias_table, request.profile)
    dictionary = checksum_dictionary(request.config.alignment, request.resources.get("wordnet"))
    return Discovery(
        listing=listing,
        units=[Unit(id=files.id, files=_list_files(files), spec=files) for files in found.units],
        waiting=found.waiting,
        refused=found.refused,
        made_from=[*aliases, *dictionary],
        shared=aliases,
    )


def find_resources(config: TranscriptsConfig, resources: Resources) -> Resources:
    """Look for what the settings need before the first unit starts; return the dictionary's folder, if they need one.

    Raises:
        ConfigError: the tokeniser's dictionary or the entity pipeline is not there; the message says how to get it.
    """
    named = resources.get("wordnet")
    if config.statistics.entity_pipeline:
        count_entities((), config.statistics.entity_pipeline)
    if config.alignment.tokenizer == "tweet-lemmas":  # in full: a worker's folder and environment are others
        return {**resources, "wordnet": str(find_wordnet(Path(named) if named else None).absolute())}
    return resources


def checksum_dictionary(config: AlignmentConfig, wordnet: str | None) -> list[str]:
    """Return what the alignments' fingerprint covers of the dictionary: nothing where the tokeniser reads none."""
    return [checksum_nouns(Path(wordnet) if wordnet else None)] if config.tokenizer == "tweet-lemmas" else []


def _read_alias_tables(file: SourceFile | None, profile: str) -> tuple[str, ...]:
    """Return the texts of the alias tables that apply, the source's own last, so that it has the last word."""
    texts = [read_profile_table(profile, "speakers.tsv") or ""]
    if file is not None and file.size:
        try:
            texts.append(decode_text(file.path, read_file(file, MAX_TABLE_BYTES)))
        except SourceError as error:  # a wrong table is the caller's error, not that of every unit
            raise ConfigError(str(error)) from error
    for text in texts:
        parse_alias_table("speakers.tsv", text)
    return tuple(text for text in texts if text)


def _list_files(files: EpisodeFiles) -> tuple[SourceFile, ...]:
    copies = {file for group in files.duplicates for file in group} - {*files.transcripts, *files.recaps}
    return (*files.transcripts, *files.recaps, *sorted(copies, key=lambda file: file.path))
