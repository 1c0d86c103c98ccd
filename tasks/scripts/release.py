"""What the pipeline `scripts` makes of its units: scenes to train on, people's links to evaluate on, all links, dropped rows."""

from collections.abc import Iterator, Mapping
from functools import partial

from core.dataset.card import SUMTITLES, Description
from core.references import UnitReference
from core.scripts.aligning import StoryLinks
from core.scripts.config import ScriptsConfig
from core.scripts.names import name_speakers
from core.scripts.rows import RULES, decide_rows, explain_rejects, find_withheld_sentences, tell_sentences
from core.scripts.story import GoldLink, Story
from core.scripts.views import list_script_words, list_speakers, remove_names
from infra.store.objects import Store
from infra.tables import scripts
from infra.tables.parquet import Rows
from tasks.frame.release_spec import Landed, ReleaseSpec, ReleaseUnit, TableSpec
from tasks.scripts.statistics import read_linked

_VIEWS = 6  # the dialogue stands in a row as turns and in four views, beside the narration
_DESCRIPTIONS = {
    "linked": "scenes, and the synopsis sentences that are linked to them; no scene is in two rows",
    "merged": "every scene of a story, the linked ones with the scenes around them, and the synopsis sentences linked to them",
}
DESCRIPTION = Description(
    about="A row pairs scenes of a screenplay with the sentences of its synopsis that tell them, as found by the words, by the "
    "speakers' names and by sentence embeddings.",
    task="summarization",
    languages=("en",),
    citation=SUMTITLES,
)


def list_tables(landed: Landed[ScriptsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables: stories with gold files are for evaluation only, the others for training.

    `gold` has what people have linked, `alignments` what the aligner has, for every story. Only gold files keep a story out of
    training, not the links that a series file has of its own.
    """
    units = frozenset(landed.references)
    evaluated = units & {link.unit for link in landed.knowledge}
    config = landed.config
    return (
        TableSpec(
            name="scripts",
            schema=scripts.SCENES,
            build=partial(_build_scenes, config),
            config=True,
            expansion=_VIEWS,
            units=units - evaluated,
            description=_DESCRIPTIONS[config.tables.scenes],
        ),
        TableSpec(
            name="gold",
            schema=scripts.GOLD,
            build=partial(_build_gold, config),
            config=True,
            expansion=_VIEWS,
            units=evaluated,
            split="test",
            description="the scenes that people found for sentences of synopses; for evaluation only",
        ),
        TableSpec(name="alignments", schema=scripts.LINKS, build=partial(_build_links, config), config=False, expansion=0.1),
        TableSpec(
            name="rejects",
            schema=scripts.REJECTS,
            build=partial(_build_rejects, config),
            config=False,
            expansion=0.1,
            units=units - evaluated,
        ),
    )


def find_gold(landed: Landed[ScriptsConfig]) -> Mapping[str, Mapping[str, str]]:
    """Return for every landed story with gold files its links (`gold`), as JSON: rows and statistics say them."""
    gold: dict[str, list[GoldLink]] = {}
    for link in landed.knowledge:
        gold.setdefault(link.unit, []).append(link)
    return {unit: {"gold": scripts.GOLD_LINKS.encode(tuple(gold[unit])).decode()} for unit in landed.references if unit in gold}


def _build_scenes(config: ScriptsConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = _read(store, unit)
    kept = [row for row in decide_rows(story, links, config, unit.reviews) if row.reason is None]
    told = tell_sentences(story, kept)
    named = name_speakers(told, config.cast)
    return scripts.tabulate_scenes(named, kept, links.similarities, _anonymise(told), unit.provenance, story.sentences)


def _build_rejects(config: ScriptsConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = _read(store, unit)
    return scripts.tabulate_rejects(story, decide_rows(story, links, config, unit.reviews), links.similarities, unit.provenance)


def _build_gold(config: ScriptsConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = _read(store, unit)
    # A sentence of a row that is taken down stays out here too.
    out = find_withheld_sentences(decide_rows(story, links, config, unit.reviews), unit.withheld)
    gold = scripts.GOLD_LINKS.decode((unit.facts["gold"] or "[]").encode())
    return scripts.tabulate_gold(name_speakers(story, config.cast), gold, out, unit.provenance)


def _build_links(config: ScriptsConfig, store: Store, unit: ReleaseUnit) -> Rows:
    story, links = _read(store, unit)
    rows = decide_rows(story, links, config, unit.reviews)
    return scripts.tabulate_links(story, links, rows, unit.provenance, unit.withheld)


def _read(store: Store, unit: ReleaseUnit) -> tuple[Story, StoryLinks]:
    return scripts.STORY.decode(unit.read(store, "story")), scripts.STORY_LINKS.decode(unit.read(store, "links"))


def _anonymise(story: Story) -> tuple[str, tuple[str, ...]]:
    """Return where the names come from, and the sentences of the synopsis without them."""
    names, source = (story.cast, "cast") if story.cast else (list_speakers(story.scenes), "speakers")
    return source if names else "none", remove_names(story.sentences, names, list_script_words(story.scenes))


def show(store: Store, reference: UnitReference, _: str, __: bool) -> Iterator[str]:
    """Yield a story's scenes as lines, each with the synopsis sentences that link to it."""
    story, links = read_linked(store, reference)
    for place, scene in enumerate(story.scenes):
        yield f"{scene.index:>5} {scene.heading or '(no heading)'}"
        for sentence, linked in zip(story.sentences, links.scenes, strict=True):
            if linked == place:
                yield f"      = {sentence}"
        for turn in scene.turns:
            yield f"      {', '.join(turn.speakers)}: {turn.text}"


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    tables=list_tables,
    released_stages=("story", "links"),
    facts=find_gold,
    reject_columns=tuple(rule.column for rule in RULES),
    explain_rejects=lambda config, rows: explain_rejects(config.filter, rows),
)
