"""Decides which scenes and sentences make a row of a release, and why a row is dropped."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from core.dataset.rejects import RejectedRows, Rule
from core.metrics.fitting import move_probability
from core.reading.belief import name_decider
from core.review.decisions import ALIGNER, Decision
from core.review.judgements import digest_row, digest_texts
from core.scripts.aligning import Candidate, HeardSentence, SceneGroup, StoryLinks
from core.scripts.confidence import SENTENCE, WHOLE, CompletenessCurve, SentenceCurves, measure_features
from core.scripts.config import FilterConfig, ScriptsConfig
from core.scripts.story import Story

_SURE = 0.3
"""A link with this posterior joins its sentence with the scene's others. Links below add scenes to a row, and join no rows: if
all links joined rows, half of a film would be one."""

REVIEWED = "reviewed"
"""Why a row is dropped that readers have rejected. Published data has this word and those of the rules: they must not change."""


RULES = (
    Rule("low-probability", "min_probability", "confidence", "probability"),
    Rule("incomplete", "min_completeness", "completeness", "completeness"),
    Rule("too-few-turns", "min_turns", "turns", "turn_count"),
    Rule("shorter-than-summary", "min_length_ratio", "ratio", "length_ratio"),
)
"""The rules in the order in which they are asked."""


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """A sentence of a synopsis and the scenes that it is linked to.

    `probability`: that at least one of the scenes tells the sentence. `completeness`: that the scenes tell it and no other scene
    does; merged rows have none. Both are None under the decoder `dtw`, and where a review has decided. `rejected`: a review found
    that the sentence makes no row. `decided_by` names who reviewed, or the model whose reading moved the links. `part` is what
    the scenes tell of the sentence, as a reader says; "" where it is all of it.
    """

    sentence: int
    links: tuple[Candidate, ...]
    probability: float | None
    completeness: float | None = None
    decided_by: str = ALIGNER
    rejected: bool = False
    part: str = ""


Curves = tuple[SentenceCurves, CompletenessCurve]
FITTED: Curves = (SENTENCE, WHOLE)
"""The curves of a sentence's `probability` and `completeness`, fitted on films that people have read."""


@dataclass(frozen=True, slots=True)
class SceneRow:
    """Scenes of a story (positions, in order) and the sentences that tell of them; `reason` says why the row is dropped."""

    id: str
    scenes: tuple[int, ...]
    sentences: tuple[LinkedSentence, ...]
    reason: str | None

    @property
    def probability(self) -> float | None:
        """The lowest probability of its sentences; None where the aligner gives none."""
        return min((each.probability for each in self.sentences if each.probability is not None), default=None)

    @property
    def completeness(self) -> float | None:
        """The lowest completeness of its sentences, each by all its links; None where the aligner gives none."""
        return min((each.completeness for each in self.sentences if each.completeness is not None), default=None)

    @property
    def decided_by(self) -> str:
        """Who decided its links: the first reader of any of its sentences, or the aligner."""
        return next((each.decided_by for each in self.sentences if each.decided_by != ALIGNER), ALIGNER)


def link_sentences(story: Story, links: StoryLinks, config: ScriptsConfig, curves: Curves = FITTED) -> list[LinkedSentence]:
    """Return each sentence with its scenes: the best one, and those with a posterior of `several_scenes` or more.

    Where a reader was heard, his probabilities count with his weight, and those of the curves with the rest.
    """
    chosen = choose_links(links, config.filter)
    scenes = [[each.scene for each in row] for row in chosen]
    sums = [
        sum(heard.posteriors.get(each.scene, 0.0) if heard else each.posterior or 0.0 for each in row)
        for row, heard in zip(chosen, map(links.heard.get, range(len(chosen))), strict=True)
    ]
    if any(each.posterior is None for row in chosen for each in row):
        return [LinkedSentence(sentence, row, None) for sentence, row in enumerate(chosen)]
    tell, tell_whole = curves
    stated = (tell(total, row, len(story.scenes)) for total, row in zip(sums, scenes, strict=True))
    told = [move_probability(each, config.filter.told_curve) for each in stated]
    whole: list[float | None] = [None] * len(chosen)
    if config.tables.scenes == "linked":
        features = measure_features(story, links.scenes, scenes, sums)
        whole = [move_probability(each, config.filter.whole_curve) for each in tell_whole(features).tolist()]
    linked = [LinkedSentence(sentence, *each) for sentence, each in enumerate(zip(chosen, told, whole, strict=True))]
    for sentence, heard in links.heard.items():
        linked[sentence] = _hear(linked[sentence], heard, config.filter)
    return linked


def _hear(linked: LinkedSentence, heard: HeardSentence, config: FilterConfig) -> LinkedSentence:
    """Return a sentence whose probabilities are the reader's, by his weight, plus the aligner's own, by the rest.

    `decided_by` names the reader if the links differ from the aligner's.
    """
    own, rest = linked.completeness, 1 - heard.weight
    alone = {scene for scene, posterior in heard.posteriors.items() if scene == heard.found or posterior >= config.several_scenes}
    return replace(
        linked,
        probability=heard.weight * heard.told + rest * (linked.probability or 0.0),
        completeness=None if own is None else heard.whole + rest * own,
        decided_by=ALIGNER if alone == {link.scene for link in linked.links} else name_decider(heard.model),
        part=heard.part,
    )


def choose_links(links: StoryLinks, config: FilterConfig) -> list[tuple[Candidate, ...]]:
    """Return the links of each sentence, in the order of the scenes."""
    return [
        tuple(each for each in candidates if each.scene == best or (each.posterior or 0.0) >= config.several_scenes)
        for best, candidates in zip(links.scenes, links.candidates, strict=True)
    ]


def find_doubt(linked: LinkedSentence, config: FilterConfig) -> str | None:
    """Return why a sentence is left out of rows: its scenes may not tell it, or not all of it. None where it is not left out."""
    return _apply_rules({"confidence": linked.probability, "completeness": linked.completeness}, config)


def decide_rows(
    story: Story, links: StoryLinks, config: ScriptsConfig, decisions: Iterable[Decision] = (), curves: Curves = FITTED
) -> list[SceneRow]:
    """Return all rows of a story, kept and dropped, in the order of their first scenes; every sentence is in one row.

    Of linked scenes, sentences that surely share a scene make one row, and no scene is in two rows that are kept. Its number is
    that of its first sentence. A sentence that is doubtful (`find_doubt`) or rejected is a dropped row of its own. Merged: the
    rows are the groups, and a sentence that readers have moved goes to another group (`_regroup_scenes`).
    """
    linked = _apply_decisions(story, link_sentences(story, links, config, curves), decisions)
    if config.tables.scenes == "merged":
        return _judge_merged(story, linked, links.groups, config.filter)
    doubtful = {each.sentence for each in linked if each.rejected or find_doubt(each, config.filter) is not None}
    groups = [[each] for each in linked if each.sentence in doubtful]
    groups += _join([each for each in linked if each.sentence not in doubtful])
    rows = [_judge(story, story.name_sentence(group[0].sentence), _list_scenes(group), group, config.filter) for group in groups]
    return sorted(rows, key=lambda row: (row.scenes[0], row.id))


def _judge_merged(
    story: Story, linked: Sequence[LinkedSentence], groups: Sequence[SceneGroup], config: FilterConfig
) -> list[SceneRow]:
    """Return the rows of merged scenes: the groups, and after them a dropped row for each rejected sentence."""
    decided = {each.sentence: () if each.rejected else _list_scenes([each]) for each in linked if each.decided_by != ALIGNER}
    told = [
        (story.name_sentence(number), range(group.start, group.stop), [linked[sentence] for sentence in group.sentences])
        for number, group in _regroup_scenes(groups, decided).items()
    ]
    lost = [(f"{story.unit}_sentence_{each.sentence:04d}", _list_scenes([each]), [each]) for each in linked if each.rejected]
    return [_judge(story, name, scenes, sentences, config) for name, scenes, sentences in [*told, *lost]]


def _apply_decisions(story: Story, linked: list[LinkedSentence], decisions: Iterable[Decision]) -> list[LinkedSentence]:
    """Return the sentences with what readers decided of them; nothing is aligned anew.

    A decision counts only where the sentence and the story's turns are what the reader saw, and the scenes are there.
    """
    known = {(decision.item, decision.digest): decision for decision in decisions}
    if not known:
        return linked
    script = digest_texts(turn.text for turn in story.list_turns())
    keys = ((story.name_sentence(each.sentence), digest_row(story.sentences[each.sentence], script)) for each in linked)
    return [
        each if (decision := known.get(key)) is None else _apply_decision(each, decision, len(story.scenes))
        for each, key in zip(linked, keys, strict=True)
    ]


def _apply_decision(linked: LinkedSentence, decision: Decision, n_scenes: int) -> LinkedSentence:
    """Return a sentence as a reader decided; one that is confirmed or moved is not doubtful any more."""
    found = {link.scene: link for link in linked.links}
    scenes = {"accept": tuple(found), "reject": ()}.get(decision.verdict, decision.scenes)
    if scenes is None or any(scene >= n_scenes for scene in scenes):
        return linked
    if not scenes:
        return replace(linked, decided_by=decision.decided_by, rejected=True)
    links = tuple(found.get(scene, Candidate(scene, None, None)) for scene in sorted(scenes))
    return LinkedSentence(linked.sentence, links, None, decided_by=decision.decided_by)


def _regroup_scenes(groups: Sequence[SceneGroup], decided: Mapping[int, Sequence[int]]) -> dict[int, SceneGroup]:
    """Return groups of merged scenes by their number, with the sentences where readers have put them.

    `decided` has by sentence the scenes that readers gave it; of none, it is in no group. A sentence stays in its group if the
    group holds one of the reader's scenes. Otherwise it goes to the group that holds most of them, the first of several. A group
    that has lost all its sentences gives its scenes to the group before it (the first one: to the group after it).
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


def tell_sentences(story: Story, rows: Iterable[SceneRow]) -> Story:
    """Return the story with the sentences of rows as far as their scenes tell them."""
    parts = {each.sentence: each.part for row in rows for each in row.sentences if each.part}
    return replace(story, sentences=tuple(parts.get(number, sentence) for number, sentence in enumerate(story.sentences)))


def explain_rejects(config: FilterConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    """Return the dropped rows by reason, in the order of the rules, each with the setting that decides and what it would take.

    `rows` are those of the table `rejects`. The rules after the one that dropped a row were not asked.
    """
    dropped: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        dropped.setdefault(row["reason"], []).append(row)
    ruled = [rule.explain(config, [row[rule.column] for row in found]) for rule in RULES if (found := dropped.get(rule.reason))]
    note = "readers have rejected them (`fabula review`); no setting of the filter does"
    reviewed = [RejectedRows(reason=REVIEWED, count=len(dropped[REVIEWED]), note=note)] if REVIEWED in dropped else []
    return ruled + reviewed


def measure_length_ratio(story: Story, scenes: Sequence[int], sentences: Iterable[int]) -> float:
    """Return the words of the scenes' turns for each word of the sentences."""
    spoken = sum(len(turn.text.split()) for place in scenes for turn in story.scenes[place].turns)
    return spoken / max(1, sum(len(story.sentences[sentence].split()) for sentence in sentences))


def _join(linked: Sequence[LinkedSentence]) -> list[list[LinkedSentence]]:
    """Return the sentences in groups: those that are surely linked to one scene, or are joined by others that are, are in one.

    A scene that several groups claim, but not surely, goes to the one with the highest posterior; the others lose the link.
    """
    if not linked:
        return []
    pairs = [(row, link.scene) for row, each in enumerate(linked) for link in each.links if _is_sure(each, link)]
    rows, scenes = zip(*pairs, strict=True)
    told = csr_array((np.ones(len(pairs)), (rows, scenes)))
    _, labels = connected_components(told @ told.T, directed=False)
    owners: dict[int, tuple[bool, float, int]] = {}
    for label, each in zip(labels.tolist(), linked, strict=True):
        for link in each.links:
            claim = (_is_sure(each, link), link.posterior or 0.0, label)
            owners[link.scene] = max(claim, owners.get(link.scene, claim))
    groups: dict[int, list[LinkedSentence]] = {}
    for label, each in zip(labels.tolist(), linked, strict=True):
        links = tuple(link for link in each.links if owners[link.scene][2] == label)
        groups.setdefault(label, []).append(replace(each, links=links))
    return list(groups.values())


def _is_sure(linked: LinkedSentence, link: Candidate) -> bool:
    best = max(linked.links, key=lambda each: each.posterior or 0.0)
    return linked.probability is None or link == best or (link.posterior or 0.0) >= _SURE  # None: a review has decided


def _list_scenes(linked: Iterable[LinkedSentence]) -> list[int]:
    return sorted({link.scene for each in linked for link in each.links})


def _judge(story: Story, name: str, scenes: Iterable[int], sentences: Sequence[LinkedSentence], config: FilterConfig) -> SceneRow:
    places = tuple(scenes)
    turns = sum(len(story.scenes[place].turns) for place in places)
    ratio = measure_length_ratio(story, places, (each.sentence for each in sentences))
    doubts = (find_doubt(each, config) for each in sentences)
    reason = next(filter(None, doubts), None) or _apply_rules({"turns": turns, "ratio": ratio}, config)
    return SceneRow(name, places, tuple(sentences), REVIEWED if any(each.rejected for each in sentences) else reason)


def _apply_rules(values: Mapping[str, float | None], config: FilterConfig) -> str | None:
    """Return the reason of the first rule that drops what has these values by measure, None if none does."""
    return next((rule.reason for rule in RULES if rule.drops(values.get(rule.measure), config)), None)


def find_withheld_sentences(rows: Sequence[SceneRow], names: Container[str]) -> frozenset[int]:
    """Return the synopsis sentences that belong to the rows with these ids."""
    return frozenset(each.sentence for row in rows if row.id in names for each in row.sentences)


def withhold_scenes(story: Story, rows: Sequence[SceneRow], names: Container[str]) -> Story:
    """Return the story without the scenes and sentences of the rows with these ids."""
    scenes = {scene for row in rows if row.id in names for scene in row.scenes}
    sentences = find_withheld_sentences(rows, names)
    return replace(
        story,
        scenes=tuple(scene for place, scene in enumerate(story.scenes) if place not in scenes),
        sentences=tuple(sentence for place, sentence in enumerate(story.sentences) if place not in sentences),
    )
