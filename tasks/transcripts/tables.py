"""The tables of a `transcripts` release: pairs, dialogues, summaries, every alignment, and what was dropped."""

from collections.abc import Callable, Mapping
from functools import partial

import pyarrow as pa

from core.transcripts.config import TranscriptsConfig
from core.transcripts.order import find_preceding
from infra.store.objects import Store
from infra.tables.parquet import Provenance, Rows, decode_table
from infra.tables.transcripts import (
    ALIGNMENTS_SCHEMA,
    DIALOGUES,
    PAIRS,
    RECAP,
    REJECTS,
    SUMMARIES,
    tabulate_alignments,
    tabulate_dialogue,
    tabulate_pairs,
    tabulate_recap,
    tabulate_rejects,
)
from tasks.frame.pipeline import Landed
from tasks.frame.release import ReleaseUnit, TableSpec


def list_tables(landed: Landed[TranscriptsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables of a release; the first config is the one that loads by default."""
    copies = sum(landed.config.alignment.chunk_sizes)  # a chunking holds nearly the whole dialogue; size c has c chunkings
    return (
        TableSpec(name="pairs", schema=PAIRS, build=_build_pairs, config=True, expansion=copies),
        TableSpec(name="dialogues", schema=DIALOGUES, build=_build_dialogue, config=True, expansion=2),  # clean and raw
        TableSpec(name="summaries", schema=SUMMARIES, build=_build_summary, config=True, expansion=0.2),
        TableSpec(
            name="alignments",
            schema=ALIGNMENTS_SCHEMA,
            build=partial(_build_decided, tabulate_alignments),
            config=False,
            expansion=0.5,
        ),
        TableSpec(name="rejects", schema=REJECTS, build=partial(_build_decided, tabulate_rejects), config=False, expansion=0.5),
    )


def find_retold(landed: Landed[TranscriptsConfig]) -> Mapping[str, Mapping[str, str | None]]:
    """Return for every landed episode the earlier one that its recap retells (`retells`), None for the first.

    All that discovery saw count, landed or not. One that the takedown list keeps out precedes too, but is not named.
    """
    withheld = landed.withheld.units
    preceding = {unit: told for unit, told in find_preceding((*landed.known, *withheld)).items() if told not in withheld}
    return {unit: {"retells": preceding.get(unit)} for unit in landed.references}


def _build_pairs(store: Store, unit: ReleaseUnit) -> Rows:
    dialogue, decisions = decode_table(unit.read(store, "dialogue")), decode_table(unit.read(store, "decisions"))
    return tabulate_pairs(unit.unit, dialogue, decisions, unit.provenance)


def _build_decided(tabulate: Callable[[str, pa.Table, Provenance], Rows], store: Store, unit: ReleaseUnit) -> Rows:
    return tabulate(unit.unit, decode_table(unit.read(store, "decisions")), unit.provenance)


def _build_dialogue(store: Store, unit: ReleaseUnit) -> Rows:
    return tabulate_dialogue(unit.unit, decode_table(unit.read(store, "dialogue")), unit.provenance)


def _build_summary(store: Store, unit: ReleaseUnit) -> Rows:
    return tabulate_recap(unit.unit, RECAP.decode(unit.read(store, "recap")), unit.facts["retells"], unit.provenance)
