"""Planning a run: what the source holds, what the last run left, and so what is to be computed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.fingerprints import fingerprint
from core.references import UnitFailure, UnitReference
from core.text.decoding import decode_text
from core.transcripts.config import TranscriptsConfig
from core.transcripts.dialogues.speakers import parse_alias_table
from core.transcripts.discovery import Discovery, EpisodeFiles, UnitRule, WaitingUnit, find_units
from core.units import SourceFile
from infra.catalog import CatalogEntry
from infra.settings import read_profile_table
from infra.sources import FolderSource
from tasks.transcripts import STAGE_VERSIONS, EpisodeRequest

MAX_TABLE_BYTES = 2**24


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run has to do: `requests` by unit are computed, `reused` are as the last run left them.

    `signatures` by unit go into the catalog with what comes of the unit; `failures` need no computing: refused files, and units
    whose input failed before and has not changed.
    """

    requests: dict[str, EpisodeRequest]
    reused: dict[str, UnitReference]
    signatures: dict[str, str]
    waiting: tuple[WaitingUnit, ...]
    failures: tuple[UnitFailure, ...]
    discovered: tuple[str, ...]
    refused: int

    def paths(self, unit: str) -> tuple[str, ...]:
        """Return the source files of a unit that is to be computed."""
        files = self.requests[unit].files
        return tuple(file.path for file in (*files.transcripts, *files.recaps))


def plan_run(
    source_url: str,
    store_url: str,
    config: TranscriptsConfig,
    profile: str,
    catalog: Mapping[str, CatalogEntry],
    wordnet: str | None,
    limit: int | None,
) -> RunPlan:
    """List the source, pair its files to units and compare them with the catalog.

    Raises:
        ConfigError: the source does not exist, or the unit rule is unusable.
    """
    source = FolderSource(source_url)
    discovery = find_units(source.list_files(), UnitRule(config.unit_pattern))
    aliases = _alias_tables(source, discovery.alias_table, profile)
    units = discovery.units[:limit] if limit is not None else discovery.units
    shared = fingerprint("settings", 1, [*aliases, wordnet or ""], [config, STAGE_VERSIONS])
    signatures = {files.id: _sign(files, shared) for files in units}
    requests: dict[str, EpisodeRequest] = {}
    reused: dict[str, UnitReference] = {}
    failures = [UnitFailure(file.path, (file.path,), "discovery", file.reason, "SourceError", True) for file in discovery.refused]
    for files in units:
        entry = catalog.get(files.id)
        if entry is not None and entry.signature == signatures[files.id] and entry.reference is not None:
            reused[files.id] = entry.reference
        elif entry is not None and entry.signature == signatures[files.id] and entry.failure is not None:
            failures.append(entry.failure)
        else:
            requests[files.id] = EpisodeRequest(files, source_url, store_url, aliases, config, wordnet)
    return RunPlan(
        requests,
        reused,
        signatures,
        discovery.waiting,
        tuple(failures),
        tuple(_names(discovery)),
        len(discovery.refused),
    )


def _alias_tables(source: FolderSource, file: SourceFile | None, profile: str) -> tuple[str, ...]:
    """Return the texts of the alias tables that apply, the source's own last, so that it has the last word."""
    shipped = read_profile_table(profile, "speakers.tsv")
    own = decode_text(file.path, source.read(file.path, MAX_TABLE_BYTES)) if file is not None else None
    texts = tuple(text for text in (shipped, own) if text is not None)
    for text in texts:
        parse_alias_table("speakers.tsv", text)  # a wrong table is the caller's error, not that of every unit
    return texts


def _sign(files: EpisodeFiles, shared: str) -> str:
    listed: list[SourceFile] = [*files.transcripts, *files.recaps, *(file for group in files.duplicates for file in group)]
    return fingerprint("listing", 1, [shared], [(file.path, file.size, file.version) for file in listed])


def _names(discovery: Discovery) -> Iterable[str]:
    return sorted([*(files.id for files in discovery.units), *(unit.id for unit in discovery.waiting)])
