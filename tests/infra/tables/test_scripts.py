"""The rows of a `scripts` release against the story that they are made from."""

from dataclasses import replace

import pytest

from core.dialogue import Turn
from core.scripts.links import StoryLinks
from core.scripts.merging import SceneGroup
from core.scripts.scenes import CastMember, Scene
from core.scripts.story import Story
from infra.tables.parquet import Provenance
from infra.tables.scripts import LINKS, SCENES, STORY, STORY_LINKS, tabulate_links, tabulate_scenes

PROVENANCE = Provenance("movies/fox/script.txt; movies/fox/synopsis.txt", "CC BY-SA 4.0", "Wikipedia")
CREDIT = {"source": PROVENANCE.source, "license": PROVENANCE.license, "attribution": PROVENANCE.attribution}
SCENES_OF_FOX = (
    Scene(0, -1, "", (), ("Title over black.",)),
    Scene(1, 0, "INT. BARN", (Turn(0, ("Jack Fox",), ("Run!", "Now!"), "JACK (V.O.)", "Run! (beat) Now!"),), ("Hay.",)),
    Scene(2, 0, "INTERIOR HOUSE", (Turn(1, ("Mary Moss",), ("Why?",), "MARY", "Why?"), Turn(2, (), ("Bang!",), "", "Bang!")), ()),
    Scene(3, 1, "EXT. ROAD", (Turn(3, ("Jack Fox",), ("Home.",), "JACK", "Home."),), ()),
)
FOX = Story(
    "fox",
    "movie",
    "The Fox",
    "1999",
    SCENES_OF_FOX,
    ("Jack tells Mary to run.", "Mary's house explodes (Moss asks why).", "They go home."),
    (CastMember("Jack Fox"), CastMember("Mary Moss")),
)
LINKED = StoryLinks((1, 2, 2), (0.5, 0.25, 1.0), (SceneGroup(0, 2, 1, (0,)), SceneGroup(2, 4, 2, (1, 2))))


def test_a_merged_scene_has_its_dialogue_its_sentences_and_every_view() -> None:
    table = tabulate_scenes(FOX, LINKED, PROVENANCE).table
    assert table.schema == SCENES
    first, second = table.to_pylist()
    assert second == {
        "id": "fox_0001", "movie": "fox", "kind": "movie", "title": "The Fox", "year": "1999",
        "scene_start": 2, "scene_end": 3, "strict_scenes": [0, 1], "headings": ["INTERIOR HOUSE", "EXT. ROAD"],
        "speakers": ["Mary Moss", "Jack Fox"],
        "summary": "Mary's house explodes (Moss asks why). They go home.",
        "sentences": ["Mary's house explodes (Moss asks why).", "They go home."],
        "sentence_indices": [1, 2], "similarities": [0.25, 1.0], "has_cast": True,
        "turns": [
            {"number": 1, "speakers": ["Mary Moss"], "text": "Why?"},
            {"number": 2, "speakers": [], "text": "Bang!"},
            {"number": 3, "speakers": ["Jack Fox"], "text": "Home."},
        ],
        "raw_speakers": ["MARY", "", "JACK"], "narration": [],
        "plain": "Why? Bang! Home.",
        "with_speakers": "MARY MOSS: Why? Bang! JACK FOX: Home.",
        "with_separators": "[START] Why? [END] [START] Bang! [END] [START] Home. [END]",
        "with_speakers_and_separators":
            "[START] Mary Moss [SEP] Why? [END] [START] Bang! [END] [START] Jack Fox [SEP] Home. [END]",
        "anonymised_summary": "house explodes (asks why). They go home.",
        **CREDIT,
    }  # fmt: skip
    assert (first["scene_start"], first["scene_end"], first["strict_scenes"]) == (0, 1, [-1, 0])
    assert first["headings"] == ["INT. BARN"]
    assert first["raw_speakers"] == ["JACK (V.O.)"]
    assert first["narration"] == ["Title over black.", "Hay."]
    assert first["turns"] == [{"number": 0, "speakers": ["Jack Fox"], "text": "Run! Now!"}]


def test_links_have_a_row_a_sentence_and_count_strictly() -> None:
    table = tabulate_links(FOX, LINKED, PROVENANCE).table
    assert table.schema == LINKS
    rows = table.to_pylist()
    assert [row["sentence"] for row in rows] == list(FOX.sentences)
    assert [(row["sentence_index"], row["scene_index"], row["parser_scene"]) for row in rows] == [(0, 0, 1), (1, 0, 2), (2, 0, 2)]
    assert [row["similarity"] for row in rows] == [0.5, 0.25, 1.0]
    assert rows[1]["heading"] == "INTERIOR HOUSE"
    assert all(row.items() >= CREDIT.items() for row in rows)
    before = tabulate_links(FOX, replace(LINKED, scenes=(0, 0, 0)), PROVENANCE).table.to_pylist()
    assert [row["scene_index"] for row in before] == [-1, -1, -1]


def test_without_a_cast_a_row_says_so_and_names_stay() -> None:
    for cast in (None, ()):
        rows = tabulate_scenes(replace(FOX, cast=cast, year=""), LINKED, PROVENANCE).table.to_pylist()
        assert [row["has_cast"] for row in rows] == [False, False]
        assert [row["anonymised_summary"] for row in rows] == [row["summary"] for row in rows]
        assert [row["year"] for row in rows] == [None, None]


def test_scenes_without_dialogue_are_rows_too() -> None:
    silent = tuple(replace(scene, turns=()) for scene in SCENES_OF_FOX)
    table = tabulate_scenes(replace(FOX, scenes=silent), LINKED, PROVENANCE).table
    assert table.schema == SCENES
    assert [(row["turns"], row["speakers"], row["plain"]) for row in table.to_pylist()] == [([], [], "")] * 2


@pytest.mark.parametrize("cast", [None, (), FOX.cast])
def test_artifacts_come_back_as_they_were(cast: tuple[CastMember, ...] | None) -> None:
    story = replace(FOX, cast=cast, title="Naïve \x00 “Fox” 🦊")
    assert STORY.decode(STORY.encode(story)) == story
    assert STORY_LINKS.decode(STORY_LINKS.encode(LINKED)) == LINKED
