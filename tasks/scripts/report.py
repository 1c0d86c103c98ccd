"""What the report shows of a story: scenes and sentences as a matrix of links, and its rows, kept or not."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from core.dataset.report import CONFIDENCE, MEASURES, Measure, ReportRow, ReportSpec, ReportTurn, UnitReport, list_thresholds
from core.scripts.config import ScriptsConfig
from core.scripts.names import name_speakers
from core.scripts.rows import RULES, SceneRow, decide_rows, measure_length_ratio
from core.scripts.story import Story
from infra.store.objects import Store
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.release_spec import Landed, ReleaseUnit, Reporter, TableSpec
from tasks.frame.report import read_recorded_curve

EVALUATION = "for evaluation only"
"""Rows of stories that people have linked: they are in no table to train on."""
_RATIOS = tuple(place / 10 for place in range(101))


def make_reporter(landed: Landed[ScriptsConfig], _: Sequence[TableSpec]) -> Reporter:
    """Return the reporter of a release."""
    config = landed.config
    evaluated = frozenset(link.unit for link in landed.knowledge)
    asked = [rule for rule in RULES if rule.reason != "incomplete" or config.tables.scenes == "linked"]
    return Reporter(
        present=partial(_present, config, evaluated),
        spec=ReportSpec(
            unit=("story", "stories"),
            row=("row", "rows"),
            measures=(
                Measure(name=CONFIDENCE.name, label="probability of the link", edges=CONFIDENCE.edges),
                Measure(name="completeness", label="probability that its scenes are all that tell it", edges=CONFIDENCE.edges),
                *MEASURES,
                Measure(name="ratio", label="words of dialogue for a word of the summary", edges=_RATIOS),
            ),
            thresholds=list_thresholds(asked, config.filter),
            curve=read_recorded_curve("scripts"),
        ),
    )


def _present(config: ScriptsConfig, evaluated: frozenset[str], store: Store, unit: ReleaseUnit) -> Iterator[UnitReport]:
    story, links = STORY.decode(unit.read(store, "story")), STORY_LINKS.decode(unit.read(store, "links"))
    named = name_speakers(story, config.cast)
    turns = tuple(ReportTurn(turn.number, turn.speakers, turn.text) for turn in named.list_turns())
    starts = [0, *accumulate(len(scene.turns) for scene in story.scenes)]
    gold = unit.unit in evaluated
    yield UnitReport(
        id=unit.unit,
        title=f"{story.title} ({story.year})" if story.year else story.title,
        turns=turns,
        rows=tuple(describe_row(story, row, starts, gold) for row in decide_rows(story, links, config, unit.reviews)),
        drawings=(
            {
                "kind": "matrix",
                "scenes": [scene.heading for scene in story.scenes],
                "sentences": list(story.sentences),
                "cells": [
                    [sentence, candidate.scene, None if candidate.posterior is None else round(candidate.posterior, 3)]
                    for sentence, candidates in enumerate(links.candidates)
                    for candidate in candidates
                ],
                "path": list(links.scenes),
            },
        ),
    )


def describe_row(story: Story, row: SceneRow, starts: list[int], gold: bool) -> ReportRow:
    """Return a row as the report shows it; `starts` has by scene the number of its first turn, `gold`: for evaluation only."""
    sentences = [each.sentence for each in row.sentences]
    scenes = [story.scenes[place] for place in row.scenes]
    spans = tuple((starts[place], starts[place + 1]) for place in row.scenes if story.scenes[place].turns)
    values = {"ratio": round(measure_length_ratio(story, row.scenes, sentences), 3)}
    if not spans:  # where nobody speaks, there are no turns to be counted
        values |= {"turns": 0, "words": 0}
    if row.completeness is not None:
        values["completeness"] = row.completeness
    return ReportRow(
        id=row.id,
        summary=" ".join(story.sentences[place] for place in sentences),
        spans=spans,
        reason=EVALUATION if gold else row.reason or "",
        confidence=row.probability,
        values=values,
        facts={
            "scenes": ", ".join(str(scene.index) for scene in scenes),
            "headings": " · ".join(scene.heading for scene in scenes if scene.heading),
            "sentences": ", ".join(str(place) for place in sentences),
            "decided by": row.decided_by,
        },
    )
