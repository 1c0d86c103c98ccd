"""The tables of a `scripts` release: scenes for training, people's links for evaluation, every link, and what was dropped."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from core.scripts.cast_matching import CastConfig
from core.scripts.config import ScriptsConfig
from core.scripts.gold import GoldLink
from core.scripts.links import StoryLinks, name_speakers
from core.scripts.rows import decide_rows
from core.scripts.story import Story
from core.scripts.views import list_script_words, list_speakers, remove_cast_names, remove_names
from core.scripts.withholding import find_withheld_sentences
from infra.store.objects import Store
from infra.tables.parquet import Rows
from infra.tables.scripts import (
    GOLD,
    GOLD_LINKS,
    GOLD_PUBLISHED,
    LINKS,
    LINKS_PUBLISHED,
    REJECTS,
    SCENES,
    SCENES_PUBLISHED,
    STORY,
    STORY_LINKS,
    tabulate_best_links,
    tabulate_gold,
    tabulate_links,
    tabulate_rejects,
    tabulate_scenes,
)
from tasks.frame.release_spec import Landed, ReleaseUnit, TableSpec

_VIEWS = 6  # the dialogue stands in a row as turns and in four views, beside the narration


def list_tables(landed: Landed[ScriptsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables: stories with gold files are for evaluation only, the others for training.

    `gold` has what people have linked, `alignments` what the aligner has, for every story. Only gold files keep a story out of
    training, not the links that a series file has of its own.
    """
    units = frozenset(landed.references)
    evaluated = units & {link.unit for link in landed.knowledge}
    config = landed.config
    published = config.tables.columns == "published"
    tables = (
        TableSpec(
            name="scripts",
            schema=SCENES_PUBLISHED if published else SCENES,
            build=partial(_build_scenes, config),
            config=True,
            expansion=_VIEWS,
            units=units - evaluated,
            description="" if published else _DESCRIPTIONS[config.tables.scenes],
        ),
        TableSpec(
            name="gold",
            schema=GOLD_PUBLISHED if published else GOLD,
            build=partial(_build_gold, config),
            config=True,
            expansion=_VIEWS,
            units=evaluated,
            split="test",
            description="" if published else "the scenes that people found for sentences of synopses; for evaluation only",
        ),
        TableSpec(
            name="alignments",
            schema=LINKS_PUBLISHED if published else LINKS,
            build=partial(_build_links, config),
            config=False,
            expansion=0.1,
        ),
    )
    if published:
        return tables
    rejects = TableSpec(
        name="rejects",
        schema=REJECTS,
        build=partial(_build_rejects, config),
        config=False,
        expansion=0.1,
        units=units - evaluated,
    )
    return (*tables, rejects)


_DESCRIPTIONS = {
    "linked": "scenes, and the synopsis sentences that are linked to them; no scene is in two rows",
    "merged": "every scene of a story, the linked ones with the scenes around them, and the synopsis sentences linked to them",
}


def find_gold(landed: Landed[ScriptsConfig]) -> Mapping[str, Mapping[str, str]]:
    """Return for every landed story with gold files its links (`gold`), as JSON: rows and statistics say them."""
    gold: dict[str, list[GoldLink]] = {}
    for link in landed.knowledge:
        gold.setdefault(link.unit, []).append(link)
    return {unit: {"gold": GOLD_LINKS.encode(tuple(gold[unit])).decode()} for unit in landed.references if unit in gold}


def _build_scenes(config: ScriptsConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = _read(store, unit)
    kept = [row for row in decide_rows(story, links, config, unit.reviews) if row.reason is None]
    schema = SCENES_PUBLISHED if config.tables.columns == "published" else SCENES
    named = _name_speakers(story, config.cast)
    return tabulate_scenes(named, kept, links.similarities, _anonymise(story, config), unit.provenance, schema)


def _build_rejects(config: ScriptsConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = _read(store, unit)
    return tabulate_rejects(story, decide_rows(story, links, config, unit.reviews), links.similarities, unit.provenance)


def _build_gold(config: ScriptsConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = _read(store, unit)
    # A sentence of a row that is taken down stays out here too.
    out = find_withheld_sentences(decide_rows(story, links, config, unit.reviews), unit.withheld)
    gold = GOLD_LINKS.decode((unit.facts["gold"] or "[]").encode())
    schema = GOLD_PUBLISHED if config.tables.columns == "published" else GOLD
    return tabulate_gold(_name_speakers(story, config.cast), gold, out, unit.provenance, schema)


def _build_links(config: ScriptsConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = _read(store, unit)
    rows = decide_rows(story, links, config, unit.reviews)
    if config.tables.columns == "published":
        return tabulate_best_links(story, links, find_withheld_sentences(rows, unit.withheld), unit.provenance)
    return tabulate_links(story, links, rows, unit.provenance, unit.withheld)


def _read(store: Store, unit: ReleaseUnit) -> tuple[Story, StoryLinks]:
    return STORY.decode(unit.read(store, "story")), STORY_LINKS.decode(unit.read(store, "links"))


def _name_speakers(story: Story, config: CastConfig) -> Story:
    return replace(story, scenes=name_speakers(story.scenes, story.cast or (), config))


def _anonymise(story: Story, config: ScriptsConfig) -> tuple[str, tuple[str, ...]]:
    """Return where the names come from, and the sentences of the synopsis without them."""
    if config.tables.names == "all-words":
        return "cast" if story.cast else "none", remove_cast_names(story.sentences, story.cast or ())
    names, source = (story.cast, "cast") if story.cast else (list_speakers(story.scenes), "speakers")
    return source if names else "none", remove_names(story.sentences, names, list_script_words(story.scenes))
