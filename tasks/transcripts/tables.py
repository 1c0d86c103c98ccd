"""The tables of a `transcripts` release (pairs, dialogues, summaries, every alignment, what was dropped), and its statistics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import get_args

import pyarrow as pa

from core.fingerprints import fingerprint
from core.reading.belief import FOUND, name_decider
from core.reading.belief import READING as STAGE
from core.references import Artifact
from core.review.decisions import Decision
from core.transcripts.config import FilterConfig, TranscriptsConfig
from core.transcripts.discovery import find_preceding
from core.transcripts.matching import Match, compare_recaps
from core.transcripts.recaps.recap import SectionKind
from core.transcripts.rows import apply_decisions, mark_moved
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.parquet import Provenance, Rows
from infra.tables.transcripts.artifacts import ALIGNMENTS, FIT, MATCHES, READING, RECAP, read_decisions
from infra.tables.transcripts.rows import (
    ALIGNMENTS_SCHEMA,
    DIALOGUES,
    PAIRS,
    REJECTS,
    SAID,
    SUMMARIES,
    choose_pairs,
    refuse_recap,
    tabulate_alignments,
    tabulate_dialogue,
    tabulate_pairs,
    tabulate_recap,
    tabulate_rejects,
    tabulate_reviewed,
)
from infra.tables.turns import tabulate_turns
from tasks.frame.build import read_artifact, run_stage
from tasks.frame.release_spec import Landed, ReleaseUnit, TableSpec

Build = Callable[[Store, ReleaseUnit], Rows]


def list_tables(landed: Landed[TranscriptsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables of a release; the first config is the one that loads by default."""
    copies = sum(landed.config.alignment.chunk_sizes)  # a chunking holds nearly the whole dialogue; size c has c chunkings
    plot_only, empty_sections = landed.config.tables.plot_only, landed.config.tables.empty_sections
    judge, plot = landed.config.filter, "plot" if plot_only else None

    kinds = [kind for kind in get_args(SectionKind) if kind != "plot"] if plot_only else []

    def specify(
        name: str, schema: pa.Schema, build: Build, expansion: float, description: str = "", config: bool = True
    ) -> TableSpec:
        return TableSpec(name=name, schema=schema, build=build, config=config, expansion=expansion, description=description)

    def specify_pairs(name: str, kind: str | None, expansion: float, what: str, train_on_only: bool = False) -> TableSpec:
        return specify(name, PAIRS, partial(_build_pairs, judge, kind, train_on_only), expansion, _DESCRIPTIONS[what])

    return (
        specify_pairs("pairs", plot, copies, plot or "all"),
        specify_pairs("train_on", plot, 1, "train_on", train_on_only=True),
        *(specify_pairs(f"pairs-{kind}", kind, copies / 10, kind) for kind in kinds),
        specify("dialogues", DIALOGUES, _build_dialogue, 2, "every turn, cleaned and raw"),
        specify("summaries", SUMMARIES, partial(_build_summary, empty_sections), 0.2, "the recaps, a row per section"),
        specify("alignments", ALIGNMENTS_SCHEMA, partial(_build_decided, judge, tabulate_alignments), 0.5, config=False),
        specify("rejects", REJECTS, partial(_build_decided, judge, tabulate_rejects), 0.5, config=False),
    )


_DESCRIPTIONS = {
    "all": "every kept pair, of every chunk size and kind of section; a sentence stands in several pairs",
    "plot": "kept pairs about the plot, of every chunk size; a sentence stands in several pairs, and `train_on` marks those that "
    "cover the plot once",
    "train_on": "the pairs of `pairs` to train on: no two share a sentence, and no other such choice covers more sentences, "
    "weighted by confidence",
    "recap": "kept pairs about the retelling of an earlier episode",
    "announcements": "kept pairs about announcements",
    "pre-show": "kept pairs about what came before the show",
    "break": "kept pairs about the break",
    "post-show": "kept pairs about what came after the show",
    "other": "kept pairs about sections of no known kind, beside the plot",
}


MATCHES_STAGE, MATCHES_VERSION = "matches", 2
"""The comparison of all recaps with all dialogues of a release, kept in the store for runs that change neither."""


def find_matches(landed: Landed[TranscriptsConfig]) -> dict[str, Match]:
    """Return how well each landed recap fits its dialogue; units that the takedown list keeps out do not count."""
    kept = {unit: reference.artifacts for unit, reference in landed.references.items() if unit not in landed.withheld.units}
    found = {unit: artifacts["fit"] for unit, artifacts in sorted(kept.items()) if "fit" in artifacts}
    key = fingerprint(MATCHES_STAGE, MATCHES_VERSION, [f"{unit} {artifact.sha256}" for unit, artifact in found.items()], None)

    def compute() -> dict[str, Match]:
        return compare_recaps({unit: FIT.decode(read_artifact(landed.store, unit, fit)) for unit, fit in found.items()})

    return run_stage(landed.store, "transcripts", MATCHES_STAGE, "all", key, MATCHES, compute).load()


def find_facts(landed: Landed[TranscriptsConfig]) -> Mapping[str, Mapping[str, str | None]]:
    """Return for every landed episode the earlier one that its recap retells (`retells`), None for the first.

    All that discovery saw count, landed or not. One that the takedown list keeps out precedes too, but is not named. An episode
    with `foreign` has the recap of another unit, which is named where it is known.
    """
    refuses = landed.config.matching.foreign == "reject"
    foreign = {unit: match.better for unit, match in find_matches(landed).items() if refuses and match.foreign}
    withheld = frozenset(landed.withheld.units)
    preceding = {
        unit: told for unit, told in find_preceding((*landed.known, *landed.withheld.units)).items() if told not in withheld
    }
    return {
        unit: {"retells": preceding.get(unit), **({"foreign": foreign[unit]} if unit in foreign else {})}
        for unit in landed.references
    }


def review_decisions(
    config: FilterConfig,
    store: Store,
    unit: str,
    artifacts: Mapping[str, Artifact],
    reviews: Sequence[Decision],
    facts: Mapping[str, str | None],
) -> pa.Table:
    """Return an episode's decisions as a `DECIDED` table, with what readers have decided; `facts` are of `find_facts`."""
    decisions = decode_table(read_artifact(store, unit, artifacts["decisions"]))
    rows = None
    if FOUND in artifacts:
        found = ALIGNMENTS.decode(read_artifact(store, unit, artifacts[FOUND]))
        model = READING.decode(read_artifact(store, unit, artifacts[STAGE])).model
        rows = mark_moved(read_decisions(decisions), found, name_decider(model))
    if reviews:
        turns = decode_table(read_artifact(store, unit, artifacts["dialogue"])).column("text").to_pylist()
        rows = apply_decisions(unit, rows or read_decisions(decisions), turns, reviews, config)
    decided = tabulate_reviewed(decisions, rows)
    return refuse_recap(decided) if "foreign" in facts else decided


def _review(judge: FilterConfig, store: Store, unit: ReleaseUnit) -> pa.Table:
    return review_decisions(judge, store, unit.unit, unit.artifacts, unit.reviews, unit.facts)


def _build_pairs(judge: FilterConfig, kind: str | None, train_on_only: bool, store: Store, unit: ReleaseUnit) -> Rows:
    chosen = choose_pairs(_review(judge, store, unit), kind, train_on_only)
    dialogue = decode_table(unit.read(store, "dialogue"), SAID) if len(chosen) else tabulate_turns(())
    return tabulate_pairs(unit.unit, RECAP.decode(unit.read(store, "recap")), dialogue, chosen, unit.provenance)


def _build_decided(
    judge: FilterConfig, tabulate: Callable[[str, pa.Table, Provenance], Rows], store: Store, unit: ReleaseUnit
) -> Rows:
    return tabulate(unit.unit, _review(judge, store, unit), unit.provenance)


def _build_dialogue(store: Store, unit: ReleaseUnit) -> Rows:
    return tabulate_dialogue(unit.unit, decode_table(unit.read(store, "dialogue")), unit.provenance)


def _build_summary(empty_sections: bool, store: Store, unit: ReleaseUnit) -> Rows:
    recap = RECAP.decode(unit.read(store, "recap"))
    recap = replace(recap, blurb="", sections=()) if "foreign" in unit.facts else recap
    return tabulate_recap(unit.unit, recap, unit.facts["retells"], unit.provenance, empty_sections)
