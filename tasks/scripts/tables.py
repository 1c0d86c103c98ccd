"""The tables of a `scripts` release: merged scenes for training and for evaluation, and every link."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

from core.references import UnitReference
from core.scripts.cast_matching import CastConfig
from core.scripts.config import ScriptsConfig
from core.scripts.links import name_speakers
from core.scripts.withholding import find_withheld_sentences
from infra.store.objects import Store
from infra.tables.parquet import Provenance, Rows
from infra.tables.script_artifacts import LINKS, STORY
from infra.tables.script_schemas import LINKS as LINK_COLUMNS
from infra.tables.script_schemas import SCENES
from infra.tables.scripts import tabulate_links, tabulate_scenes
from tasks.frame.release import ReleaseUnit, TableSpec

_STAGES = ("story", "links")
_VIEWS = 6  # the dialogue stands in a row as turns and in four views, beside the narration


def list_tables(units: Collection[str], gold: Collection[str], config: CastConfig) -> tuple[TableSpec, ...]:
    """Return the tables: stories with gold links are for evaluation only, the others for training.

    `config` says how speakers find their names in the cast: the rows have these, and the script's own beside them.
    """
    evaluated = frozenset(units) & frozenset(gold)
    build = partial(_build_scenes, config)
    return (
        TableSpec("scripts", SCENES, build, True, _VIEWS, units=frozenset(units) - evaluated),
        TableSpec("gold", SCENES, build, True, _VIEWS, units=evaluated, split="test"),
        TableSpec("alignments", LINK_COLUMNS, _build_links, False, 0.1),
    )


def list_units(references: Mapping[str, UnitReference], config: ScriptsConfig) -> dict[str, ReleaseUnit]:
    """Return the landed stories as a release needs them."""
    return {
        unit: ReleaseUnit(
            unit,
            {stage: reference.artifacts[stage].key for stage in _STAGES},
            tuple(reference.artifacts[stage].sha256 for stage in _STAGES),
            reference.counts["characters"],
            Provenance("; ".join(reference.sources), config.provenance.license, config.provenance.attribution),
            {},
        )
        for unit, reference in references.items()
    }


def _build_scenes(config: CastConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = STORY.decode(store.read(unit.keys["story"])), LINKS.decode(store.read(unit.keys["links"]))
    named = replace(story, scenes=name_speakers(story.scenes, story.cast or (), config))
    return tabulate_scenes(named, links, unit.provenance)


def _build_links(store: Store, unit: ReleaseUnit) -> Rows:
    story, links = STORY.decode(store.read(unit.keys["story"])), LINKS.decode(store.read(unit.keys["links"]))
    rows = tabulate_links(story, links, unit.provenance)
    # A link has no id of its own: it goes with the scene that it belongs to.
    out = find_withheld_sentences(story, links, unit.withheld)
    return Rows(rows.table.take([place for place in range(len(rows.table)) if place not in out])) if out else rows
