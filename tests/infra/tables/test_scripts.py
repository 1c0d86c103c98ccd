"""The rows of a `scripts` release against the story that they are made from."""

from dataclasses import asdict, replace

import pytest

from core.dialogue import Turn
from core.scripts.aligning import Candidate, SceneGroup, StoryLinks
from core.scripts.config import FilterConfig, ScriptsConfig
from core.scripts.rows import decide_rows
from core.scripts.story import CastMember, Scene, Story
from core.scripts.views import remove_names
from infra.settings import load_config
from infra.tables import scripts
from infra.tables.parquet import Provenance, Rows

PROVENANCE = Provenance("movies/fox/script.txt; movies/fox/synopsis.txt", "CC BY-SA 4.0", "Wikipedia")
CREDIT = asdict(PROVENANCE)
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
LINKED = StoryLinks(
    (1, 2, 2),
    (0.5, 0.25, 1.0),
    (SceneGroup(0, 2, 1, (0,)), SceneGroup(2, 4, 2, (1, 2))),
    tuple((Candidate(scene, None, None),) for scene in (1, 2, 2)),
)
LIKELY = replace(
    LINKED,
    similarities=(0.5, 0.25, 0.999),
    candidates=(
        (Candidate(0, 0.1, 0.2), Candidate(1, 0.5, 0.5), Candidate(3, 0.4, 0.4)),
        (Candidate(2, 0.25, 0.3),),
        (Candidate(2, 0.999, 0.9),),
    ),
)


def merge(story: Story = FOX) -> Rows:
    """Return the rows of the profile `sumtitles`."""
    names = ("cast", remove_names(story.sentences, story.cast or (), frozenset()))
    rows = decide_rows(story, LINKED, load_config(ScriptsConfig, "scripts", "sumtitles"))
    return scripts.tabulate_scenes(story, rows, LINKED.similarities, names, PROVENANCE, story.sentences)


def test_a_merged_scene_has_its_dialogue_its_sentences_and_every_view() -> None:
    table = merge().table
    assert table.schema == scripts.SCENES
    first, second = table.to_pylist()
    assert second.items() >= {
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
    }.items()  # fmt: skip
    assert (first["scene_start"], first["scene_end"], first["strict_scenes"]) == (0, 1, [-1, 0])
    assert first["headings"] == ["INT. BARN"]
    assert first["raw_speakers"] == ["JACK (V.O.)"]
    assert first["narration"] == ["Title over black.", "Hay."]
    assert first["turns"] == [{"number": 0, "speakers": ["Jack Fox"], "text": "Run! Now!"}]


def test_a_row_of_linked_scenes_has_them_alone_and_its_action_in_order() -> None:
    barn = replace(SCENES_OF_FOX[1], narration=("Hay.", "A shot."), narration_places=(0, 1), spoken=("Run! (beat) Now!",))
    story = replace(FOX, scenes=(SCENES_OF_FOX[0], barn, *SCENES_OF_FOX[2:]))
    config = ScriptsConfig(filter=FilterConfig(min_length_ratio=0.0, min_probability=0.05, min_completeness=0.0))
    rows = decide_rows(story, LIKELY, config)
    assert [(row.id, row.scenes, [each.sentence for each in row.sentences], row.reason) for row in rows] == [
        ("fox_0000", (1, 3), [0], None),
        ("fox_0001", (2,), [1, 2], None),
    ]
    kept = [row for row in rows if row.reason is None]
    table = scripts.tabulate_scenes(story, kept, LIKELY.similarities, ("cast", FOX.sentences), PROVENANCE, FOX.sentences).table
    assert table.schema == scripts.SCENES
    assert [row["completeness"] for row in table.to_pylist()] == [row.completeness for row in kept]
    assert all(0 < row["completeness"] < 1 for row in table.to_pylist())
    first = table.to_pylist()[0]
    assert (first["id"], first["scenes"], first["sentence_indices"], first["names_from"]) == ("fox_0000", [1, 3], [0], "cast")
    assert [(each["kind"], each["text"]) for each in first["script"]] == [
        ("heading", "INT. BARN"), ("action", "Hay."), ("speech", "Run! (beat) Now!"), ("action", "A shot."),
        ("heading", "EXT. ROAD"), ("speech", "Home."),
    ]  # fmt: skip
    assert first["with_action"] == ("[INT. BARN] [Hay.] JACK FOX: Run! (beat) Now! [A shot.] [EXT. ROAD] JACK FOX: Home.")
    assert first["with_speakers"] == "JACK FOX: Run! Now! JACK FOX: Home."


def test_dropped_rows_and_every_link_say_their_probability_and_what_became_of_the_row() -> None:
    rows = decide_rows(FOX, LIKELY, ScriptsConfig())
    rejects = scripts.tabulate_rejects(FOX, rows, LIKELY.similarities, PROVENANCE).table
    assert rejects.schema == scripts.REJECTS
    dropped = [(row.id, row.reason, row.completeness) for row in rows if row.reason is not None]
    assert dropped
    assert [(row["id"], row["reason"], row["completeness"]) for row in rejects.to_pylist()] == dropped
    table = scripts.tabulate_links(FOX, LIKELY, rows, PROVENANCE, ()).table
    assert table.schema == scripts.LINKS
    found = [(link["sentence_index"], link["parser_scene"], link["probability"], link["best"]) for link in table.to_pylist()]
    assert found == [(0, 1, 0.5, True), (0, 3, 0.4, False), (1, 2, 0.3, True), (2, 2, 0.9, True)]
    assert {link["row"] for link in table.to_pylist()} == {row.id for row in rows}
    assert len(scripts.tabulate_links(FOX, LIKELY, rows, PROVENANCE, (rows[0].id,)).table) == 2


@pytest.mark.parametrize("cast", [None, (), FOX.cast])
def test_artifacts_come_back_as_they_were(cast: tuple[CastMember, ...] | None) -> None:
    story = replace(FOX, cast=cast, title="Naïve \x00 “Fox” 🦊")
    assert scripts.STORY.decode(scripts.STORY.encode(story)) == story
    assert scripts.STORY_LINKS.decode(scripts.STORY_LINKS.encode(LINKED)) == LINKED
