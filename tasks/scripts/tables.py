"""The tables of a `scripts` release: merged scenes for training, people's links for evaluation, and every predicted link."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from core.scripts.cast_matching import CastConfig
from core.scripts.config import ScriptsConfig
from core.scripts.gold import GoldLink
from core.scripts.links import name_speakers
from core.scripts.story import Story
from core.scripts.withholding import find_withheld_sentences
from infra.store.objects import Store
from infra.tables.parquet import Rows
from infra.tables.scripts import (
    GOLD,
    GOLD_LINKS,
    LINKS,
    SCENES,
    STORY,
    STORY_LINKS,
    tabulate_gold,
    tabulate_links,
    tabulate_scenes,
)
from tasks.frame.pipeline import Landed
from tasks.frame.release import ReleaseUnit, TableSpec

_VIEWS = 6  # the dialogue stands in a row as turns and in four views, beside the narration


def list_tables(landed: Landed[ScriptsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables: stories with gold files are for evaluation only, the others for training.

    `gold` has what people have linked, `alignments` what the aligner has, for every story. Only gold files keep a story out of
    training, not the links that a series file has of its own.
    """
    units = frozenset(landed.references)
    evaluated = units & {link.unit for link in landed.knowledge}
    scenes = partial(_build_scenes, landed.config.cast)
    return (
        TableSpec(name="scripts", schema=SCENES, build=scenes, config=True, expansion=_VIEWS, units=units - evaluated),
        TableSpec(
            name="gold",
            schema=GOLD,
            build=partial(_build_gold, landed.config.cast),
            config=True,
            expansion=_VIEWS,
            units=evaluated,
            split="test",
        ),
        TableSpec(name="alignments", schema=LINKS, build=_build_links, config=False, expansion=0.1),
    )


def find_gold(landed: Landed[ScriptsConfig]) -> Mapping[str, Mapping[str, str]]:
    """Return for every landed story with gold files its links (`gold`), as JSON: rows and statistics say them."""
    gold: dict[str, list[GoldLink]] = {}
    for link in landed.knowledge:
        gold.setdefault(link.unit, []).append(link)
    return {unit: {"gold": GOLD_LINKS.encode(tuple(gold[unit])).decode()} for unit in landed.references if unit in gold}


def _build_scenes(config: CastConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = STORY.decode(unit.read(store, "story")), STORY_LINKS.decode(unit.read(store, "links"))
    return tabulate_scenes(_name_speakers(story, config), links, unit.provenance)


def _build_gold(config: CastConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = STORY.decode(unit.read(store, "story")), STORY_LINKS.decode(unit.read(store, "links"))
    # A sentence of a merged scene that is taken down stays out here too.
    out = find_withheld_sentences(story, links, unit.withheld)
    gold = GOLD_LINKS.decode((unit.facts["gold"] or "[]").encode())
    return tabulate_gold(_name_speakers(story, config), gold, out, unit.provenance)


def _name_speakers(story: Story, config: CastConfig) -> Story:
    return replace(story, scenes=name_speakers(story.scenes, story.cast or (), config))


def _build_links(store: Store, unit: ReleaseUnit) -> Rows:
    story, links = STORY.decode(unit.read(store, "story")), STORY_LINKS.decode(unit.read(store, "links"))
    rows = tabulate_links(story, links, unit.provenance)
    # A link has no id of its own: it goes with the scene that it belongs to.
    out = find_withheld_sentences(story, links, unit.withheld)
    return Rows(rows.table.take([place for place in range(len(rows.table)) if place not in out])) if out else rows
