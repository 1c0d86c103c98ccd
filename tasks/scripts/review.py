"""What readers look at in a release of `scripts`: the scenes that each sentence of a synopsis is linked to."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from core.errors import ConfigError
from core.review.basis import digest_texts, name_basis
from core.scripts.reviewing import list_turns, name_sentence
from core.scripts.story import Story
from infra.store.catalog import read_catalog
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.pipeline import Released
from tasks.frame.release import read_artifact
from tasks.frame.review_source import ReviewRow, ReviewSource

SHOWN_TURNS = 6
"""Turns of a scene that the page shows; a reader knows a scene by how it begins."""


def list_links(released: Released) -> ReviewSource:
    """Return the sentences of the synopses of a dataset's stories. A look is worth the probability that the best link is wrong.

    The stories are read from the store of the runs: a release does not hold the scenes that no sentence is linked to.

    Raises:
        ConfigError: the store has no stories of the dataset: it is a copy of a release.
    """
    dataset = released.folder.split("/")[1]
    references = {
        unit: entry.reference
        for unit, entry in read_catalog(released.store, dataset).items()
        if entry.reference is not None and unit in released.manifest.splits
    }
    rows: list[ReviewRow] = []
    places: dict[str, tuple[str, int]] = {}
    for unit, reference in sorted(references.items()):
        links = STORY_LINKS.decode(read_artifact(released.store, unit, reference.artifacts["links"]))
        for number, (best, candidates) in enumerate(zip(links.scenes, links.candidates, strict=True)):
            sure = next((each.probability for each in candidates if each.scene == best), None)
            name = name_sentence(unit, number)
            places[name] = (unit, number)
            rows.append(ReviewRow(item=name, unit=unit, worth=0.5 if sure is None else 1 - sure, confidence=sure))
    if not rows:
        raise ConfigError(f"store {released.store.url} has no stories of {dataset}: review it in the store of its runs")

    @lru_cache(maxsize=8)
    def read(unit: str) -> tuple[Story, tuple[int, ...], str]:
        artifacts = references[unit].artifacts
        story = STORY.decode(read_artifact(released.store, unit, artifacts["story"]))
        links = STORY_LINKS.decode(read_artifact(released.store, unit, artifacts["links"]))
        return story, links.scenes, digest_texts(turn.text for turn in list_turns(story))

    def show(item: str) -> Mapping[str, Any]:
        unit, number = places[item]
        story, scenes, script = read(unit)
        return {
            "item": item,
            "unit": unit,
            "title": story.title or unit,
            "summary": story.sentences[number],
            "found": [scenes[number]],
            "scenes": [
                {
                    "position": place,
                    "heading": scene.heading,
                    "count": len(scene.turns),
                    "turns": [{"speakers": turn.speakers, "text": turn.text} for turn in scene.turns[:SHOWN_TURNS]],
                }
                for place, scene in enumerate(story.scenes)
            ],
            "basis": name_basis(story.sentences[number], script),
        }

    return ReviewSource(kind="links", rows=rows, show=show)
