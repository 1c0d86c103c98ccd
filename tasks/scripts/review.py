"""What annotators look at in a release of `scripts`: the scenes that each sentence of a synopsis is linked to."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from core.errors import ConfigError
from core.review.judgements import digest_row, digest_texts
from core.review.priority import SpanErrors, expect_f1, expect_gain
from core.scripts.config import ScriptsConfig
from core.scripts.evaluation import expect_link_errors, list_sentences
from core.scripts.rows import decide_rows
from core.scripts.story import Story
from core.scripts.views import list_elements
from infra.settings import validate_config
from tasks.frame.release_spec import Released, ReviewRow, ReviewSource
from tasks.scripts.statistics import list_references, read_linked


def list_rows(released: Released) -> ReviewSource:
    """Return the sentences of the synopses of a dataset's stories.

    The priority is the expected gain in pooled F1, counted in scenes, by the probabilities of the sentence's links: of those that
    the release has, and of those that a doubtful sentence lacks there. The stories are read from the store of the runs: a release
    does not hold the scenes that no sentence is linked to.
    """
    dataset = released.folder.split("/")[1]
    landed = list_references(released.store, dataset)
    references = {unit: reference for unit, reference in sorted(landed.items()) if unit in released.manifest.splits}
    config = validate_config(ScriptsConfig, released.manifest.says["configuration"], released.folder)
    found: dict[str, tuple[str, int, float | None, SpanErrors]] = {}
    for unit, reference in references.items():
        story, links = read_linked(released.store, reference)
        for number, (linked, kept) in sorted(list_sentences(decide_rows(story, links, config)).items()):
            errors = expect_link_errors(linked, links.candidates[number], kept)
            found[story.name_sentence(number)] = unit, number, linked.probability, errors
    if not found:
        raise ConfigError(f"store {released.store.url} has no stories of {dataset}: review it in the store of its runs")
    f1 = expect_f1([errors for *_, errors in found.values()])
    rows = [
        ReviewRow(item=name, unit=unit, priority=expect_gain(errors, f1), confidence=sure)
        for name, (unit, _, sure, errors) in found.items()
    ]

    @lru_cache(maxsize=8)
    def read(unit: str) -> tuple[Story, tuple[int, ...], str]:
        story, links = read_linked(released.store, references[unit])
        return story, links.scenes, digest_texts(turn.text for turn in story.list_turns())

    def show(item: str) -> Mapping[str, Any]:
        unit, number, sure, _ = found[item]
        story, scenes, script = read(unit)
        return {
            "item": item,
            "unit": unit,
            "title": story.title or unit,
            "summary": story.sentences[number],
            "before": " ".join(story.sentences[max(number - 2, 0) : number]),
            "after": " ".join(story.sentences[number + 1 : number + 3]),
            "confidence": sure,
            "found": [scenes[number]],
            "scenes": [
                {
                    "position": place,
                    "heading": scene.heading,
                    "parts": [
                        {"speakers": part.speakers, "text": part.text, "spoken": part.kind == "speech"}
                        for part in list_elements([scene])
                        if part.kind != "heading"
                    ],
                }
                for place, scene in enumerate(story.scenes)
            ],
            "digest": digest_row(story.sentences[number], script),
        }

    return ReviewSource(kind="links", rows=rows, show=show)
