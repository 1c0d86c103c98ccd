"""The tables of a `threads` release: dialogues, and everything that was dropped."""

from functools import partial

import numpy as np

from core.threads.config import ThreadsConfig
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.parquet import Rows
from infra.tables.threads import DIALOGUES, DROPS, release_dialogues, release_drops
from tasks.frame.release import ReleaseUnit, TableSpec, read_artifact
from tasks.frame.release_spec import Landed


def list_tables(landed: Landed[ThreadsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables of a release. The post-filter compares all dialogues, so their coherence is read here."""
    least = find_least_coherence(landed)
    return (
        TableSpec(name="dialogues", schema=DIALOGUES, build=partial(_build_dialogues, least), config=True, expansion=0.3),
        TableSpec(name="rejects", schema=DROPS, build=partial(_build_drops, least), config=False, expansion=0.1),
    )


def find_least_coherence(landed: Landed[ThreadsConfig]) -> float:
    """Return the coherence below which the post-filter drops a dialogue (section 3.2.5): the quantile of its share.

    Memory in proportion to the number of dialogues (8 bytes each).
    """
    share = landed.config.postfilter.drop_share
    columns = [
        decode_table(read_artifact(landed.store, unit, reference.artifacts["dialogues"])).column("coherence").to_numpy()
        for unit, reference in landed.references.items()
        if share
    ]
    known = np.concatenate(columns) if columns else np.zeros(0)
    return float(np.quantile(known, share)) if len(known) else 0.0


def _build_dialogues(least: float, store: Store, unit: ReleaseUnit) -> Rows:
    return release_dialogues(decode_table(unit.read(store, "dialogues")), least, unit.provenance, unit.reviews)


def _build_drops(least: float, store: Store, unit: ReleaseUnit) -> Rows:
    drops, dialogues = (decode_table(unit.read(store, stage)) for stage in ("drops", "dialogues"))
    return release_drops(drops, dialogues, least, unit.provenance, unit.reviews)
