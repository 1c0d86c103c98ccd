import json
from collections.abc import Iterator
from typing import Any

import pytest

from core.errors import SourceError
from core.people.pseudonyms import pseudonymise
from core.threads.exports import open_converter
from core.threads.formats import name_post, read_post
from core.threads.spoken import SpokenDialogue, is_spoken_file, list_spoken, open_spoken
from tests.spoken_forms import DAILY, HUB, SESSIONS, TOPICAL, WOZ_20, WOZ_22


def read_lines(path: str, text: str) -> Iterator[SpokenDialogue]:
    read = open_spoken(path)
    for line in text.encode().splitlines():
        yield from read(line)


def test_each_dataset_becomes_turns_of_speakers() -> None:
    lamp = (("A", "Is the lamp out ?"), ("B", "It is . Shall I light it ?"), ("A", "Please do ."))
    rain = (("A", "Rain again , and the roof leaks ."), ("B", "Then we need a bucket ."))
    found = [SpokenDialogue("DailyDialog", f"dialogues_train-{line}", turns) for line, turns in ((1, lamp), (3, rain))]
    assert list(read_lines("dialogues_train.txt", DAILY)) == found
    boats = (("agent_1", "Do you like boats?"), ("agent_2", "I do. Mine is blue."))
    assert list_spoken(TOPICAL) == [SpokenDialogue("Topical-Chat", "t_1", boats)]
    assert list_spoken(WOZ_20) == [SpokenDialogue("MultiWOZ", "PMUL1.json", (("A", "A cheap room."), ("B", "Which part?")))]
    assert list_spoken(WOZ_22) == [SpokenDialogue("MultiWOZ", "SNG2.json", (("USER", "A train to Ely."), ("SYSTEM", "When?")))]
    goat = (("Speaker 1", "How is the goat?"), ("Speaker 2", "She found the bread again."))
    assert list_spoken(SESSIONS) == [SpokenDialogue("Multi-Session Chat", "train:ordinary_trainset_0-1", goat)]
    assert list_spoken(HUB)[0].id == "7-0"
    assert list_spoken({"dialog": [" Is it out ?", "It is ."]})[0].corpus == "DailyDialog"


NO_LOG, NO_TURNS = {"log": [{"metadata": {}}]}, {"id": "1", "turns": []}


@pytest.mark.parametrize("found", [[1], 5, {}, {"a": {"other": 1}}, {"content": 3}, NO_LOG, NO_TURNS, [TOPICAL["t_1"], 3]])
def test_what_is_no_such_dialogue_stays_what_it_is(found: Any) -> None:
    assert list_spoken(found) == []


def test_a_dialogue_becomes_a_post_with_a_chain_of_comments_and_names_of_speakers_pseudonyms() -> None:
    convert = open_converter("dialogues_train.txt")
    lines = [record for line in DAILY.encode().splitlines() for record in convert(line)] + convert(None)
    [name] = {name_post(line) for line in lines[:3]}
    post = read_post(name, lines[:3], b"key")
    assert (name, post.forum, post.title) == ("t3_dailydialog-dialogues_train-1", "DailyDialog", "")
    assert post.text == "Is the lamp out ?"
    assert [comment.text for comment in post.comments] == ["It is . Shall I light it ?", "Please do ."]
    assert [comment.author == post.author for comment in post.comments] == [False, True]
    assert [post.comments[1].parent, post.comments[0].parent] == [post.comments[0].id, ""]
    topical = open_converter("valid.json")(json.dumps(TOPICAL).encode())
    assert [name_post(line) for line in topical] == ["t3_topical-chat-t_1"] * 2
    assert len(open_converter("msc.jsonl")(json.dumps(SESSIONS).encode())) == 2
    said = {"WilmaBrackwater": "Is it out?", "agent_2": "Ask agent_2, wilma brackwater."}
    content = [{"agent": agent, "message": message} for agent, message in said.items()]
    lines = open_converter("valid.json")(json.dumps({"t_1": {"content": content}}).encode())
    (comment,) = read_post(name_post(lines[0]), lines, b"key").comments
    assert comment.text == f"Ask agent_2, {pseudonymise('WilmaBrackwater', b'key')}."


def test_files_are_told_by_their_names_and_bad_ones_refused() -> None:
    taken = ["dialogues_text.txt", "a/dialogues_train.txt", "msc/session_3/valid.txt"]
    left = ["dialogues_act.txt", "dialogues_emotion_train.txt", "readme.txt", "session_3/readme.txt", "train.txt"]
    assert [path for path in (*taken, *left) if is_spoken_file(path)] == taken
    with pytest.raises(SourceError, match="line 1: no __eou__"):
        list(read_lines("dialogues_text.txt", "No marks here."))
    with pytest.raises(SourceError, match="Topical-Chat whose turns cannot be read"):
        list_spoken({"content": [{"message": "Nobody says this."}]})
