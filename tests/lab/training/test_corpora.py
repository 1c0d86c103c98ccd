"""Other dialogue datasets, in the files that their authors publish: small samples of our own."""

import json

import pytest

from core.errors import SourceError
from lab.training.corpora import clean_switchboard, is_corpus_file, read_corpus

DAILY = "Is the lamp out ? __eou__ It is . Shall I light it ? __eou__ Please do . __eou__\n\nRain again . __eou__ Yes . __eou__\n"
TOPICAL = {
    "t_1": {
        "article_url": "https://example.org", "config": "A",
        "content": [
            {"message": "Do you like boats?", "agent": "agent_1", "sentiment": "Neutral"},
            {"message": "I do.", "agent": "agent_2"},
            {"message": "Mine is blue.", "agent": "agent_2"},
        ],
    }
}  # fmt: skip
WOZ_20 = {
    "PMUL1.json": {
        "goal": {},
        "log": [{"text": "A cheap room.", "metadata": {}}, {"text": "Which  part?", "metadata": {}}],
    }
}
WOZ_22 = [
    {
        "dialogue_id": "SNG2.json", "services": ["train"],
        "turns": [
            {"turn_id": "0", "speaker": "USER", "utterance": "A train to Ely.", "frames": []},
            {"turn_id": "1", "speaker": "SYSTEM", "utterance": "When?", "frames": []},
        ],
    }
]  # fmt: skip
SWITCHBOARD = """swda_filename,ptb_basename,conversation_no,transcript_index,act_tag,caller,utterance_index,sub,text
sw_1,4/sw1,1,0,sd,A,1,1,"{F Uh, } [ I, + I ] keep bees. /"
sw_1,4/sw1,1,1,b,B,2,1,"Uh-huh. <laughter> /"
sw_1,4/sw1,1,2,+,B,2,2,"{D well, } -- how many ((hives)) ? /"
sw_1,4/sw1,1,3,x,A,3,1,"<noise>"
sw_2,4/sw2,2,0,sd,A,1,1,"Another one. /"
"""


def say(path: str, content: object) -> list[tuple[str, str, tuple[tuple[str, str], ...]]]:
    given = content.encode() if isinstance(content, str) else content
    found = read_corpus(path, given if isinstance(given, bytes) else json.dumps(given).encode())
    return [(dialogue.corpus, dialogue.id, dialogue.turns) for dialogue in found]


def test_each_dataset_becomes_turns_of_speakers() -> None:
    lamp = (("A", "Is the lamp out ?"), ("B", "It is . Shall I light it ?"), ("A", "Please do ."))
    assert say("dialogues_train.txt", DAILY) == [
        ("DailyDialog", "dialogues_train.txt:1", lamp),
        ("DailyDialog", "dialogues_train.txt:3", (("A", "Rain again ."), ("B", "Yes ."))),
    ]
    assert say("train.json", TOPICAL) == [
        ("Topical-Chat", "t_1", (("agent_1", "Do you like boats?"), ("agent_2", "I do. Mine is blue.")))
    ]
    assert say("data.json", WOZ_20) == [("MultiWOZ", "PMUL1.json", (("USER", "A cheap room."), ("SYSTEM", "Which part?")))]
    assert say("dialogues_001.json", WOZ_22) == [("MultiWOZ", "SNG2.json", (("USER", "A train to Ely."), ("SYSTEM", "When?")))]
    assert say("sw_0001.utt.csv", SWITCHBOARD) == [
        ("Switchboard", "1", (("A", "Uh, I, I keep bees."), ("B", "Uh-huh. well, how many hives?"))),
        ("Switchboard", "2", (("A", "Another one."),)),
    ]
    assert clean_switchboard("{C And, } <<pause>> *[[typo]] it's # fine # /") == "And, it's fine"


def test_other_files_of_the_datasets_are_passed_over() -> None:
    taken = ["dialogues_text.txt", "a/dialogues_train.txt", "data.json", "train/dialogues_001.json", "sw00utt/sw_0001.utt.csv"]
    left = ["dialogues_act.txt", "dialogues_emotion_train.txt", "readme.txt", "schema.json", "ontology.json", "x.md"]
    assert [path for path in (*taken, *left) if is_corpus_file(path)] == taken


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("dialogues_text.txt", "No marks here."),
        ("x.json", [1]),
        ("x.json", 5),
        ("x.json", {"a": {"other": 1}}),
        ("x.json", {"a": {"log": [{"metadata": {}}]}}),
        ("x.json", {"a": {"content": 3}}),
        ("x.csv", "name,value\na,b\n"),
        ("x.md", "text"),
        ("dialogues_text.txt", b"caf\xe9 __eou__"),
    ],
)
def test_what_is_none_of_them_is_refused(path: str, content: object) -> None:
    with pytest.raises(SourceError, match="expected dialogues_text"):
        say(path, content)
