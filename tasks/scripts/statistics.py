"""Statistics of a `scripts` release: table 1's figures, and how well the links agree with gold where the source has it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.dataset.report import Quality, ReviewCurve, name_figures
from core.dataset.units import identify_unit
from core.references import UnitReference
from core.review.curves import Look, simulate_review
from core.scripts.aligning import StoryLinks
from core.scripts.config import ScriptsConfig
from core.scripts.evaluation import LOOKED_AT, GradedStory, describe_agreement, find_sentences, grade_story, list_looks
from core.scripts.rows import decide_rows, withhold_scenes
from core.scripts.story import GoldLink, Story
from core.text.near_copies import ReleasedText, count_leaks
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.build import read_stage
from tasks.frame.release_spec import Landed, ShardReference, Summary

RATES = {"hit_rate": "hit rate: the best scene is one of gold's", "distance_percent": "mean distance to gold, in % of the scenes"}
"""The rates over gold links as a card calls them."""


def list_references(store: Store, dataset: str) -> dict[str, UnitReference]:
    """Return the landed units of a dataset."""
    return {unit: entry.reference for unit, entry in read_catalog(store, dataset).items() if entry.reference is not None}


def read_linked(store: Store, reference: UnitReference) -> tuple[Story, StoryLinks]:
    """Return a landed story and its links."""
    return STORY.decode(read_stage(store, reference, "story")), STORY_LINKS.decode(read_stage(store, reference, "links"))


def summarise(landed: Landed[ScriptsConfig], shards: Sequence[ShardReference]) -> Summary:
    """Return the statistics of a release; scenes that the takedown list keeps out are not counted.

    `outcomes` are the rows kept and dropped by reason, `between_splits` those that repeat a row of another split.
    """
    tables: Counter[str] = Counter()
    for shard in shards:
        tables[shard.table] += shard.rows
    evaluated = {link.unit for link in landed.knowledge}
    sizes: dict[str, Counter[str]] = {}
    without_cast = 0
    outcomes: Counter[str] = Counter()
    texts: list[ReleasedText] = []
    for unit, reference in sorted(landed.references.items()):
        story, links = read_linked(landed.store, reference)
        rows = decide_rows(story, links, landed.config, landed.reviews.get(unit, ()))
        withheld = landed.withheld.rows.get(unit, ())
        sizes.setdefault(story.kind, Counter()).update(count_story(withhold_scenes(story, rows, withheld)))
        without_cast += not story.cast
        for row in rows:
            if unit in evaluated or row.id in withheld:
                continue
            outcomes[row.reason or "kept"] += 1
            if row.reason is None and unit in landed.splits:
                summary = " ".join(story.sentences[each.sentence] for each in row.sentences)
                texts.append(ReleasedText(landed.splits[unit], story.kind, summary))
    curve = simulate_review(list_gold_looks(landed.store, landed.references, landed.knowledge, landed.config), *LOOKED_AT)
    statistics = {
        "rows": dict(tables),
        "stories": {kind: dict(counts) for kind, counts in sizes.items()},
        "without_cast": without_cast,
        "agreement": describe_agreement(grade_stories(landed.store, landed.references, landed.knowledge)),
        "review_curve": None if curve is None else asdict(curve),
        "outcomes": dict(sorted(outcomes.items())),
        "between_splits": count_leaks(texts),
    }
    return Summary(statistics, tabulate_stories(statistics), grade_agreement(statistics))


def count_story(story: Story) -> dict[str, int]:
    """Return the sizes of a story, as SumTitles (table 1) counts them."""
    turns = list(story.list_turns())
    return {
        "stories": 1,
        "scenes": len(story.scenes),
        "sentences": len(story.sentences),
        "turns": len(turns),
        "words": sum(len(turn.text.split()) for turn in turns),
        "speakers": len({speaker for turn in turns for speaker in turn.speakers}),
        "web_lines": story.web_lines,
    }


def grade_stories(
    store: Store,
    references: Mapping[str, UnitReference],
    gold: Iterable[GoldLink],
    link: Callable[[Story], StoryLinks] | None = None,
) -> list[GradedStory]:
    """Return how the links of every landed story with gold compare to it: that of gold files, else the story's own.

    The links are those in the store, or what `link` makes of the stored story. Gold by several makers is graded apart.
    """
    graded = []
    for reference, story, readings in _find_gold(store, references, gold):
        links = link(story) if link else STORY_LINKS.decode(read_stage(store, reference, "links"))
        graded += [grade_story(story, links, answers) for answers in readings.values()]
    return graded


def list_gold_looks(
    store: Store, references: Mapping[str, UnitReference], gold: Iterable[GoldLink], config: ScriptsConfig
) -> list[Look]:
    """Return the sentences of the landed stories that have gold as looks of a reader, to simulate a review.

    A story that several makers have linked counts once, with the gold of the first.
    """
    looks = []
    for reference, story, readings in _find_gold(store, references, gold):
        links = STORY_LINKS.decode(read_stage(store, reference, "links"))
        answers = find_sentences(story, next(iter(readings.values())))
        names = [scene.strict_index for scene in story.scenes]
        looks += list_looks(story, links, decide_rows(story, links, config), answers, names)
    return looks


def _find_gold(
    store: Store, references: Mapping[str, UnitReference], gold: Iterable[GoldLink]
) -> Iterator[tuple[UnitReference, Story, dict[str, list[GoldLink]]]]:
    """Yield the landed stories that have gold, with the gold of each maker."""
    by_unit: dict[str, dict[str, list[GoldLink]]] = {}
    for answer in gold:
        by_unit.setdefault(identify_unit(answer.unit), {}).setdefault(answer.source, []).append(answer)
    for unit, reference in sorted(references.items()):
        story = STORY.decode(read_stage(store, reference, "story"))
        if readings := by_unit.get(identify_unit(unit)) or ({"": list(story.gold)} if story.gold else {}):
            yield reference, story, readings


def tabulate_stories(statistics: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the figures as rows of a table: `metric` and `value`."""
    rows = [{"metric": f"rows of {table}", "value": str(count)} for table, count in statistics["rows"].items()]
    for kind, counts in statistics["stories"].items():
        rows += [{"metric": f"{name}, {kind}", "value": str(count)} for name, count in counts.items()]
    rates = statistics["agreement"]["all"]["rates"]
    if rates is not None:
        rows.append({"metric": "gold links hit", "value": f"{rates['hit_rate']['value']:.3f} of {rates['links']}"})
        rows.append({"metric": "mean distance from gold", "value": f"{rates['distance_percent']['value']:.2f} % of the script"})
    return rows


def grade_agreement(statistics: Mapping[str, Any]) -> tuple[Quality, ...]:
    """Return how well the links agree with the gold of the source, as a card tells it; nothing without gold."""
    rates = statistics["agreement"]["all"]["rates"]
    if not rates or not rates["links"]:
        return ()
    stories = ", ".join(statistics["agreement"]["by_story"])
    curve = statistics["review_curve"]
    return (
        Quality(
            gold="the links of people that the source has",
            figures=name_figures(rates, RATES),
            counted=f"{rates['links']} links of {stories}",
            curve=None if curve is None else ReviewCurve(**curve),
        ),
    )
