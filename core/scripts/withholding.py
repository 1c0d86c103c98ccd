"""Merged scenes that are to stay out of a dataset, and the story that is left without them."""

from collections.abc import Collection
from dataclasses import replace

from core.scripts.links import StoryLinks
from core.scripts.story import Story


def name_scene(unit: str, number: int) -> str:
    """Return the id of a story's merged scene: its 0-based place among them after the story's id (`the-film_0003`)."""
    return f"{unit}_{number:04d}"


def find_withheld_sentences(story: Story, links: StoryLinks, names: Collection[str]) -> frozenset[int]:
    """Return the places of the synopsis sentences that belong to the merged scenes with these ids."""
    return frozenset(
        sentence
        for number, group in enumerate(links.groups)
        if name_scene(story.unit, number) in names
        for sentence in group.sentences
    )


def withhold_scenes(story: Story, links: StoryLinks, names: Collection[str]) -> Story:
    """Return the story without the merged scenes of these ids and their sentences: what its figures may count."""
    out = [group for number, group in enumerate(links.groups) if name_scene(story.unit, number) in names]
    scenes = {scene for group in out for scene in range(group.start, group.stop)}
    sentences = {sentence for group in out for sentence in group.sentences}
    return replace(
        story,
        scenes=tuple(scene for place, scene in enumerate(story.scenes) if place not in scenes),
        sentences=tuple(sentence for place, sentence in enumerate(story.sentences) if place not in sentences),
    )
