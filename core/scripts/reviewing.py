"""Applies what readers have decided to the links of a story. Nothing is aligned anew: links move, and rows follow them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.dialogue import Turn
from core.review.basis import digest_texts, name_basis
from core.review.decisions import Decision
from core.scripts.links import Candidate
from core.scripts.story import Story


@dataclass(frozen=True, slots=True)
class ReviewedSentence:
    """What readers decided of a sentence: its scenes (empty: it makes no row), and who decided."""

    scenes: tuple[int, ...]
    decided_by: str


def list_turns(story: Story) -> list[Turn]:
    """Return the turns of all scenes of a story, one after the other."""
    return [turn for scene in story.scenes for turn in scene.turns]


def name_sentence(unit: str, number: int) -> str:
    """Return the name by which readers decide of a sentence: `the-film_0003`, like the row that begins with it."""
    return f"{unit}_{number:04d}"


def find_reviewed(
    story: Story, found: Sequence[Sequence[Candidate]], decisions: Iterable[Decision]
) -> dict[int, ReviewedSentence]:
    """Return what readers decided of each sentence of a story.

    A decision counts only where the sentence and the story's turns are what the reader saw, and the scenes are there. A rejected
    sentence has no scenes; an accepted one has those that were found.

    Args:
        story: the story.
        found: by sentence, the scenes that it is linked to.
        decisions: of its sentences.
    """
    known = {(decision.item, decision.basis): decision for decision in decisions}
    if not known:
        return {}
    script = digest_texts(turn.text for turn in list_turns(story))
    reviewed: dict[int, ReviewedSentence] = {}
    for number, sentence in enumerate(story.sentences):
        decision = known.get((name_sentence(story.unit, number), name_basis(sentence, script)))
        if decision is None:
            continue
        if decision.verdict == "accept":
            scenes: tuple[int, ...] | None = tuple(link.scene for link in found[number])
        else:
            scenes = () if decision.verdict == "reject" else decision.scenes
        if scenes is not None and all(scene < len(story.scenes) for scene in scenes):
            reviewed[number] = ReviewedSentence(scenes, decision.decided_by)
    return reviewed


def move_links(found: Sequence[Candidate], scenes: Iterable[int]) -> tuple[Candidate, ...]:
    """Return links to the readers' scenes. One that was found keeps its probabilities; others have none."""
    before = {link.scene: link for link in found}
    return tuple(before.get(scene, Candidate(scene, None, None)) for scene in sorted(scenes))
