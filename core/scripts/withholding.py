"""Removes withheld rows from a story, so that they stay out of a dataset."""

from collections.abc import Container, Sequence
from dataclasses import replace

from core.scripts.rows import SceneRow
from core.scripts.story import Story


def find_withheld_sentences(rows: Sequence[SceneRow], names: Container[str]) -> frozenset[int]:
    """Return the 0-based indices of the synopsis sentences that belong to the rows with these ids."""
    return frozenset(each.sentence for row in rows if row.id in names for each in row.sentences)


def withhold_scenes(story: Story, rows: Sequence[SceneRow], names: Container[str]) -> Story:
    """Return the story without the rows with these ids: their scenes and their sentences are out of the dataset's figures."""
    scenes = {scene for row in rows if row.id in names for scene in row.scenes}
    sentences = find_withheld_sentences(rows, names)
    return replace(
        story,
        scenes=tuple(scene for place, scene in enumerate(story.scenes) if place not in scenes),
        sentences=tuple(sentence for place, sentence in enumerate(story.sentences) if place not in sentences),
    )
