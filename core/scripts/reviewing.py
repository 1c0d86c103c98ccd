"""Applies what readers have decided to the links of a story. Nothing is aligned anew: links move, and rows follow them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.review.basis import digest_texts, name_basis
from core.review.decisions import Decision
from core.scripts.aligning import Candidate, SceneGroup
from core.scripts.story import Story


@dataclass(frozen=True, slots=True)
class ReviewedSentence:
    """What readers decided of a sentence: its scenes (empty: it makes no row), and who decided."""

    scenes: tuple[int, ...]
    decided_by: str


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
    script = digest_texts(turn.text for turn in story.list_turns())
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


def regroup_scenes(groups: Sequence[SceneGroup], decided: Mapping[int, Sequence[int]]) -> dict[int, SceneGroup]:
    """Return groups of merged scenes by their number, with the sentences where readers have put them.

    A sentence stays in its group if the group holds one of the reader's scenes. Otherwise it goes to the group that holds most of
    them, the first of several. A group that has lost all its sentences gives its scenes to the group before it (the first one: to
    the group after it), so that each scene stays in one row.

    Args:
        groups: all groups of a story, in order; each scene is in one.
        decided: by sentence, the scenes that readers gave it; none: it is in no group.
    """
    members = {number: [each for each in group.sentences if each not in decided] for number, group in enumerate(groups)}
    for sentence, scenes in decided.items():
        held = [sum(group.start <= scene < group.stop for scene in scenes) for group in groups]
        if not any(held):
            continue
        own = next((number for number, group in enumerate(groups) if sentence in group.sentences and held[number]), None)
        members[held.index(max(held)) if own is None else own].append(sentence)
    kept = [number for number in members if members[number]]
    if not kept:
        return {}
    starts = [groups[0].start, *(groups[number].start for number in kept[1:])]
    stops = [*starts[1:], groups[-1].stop]
    return {
        number: replace(groups[number], start=start, stop=stop, sentences=tuple(sorted(members[number])))
        for number, start, stop in zip(kept, starts, stops, strict=True)
    }
