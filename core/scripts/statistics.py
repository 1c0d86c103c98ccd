"""Counts the sizes of a `scripts` dataset, by kind of story.

Reference: SumTitles, table 1.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from core.dataset.report import Quality, ReviewCurve, name_figures
from core.scripts.story import Story


def summarise_stories(stories: Iterable[Story], rows: Mapping[str, int]) -> dict[str, Any]:
    """Return the figures as JSON values. Stories are read once, one at a time; `rows` is the number of rows by table."""
    by_kind: dict[str, dict[str, int]] = {}
    without_cast = 0
    for story in stories:
        counts = by_kind.setdefault(
            story.kind, dict.fromkeys(("stories", "scenes", "sentences", "turns", "words", "speakers", "web_lines"), 0)
        )
        counts["stories"] += 1
        counts["scenes"] += len(story.scenes)
        counts["sentences"] += len(story.sentences)
        counts["turns"] += sum(len(scene.turns) for scene in story.scenes)
        counts["words"] += sum(len(turn.text.split()) for scene in story.scenes for turn in scene.turns)
        counts["speakers"] += len({speaker for scene in story.scenes for turn in scene.turns for speaker in turn.speakers})
        counts["web_lines"] += story.web_lines
        without_cast += not story.cast
    return {"rows": dict(rows), "stories": by_kind, "without_cast": without_cast}


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


RATES = {
    "hit_rate": "hit rate: the best scene is one of gold's",
    "distance_percent": "mean distance to gold, in % of the scenes",
}
"""The rates over gold links as a card calls them."""


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
