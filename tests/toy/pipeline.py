"""A toy pipeline: letters with a summary each, one a line of a JSON Lines file. Its whole code, but for a flow of one line."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow as pa

from core.dataset.splits import SplitConfig
from core.dataset.units import ProvenanceConfig
from core.errors import SourceError
from core.references import UnitReference
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.columns import PROVENANCE, TURNS, required
from infra.tables.parquet import Rows, assemble
from tasks.frame.building import UnitWork
from tasks.frame.ingestion import Discovery, Ingestion, PlanRequest
from tasks.frame.pipeline import Pipeline
from tasks.frame.records import RECORD, RecordFiles, is_record_file, shard_records
from tasks.frame.release import ReleaseUnit, TableSpec
from tasks.frame.release_spec import ReleaseSpec
from tasks.frame.shards import SHARD_STAGES, Member, MemberRows, ShardRules, build_shard

LETTER = pa.schema([required("id", pa.string()), required("summary", pa.string()), required("turns", TURNS)])
LETTERS = pa.schema([*LETTER, *PROVENANCE])


@dataclass(frozen=True, slots=True)
class ToyConfig:
    """Every setting."""

    shards: int = 4
    split: SplitConfig = field(default_factory=SplitConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)


def name_letter(line: bytes) -> str:
    """Return the id of a letter."""
    try:
        return str(json.loads(line)["id"])
    except (ValueError, KeyError, TypeError) as error:
        raise SourceError(f"no letter ({error!r}); expected an object with an id") from error


def plan_toy(request: PlanRequest[ToyConfig]) -> Discovery:
    """Find the files of letters."""
    listing = request.sources.list_files()
    files = [file for file in listing if is_record_file(file.path)]
    records = RecordFiles(files=files, name=name_letter, version=1, shards=request.config.shards)
    divided = shard_records(request, "toy", records)
    return Discovery(listing=listing, units=divided.units, refused=divided.refused, taken_down=divided.taken_down)


def build_letters(work: UnitWork[ToyConfig]) -> UnitReference:
    """Build a shard of letters."""
    rules = ShardRules(read=_read_letter, column="id", settings=None, stages={"letters": LETTER}, limit=RECORD, kept=("letters",))
    return build_shard(work, rules)


def _read_letter(member: Member) -> MemberRows:
    letter = json.loads(member.files[0][1])
    if not letter.get("lines"):
        raise SourceError(f"{member.id}: no lines; expected what the two say to each other")
    turns = [{"number": n, "speakers": ["A" if n % 2 else "B"], "text": text} for n, text in enumerate(letter["lines"])]
    row = {"id": member.id, "summary": letter["summary"], "turns": turns}
    return MemberRows({"letters": pa.Table.from_pylist([row], schema=LETTER)})


def _build_rows(store: Store, unit: ReleaseUnit) -> Rows:
    table = decode_table(unit.read(store, "letters"))
    return Rows(assemble(LETTERS, table, {name: table.column(name) for name in LETTER.names}, unit.provenance))


def _show(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    for row in decode_table(store.read(reference.artifacts["letters"].key)).to_pylist():
        yield from [f"{row['id']}: {row['summary']}"] if name in (row["id"], reference.unit) else []


VERSIONS = {"letters": 1, **SHARD_STAGES}
INGESTION = Ingestion(
    config=ToyConfig, plan=plan_toy, build=build_letters, stage_versions=VERSIONS, result_settings=lambda config: config.shards
)
RELEASE: ReleaseSpec[ToyConfig] = ReleaseSpec(
    tables=lambda _: [TableSpec(name="letters", schema=LETTERS, build=_build_rows, config=True, expansion=1)],
    released_stages=("letters",),
    show=_show,
)
TOY = Pipeline(
    name="toy",
    summary="Pair letters.",
    source="Folder with *.jsonl.",
    cron="0 6 * * *",
    rhythm="daily",
    load_ingestion=lambda: INGESTION,
    load_release=lambda: RELEASE,
)
