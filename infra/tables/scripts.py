"""The tables of `scripts`: schemas, codecs of the artifacts, and a story's rows in each table of a release."""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from core.dialogue import Turn, join_utterances, write_dialogue
from core.scripts.aligning import StoryLinks
from core.scripts.evaluation import place_gold
from core.scripts.rows import SceneRow, measure_length_ratio
from core.scripts.story import GoldLink, Scene, Story
from core.scripts.views import join_with_action, list_elements, list_lines, show_dialogue
from infra.tables.codecs import Codec, json_codec
from infra.tables.columns import PROVENANCE, STRINGS, TURNS, optional, required
from infra.tables.parquet import Provenance, Rows, Schema, assemble, tabulate_rows

_INTEGERS = pa.list_(pa.field("element", pa.int32(), nullable=False))
_NUMBERS = pa.list_(pa.field("element", pa.float64(), nullable=False))

_SCRIPT = pa.list_(
    pa.field(
        "element",
        pa.struct([required("kind", pa.string()), required("speakers", STRINGS), required("text", pa.string())]),
        nullable=False,
    )
)
_OPTIONAL_NUMBERS = pa.list_(pa.float64())
_COMMON = (required("unit", pa.string()), required("dialogue", pa.string()))
"""What every pipeline's pairs have, and the rows of the profile `sumtitles` had not when they were published."""
_STORY = (
    required("id", pa.string()),
    required("movie", pa.string()),
    required("kind", pa.string()),
    required("title", pa.string()),
    optional("year", pa.string()),
)
_VIEWS = (
    required("raw_speakers", STRINGS),
    required("narration", STRINGS),
    required("plain", pa.string()),
    required("with_speakers", pa.string()),
    required("with_separators", pa.string()),
    required("with_speakers_and_separators", pa.string()),
)
_SCENE_COLUMNS = pa.schema(
    [
        *_STORY,
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
        *_VIEWS,
        required("anonymised_summary", pa.string()),
    ]
)
SCENES_PUBLISHED = pa.schema([*_SCENE_COLUMNS, *PROVENANCE])
SCENES = pa.schema(
    [
        *_SCENE_COLUMNS,
        *_COMMON,
        required("names_from", pa.string()),
        required("scenes", _INTEGERS),
        required("probabilities", _OPTIONAL_NUMBERS),
        optional("probability", pa.float64()),
        optional("completeness", pa.float64()),
        required("decided_by", pa.string()),
        required("script", _SCRIPT),
        required("with_action", pa.string()),
        *PROVENANCE,
    ]
)
"""`scenes` are the row's scenes by the parser's index. `probabilities` has one a sentence, `probability` is the lowest.

`completeness` is the lowest probability that the scenes of a sentence tell it, and are all that do."""
REJECTS = pa.schema(
    [
        required("id", pa.string()),
        required("movie", pa.string()),
        required("summary", pa.string()),
        required("sentence_indices", _INTEGERS),
        required("scenes", _INTEGERS),
        required("strict_scenes", _INTEGERS),
        required("headings", STRINGS),
        required("similarities", _NUMBERS),
        optional("probability", pa.float64()),
        optional("completeness", pa.float64()),
        required("turn_count", pa.int32()),
        required("length_ratio", pa.float64()),
        required("reason", pa.string()),
        required("decided_by", pa.string()),
        *PROVENANCE,
    ]
)
_GOLD_COLUMNS = pa.schema(
    [
        *_STORY,
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
        *_VIEWS,
    ]
)
GOLD_PUBLISHED = pa.schema([*_GOLD_COLUMNS, *PROVENANCE])
GOLD = pa.schema([*_GOLD_COLUMNS, *_COMMON, required("script", _SCRIPT), required("with_action", pa.string()), *PROVENANCE])
_LINK_COLUMNS = pa.schema(
    [
        required("movie", pa.string()),
        required("sentence_index", pa.int32()),
        required("sentence", pa.string()),
        required("scene_index", pa.int32()),
        required("parser_scene", pa.int32()),
        required("heading", pa.string()),
        required("similarity", pa.float64()),
    ]
)
LINKS_PUBLISHED = pa.schema([*_LINK_COLUMNS, *PROVENANCE])
LINKS = pa.schema(
    [
        *_LINK_COLUMNS,
        optional("probability", pa.float64()),
        required("best", pa.bool_()),
        required("row", pa.string()),
        required("kept", pa.bool_()),
        optional("reason", pa.string()),
        required("decided_by", pa.string()),
        *PROVENANCE,
    ]
)
"""`probability` is that of the link. `row` is the id of the row of its sentence; `kept` and `reason` are that row's."""


STORY: Codec[Story] = json_codec(Story)
STORY_LINKS: Codec[StoryLinks] = json_codec(StoryLinks)
GOLD_LINKS: Codec[tuple[GoldLink, ...]] = json_codec(tuple[GoldLink, ...])


def tabulate_scenes(
    story: Story,
    rows: Sequence[SceneRow],
    similarities: Sequence[float],
    names: tuple[str, Sequence[str]],
    provenance: Provenance,
    schema: Schema = SCENES,
) -> Rows:
    """Return rows of a story as rows of `SCENES`, or of `SCENES_PUBLISHED`.

    `similarities` has the similarity of each sentence's link. `names` says where the removed names come from (cast, speakers,
    none), and has each sentence without them.
    """
    described = [_describe(story, row, similarities, names) for row in rows]
    return Rows(assemble(schema, pa.table({}), tabulate_rows(schema, described), provenance))


def tabulate_rejects(story: Story, rows: Sequence[SceneRow], similarities: Sequence[float], provenance: Provenance) -> Rows:
    """Return the dropped rows of a story as rows of `REJECTS`."""
    described = [_describe_reject(story, row, similarities) for row in rows if row.reason is not None]
    return Rows(assemble(REJECTS, pa.table({}), tabulate_rows(REJECTS, described), provenance))


def tabulate_gold(
    story: Story, gold: Iterable[GoldLink], withheld: Collection[int], provenance: Provenance, schema: Schema = GOLD
) -> Rows:
    """Return people's links as rows of `GOLD` or `GOLD_PUBLISHED`, one a link: the sentence, and the scenes found for it.

    A row without scenes says that people found none. `scene_count` is the number of scenes in the script that they read (0 if
    unknown); where it differs from this story's, the scenes may be others. Links of the `withheld` sentences are left out.
    """
    rows = [
        _describe_gold(story, link, number, sentence)
        for number, (link, sentence) in enumerate(place_gold(story, gold))
        if sentence is None or sentence not in withheld
    ]
    return Rows(assemble(schema, pa.table({}), tabulate_rows(schema, rows), provenance))


def _describe_gold(story: Story, link: GoldLink, number: int, sentence: int | None) -> dict[str, object]:
    members = [scene for scene in story.scenes if scene.strict_index in link.scenes]
    turns = [turn for scene in members for turn in scene.turns]
    return {
        "id": f"{story.unit}_gold_{number:04d}",
        "movie": story.unit,
        "kind": story.kind,
        "title": story.title or story.unit,
        "year": story.year or None,
        "unit": story.unit,
        "gold_source": link.source,
        "summary": link.sentence,
        "sentence_index": sentence,
        "strict_scenes": link.scenes,
        "primary_scene": link.primary,
        "scene_count": link.scene_count,
        "headings": [scene.heading for scene in members if scene.heading],
        "speakers": list(dict.fromkeys(speaker for turn in turns for speaker in turn.speakers)),
        "has_cast": bool(story.cast),
        **_view(members, turns),
    }


def tabulate_links(
    story: Story, links: StoryLinks, rows: Sequence[SceneRow], provenance: Provenance, withheld: Container[str]
) -> Rows:
    """Return every link of a story as rows of `LINKS`, by sentence; `scene_index` counts strictly, as public gold does.

    Links have no ids of their own: those of the `withheld` rows are left out.
    """
    described = [
        {
            "movie": story.unit,
            "sentence_index": each.sentence,
            "sentence": story.sentences[each.sentence],
            "scene_index": story.scenes[link.scene].strict_index,
            "parser_scene": story.scenes[link.scene].index,
            "heading": story.scenes[link.scene].heading,
            "similarity": links.similarities[each.sentence] if link.posterior is None else link.posterior,
            "probability": link.probability,
            "best": link.scene == links.scenes[each.sentence],
            "row": row.id,
            "kept": row.reason is None,
            "reason": row.reason,
            "decided_by": each.decided_by,
        }
        for row in rows
        if row.id not in withheld
        for each in row.sentences
        for link in each.links
    ]
    described.sort(key=lambda link: (link["sentence_index"], link["parser_scene"]))
    return Rows(assemble(LINKS, pa.table({}), tabulate_rows(LINKS, described), provenance))


def tabulate_best_links(story: Story, links: StoryLinks, withheld: Collection[int], provenance: Provenance) -> Rows:
    """Return the best link of each sentence as rows of `LINKS_PUBLISHED`; those of the `withheld` sentences are left out."""
    described = [
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
        if index not in withheld
    ]
    return Rows(assemble(LINKS_PUBLISHED, pa.table({}), tabulate_rows(LINKS_PUBLISHED, described), provenance))


def _describe(story: Story, row: SceneRow, similarities: Sequence[float], names: tuple[str, Sequence[str]]) -> dict[str, object]:
    members = [story.scenes[place] for place in row.scenes]
    turns = [turn for scene in members for turn in scene.turns]
    sentences = [each.sentence for each in row.sentences]
    source, anonymised = names
    return {
        "id": row.id,
        "movie": story.unit,
        "kind": story.kind,
        "title": story.title or story.unit,
        "year": story.year or None,
        "unit": story.unit,
        "scene_start": members[0].index,
        "scene_end": members[-1].index,
        "scenes": [member.index for member in members],
        "strict_scenes": sorted({member.strict_index for member in members}),
        "headings": [scene.heading for scene in members if scene.heading],
        "speakers": list(dict.fromkeys(speaker for turn in turns for speaker in turn.speakers)),
        "summary": " ".join(story.sentences[index] for index in sentences),
        "sentences": [story.sentences[index] for index in sentences],
        "sentence_indices": sentences,
        "similarities": [similarities[index] for index in sentences],
        "probabilities": [each.probability for each in row.sentences],
        "probability": row.probability,
        "completeness": row.completeness,
        "decided_by": row.decided_by,
        "has_cast": bool(story.cast),
        "anonymised_summary": " ".join(text for index in sentences if (text := anonymised[index])),
        "names_from": source,
        **_view(members, turns),
    }


def _describe_reject(story: Story, row: SceneRow, similarities: Sequence[float]) -> dict[str, object]:
    members = [story.scenes[place] for place in row.scenes]
    sentences = [each.sentence for each in row.sentences]
    return {
        "id": row.id,
        "movie": story.unit,
        "summary": " ".join(story.sentences[index] for index in sentences),
        "sentence_indices": sentences,
        "scenes": [member.index for member in members],
        "strict_scenes": sorted({member.strict_index for member in members}),
        "headings": [scene.heading for scene in members if scene.heading],
        "similarities": [similarities[index] for index in sentences],
        "probability": row.probability,
        "completeness": row.completeness,
        "turn_count": sum(len(member.turns) for member in members),
        "length_ratio": measure_length_ratio(story, row.scenes, sentences),
        "reason": row.reason,
        "decided_by": row.decided_by,
    }


def _view(scenes: Sequence[Scene], turns: Sequence[Turn]) -> Mapping[str, Any]:
    """Return the columns of the dialogue (as turns, and as text in four forms), and of dialogue with action, as list and text."""
    elements, lines = list_elements(scenes), list_lines(turns)
    return {
        "turns": [{"number": turn.number, "speakers": turn.speakers, "text": turn.text} for turn in turns],
        "raw_speakers": [turn.raw_label for turn in turns],
        "narration": [paragraph for scene in scenes for paragraph in scene.narration],
        "dialogue": write_dialogue((turn.speakers, turn.text) for turn in turns),
        "plain": join_utterances(turns),
        "with_speakers": show_dialogue(lines, "speakers"),
        "with_separators": show_dialogue(lines, "separators"),
        "with_speakers_and_separators": show_dialogue(lines, "both"),
        "script": [{"kind": each.kind, "speakers": each.speakers, "text": each.text} for each in elements],
        "with_action": join_with_action(elements),
    }
