from typing import Any

import pytest

from core.errors import SourceError
from core.record_files import FORMS
from core.records import FieldNames
from core.scripts.screenplays.reader import parse_screenplay
from core.subtitles.formats import read_subtitle

NONE = FieldNames()
SCENES = [
    {
        "heading": "INT. OFFICE - NIGHT",
        "description": "Felix writes a label.",
        "turns": [["FELIX", "Colour?"], ["MARTA", "Black."]],
    },
    {"heading": "EXT. PARK - DAY", "description": "The shadow <bows> & waits.", "turns": [["BLOOM", "Where is its licence?"]]},
]
TAGGED = "<script>" + "".join(
    f"<scene><stage_direction>{scene['heading']}</stage_direction><scene_description>{scene['description']}</scene_description>"
    + "".join(f"<character>{who}</character><dialogue>{said}</dialogue>" for who, said in scene["turns"])
    + "</scene>"
    for scene in SCENES
)
LISTED = [scene | {"turns": [{"speaker": who, "text": said} for who, said in scene["turns"]]} for scene in SCENES]
PLAIN = [
    f"{scene['heading']}\n\n{scene['description']}\n\n"
    + "\n\n".join(f"                    {who}\n          {said}" for who, said in scene["turns"])
    for scene in SCENES
]


@pytest.mark.parametrize("script", [{"script": TAGGED}, {"scenes": LISTED}, {"scenes": PLAIN}], ids=["tags", "turns", "texts"])
def test_a_script_in_parts_keeps_its_scenes_and_speakers(script: dict[str, Any]) -> None:
    name, files = write("scripts", {"title": "Gustav", "year": 1999, "summary": ["One.", "Two."], "cast": ["FELIX"], **script})
    assert name == "Gustav"
    assert files["movies/{}/synopsis.txt"] == b"One.\nTwo."
    assert files["movies/{}/meta.json"] == b'{"title": "Gustav", "year": "1999"}'
    assert files["movies/{}/cast.json"] == b'["FELIX"]'
    scenes = parse_screenplay("script.txt", files["movies/{}/script.txt"].decode()).scenes
    assert [scene.heading for scene in scenes] == [scene["heading"] for scene in SCENES]
    assert [scene.narration for scene in scenes] == [(scene["description"],) for scene in SCENES]
    turns = [[(turn.speakers, turn.text) for turn in scene.turns] for scene in scenes]
    assert turns == [[((who,), said) for who, said in scene["turns"]] for scene in SCENES]


def write(pipeline: str, record: dict[str, Any], fields: FieldNames = NONE) -> tuple[str, dict[str, bytes]]:
    form = FORMS[pipeline]
    assert form.is_record(record, fields)
    return form.write(record, fields)


CUES = [{"start": 3661.5, "end": 3663, "text": "Where is the lamp?"}, {"start": 3664, "end": 3665.25, "text": "On the pier."}]


@pytest.mark.parametrize(
    ("subtitles", "file", "times"),
    [
        (
            "1\n01:01:01,500 --> 01:01:03,000\nWhere is the lamp?\n\n2\n01:01:04,000 --> 01:01:05,250\nOn the pier.\n",
            "film.srt",
            True,
        ),
        (CUES, "film.srt", True),
        ({key: [cue[key] for cue in CUES] for key in CUES[0]}, "film.srt", True),
        ([cue["text"] for cue in CUES], "film.xml", False),
        ("Where is the lamp?\nOn the pier.", "film.xml", False),
        ([{"speaker": "Ben & <co>", "text": cue["text"]} for cue in CUES], "film.xml", False),
    ],
    ids=["SubRip", "cues", "columns", "lines", "text", "speakers"],
)
def test_captions_keep_their_words_and_the_times_that_they_have(subtitles: Any, file: str, times: bool) -> None:
    name, files = write("subtitles", {"imdb_id": "tt0000008", "subtitles": subtitles, "plot": "They look for a lamp."})
    assert name == "tt0000008"
    assert files["{}/synopsis.txt"] == b"They look for a lamp."
    turns = read_subtitle(file, files[f"{{}}/{file}"]).turns
    assert [turn.text for turn in turns] == ["Where is the lamp?", "On the pier."]
    assert [(turn.start, turn.end) for turn in turns] == ([(3661.5, 3663), (3664, 3665.25)] if times else [(None, None)] * 2)


def test_fields_that_the_user_names_win() -> None:
    fields = FieldNames(dialogue="film.said", summary="film.told", id="film.key")
    name, files = write("subtitles", {"film": {"said": ["One.", "Two."], "told": "Both.", "key": 7}}, fields)
    assert (name, files["{}/synopsis.txt"]) == ("7", b"Both.")


@pytest.mark.parametrize("script", [7, "", [], {"a": 1}])
def test_a_record_without_a_script_is_refused(script: Any) -> None:
    form = FORMS["scripts"]
    with pytest.raises(SourceError, match="expected script and synopsis"):
        form.write({"script": script, "title": "X"}, NONE)
