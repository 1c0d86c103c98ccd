"""The tables and statistics of a `rooms` release; copies are found among all units before the tables are written."""

from collections.abc import Mapping, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq

from core.dataset.split_groups import natural_key
from core.fingerprints import fingerprint
from core.rooms.config import RoomsConfig
from core.rooms.copies import Copied, find_copies
from infra.store.objects import Store
from infra.tables.codecs import TABLE, decode_table
from infra.tables.parquet import Rows
from infra.tables.rooms import (
    REJECTS,
    ROOMS,
    judge_sentences,
    name_sentence,
    read_copies,
    read_prints,
    release_rejects,
    release_rooms,
    tabulate_copies,
)
from tasks.frame.build import run_stage
from tasks.frame.release_spec import Landed, ReleaseUnit, TableSpec, read_artifact

COPIES_STAGE = "copies"
COPIES_VERSION = 1


def list_tables(landed: Landed[RoomsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables of a release: the descriptions, and every other sentence with the reason and the parts of its score."""
    kept, rejected = (partial(_build, name, landed.config) for name in ("rooms", "rejects"))
    return (
        TableSpec(name="rooms", schema=ROOMS, build=kept, config=True, expansion=0.3),
        TableSpec(name="rejects", schema=REJECTS, build=rejected, config=False, expansion=1.5),
    )


def find_unit_copies(landed: Landed[RoomsConfig]) -> Mapping[str, Mapping[str, str | None]]:
    """Find copies among all units, and return for each the key of the table that names them (`copies`).

    The table is made once for the same units with the same settings. Units that the takedown list keeps out do not count.
    """
    units = sorted((unit for unit in landed.references if unit not in landed.withheld.units), key=natural_key)
    artifacts = [(unit, landed.references[unit].artifacts) for unit in units]
    inputs = [f"{unit} {found['prints'].sha256} {found['sentences'].sha256}" for unit, found in artifacts]
    key = fingerprint(COPIES_STAGE, COPIES_VERSION, inputs, landed.config.copies)

    def compute() -> pa.Table:
        prints = [
            read_prints(unit, decode_table(read_artifact(landed.store, unit, found["prints"]))) for unit, found in artifacts
        ]
        copies = find_copies(prints, landed.config.copies)
        return tabulate_copies(copies, _name_originals(landed, copies))

    result = run_stage(landed.store, "rooms", COPIES_STAGE, "all", key, TABLE, compute)
    return {unit: {"copies": result.artifact.key} for unit in units}


def _name_originals(landed: Landed[RoomsConfig], copies: Sequence[Copied]) -> dict[tuple[str, int], str]:
    """Return the ids of the sentences that others repeat."""
    wanted: dict[str, set[int]] = {}
    for entry in copies:
        wanted.setdefault(entry.original_unit, set()).add(entry.original)
    names = {}
    for unit, places in wanted.items():
        table = decode_table(read_artifact(landed.store, unit, landed.references[unit].artifacts["sentences"]))
        members, numbers = table.column("member"), table.column("number")
        for place in places:
            names[unit, place] = name_sentence(members[place].as_py(), numbers[place].as_py())
    return names


def _build(table: str, config: RoomsConfig, store: Store, unit: ReleaseUnit) -> Rows:
    key = unit.facts["copies"]
    assert key is not None
    with store.reading(key) as stream:
        copies = read_copies(unit.unit, pq.read_table(stream, filters=[("unit", "=", unit.unit)]))
    sentences, parts = (decode_table(unit.read(store, stage)) for stage in ("sentences", "parts"))
    kept, rejected = judge_sentences(sentences, parts, copies, config, unit.provenance, unit.reviews)
    return release_rooms(kept) if table == "rooms" else release_rejects(rejected)
