import json

import pytest

from core.errors import SourceError
from core.transcripts.dialogues.json_formats import read_dialogue_json
from core.transcripts.dialogues.text_formats import RawTurn


def test_reads_the_turns_of_crd3():
    turns = [{"NAMES": ["ANNA", "BEN"], "UTTERANCES": ["One.", '"Two.']}, {"NAMES": ["BEN"], "UTTERANCES": [], "NUMBER": 1}]
    found = read_dialogue_json("tale.json", json.dumps({"METADATA": {}, "TURNS": turns}))
    assert found == [RawTurn("ANNA, BEN", 'One.\n"Two.', utterances=("One.", '"Two.')), RawTurn("BEN", "", utterances=())]


def test_control_characters_and_lone_surrogates_are_removed():
    turns = [
        {"NAMES": ["AN\x1bNA\n"], "UTTERANCES": ["\x1b[1mOne\x00.\u200b", "Two\r\nlines  and\ta tab.", "\x07", "\ud83d \xa0"]}
    ]
    (turn,) = read_dialogue_json("tale.json", json.dumps({"TURNS": turns}))
    assert (turn.label.strip(), turn.utterances) == ("ANNA", ("[1mOne.", "Two  lines  and a tab.", "\ufffd \xa0"))
    assert turn.text == "\n".join(turn.utterances)
    (line,) = read_dialogue_json("tale.json", json.dumps({"lines": [{"name": "\x1bBEN\udc00", "text": "Go\n\udc00on."}]}))
    assert line == RawTurn("BEN\ufffd", "Go\n\ufffdon.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[1, 2]", "JSON without turns"),
        ('{"TURNS": {}}', "JSON without turns"),
        ('{"TURNS": [{"NAMES": [], "UTTERANCES": []}, {"NAMES": "ANNA"}]}', "turn 1 of TURNS is malformed"),
        ('{"lines": [{"name": null, "text": "x"}]}', "line 0 of lines is malformed"),
        ('{"segments": [{"text": "x", "speaker": "A"}, 7]}', "segment 1 of segments is malformed"),
        ('{"results": {"items": [{"type": "pronunciation", "alternatives": []}]}}', "item 0 of results.items is malformed"),
        ('{"results": {"channels": [3]}}', "a channel of results.channels is malformed"),
        ('{"results": {}}', "JSON without turns"),
    ],
)
def test_malformed_parts_are_named(text, message):
    with pytest.raises(SourceError, match=message):
        read_dialogue_json("tale.json", text)


def read(document):
    return read_dialogue_json("tale.json", json.dumps(document))


def test_segments_of_one_speaker_are_one_turn_with_the_times_of_both():
    segments = [
        {"start": 0, "end": 1.5, "text": " Go.", "speaker": "A"},
        {"start": 2.0, "end": 3, "text": " Now.", "speaker": "A"},
        {"start": 3, "end": 4, "text": "No.", "speaker": "B"},
        {"start": 4, "end": 5, "text": "(music)"},
    ]
    found = read({"segments": segments})
    assert found == [RawTurn("A", "Go.\nNow.", 0.0, 3.0), RawTurn("B", "No.", 3.0, 4.0), RawTurn("", "(music)", 4.0, 5.0)]
