"""What a training reads: Switchboard, and files that hold none of the datasets."""

import json

import pytest

from core.errors import SourceError
from lab.training.corpora import clean_switchboard, read_corpus

SWITCHBOARD = """swda_filename,ptb_basename,conversation_no,transcript_index,act_tag,caller,utterance_index,sub,text
sw_1,4/sw1,1,0,sd,A,1,1,"{F Uh, } [ I, + I ] keep bees. /"
sw_1,4/sw1,1,1,b,B,2,1,"Uh-huh. <laughter> /"
sw_1,4/sw1,1,2,+,B,2,2,"{D well, } -- how many ((hives)) ? /"
sw_1,4/sw1,1,3,x,A,3,1,"<noise>"
sw_2,4/sw2,2,0,sd,A,1,1,"Another one. /"
"""


def test_switchboard_is_read_without_the_transcribers_marks() -> None:
    found = read_corpus("sw_0001.utt.csv", SWITCHBOARD.encode())
    assert [(each.corpus, each.id, each.turns) for each in found] == [
        ("Switchboard", "1", (("A", "Uh, I, I keep bees."), ("B", "Uh-huh. well, how many hives?"))),
        ("Switchboard", "2", (("A", "Another one."),)),
    ]
    assert clean_switchboard("{C And, } <<pause>> *[[typo]] it's # fine # /") == "And, it's fine"


def test_other_datasets_are_read_a_file_or_a_line_at_a_time() -> None:
    woz = {"a.json": {"log": [{"text": "A room."}, {"text": "Which part?"}]}}
    assert [each.corpus for each in read_corpus("data.json", json.dumps(woz).encode())] == ["MultiWOZ"]
    chat = json.dumps({"personas": [], "dialog": [{"text": "Hello.", "id": "Speaker 1"}, {"text": "Hello."}]})
    assert [each.corpus for each in read_corpus("msc.jsonl", f"{chat}\n{chat}\n".encode())] == ["Multi-Session Chat"] * 2
    assert len(read_corpus("dialogues_text.txt", b"Is it out ? __eou__ It is . __eou__\n\nRain . __eou__\n")) == 2


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
    ],
)
def test_what_is_none_of_them_is_refused(path: str, content: object) -> None:
    with pytest.raises(SourceError, match="expected dialogues_text"):
        read_corpus(path, (content if isinstance(content, str) else json.dumps(content)).encode())
