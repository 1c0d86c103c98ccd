"""Planning a release: which split each unit goes to, the version, and the shards to write."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from core.fingerprints import canonicalise
from core.references import UnitReference
from core.shards import plan_shards
from core.splits import SPLITS, Split, assign_splits
from core.transcripts.config import TranscriptsConfig
from core.transcripts.order import find_preceding
from infra.release import digest_contents, read_manifest, release_key
from infra.release_tables import Provenance
from infra.store import Store
from tasks.release import ShardRequest, ShardUnit, TableName

CONFIGS: tuple[TableName, ...] = ("pairs", "dialogues", "summaries")
RELEASE_VERSION = 1
"""Raised when the files of a release change though their contents' artifacts do not."""
_STAGES = ("dialogue", "recap", "alignments")


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """A release to be: `requests` by file path are its tables. `splits` holds every unit that any release placed."""

    dataset: str
    version: str
    folder: str
    parent: str | None
    unchanged: bool
    splits: dict[str, Split]
    requests: dict[str, ShardRequest]
    configuration: object


def plan_release(
    store: Store, dataset: str, references: Mapping[str, UnitReference], known_units: tuple[str, ...], config: TranscriptsConfig
) -> ReleasePlan:
    """Plan the release of the given units.

    Args:
        store: where the dataset's earlier releases are.
        dataset: its name.
        references: every landed unit.
        known_units: ids of all units that discovery saw, landed or not: a recap may retell an episode that is not there.
        config: of the run.
    """
    latest = read_manifest(store, dataset)
    placed: dict[str, Split] = latest["splits"] if latest else {}
    splits = assign_splits(list(references), config.split, placed)
    configuration = canonicalise(asdict(config))
    contents = [
        f"{unit} {split} {references[unit].artifacts[stage].sha256}" for unit, split in splits.items() for stage in _STAGES
    ]
    version = digest_contents(contents, [RELEASE_VERSION, configuration])
    folder = release_key(dataset, version)
    preceding = find_preceding(known_units)
    units = {
        unit: ShardUnit(
            unit,
            reference.artifacts["dialogue"].key,
            reference.artifacts["recap"].key,
            reference.artifacts["alignments"].key,
            Provenance("; ".join(reference.sources), config.provenance.license, config.provenance.attribution),
            preceding.get(unit),
        )
        for unit, reference in references.items()
    }
    requests = {
        path: ShardRequest(store.url, folder, path, table, tuple(units[unit] for unit in members), config.filter)
        for path, table, members in _plan_tables(splits, references, config)
    }
    unchanged = latest is not None and latest["version"] == version
    parent = latest["parent"] if latest and unchanged else latest["version"] if latest else None
    return ReleasePlan(dataset, version, folder, parent, unchanged, {**placed, **splits}, requests, configuration)


def _plan_tables(
    splits: Mapping[str, Split], references: Mapping[str, UnitReference], config: TranscriptsConfig
) -> Iterator[tuple[str, TableName, list[str]]]:
    sizes = {unit: references[unit].counts["characters"] for unit in splits}
    # Every chunking holds nearly the whole dialogue again, and there are as many chunkings of a size as it has sentences.
    copies = {"pairs": sum(config.alignment.chunk_sizes), "dialogues": 2, "summaries": 1}
    for table in CONFIGS:
        for split in SPLITS:
            members = ((unit, sizes[unit] * copies[table]) for unit, placed in splits.items() if placed == split)
            yield from _name_shards(f"data/{table}/{split}", table, plan_shards(members))
    for name in ("alignments", "rejects"):
        whole = ((unit, sizes[unit] // 2) for unit in splits)
        yield from _name_shards(f"{name}/{name}", name, plan_shards(whole))


def _name_shards(prefix: str, table: TableName, shards: list[list[str]]) -> Iterator[tuple[str, TableName, list[str]]]:
    for number, members in enumerate(shards):
        yield f"{prefix}-{number:05d}-of-{len(shards):05d}.parquet", table, members
