"""Three pipelines of a few lines each, so that tests of the frame need no paper's method and a run takes milliseconds.

`LETTERS` makes a unit of every text file, `NOTES` puts the same files into shards, `POSTS` reads records out of large files.
A text with the word `bad` is refused.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa

from core.dataset.splits import SplitConfig
from core.dataset.units import ProvenanceConfig, RefusedFile, SourceFile, WaitingUnit
from core.errors import SourceError
from core.references import UnitReference
from infra.store.objects import Store
from infra.tables.codecs import TABLE, decode_table, json_codec
from infra.tables.columns import PROVENANCE, required
from infra.tables.parquet import Rows, assemble
from tasks.frame.build import UnitWork, join_checksums
from tasks.frame.model import Discovery, Ingestion, PlanRequest, SizeLimit, Unit
from tasks.frame.pipeline import Part, Pipeline, Resource, Value
from tasks.frame.records import RecordFiles, is_record_file, shard_records
from tasks.frame.release_spec import Landed, ReleaseSpec, ReleaseUnit, ShardReference, Summary, TableSpec
from tasks.frame.shards import SHARD_STAGES, Member, MemberRows, ShardRules, build_shard, group_members

LIMIT = SizeLimit(1000, "a text", "Cut it")
ARTIFACT = pa.schema([required("id", pa.string()), required("unit", pa.string()), required("text", pa.string())])
TEXTS = pa.schema([*ARTIFACT, *PROVENANCE])
SIZE = json_codec(int)


@dataclass(frozen=True, slots=True)
class ToyConfig:
    """`upper` writes texts in capitals; `longest` lines of a text are refused above it; `shards` is their number."""

    upper: bool = False
    shards: int = 4
    longest: int = 100
    names: dict[str, str] = field(default_factory=dict)
    split: SplitConfig = field(default_factory=SplitConfig)
    provenance: ProvenanceConfig = field(default_factory=ProvenanceConfig)


def write_text(source: Path, unit: str, *lines: str) -> Path:
    """Write a text of a unit, one row a line."""
    source.mkdir(parents=True, exist_ok=True)
    path = source / f"{unit}.txt"
    path.write_text("\n".join(lines or (f"The first line of {unit}.", f"The second line of {unit}.")))
    return path


def write_texts(source: Path, units: Iterable[str], *lines: str) -> Path:
    """Write a text of each unit, and return the source."""
    for unit in units:
        write_text(source, unit, *lines)
    return source


def list_texts(request: PlanRequest[ToyConfig]) -> Discovery:
    """Find the text files; one whose name has a space is refused, one called `half` waits."""
    files = [file for file in request.sources.list_files() if file.path.endswith(".txt")]
    whole = [file for file in files if " " not in file.path and not file.path.startswith("half")]
    return Discovery(
        listing=files,
        units=[Unit(id=PurePosixPath(file.path).stem, files=(file,)) for file in whole],
        waiting=[WaitingUnit(PurePosixPath(file.path).stem, "end", (file,)) for file in files if file.path.startswith("half")],
        refused=[RefusedFile(file.path, f"{file.path}: rename the file") for file in files if " " in file.path],
    )


def list_small_texts(request: PlanRequest[ToyConfig]) -> Discovery:
    """Find the text files, which travel in shards."""
    found = list_texts(request)
    shards, taken_down = group_members(found.units, request.config.shards, request.takedown)
    return Discovery(listing=found.listing, units=shards, waiting=found.waiting, refused=found.refused, taken_down=taken_down)


def list_posts(request: PlanRequest[ToyConfig]) -> Discovery:
    """Find the files of records."""
    files = [file for file in request.sources.list_files() if is_record_file(file.path)]
    divided = shard_records(request, "posts", divide_posts(files, request.config.shards))
    return Discovery(listing=files, units=divided.units, refused=divided.refused, taken_down=divided.taken_down)


def divide_posts(files: Sequence[SourceFile], shards: int = 4, limit: SizeLimit = LIMIT) -> RecordFiles:
    """Return how files of posts are divided."""
    return RecordFiles(files=files, name=name_post, version=1, shards=shards, limit=limit)


def name_post(line: bytes) -> str:
    """Return the id of a post."""
    try:
        return str(json.loads(line)["id"])
    except (ValueError, KeyError, TypeError) as error:
        raise SourceError("no JSON object with an id") from error


def build_letter(work: UnitWork[ToyConfig]) -> UnitReference:
    """Build one text: its rows, and their number in a stage of its own."""
    landed = [work.land(file, LIMIT) for file in work.unit.files]
    upper = work.config.upper

    def read() -> pa.Table:
        return pa.concat_tables([tabulate(work.unit.id, file.file.path, file.content, upper) for file in landed])

    text = work.run("text", TABLE, join_checksums(landed), upper, read)
    work.run("size", SIZE, [text.artifact.fingerprint], [], lambda: len(text.load()))
    return work.refer(landed, {"characters": sum(len(file.content) for file in landed)})


def build_notes(work: UnitWork[ToyConfig]) -> UnitReference:
    """Build a shard of texts."""
    return build_shard(work, _rules(work.config, lambda content: content))


def build_posts(work: UnitWork[ToyConfig]) -> UnitReference:
    """Build a shard of posts."""
    return build_shard(work, _rules(work.config, lambda line: str(json.loads(line)["text"]).encode()))


def _rules(config: ToyConfig, unpack: Any) -> ShardRules:
    def read(member: Member) -> MemberRows:
        ((path, content),) = member.files
        return MemberRows({"text": tabulate(member.id, path, unpack(content), config.upper)})

    return ShardRules(read=read, column="unit", settings=config.upper, stages={"text": ARTIFACT}, limit=LIMIT, kept=("text",))


def tabulate(unit: str, path: str, content: bytes, upper: bool) -> pa.Table:
    """Return the rows of a text, one a line."""
    if b"bad" in content:
        raise SourceError(f"{path}: the text of {unit} is bad")
    lines = content.decode().upper() if upper else content.decode()
    rows = [{"id": f"{unit}_{place:04d}", "unit": unit, "text": line} for place, line in enumerate(lines.splitlines())]
    return pa.Table.from_pylist(rows, schema=ARTIFACT)


def build_rows(store: Store, unit: ReleaseUnit) -> Rows:
    """Return a unit's rows in a release."""
    table = decode_table(unit.read(store, "text"))
    return Rows(assemble(TEXTS, table, {"id": table.column("id")}, unit.provenance))


def summarise(landed: Landed[ToyConfig], shards: Sequence[ShardReference]) -> Summary:
    """Return how many units and rows a release has."""
    statistics = {"units": len(landed.references), "rows": sum(shard.rows for shard in shards)}
    return Summary(statistics, [{"metric": name, "value": str(value)} for name, value in statistics.items()])


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyPipeline(Pipeline):
    """A pipeline that has its parts at hand, by name."""

    parts: Mapping[str, Any]

    def find(self, part: Part[Value]) -> Value | None:
        """Return a part."""
        return self.parts.get(part.name)

    def change(self, **parts: Any) -> "ToyPipeline":
        """Return the pipeline with other parts."""
        return replace(self, parts={**self.parts, **parts})


RELEASE: ReleaseSpec[ToyConfig] = ReleaseSpec(
    tables=lambda _: (TableSpec(name="texts", schema=TEXTS, build=build_rows, config=True, expansion=1.0),),
    released_stages=("text",),
)


def make_pipeline(name: str, plan: Any, build: Any, versions: Mapping[str, int]) -> ToyPipeline:
    """Return a pipeline of texts."""
    ingestion: Ingestion[ToyConfig] = Ingestion(
        config=ToyConfig, plan=plan, stage_versions=versions, result_settings=lambda config: config.upper
    )
    return ToyPipeline(
        name=name,
        summary="Copy texts.",
        source="Folder of texts.",
        cron="0 0 * * *",
        rhythm="every night",
        parts={"INGESTION": ingestion, "build": build, "RELEASE": RELEASE, "summarise": summarise},
        resources=(Resource(name="word_list", help="A list of words.", metavar="FILE"),),
    )


LETTERS = make_pipeline("letters", list_texts, build_letter, {"text": 1, "size": 1})
NOTES = make_pipeline("notes", list_small_texts, build_notes, {"text": 1, **SHARD_STAGES})
POSTS = make_pipeline("posts", list_posts, build_posts, {"text": 1, **SHARD_STAGES})
