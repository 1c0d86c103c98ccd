"""Planning a run of `transcripts`: the files paired to episodes, and the alias tables and people that all of them share."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.dataset.units import SourceFile
from core.errors import ConfigError, SourceError
from core.fingerprints import fingerprint
from core.text.decoding import decode_text
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.formats import refuse_unknown
from core.transcripts.dialogues.speakers import Alias, parse_alias_table
from core.transcripts.discovery import FOLDER_NAMES, EpisodeFiles, find_units
from core.transcripts.people import People, hide_settings, know_people
from infra.named_files import read_profile_table
from infra.pseudonym_key import find_weakness, identify_key, read_pseudonym_key
from infra.store.answers import fingerprint_answers
from infra.store.objects import Store
from tasks.frame.model import Discovery, PlanRequest, Unit


@dataclass(frozen=True, slots=True)
class SharedNames:
    """What all episodes share: the texts of the alias tables, and what identifies the key of pseudonyms ("": there are none)."""

    tables: tuple[str, ...]
    key: str = ""


def find_people(store: Store, config: TranscriptsConfig, tables: Sequence[str], expected: str | None = None) -> People | None:
    """Return whom the tables and the settings name, None where names stay; errors as in `read_pseudonym_key`."""
    if not config.cleaning.pseudonyms:
        return None
    rows = [(row.label, row.speakers) for text in tables for row in read_aliases(text)]
    return know_people(read_pseudonym_key(store, expected), rows, config)


@lru_cache(maxsize=8)  # a worker builds many episodes, and parses a table once
def read_aliases(text: str) -> tuple[Alias, ...]:
    """Return the rows of an alias table."""
    return parse_alias_table("speakers.tsv", text)


MAX_TABLE_BYTES = 2**24
MAX_TRANSCRIPT_BYTES = 64 * 2**20
logger = logging.getLogger(__name__)


def plan_transcripts(request: PlanRequest[TranscriptsConfig]) -> Discovery:
    """List the sources and pair their files to episodes."""
    listing = request.sources.list_files(FOLDER_NAMES, records="transcripts")
    found = find_units(listing, request.config.unit_pattern)
    found = refuse_unknown(found, lambda file: request.sources.read(file, MAX_TRANSCRIPT_BYTES))
    tables = _read_alias_tables(request, found.alias_table)
    people = find_people(request.store, request.config, tables)
    if people and (weakness := find_weakness()):
        logger.warning("%s", weakness)
    key = identify_key(people.key) if people else ""
    hidden = hide_settings(request.config, people) if people else None
    answers = fingerprint_answers(request.store, request.config.reader)
    return Discovery(
        listing=listing,
        units=[Unit(id=files.id, files=_list_files(files), spec=files) for files in found.units],
        waiting=found.waiting,
        refused=found.refused,
        made_from=[*tables, *([key, fingerprint("settings", 1, [], hidden)] if hidden else []), *answers],
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
