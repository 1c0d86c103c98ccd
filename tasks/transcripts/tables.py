"""The tables of a `transcripts` release: pairs, dialogues, summaries, every alignment, and what was dropped."""

from collections.abc import Collection, Iterable, Mapping
from functools import partial

from core.references import UnitReference
from core.transcripts.config import FilterConfig, TranscriptsConfig
from core.transcripts.order import find_preceding
from infra.store.objects import Store
from infra.tables.parquet import Provenance, Rows, decode_table
from infra.tables.transcript_artifacts import RECAP
from infra.tables.transcript_schemas import ALIGNMENTS, DIALOGUES, PAIRS, REJECTS, SUMMARIES
from infra.tables.transcripts import (
    judge_alignments,
    tabulate_alignments,
    tabulate_dialogue,
    tabulate_pairs,
    tabulate_recap,
    tabulate_rejects,
)
from tasks.frame.release import ReleaseUnit, TableSpec

_STAGES = ("dialogue", "recap", "alignments")


def list_tables(config: TranscriptsConfig) -> tuple[TableSpec, ...]:
    """Return the tables of a release; the first config is the one that loads by default."""
    copies = sum(config.alignment.chunk_sizes)  # a chunking holds nearly the whole dialogue, and size c has c of them
    return (
        TableSpec("pairs", PAIRS, partial(_build_pairs, config.filter), True, copies),
        TableSpec("dialogues", DIALOGUES, _build_dialogue, True, 2),  # clean and raw
        TableSpec("summaries", SUMMARIES, _build_summary, True, 0.2),
        TableSpec("alignments", ALIGNMENTS, partial(_build_alignments, config.filter), False, 0.5),
        TableSpec("rejects", REJECTS, partial(_build_rejects, config.filter), False, 0.5),
    )


def list_units(
    references: Mapping[str, UnitReference],
    known_units: Iterable[str],
    config: TranscriptsConfig,
    withheld: Collection[str] = (),
) -> dict[str, ReleaseUnit]:
    """Return the landed episodes as a release needs them.

    `known_units` are all that discovery saw, landed or not: a recap may retell an episode that is not there. One that is
    `withheld` precedes too, but is not named.
    """
    preceding = {unit: told for unit, told in find_preceding((*known_units, *withheld)).items() if told not in withheld}
    return {
        unit: ReleaseUnit(
            unit,
            {stage: reference.artifacts[stage].key for stage in _STAGES},
            tuple(reference.artifacts[stage].sha256 for stage in _STAGES),
            reference.counts["characters"],
            Provenance("; ".join(reference.sources), config.provenance.license, config.provenance.attribution),
            {"retells": preceding.get(unit)},
        )
        for unit, reference in references.items()
    }


def _build_pairs(config: FilterConfig, store: Store, unit: ReleaseUnit) -> Rows:
    alignments = decode_table(store.read(unit.keys["alignments"]))
    reasons = judge_alignments(alignments, config)
    dialogue = decode_table(store.read(unit.keys["dialogue"]))
    return tabulate_pairs(unit.unit, dialogue, alignments, reasons, unit.provenance)


def _build_alignments(config: FilterConfig, store: Store, unit: ReleaseUnit) -> Rows:
    alignments = decode_table(store.read(unit.keys["alignments"]))
    return tabulate_alignments(unit.unit, alignments, judge_alignments(alignments, config), unit.provenance)


def _build_rejects(config: FilterConfig, store: Store, unit: ReleaseUnit) -> Rows:
    alignments = decode_table(store.read(unit.keys["alignments"]))
    return tabulate_rejects(unit.unit, alignments, judge_alignments(alignments, config), unit.provenance)


def _build_dialogue(store: Store, unit: ReleaseUnit) -> Rows:
    return tabulate_dialogue(unit.unit, decode_table(store.read(unit.keys["dialogue"])), unit.provenance)


def _build_summary(store: Store, unit: ReleaseUnit) -> Rows:
    return tabulate_recap(unit.unit, RECAP.decode(store.read(unit.keys["recap"])), unit.facts["retells"], unit.provenance)
