"""The tables of `scripts`: schemas, codecs of the artifacts, and a story's rows in each table of a release."""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from core.dialogue import join_utterances, write_dialogue
from core.scripts.aligning import StoryLinks
from core.scripts.evaluation import place_gold
from core.scripts.reading import StoryReading
from core.scripts.rows import SceneRow, measure_length_ratio
from core.scripts.story import GoldLink, Scene, Story
from core.scripts.views import join_with_action, list_elements, list_lines, show_dialogue
from infra.tables.codecs import Codec, json_codec
from infra.tables.columns import (
    ID,
    NAMED,
    PROVENANCE,
    REASON,
    SENTENCES,
    SPEAKERS,
    SPOKEN,
    STRINGS,
    SUMMARY,
    UNIT,
    YEAR,
    leave_meanings_out,
    optional,
    required,
)
from infra.tables.parquet import Provenance, Rows, Schema, assemble

_INTEGERS = pa.list_(required("element", pa.int32()))
_NUMBERS = pa.list_(required("element", pa.float64()))
_ELEMENT = pa.struct([required("kind", pa.string()), required("speakers", STRINGS), required("text", pa.string())])
_SCRIPT = pa.list_(required("element", _ELEMENT))
_OPTIONAL_NUMBERS = pa.list_(pa.float64())
_STORY = (
    ID,
    required(
        "movie", pa.string(), "the film or series episode: the same as `unit`, under the name that the tables without `unit` have"
    ),
    required("kind", pa.string(), "what the story is: a film or an episode of a series"),
    NAMED[2],
    YEAR,
)
_VIEWS = (
    SPOKEN[0],
    required("raw_speakers", STRINGS, "each turn's speaker as the script has it"),
    required("narration", STRINGS, "what the script tells beside speech: action and descriptions"),
    required("plain", pa.string(), "the dialogue as running text, without speakers"),
    required("with_speakers", pa.string(), "the dialogue as plain text, each turn with its speaker (SumTitles, section 6.3)"),
    required("with_separators", pa.string(), "the dialogue as plain text, with marks between turns"),
    required("with_speakers_and_separators", pa.string(), "both"),
)
SCENES = pa.schema(
    [
        *_STORY,
        required("scene_start", pa.int32(), "number of the row's first scene, from 0"),
        required("scene_end", pa.int32(), "number of the row's last scene"),
        required(
            "strict_scenes",
            _INTEGERS,
            "numbers of the scenes that are linked to the summary, counted as people count them: by headings",
        ),
        required("headings", STRINGS, "headings of the scenes"),
        SPEAKERS,
        SUMMARY,
        SENTENCES,
        required(
            "synopsis",
            STRINGS,
            "the sentences as the synopsis has them; `sentences` leaves out what a reader found in none of the scenes",
        ),
        required("sentence_indices", _INTEGERS, "places of the sentences in the synopsis, from 0"),
        required("similarities", _NUMBERS, "similarity of each sentence to its scene"),
        required("has_cast", pa.bool_(), "whether the source tells the cast"),
        *_VIEWS,
        required("anonymised_summary", pa.string(), "the summary with the names of the characters taken out"),
        UNIT,
        SPOKEN[1],
        required(
            "names_from", pa.string(), "where these names come from: the cast list, or the script's speakers where there is none"
        ),
        required("scenes", _INTEGERS, "numbers of the row's scenes, from 0"),
        required("probabilities", _OPTIONAL_NUMBERS, "by sentence, the probability that it tells one of its scenes at least"),
        optional(
            "probability", pa.float64(), "the lowest of the sentences' probabilities; of a link, the probability that it is right"
        ),
        optional(
            "completeness",
            pa.float64(),
            "the lowest probability of a sentence that its scenes tell it, and are all scenes that do",
        ),
        required("decided_by", pa.string(), "who decided the links: `aligner`, `people` (`fabula review`) or `model NAME`"),
        required(
            "script",
            _SCRIPT,
            "headings, speeches and action in the order of the script; remarks in brackets stand in the speeches",
        ),
        required("with_action", pa.string(), "the same as plain text, headings and action in square brackets"),
        *PROVENANCE,
    ]
)


def _repeat(*names: str) -> list[pa.Field]:
    """Return columns of `SCENES` for another table, without their meanings."""
    return [leave_meanings_out(SCENES).field(name) for name in names]


REJECTS = pa.schema(
    [
        *_repeat("id", "movie", "summary", "sentence_indices", "scenes", "strict_scenes", "headings", "similarities"),
        *_repeat("probability", "completeness"),
        required("turn_count", pa.int32(), "number of turns"),
        required("length_ratio", pa.float64(), "words of the turns for each word of the summary"),
        REASON,
        *_repeat("decided_by"),
        *PROVENANCE,
    ]
)
GOLD = pa.schema(
    [
        *_STORY,
        required("gold_source", pa.string(), "who has linked the sentence"),
        *_repeat("summary"),
        optional("sentence_index", pa.int32(), "place of the sentence in the synopsis, from 0"),
        *_repeat("strict_scenes"),
        optional("primary_scene", pa.int32(), "the scene that tells most of the sentence"),
        required("scene_count", pa.int32(), "number of scenes in the script that people read; 0 where it is unknown"),
        *_repeat("headings", "speakers", "has_cast"),
        *_VIEWS,
        *_repeat("unit", "dialogue", "script", "with_action"),
        *PROVENANCE,
    ]
)
LINKS = pa.schema(
    [
        required("movie", pa.string()),
        required("sentence_index", pa.int32()),
        required("sentence", pa.string(), "the sentence"),
        required("scene_index", pa.int32(), "the scene, counted as people count scenes: by headings"),
        required("parser_scene", pa.int32(), "the scene, counted as the parser cuts the script"),
        required("heading", pa.string(), "heading of the scene"),
        required("similarity", pa.float64(), "similarity of sentence and scene"),
        optional("probability", pa.float64()),
        required("best", pa.bool_(), "whether it is the sentence's best link"),
        required("row", pa.string(), "the row that the sentence belongs to"),
        required("kept", pa.bool_(), "whether the row of the sentence is kept"),
        optional("reason", pa.string()),
        required("decided_by", pa.string()),
        *PROVENANCE,
    ]
)
"""`probability` is that of the link. `row` is the id of the row of its sentence; `kept` and `reason` are that row's."""

STORY: Codec[Story] = json_codec(Story)
READING: Codec[StoryReading] = json_codec(StoryReading, later=("proofs", "caught"))
STORY_LINKS: Codec[StoryLinks] = json_codec(StoryLinks, later=("heard",))
GOLD_LINKS: Codec[tuple[GoldLink, ...]] = json_codec(tuple[GoldLink, ...])


def tabulate_scenes(
    story: Story,
    rows: Iterable[SceneRow],
    similarities: Sequence[float],
    names: tuple[str, Sequence[str]],
    provenance: Provenance,
    synopsis: Sequence[str],
) -> Rows:
    """Return rows of a story as rows of `SCENES`; its sentences are told as far as the scenes go, and written as in `synopsis`.

    `similarities` has the similarity of each sentence's link. `names` says where the removed names come from (cast, speakers,
    none), and has each sentence without them.
    """
    source, anonymised = names
    described = []
    for row in rows:
        members = [story.scenes[place] for place in row.scenes]
        sentences = [each.sentence for each in row.sentences]
        described.append(
            _describe_row(story, row, similarities)
            | _view(members)
            | {
                "scene_start": members[0].index,
                "scene_end": members[-1].index,
                "sentences": [story.sentences[index] for index in sentences],
                "synopsis": [synopsis[index] for index in sentences],
                "probabilities": [each.probability for each in row.sentences],
                "anonymised_summary": " ".join(text for index in sentences if (text := anonymised[index])),
                "names_from": source,
            }
        )
    return _tabulate(SCENES, described, provenance)


def tabulate_rejects(story: Story, rows: Iterable[SceneRow], similarities: Sequence[float], provenance: Provenance) -> Rows:
    """Return the dropped rows of a story as rows of `REJECTS`."""
    described = [
        _describe_row(story, row, similarities)
        | {
            "turn_count": sum(len(story.scenes[place].turns) for place in row.scenes),
            "length_ratio": measure_length_ratio(story, row.scenes, (each.sentence for each in row.sentences)),
            "reason": row.reason,
        }
        for row in rows
        if row.reason is not None
    ]
    return _tabulate(REJECTS, described, provenance)


def tabulate_gold(story: Story, gold: Iterable[GoldLink], withheld: Collection[int], provenance: Provenance) -> Rows:
    """Return people's links as rows of `GOLD`, one a link: the sentence, and the scenes found for it.

    A row without scenes says that people found none. `scene_count` is the number of scenes in the script that they read (0 if
    unknown); where it differs from this story's, the scenes may be others. Links of the `withheld` sentences are left out.
    """
    described = [
        _describe_story(story)
        | _view([scene for scene in story.scenes if scene.strict_index in link.scenes])
        | {
            "id": f"{story.unit}_gold_{number:04d}",
            "gold_source": link.source,
            "summary": link.sentence,
            "sentence_index": sentence,
            "strict_scenes": link.scenes,
            "primary_scene": link.primary,
            "scene_count": link.scene_count,
        }
        for number, (link, sentence) in enumerate(place_gold(story, gold))
        if sentence is None or sentence not in withheld
    ]
    return _tabulate(GOLD, described, provenance)


def tabulate_links(
    story: Story, links: StoryLinks, rows: Iterable[SceneRow], provenance: Provenance, withheld: Container[str]
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
    return _tabulate(LINKS, described, provenance)


def _tabulate(schema: Schema, rows: Sequence[Mapping[str, Any]], provenance: Provenance) -> Rows:
    return Rows(assemble(schema, pa.Table.from_pylist(rows, schema=schema), {}, provenance))


def _describe_story(story: Story) -> dict[str, Any]:
    return {
        "movie": story.unit,
        "unit": story.unit,
        "kind": story.kind,
        "title": story.title or story.unit,
        "year": story.year or None,
        "has_cast": bool(story.cast),
    }


def _describe_row(story: Story, row: SceneRow, similarities: Sequence[float]) -> dict[str, Any]:
    members = [story.scenes[place] for place in row.scenes]
    sentences = [each.sentence for each in row.sentences]
    return _describe_story(story) | {
        "id": row.id,
        "summary": " ".join(story.sentences[index] for index in sentences),
        "sentence_indices": sentences,
        "scenes": [member.index for member in members],
        "strict_scenes": sorted({member.strict_index for member in members}),
        "headings": _list_headings(members),
        "similarities": [similarities[index] for index in sentences],
        "probability": row.probability,
        "completeness": row.completeness,
        "decided_by": row.decided_by,
    }


def _list_headings(scenes: Iterable[Scene]) -> list[str]:
    return [scene.heading for scene in scenes if scene.heading]


def _view(scenes: Sequence[Scene]) -> dict[str, Any]:
    """Return the columns of the dialogue (as turns, and as text in four forms), and of dialogue with action, as list and text."""
    turns = [turn for scene in scenes for turn in scene.turns]
    elements, lines = list_elements(scenes), list_lines(turns)
    return {
        "headings": _list_headings(scenes),
        "speakers": list(dict.fromkeys(speaker for turn in turns for speaker in turn.speakers)),
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
