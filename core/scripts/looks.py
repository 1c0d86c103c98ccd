"""What a look at a sentence's scenes is worth, and what it would find by gold: for the queue of readers, and to simulate it."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from core.review.curves import Look
from core.review.priority import SpanErrors
from core.scripts.linked_sentences import LinkedSentence
from core.scripts.links import Candidate, StoryLinks
from core.scripts.rows import SceneRow
from core.scripts.story import Story

LOOKED_AT = ("sentences", "stories")
"""What a reader of `scripts` looks at, and what it is of, as a report calls them."""


def expect_link_errors(linked: LinkedSentence, candidates: Sequence[Candidate], kept: bool) -> SpanErrors:
    """Return the expected errors of a sentence's links, in scenes, by the calibrated probability of each candidate.

    A sentence that the release drops (not `kept`) has no links there, so it misses all that it may tell of. Links without a
    probability (decoder `dtw`) count as right.
    """
    held = {link.scene for link in linked.links} if kept else set()
    likely = {each.scene: 1.0 if each.probability is None else each.probability for each in candidates}
    missed = sum(probability for scene, probability in likely.items() if scene not in held)
    false = sum(1 - likely.get(scene, 0.0) for scene in held)
    return SpanErrors(missed, false, len(held))


def list_sentences(rows: Iterable[SceneRow]) -> dict[int, tuple[LinkedSentence, bool]]:
    """Return the sentences of a story's rows by number, and whether the release keeps them."""
    return {each.sentence: (each, row.reason is None) for row in rows for each in row.sentences}


def list_looks(
    story: Story, links: StoryLinks, rows: Sequence[SceneRow], gold: Mapping[int, Collection[int]], names: Sequence[int]
) -> list[Look]:
    """Return the sentences with gold as looks, in the order of the synopsis, counted in scenes.

    Args:
        story: the story.
        links: its links, as the aligner found them.
        rows: its rows, kept or not, without what readers decided. The links of a dropped row are none.
        gold: the scenes of each sentence by gold; none: no scene tells it.
        names: by position, the number by which gold names the scene (the strict index, or the position itself).
    """
    linked = list_sentences(rows)
    looks = []
    for sentence, scenes in sorted(gold.items()):
        each, kept = linked[sentence]
        places = {link.scene for link in each.links}
        found = {names[place] for place in places} if kept else set()
        wanted = {scene for scene in scenes if scene >= 0}
        looks.append(
            Look(
                unit=story.unit,
                inside=len(found & wanted),
                found=len(found),
                gold=len(wanted),
                errors=expect_link_errors(each, links.candidates[sentence], kept),
                confidence=each.probability,
                turns=sum(len(story.scenes[place].turns) for place in places),
            )
        )
    return looks
