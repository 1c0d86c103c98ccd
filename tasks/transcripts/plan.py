"""Planning a run of `transcripts`: the sources' files paired to episodes, with the alias tables that all of them share."""

import logging

from core.dataset.units import SourceFile
from core.errors import ConfigError, SourceError
from core.fingerprints import fingerprint
from core.text.decoding import decode_text
from core.transcripts.config import TranscriptsConfig
from core.transcripts.discovery import FOLDER_NAMES, EpisodeFiles, UnitRule, find_units
from core.transcripts.people import hide_settings
from infra.named_files import read_profile_table
from infra.pseudonym_key import find_weakness, identify_key
from tasks.frame.model import Discovery, PlanRequest, Unit
from tasks.transcripts.names import SharedNames, find_people, read_aliases

MAX_TABLE_BYTES = 2**24
logger = logging.getLogger(__name__)


def plan_transcripts(request: PlanRequest[TranscriptsConfig]) -> Discovery:
    """List the sources and pair their files to episodes.

    Raises:
        ConfigError: a source does not exist, the unit rule or an alias table is unusable, or the key of pseudonyms is not there.
        StoreError: a source could not be listed.
    """
    listing = request.sources.list_files(FOLDER_NAMES)
    found = find_units(listing, UnitRule(request.config.unit_pattern))
    tables = _read_alias_tables(request, found.alias_table)
    people = find_people(request.store, request.config, tables)
    if people and (weakness := find_weakness()):
        logger.warning("%s", weakness)
    key = identify_key(people.key) if people else ""
    hidden = hide_settings(request.config, people) if people else None
    return Discovery(
        listing=listing,
        units=[Unit(id=files.id, files=_list_files(files), spec=files) for files in found.units],
        waiting=found.waiting,
        refused=found.refused,
        made_from=[*tables, *([key, fingerprint("settings", 1, [], hidden)] if hidden else [])],
        shared=SharedNames(tables, key),
        disclosed=hidden,
    )


def _read_alias_tables(request: PlanRequest[TranscriptsConfig], file: SourceFile | None) -> tuple[str, ...]:
    """Return the texts of the alias tables that apply, the source's own last, so that it has the last word."""
    texts = [read_profile_table(request.profile, "speakers.tsv") or ""]
    if file is not None and file.size:
        try:
            texts.append(decode_text(file.path, request.sources.read(file, MAX_TABLE_BYTES)))
        except SourceError as error:  # a wrong table is the caller's error, not that of every unit
            raise ConfigError(str(error)) from error
    for text in texts:
        read_aliases(text)
    return tuple(text for text in texts if text)


def _list_files(files: EpisodeFiles) -> tuple[SourceFile, ...]:
    copies = {file for group in files.duplicates for file in group} - {*files.transcripts, *files.recaps}
    return (*files.transcripts, *files.recaps, *sorted(copies, key=lambda file: file.path))
