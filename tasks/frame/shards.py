"""Shards: small units that travel together, so that the cost per unit stays constant; a member that fails, fails alone."""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from core.dataset.takedown import Takedown
from core.dataset.units import group_units, name_shard
from core.errors import SourceError, UnreadableFileError
from core.references import UnitFailure, UnitReference
from infra.store.cipher import Cipher
from infra.tables.codecs import TABLE, Codec, check_table, decode_table, encode_table, json_codec, table_codec
from tasks.frame.build import StageResult, UnitWork, explain_misfit
from tasks.frame.model import LandedFile, SizeLimit, Unit
from tasks.frame.records import read_records

logger = logging.getLogger(__name__)

FAILURES = "failures"
SHARD_STAGES = {FAILURES: 1}
"""The stage that every sharded pipeline has beside its own: the members that failed."""

_FORESEEN = 2**20
_FAILURES: Codec[list[UnitFailure]] = json_codec(list[UnitFailure])
Tables = Mapping[str, pa.Table]
"""Rows by stage."""


@dataclass(frozen=True, slots=True)
class Member:
    """A small unit of a shard, ready to be read: its id, its pipeline's description of it, and names and contents of its files.

    A record has one file: the path of the file that it stands in, and its line. `checksum` is of the part of that file then: a
    failure tells by it which state of the file it means, and the file, which may be huge, is not read for it.
    """

    id: str
    spec: Any
    files: tuple[tuple[str, bytes], ...]
    checksum: str = ""


@dataclass(frozen=True, slots=True)
class MemberRows:
    """A member's rows by stage. `failure` is why it failed all the same, or "": its rows may say what was found in it."""

    tables: Tables
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardRules:
    """How a pipeline's shards are built.

    `read` makes the rows of each stage of one member, or raises SourceError. `column` holds the member's id in every stage's
    table. `settings` is what the rows depend on. `stages` maps a stage to its schema. `limit` is of one file.
    `tabulate_failure` makes the rows that stand for a member that failed (its id and the reason); `kept` are the stages in which
    such a member keeps its earlier rows: a file that goes bad takes nothing out of a dataset. `joined`: all records of one id, of
    whatever files, are one member, and `cipher` opens them (`tasks.frame.records.RecordFiles`).
    """

    read: Callable[[Member], MemberRows]
    column: str
    settings: object
    stages: Mapping[str, pa.Schema]
    limit: SizeLimit
    kept: tuple[str, ...]
    tabulate_failure: Callable[[str, str], Tables] = lambda _, __: {}
    joined: bool = False
    foresee: Callable[[Sequence[Member]], None] | None = None
    cipher: Cipher | None = None


@dataclass(frozen=True, slots=True)
class _LandedMember:
    """A member with its landed files (without contents), `size` bytes in all; or why it could not land."""

    unit: Unit
    files: tuple[LandedFile, ...] = ()
    size: int = 0
    failure: UnitFailure | None = None


@dataclass(frozen=True, slots=True)
class _Contents:
    """What a shard holds: the landed files, what its fingerprint covers, its size in bytes, and its members one at a time.

    `owners` has the member that each file belongs to.
    """

    files: tuple[LandedFile, ...]
    inputs: tuple[str, ...]
    size: int
    members: Callable[[], Iterator[Member | UnitFailure]]
    owners: tuple[str, ...] = ()


@dataclass(slots=True)
class _Rows:
    tables: dict[str, list[pa.Table]] = field(default_factory=dict)
    failures: list[UnitFailure] = field(default_factory=list)

    def fail(self, failure: UnitFailure, rules: ShardRules) -> None:
        self.failures.append(failure)
        self.add(rules.tabulate_failure(failure.unit, failure.reason))

    def add(self, tables: Tables) -> None:
        for stage, table in tables.items():
            self.tables.setdefault(stage, []).append(table)


def group_members(units: Sequence[Unit], count: int, takedown: Takedown) -> tuple[list[Unit], dict[str, tuple[str, str]]]:
    """Return the shards, of `count`, that small units travel in, in order: the hash of a unit's id says in which.

    Also return the units that are taken down, and so in no shard, each with the shard that it would be in and its own id.
    """
    by_id = {unit.id: unit for unit in units if unit.id not in takedown}
    grouped = {shard: tuple(by_id[name] for name in names) for shard, names in group_units(by_id, count).items()}
    shards = [
        Unit(id=shard, files=tuple(file for member in members for file in member.files), members=members)
        for shard, members in grouped.items()
    ]
    return shards, {unit.id: (name_shard(unit.id, count), unit.id) for unit in units if unit.id in takedown}


def build_shard(work: UnitWork[Any], rules: ShardRules) -> UnitReference:
    """Build a shard, one member at a time; a member that fails is named in the reference and the others go on."""
    contents = _open_records(work, rules) if work.unit.records else _land_members(work, rules.limit)
    read = cache(lambda: _read_members(contents, rules))
    results: dict[str, StageResult[pa.Table]] = {}
    for stage, schema in rules.stages.items():
        concat = partial(_concat, read, stage, schema)
        results[stage] = work.run(stage, table_codec(schema), contents.inputs, rules.settings, concat)
    failures = work.run(FAILURES, _FAILURES, contents.inputs, rules.settings, lambda: read().failures).load()
    for stage in rules.kept:
        results[stage] = _keep_earlier(work, rules, stage, results[stage], [failure.unit for failure in failures])
    total, landed = len(work.unit.member_ids), len(work.unit.member_ids) - len(failures)
    logger.info("%s: %d of %d members landed", work.unit.id, landed, total)
    return work.refer(contents.files, {"members": landed, "characters": contents.size}, tuple(failures), contents.owners)


def _land_members(work: UnitWork[Any], limit: SizeLimit) -> _Contents:
    landed = [_land_member(work, member, limit) for member in work.unit.members]

    def read() -> Iterator[Member | UnitFailure]:
        for entry in landed:
            if entry.failure is not None:
                yield entry.failure
            else:
                contents = tuple((landed.file.path, work.store.read(landed.key)) for landed in entry.files)
                yield Member(entry.unit.id, entry.unit.spec, contents)

    return _Contents(
        tuple(file for entry in landed for file in entry.files),
        (work.unit.id, *map(_identify, landed)),
        sum(entry.size for entry in landed),
        read,
        tuple(entry.unit.id for entry in landed for _ in entry.files),
    )


def _land_member(work: UnitWork[Any], member: Unit, limit: SizeLimit) -> _LandedMember:
    files, size = [], 0
    try:
        for file in member.files:
            landed = work.land(file, limit)
            size += len(landed.content)
            files.append(replace(landed, content=b""))  # the contents of a whole shard would fill the memory
    except (SourceError, UnreadableFileError) as error:
        permanent = not isinstance(error, UnreadableFileError)  # the next run may find such files readable
        paths = tuple(file.path for file in member.files)
        failure = UnitFailure(member.id, paths, "build", str(error), type(error).__name__, permanent)
        return _LandedMember(member, failure=failure)
    return _LandedMember(member, tuple(files), size)


def _identify(entry: _LandedMember) -> str:
    """Return everything that a member's rows are made from. Names of files count: they tell languages and stand in the rows."""
    files = [(file.file.path, file.sha256) for file in entry.files]
    return json.dumps([entry.unit.id, entry.unit.made_from, files, entry.failure.reason if entry.failure else ""])


def _open_records(work: UnitWork[Any], rules: ShardRules) -> _Contents:
    parts, out = work.unit.records, work.unit.taken_down
    files = tuple(LandedFile(file, part.key, part.sha256, b"") for file, part in zip(work.unit.files, parts, strict=True))

    def read() -> Iterator[Member | UnitFailure]:
        seen: dict[str, str] = {}
        for part in parts:
            for name, line in read_records(work.store, part, rules.cipher):
                if name in out:
                    continue
                if (first := seen.setdefault(name, part.path)) != part.path:
                    reason = f"{part.path}: the record {name} stands in {first} too; keep one of them"
                    yield UnitFailure(f"{name}@{part.path}", (part.path,), "build", reason, "SourceError", True, part.sha256)
                else:
                    yield Member(name, None, ((part.path, line),), part.sha256)

    def read_joined() -> Iterator[Member | UnitFailure]:
        lines: dict[str, dict[bytes, str]] = {}
        for part in parts:
            for name, line in read_records(work.store, part, rules.cipher):
                if name not in out:
                    lines.setdefault(name, {}).setdefault(line, part.path)  # the same line in two files counts once
        checksum = hashlib.sha256("".join(part.sha256 for part in parts).encode()).hexdigest()
        for name, found in lines.items():
            yield Member(name, None, tuple((path, line) for line, path in found.items()), checksum)

    inputs = (work.unit.id, *(f"{part.path} {part.sha256}" for part in parts), *sorted(out))
    return _Contents(files, inputs, sum(part.size for part in parts), read_joined if rules.joined else read)


def _read_members(contents: _Contents, rules: ShardRules) -> _Rows:
    """Return the rows of every stage; what a member's rows are made from is let go before the next member is read."""
    rows = _Rows()
    for member in _show_members(contents.members(), rules.foresee):
        if isinstance(member, UnitFailure):
            rows.fail(member, rules)
            continue
        paths = tuple(dict.fromkeys(path for path, _ in member.files))
        describe = partial(UnitFailure, member.id, paths, "build", permanent=True, checksum=member.checksum)
        try:
            found = _read_member(member, rules)
        except SourceError as error:
            rows.fail(describe(reason=str(error), error=type(error).__name__), rules)
            continue
        rows.add(found.tables)
        if found.failure:
            rows.failures.append(describe(reason=found.failure, error=SourceError.__name__))
    return rows


def _show_members(
    members: Iterator[Member | UnitFailure], foresee: Callable[[Sequence[Member]], None] | None
) -> Iterator[Member | UnitFailure]:
    """Yield the members in order, after they have been shown in groups that end with the first one over `_FORESEEN` bytes."""
    if foresee is None:
        yield from members
        return
    while group := _take_group(members):
        foresee([member for member in group if isinstance(member, Member)])
        yield from group


def _take_group(members: Iterator[Member | UnitFailure]) -> list[Member | UnitFailure]:
    group: list[Member | UnitFailure] = []
    size = 0
    for member in members:
        group.append(member)
        size += sum(len(content) for _, content in member.files) if isinstance(member, Member) else 0
        if size >= _FORESEEN:
            break
    return group


def _read_member(member: Member, rules: ShardRules) -> MemberRows:
    """Return a member's rows, which fit the schemas of their stages.

    Raises:
        SourceError: the member is bad, or its rows do not fit.
    """
    try:
        found = rules.read(member)
        for stage, table in found.tables.items():
            check_table(table, rules.stages[stage])
    except RecursionError as error:
        raise SourceError(f"{member.id}: nested too deeply; correct the record, or take it out of its file") from error
    except (pa.ArrowException, TypeError, ValueError, LookupError, AttributeError) as error:
        raise SourceError(
            f"{member.id}: what was read of it does not fit the schema ({explain_misfit(error)}); look at its files, and report "
            "it if they are in order"
        ) from error
    return found


def _concat(read: Callable[[], _Rows], stage: str, schema: pa.Schema) -> pa.Table:
    return pa.concat_tables([schema.empty_table(), *read().tables.get(stage, [])]).combine_chunks()


def _keep_earlier(
    work: UnitWork[Any], rules: ShardRules, stage: str, result: StageResult[pa.Table], failed: Sequence[str]
) -> StageResult[pa.Table]:
    """Return a stage's rows with the earlier rows of the members that failed."""
    earlier = work.earlier.get(stage)
    found = work.store.read_if_there(earlier.key) if failed and earlier is not None else None
    if found is None or earlier is None:
        return result
    if found[1] != earlier.sha256:
        unit, names = work.unit.id, ", ".join(failed[:10])
        logger.warning("%s: %s is damaged; the rows of members that fail now are left out: %s", unit, earlier.key, names)
        return result
    table = decode_table(found[0])
    kept = table.filter(pc.is_in(table.column(rules.column), pa.array(failed, pa.string())))
    if not len(kept):
        return result
    made_from = [result.artifact.fingerprint, hashlib.sha256(encode_table(kept)).hexdigest()]
    return work.run(stage, TABLE, made_from, [], lambda: pa.concat_tables([result.load(), kept]).sort_by(rules.column))
