"""Measures how well a story's links agree with gold. Sentences are matched by their text, scenes by the strict index."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.errors import ConfigError
from core.metrics.alignment_quality import IndicatorCounts, Link, count_indicators, judge_links, rate_links
from core.metrics.fitting import KnownRow, find_odds
from core.review.curves import Look
from core.review.decisions import Decision
from core.review.judgements import digest_row, digest_texts
from core.review.priority import SpanErrors
from core.scripts.aligning import Candidate, StoryLinks, forget_reader
from core.scripts.config import ScriptsConfig
from core.scripts.rows import LinkedSentence, SceneRow, link_sentences
from core.scripts.story import GoldLink, Story

LOOKED_AT = ("sentences", "stories")
"""What a reader of `scripts` looks at, and what it is of, as a report calls them."""
READERS = "readers"
"""The source of gold that people have made in `fabula review`."""
_MIN_PART = 20
"""Letters and digits of a gold sentence that may be found within a longer one."""


@dataclass(frozen=True, slots=True)
class GradedStory:
    """A story's links, compared with the gold from one `source`; `unmatched` gold sentences are not in the synopsis."""

    unit: str
    source: str
    unmatched: tuple[str, ...]
    links: tuple[Link, ...]
    counts: IndicatorCounts


def find_sentences(story: Story, gold: Iterable[GoldLink]) -> dict[int, tuple[int, ...]]:
    """Return the gold scenes by synopsis sentence (`place_gold`), the first link of each; gold without a scene is left out."""
    found: dict[int, tuple[int, ...]] = {}
    for link, sentence in place_gold(story, gold):
        if sentence is not None and any(scene >= 0 for scene in link.scenes):
            found.setdefault(sentence, link.scenes)
    return found


def place_gold(story: Story, gold: Iterable[GoldLink]) -> list[tuple[GoldLink, int | None]]:
    """Return each gold link with its synopsis sentence (0-based index), None where the synopsis does not have it.

    Sentences are matched by their letters and digits. If a sentence occurs several times, the gold's own index decides; if that
    does not fit, the first occurrence is taken. A gold sentence that is a part of one sentence alone (20 letters or more) has its
    place there: gold may count the lines of a synopsis, and lines that stop inside a sentence are joined.
    """
    places: dict[str, list[int]] = {}
    for index, sentence in enumerate(story.sentences):
        places.setdefault(_fold(sentence), []).append(index)
    found: list[tuple[GoldLink, int | None]] = []
    for link in gold:
        candidates = places.get(_fold(link.sentence)) or _find_parts(places, _fold(link.sentence))
        found.append((link, link.sentence_index if link.sentence_index in candidates else next(iter(candidates), None)))
    return found


def grade_story(story: Story, links: StoryLinks, gold: Sequence[GoldLink]) -> GradedStory:
    """Compare a story's links with the gold links whose sentences `find_sentences` finds."""
    answers = find_sentences(story, gold)
    predicted = [story.scenes[links.scenes[index]].strict_index for index in answers]
    count = max(story.scene_count, 1 + max((scene for scenes in answers.values() for scene in scenes), default=-1))
    unmatched = tuple(link.sentence for link, sentence in place_gold(story, gold) if sentence is None)
    return GradedStory(story.unit, gold[0].source if gold else "", unmatched, *_grade(predicted, [*answers.values()], count))


def _grade(
    predicted: Sequence[int], answers: Sequence[tuple[int, ...]], n_scenes: int
) -> tuple[tuple[Link, ...], IndicatorCounts]:
    counts = count_indicators([[scene] for scene in predicted], answers, n_scenes)
    return tuple(judge_links(predicted, answers, n_scenes)), counts


def find_answers(story: Story, decisions: Iterable[Decision]) -> dict[int, tuple[int, ...]]:
    """Return the scenes that readers gave the sentences of a story (positions, 0-based; none: no scene tells of it).

    A decision counts where the sentence and the script are what the readers saw. A rejection names no scenes, so it is no answer.
    """
    script = digest_texts(turn.text for turn in story.list_turns())
    known = {(each.item, each.digest): each.scenes for each in decisions if each.verdict == "correct"}
    keys = ((story.name_sentence(number), digest_row(sentence, script)) for number, sentence in enumerate(story.sentences))
    found = enumerate(map(known.get, keys))
    return {number: each for number, each in found if each is not None and all(scene < len(story.scenes) for scene in each)}


def grade_reviewed(story: Story, links: StoryLinks, answers: Mapping[int, tuple[int, ...]]) -> GradedStory:
    """Compare the aligner's links with what readers answered (`find_answers`), but for sentences that no scene tells of."""
    told = {sentence: scenes for sentence, scenes in answers.items() if scenes}
    predicted = [links.scenes[sentence] for sentence in told]
    return GradedStory(story.unit, READERS, (), *_grade(predicted, [*told.values()], len(story.scenes)))


def expect_link_errors(linked: LinkedSentence, candidates: Sequence[Candidate], kept: bool) -> SpanErrors:
    """Return the expected errors of a sentence's links, in scenes, by the calibrated probability of each candidate.

    A sentence that the release drops misses all that it may tell of. Links without a probability (`dtw`) count as right.
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

    `rows` are without what readers decided; the links of a dropped one are none. `names` has by position the number by which gold
    names the scene (the strict index, or the position itself).
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


def list_known(
    story: Story, links: StoryLinks, config: ScriptsConfig, answers: Mapping[int, Collection[int]]
) -> tuple[list[KnownRow], list[KnownRow]]:
    """Return of which sentences it is known whether their scenes tell them, and whether they tell all.

    The probabilities are those of the aligner by itself. `answers` are the scenes of sentences that people have looked at; of the
    others a reader counts, where he is believed.
    """
    told, whole = [], []
    for each in link_sentences(story, forget_reader(links), config):
        found, said = {link.scene for link in each.links}, links.heard.get(each.sentence)
        if each.sentence in answers:
            named, complete = {*answers[each.sentence]}, True
        elif said is not None:
            named = {scene for scene, share in said.shares.items() if share >= 0.5}
            complete = said.whole > 0  # a detail may lack: what it asks for is scenes
        else:
            continue
        if each.probability is None or each.completeness is None:
            raise ConfigError(
                f"{story.unit}: its sentences have no probability; curves are fitted for alignment.decoder = posterior and "
                "tables.scenes = linked only"
            )
        told.append(KnownRow(story.unit, float(find_odds(each.probability)), not found.isdisjoint(named)))
        whole.append(KnownRow(story.unit, float(find_odds(each.completeness)), complete and bool(named) and named <= found))
    return told, whole


def describe_agreement(graded: Iterable[GradedStory]) -> dict[str, Any]:
    """Return rates over links and the measures of SumTitles, section 4.1: over all stories, by gold source and by story."""
    stories = list(graded)
    sources, units = sorted({story.source for story in stories}), sorted({story.unit for story in stories})
    return {
        "all": _describe(stories),
        "by_source": {source: _describe([story for story in stories if story.source == source]) for source in sources},
        "by_story": {unit: _describe([story for story in stories if story.unit == unit]) for unit in units},
    }


def _describe(stories: Sequence[GradedStory]) -> dict[str, Any]:
    counts = sum((story.counts for story in stories), IndicatorCounts())
    rates = rate_links(link for story in stories for link in story.links)
    return {
        "stories": len({story.unit for story in stories}),
        "unmatched": sum(len(story.unmatched) for story in stories),
        "rates": None if rates is None else asdict(rates),
        **counts.report(),
    }


def _find_parts(places: Mapping[str, list[int]], part: str) -> list[int]:
    if len(part) < _MIN_PART:
        return []
    found = [index for sentence, indices in places.items() if part in sentence for index in indices]
    return found if len(found) == 1 else []


def _fold(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
