"""The tables of `scripts`: schemas, codecs of the artifacts, and a story's rows in each table of a release."""

from collections.abc import Collection, Iterable, Sequence

import pyarrow as pa

from core.dialogue import Turn, join_utterances
from core.scripts.evaluation import place_gold
from core.scripts.gold import GoldLink
from core.scripts.links import StoryLinks
from core.scripts.merging import MergedScene, merge_scenes
from core.scripts.story import Story
from core.scripts.views import (
    join_with_separators,
    join_with_speakers,
    join_with_speakers_and_separators,
    remove_cast_names,
)
from core.scripts.withholding import name_scene
from infra.tables.codecs import Codec, json_codec
from infra.tables.parquet import PROVENANCE, STRINGS, TURNS, Provenance, Rows, assemble, optional, required, tabulate_rows

_INTEGERS = pa.list_(pa.field("element", pa.int32(), nullable=False))
_NUMBERS = pa.list_(pa.field("element", pa.float64(), nullable=False))

SCENES = pa.schema(
    [
        required("id", pa.string()),
        required("movie", pa.string()),
        required("kind", pa.string()),
        required("title", pa.string()),
        optional("year", pa.string()),
        required("scene_start", pa.int32()),
        required("scene_end", pa.int32()),
        required("strict_scenes", _INTEGERS),
        required("headings", STRINGS),
        required("speakers", STRINGS),
        required("summary", pa.string()),
        required("sentences", STRINGS),
        required("sentence_indices", _INTEGERS),
        required("similarities", _NUMBERS),
        required("has_cast", pa.bool_()),
        required("turns", TURNS),
        required("raw_speakers", STRINGS),
        required("narration", STRINGS),
        required("plain", pa.string()),
        required("with_speakers", pa.string()),
        required("with_separators", pa.string()),
        required("with_speakers_and_separators", pa.string()),
        required("anonymised_summary", pa.string()),
        *PROVENANCE,
    ]
)
GOLD = pa.schema(
    [
        required("id", pa.string()),
        required("movie", pa.string()),
        required("kind", pa.string()),
        required("title", pa.string()),
        optional("year", pa.string()),
        required("gold_source", pa.string()),
        required("summary", pa.string()),
        optional("sentence_index", pa.int32()),
        required("strict_scenes", _INTEGERS),
        optional("primary_scene", pa.int32()),
        required("scene_count", pa.int32()),
        required("headings", STRINGS),
        required("speakers", STRINGS),
        required("has_cast", pa.bool_()),
        required("turns", TURNS),
        required("raw_speakers", STRINGS),
        required("narration", STRINGS),
        required("plain", pa.string()),
        required("with_speakers", pa.string()),
        required("with_separators", pa.string()),
        required("with_speakers_and_separators", pa.string()),
        *PROVENANCE,
    ]
)
LINKS = pa.schema(
    [
        required("movie", pa.string()),
        required("sentence_index", pa.int32()),
        required("sentence", pa.string()),
        required("scene_index", pa.int32()),
        required("parser_scene", pa.int32()),
        required("heading", pa.string()),
        required("similarity", pa.float64()),
        *PROVENANCE,
    ]
)


STORY: Codec[Story] = json_codec(Story)
STORY_LINKS: Codec[StoryLinks] = json_codec(StoryLinks)
GOLD_LINKS: Codec[tuple[GoldLink, ...]] = json_codec(tuple[GoldLink, ...])


def tabulate_scenes(story: Story, links: StoryLinks, provenance: Provenance) -> Rows:
    """Return the merged scenes as rows of `SCENES`; every scene of the story is in exactly one of them."""
    anonymised = remove_cast_names(story.sentences, story.cast or ())
    merged = merge_scenes(story.scenes, links.groups)
    rows = [_describe(story, links, anonymised, number, scene) for number, scene in enumerate(merged)]
    return Rows(assemble(SCENES, pa.table({}), tabulate_rows(SCENES, rows), provenance))


def tabulate_gold(story: Story, gold: Iterable[GoldLink], withheld: Collection[int], provenance: Provenance) -> Rows:
    """Return people's links as rows of `GOLD`, one a link: the sentence, and the scenes that they found for it.

    A row without scenes says that people found none. `scene_count` is the number of scenes in the script that they read (0 if
    unknown); where it differs from this story's, the scenes may be others. Links of the `withheld` sentences are left out.
    """
    rows = [
        _describe_gold(story, link, number, sentence)
        for number, (link, sentence) in enumerate(place_gold(story, gold))
        if sentence is None or sentence not in withheld
    ]
    return Rows(assemble(GOLD, pa.table({}), tabulate_rows(GOLD, rows), provenance))


def _describe_gold(story: Story, link: GoldLink, number: int, sentence: int | None) -> dict[str, object]:
    members = [scene for scene in story.scenes if scene.strict_index in link.scenes]
    turns = [turn for scene in members for turn in scene.turns]
    return {
        "id": f"{story.unit}_gold_{number:04d}",
        "movie": story.unit,
        "kind": story.kind,
        "title": story.title,
        "year": story.year or None,
        "gold_source": link.source,
        "summary": link.sentence,
        "sentence_index": sentence,
        "strict_scenes": link.scenes,
        "primary_scene": link.primary,
        "scene_count": link.scene_count,
        "headings": [scene.heading for scene in members if scene.heading],
        "speakers": list(dict.fromkeys(speaker for turn in turns for speaker in turn.speakers)),
        "has_cast": bool(story.cast),
        "narration": [paragraph for scene in members for paragraph in scene.narration],
        **_view(turns),
    }


def tabulate_links(story: Story, links: StoryLinks, provenance: Provenance) -> Rows:
    """Return the links as rows of `LINKS`, one a synopsis sentence; `scene_index` counts strictly, as public gold does."""
    rows = [
        {
            "movie": story.unit,
            "sentence_index": index,
            "sentence": sentence,
            "scene_index": story.scenes[scene].strict_index,
            "parser_scene": story.scenes[scene].index,
            "heading": story.scenes[scene].heading,
            "similarity": similarity,
        }
        for index, (sentence, scene, similarity) in enumerate(zip(story.sentences, links.scenes, links.similarities, strict=True))
    ]
    return Rows(assemble(LINKS, pa.table({}), tabulate_rows(LINKS, rows), provenance))


def _describe(story: Story, links: StoryLinks, anonymised: tuple[str, ...], number: int, scene: MergedScene) -> dict[str, object]:
    group = scene.group
    members = story.scenes[group.start : group.stop]
    return {
        "id": name_scene(story.unit, number),
        "movie": story.unit,
        "kind": story.kind,
        "title": story.title,
        "year": story.year or None,
        "scene_start": members[0].index,
        "scene_end": members[-1].index,
        "strict_scenes": sorted({member.strict_index for member in members}),
        "headings": scene.headings,
        "speakers": scene.speakers,
        "summary": " ".join(story.sentences[index] for index in group.sentences),
        "sentences": [story.sentences[index] for index in group.sentences],
        "sentence_indices": group.sentences,
        "similarities": [links.similarities[index] for index in group.sentences],
        "has_cast": bool(story.cast),
        "narration": scene.narration,
        "anonymised_summary": " ".join(text for index in group.sentences if (text := anonymised[index])),
        **_view(scene.turns),
    }


def _view(turns: Sequence[Turn]) -> dict[str, object]:
    """Return the columns that hold the dialogue: as turns, and as text in four forms."""
    return {
        "turns": [{"number": turn.number, "speakers": turn.speakers, "text": turn.text} for turn in turns],
        "raw_speakers": [turn.raw_label for turn in turns],
        "plain": join_utterances(turns),
        "with_speakers": join_with_speakers(turns),
        "with_separators": join_with_separators(turns),
        "with_speakers_and_separators": join_with_speakers_and_separators(turns),
    }
