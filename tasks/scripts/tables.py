"""The tables of a `scripts` release: merged scenes for training and for evaluation, and every link."""

from dataclasses import replace
from functools import partial

from core.scripts.cast_matching import CastConfig
from core.scripts.config import ScriptsConfig
from core.scripts.links import name_speakers
from core.scripts.withholding import find_withheld_sentences
from infra.store.objects import Store
from infra.tables.parquet import Rows
from infra.tables.scripts import LINKS, SCENES, STORY, STORY_LINKS, tabulate_links, tabulate_scenes
from tasks.frame.pipeline import Landed
from tasks.frame.release import ReleaseUnit, TableSpec

_VIEWS = 6  # the dialogue stands in a row as turns and in four views, beside the narration


def list_tables(landed: Landed[ScriptsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables: stories with gold links are for evaluation only, the others for training."""
    units = frozenset(landed.references)
    evaluated = units & {link.unit for link in landed.knowledge}
    scenes = partial(_build_scenes, landed.config.cast)
    return (
        TableSpec(name="scripts", schema=SCENES, build=scenes, config=True, expansion=_VIEWS, units=units - evaluated),
        TableSpec(name="gold", schema=SCENES, build=scenes, config=True, expansion=_VIEWS, units=evaluated, split="test"),
        TableSpec(name="alignments", schema=LINKS, build=_build_links, config=False, expansion=0.1),
    )


def _build_scenes(config: CastConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = STORY.decode(unit.read(store, "story")), STORY_LINKS.decode(unit.read(store, "links"))
    named = replace(story, scenes=name_speakers(story.scenes, story.cast or (), config))
    return tabulate_scenes(named, links, unit.provenance)


def _build_links(store: Store, unit: ReleaseUnit) -> Rows:
    story, links = STORY.decode(unit.read(store, "story")), STORY_LINKS.decode(unit.read(store, "links"))
    rows = tabulate_links(story, links, unit.provenance)
    # A link has no id of its own: it goes with the scene that it belongs to.
    out = find_withheld_sentences(story, links, unit.withheld)
    return Rows(rows.table.take([place for place in range(len(rows.table)) if place not in out])) if out else rows
