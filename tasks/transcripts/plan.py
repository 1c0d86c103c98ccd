"""Planning a run of `transcripts`: the source's files paired to episodes, with everything that their results depend on."""

from collections.abc import Mapping, Sequence

from core.errors import ConfigError, SourceError
from core.fingerprints import fingerprint
from core.text.decoding import decode_text
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.speakers import parse_alias_table
from core.transcripts.discovery import FOLDER_NAMES, EpisodeFiles, UnitRule, find_units
from core.units import SourceFile
from infra.settings import read_profile_table
from infra.sources.listing import list_sources
from infra.sources.opening import read_file
from infra.store.catalog import CatalogEntry
from infra.store.objects import Store
from infra.store.takedown import read_takedown
from tasks.frame.planning import Candidate, RunPlan, plan_units
from tasks.transcripts.build import PIPELINE, STAGE_VERSIONS, EpisodeRequest, checksum_dictionary

MAX_TABLE_BYTES = 2**24


def plan_transcripts(
    sources: Sequence[str],
    store_url: str,
    config: TranscriptsConfig,
    profile: str,
    catalog: Mapping[str, CatalogEntry],
    wordnet: str | None,
    limit: int | None,
) -> RunPlan:
    """List the sources, pair their files to episodes and compare them with the catalog.

    Raises:
        ConfigError: a source does not exist, or the unit rule or an alias table is unusable.
        StoreError: a source could not be listed.
    """
    listing = list_sources(sources, FOLDER_NAMES)
    discovery = find_units(listing, UnitRule(config.unit_pattern))
    aliases = _alias_tables(discovery.alias_table, profile)
    dictionary = checksum_dictionary(config.alignment, wordnet)
    settings = fingerprint("settings", 1, [*aliases, *dictionary], [config, STAGE_VERSIONS])
    candidates = (
        Candidate(files.id, _list_files(files), EpisodeRequest(files, store_url, aliases, config, wordnet))
        for files in discovery.units
    )
    takedown = read_takedown(Store(store_url), PIPELINE)
    return plan_units(listing, candidates, discovery.waiting, discovery.refused, settings, catalog, limit, takedown)


def _alias_tables(file: SourceFile | None, profile: str) -> tuple[str, ...]:
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
