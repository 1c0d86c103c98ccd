"""Statistics of a `scripts` release: table 1's figures, and how well the links agree with gold where the source has it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.dataset.units import identify_unit
from core.metrics.leakage import ReleasedText, count_leaks
from core.references import UnitReference
from core.review.curves import Look, simulate_review
from core.scripts.config import ScriptsConfig
from core.scripts.evaluation import GradedStory, describe_agreement, find_sentences, grade_story
from core.scripts.gold import GoldLink
from core.scripts.links import StoryLinks
from core.scripts.looks import LOOKED_AT, list_looks
from core.scripts.rows import decide_rows
from core.scripts.statistics import grade_agreement, summarise_stories, tabulate_stories
from core.scripts.story import Story
from core.scripts.withholding import withhold_scenes
from infra.store.objects import Store
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.release_spec import Landed, ShardReference, Summary, read_artifact


def summarise(landed: Landed[ScriptsConfig], shards: Sequence[ShardReference]) -> Summary:
    """Return the statistics of a release; stories are read one at a time.

    Scenes that the takedown list keeps out are not counted; agreement with gold is still that of whole stories.
    """
    rows: dict[str, int] = {}
    for shard in shards:
        rows[shard.table] = rows.get(shard.table, 0) + shard.rows
    figures = summarise_stories(_read_stories(landed), rows)
    agreement = describe_agreement(grade_stories(landed.store, landed.references, landed.knowledge))
    curve = simulate_review(list_gold_looks(landed.store, landed.references, landed.knowledge, landed.config), *LOOKED_AT)
    told = {"agreement": agreement, "review_curve": None if curve is None else asdict(curve)}
    statistics = figures | told | _summarise_rows(landed)
    return Summary(statistics, tabulate_stories(statistics), grade_agreement(statistics))


def _summarise_rows(landed: Landed[ScriptsConfig]) -> dict[str, Any]:
    """Return the rows kept and dropped by reason, and the rows that repeat a row of another split."""
    evaluated = {link.unit for link in landed.knowledge}
    outcomes: Counter[str] = Counter()
    texts: list[ReleasedText] = []
    for unit, reference in sorted(landed.references.items()):
        if unit in evaluated:
            continue
        story = STORY.decode(read_artifact(landed.store, unit, reference.artifacts["story"]))
        links = STORY_LINKS.decode(read_artifact(landed.store, unit, reference.artifacts["links"]))
        for row in decide_rows(story, links, landed.config, landed.reviews.get(unit, ())):
            if row.id in landed.withheld.rows.get(unit, ()):
                continue
            outcomes[row.reason or "kept"] += 1
            if row.reason is None and unit in landed.splits:
                summary = " ".join(story.sentences[each.sentence] for each in row.sentences)
                texts.append(ReleasedText(landed.splits[unit], story.kind, summary))
    return {"outcomes": dict(sorted(outcomes.items())), "between_splits": count_leaks(texts)}


def grade_stories(
    store: Store,
    references: Mapping[str, UnitReference],
    gold: Iterable[GoldLink],
    link: Callable[[Story], StoryLinks] | None = None,
) -> list[GradedStory]:
    """Return how the links of every landed story with gold compare to it: that of gold files, else the story's own.

    The links are those in the store, or what `link` makes of the stored story. Gold by several makers is graded by each apart:
    where they differ, neither takes the other's place.
    """
    graded = []
    for unit, reference, story, readings in _find_gold(store, references, gold):
        links = link(story) if link else STORY_LINKS.decode(read_artifact(store, unit, reference.artifacts["links"]))
        graded += [grade_story(story, links, answers) for answers in readings.values()]
    return graded


def list_gold_looks(
    store: Store, references: Mapping[str, UnitReference], gold: Iterable[GoldLink], config: ScriptsConfig
) -> list[Look]:
    """Return the sentences of the landed stories that have gold as looks of a reader, to simulate a review.

    A story that several makers have linked counts once, with the gold of the first.
    """
    looks = []
    for unit, reference, story, readings in _find_gold(store, references, gold):
        links = STORY_LINKS.decode(read_artifact(store, unit, reference.artifacts["links"]))
        answers = find_sentences(story, next(iter(readings.values())))
        names = [scene.strict_index for scene in story.scenes]
        looks += list_looks(story, links, decide_rows(story, links, config), answers, names)
    return looks


def _find_gold(
    store: Store, references: Mapping[str, UnitReference], gold: Iterable[GoldLink]
) -> Iterator[tuple[str, UnitReference, Story, dict[str, list[GoldLink]]]]:
    """Yield the landed stories that have gold, with the gold of each maker: that of gold files, else the story's own."""
    by_unit: dict[str, dict[str, list[GoldLink]]] = {}
    for answer in gold:
        by_unit.setdefault(identify_unit(answer.unit), {}).setdefault(answer.source, []).append(answer)
    for unit, reference in sorted(references.items()):
        story = STORY.decode(read_artifact(store, unit, reference.artifacts["story"]))
        if readings := by_unit.get(identify_unit(unit)) or ({"": list(story.gold)} if story.gold else {}):
            yield unit, reference, story, readings


def _read_stories(landed: Landed[ScriptsConfig]) -> Iterator[Story]:
    withheld = landed.withheld.rows
    for unit, reference in sorted(landed.references.items()):
        story = STORY.decode(read_artifact(landed.store, unit, reference.artifacts["story"]))
        if unit in withheld:
            links = STORY_LINKS.decode(read_artifact(landed.store, unit, reference.artifacts["links"]))
            story = withhold_scenes(story, decide_rows(story, links, landed.config, landed.reviews.get(unit, ())), withheld[unit])
        yield story
