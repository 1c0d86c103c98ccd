"""Removes withheld merged scenes from a story, so that they stay out of a dataset."""

from collections.abc import Collection
from dataclasses import replace

from core.scripts.links import StoryLinks
from core.scripts.story import Story


def name_scene(unit: str, number: int) -> str:
    """Return the id of a merged scene: the story's id and the 0-based number of the merged scene (`the-film_0003`)."""
    return f"{unit}_{number:04d}"


def find_withheld_sentences(story: Story, links: StoryLinks, names: Collection[str]) -> frozenset[int]:
    """Return the 0-based indices of the synopsis sentences that belong to the merged scenes with these ids."""
    return frozenset(
        sentence
        for number, group in enumerate(links.groups)
        if name_scene(story.unit, number) in names
        for sentence in group.sentences
    )


def withhold_scenes(story: Story, links: StoryLinks, names: Collection[str]) -> Story:
    """Return the story without the merged scenes with these ids and without their sentences, for the dataset's figures."""
    out = [group for number, group in enumerate(links.groups) if name_scene(story.unit, number) in names]
    scenes = {scene for group in out for scene in range(group.start, group.stop)}
    sentences = {sentence for group in out for sentence in group.sentences}
    return replace(
        story,
        scenes=tuple(scene for place, scene in enumerate(story.scenes) if place not in scenes),
        sentences=tuple(sentence for place, sentence in enumerate(story.sentences) if place not in sentences),
    )
