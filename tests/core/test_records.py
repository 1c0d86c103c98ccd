from collections import Counter
from typing import Any

import pytest

from core.errors import SourceError
from core.records import FieldNames, Record, is_record, read_record, write_gold, write_halves
from tests.record_forms import CRD3_HUB, DIALOGSUM, FORMS, MULTIWOZ, QMSUM, SAMSUM, SUMMSCREEN, TWEETSUMM

NONE = FieldNames()


def read(found: Any) -> Record:
    """Read a record whose fields nobody has named."""
    return read_record(found, NONE)


@pytest.mark.parametrize(
    ("form", "turns", "wholes"),
    [
        ("SAMSum", {"Ines": 2, "Bo": 2}, 1),
        ("DialogSum", {"Person1": 1, "Person2": 1}, 3),
        ("QMSum", {"Project Manager": 3, "Industrial Designer": 2, "Marketing": 2}, None),
        ("MediaSum", {"ADA LUND, HOST": 1, "MAYOR TELL": 1}, 1),
        ("SummScreen", {"": 2, "Mara": 1, "Tom": 1}, None),
        ("TweetSumm", {"Customer": 1, "Agent": 1}, 2),
        ("CRD3 on the Hub", {"ODILE": 1, "WICK, HESTER": 1}, 1),
        ("MultiWOZ", {"USER": 1, "SYSTEM": 1}, 0),
    ],
)
def test_each_form_has_its_speakers_and_summaries_of_the_whole(form: str, turns: dict[str, int], wholes: int | None) -> None:
    record = read(FORMS[form])
    assert Counter(speaker for speaker, _ in record.turns) == turns
    assert all(text for _, text in record.turns)
    if wholes is not None:
        assert len(record.summaries) == wholes
        assert all(part.whole and part.text and not part.spans for part in record.summaries)


def test_texts_are_whole_without_labels_in_columns_and_with_directions_inside() -> None:
    assert read(SAMSUM).turns[2] == ("Ines", "Take my ladder :-) Friday?")
    assert read(DIALOGSUM).turns[1] == ("Person2", "It is: the last one today.")
    assert [part.text.split()[0] for part in read(DIALOGSUM).summaries] == ["Person1", "Person2", "They"]
    assert read(TWEETSUMM).turns[0] == ("Customer", "My parcel is wet. Who pays?")
    assert read(CRD3_HUB).turns[1] == ("WICK, HESTER", "We open it. Slowly.")
    assert read(SUMMSCREEN).turns[0] == ("", "[ SCENE_BREAK ]")
    assert read({"dialogue": {"speaker": ["A", "B"], "text": ["Hi.", "Ho."]}}).turns == (("A", "Hi."), ("B", "Ho."))
    assert read({"dialogue": ["( Tom enters ) The door ( bangs )", "Mara : Hush . ( smiles )", "( Exit )"]}).turns == (
        ("", "( Tom enters ) The door ( bangs )"),
        ("Mara", "Hush . ( smiles )"),
        ("", "( Exit )"),
    )


def test_queries_about_parts_keep_their_order_and_halves_are_a_transcript_and_a_recap() -> None:
    parts = read(QMSUM).summaries
    found = [(part.text.split()[0], part.whole, part.spans) for part in parts]
    assert found == [("Marketing", False, ((4, 6),)), ("The", False, ((0, 1), (2, 3))), ("The", True, ())]
    assert [(entry["turn_start"], entry["turn_end"]) for entry in write_gold(read(QMSUM))] == [(4, 6), (0, 3)]
    transcript, recap = write_halves(read(QMSUM))
    assert len(transcript["lines"]) == 7
    assert (len(recap["sections"]), recap["whole"]) == (3, 1)
    assert write_halves(read(MULTIWOZ))[1] is None


def test_fields_may_be_named() -> None:
    found = {"conv": {"chat": [{"who": "A", "said": "Hello."}]}, "gist": "A greets.", "key": 7}
    assert not is_record(found, NONE)
    fields = FieldNames("conv.chat", "who", "said", "gist", "key")
    record = read_record(found, fields)
    assert (record.name, record.turns, [part.text for part in record.summaries]) == ("7", (("A", "Hello."),), ["A greets."])


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ({"a": 1, "b": 2}, "found the fields a, b"),
        ([1], "found list"),
        ({"dialogue": [{"speaker": "A", "gesture": "nods"}]}, "turn 0 has the fields speaker, gesture"),
        ({"dialogue": [["A", "Hi."]]}, "turn 0 is"),
        ({"dialogue": "\n \n"}, "no turns with text"),
        ({"dialogue": []}, "found the fields dialogue"),
    ],
)
def test_what_is_no_record_is_told(found: Any, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read(found)


def test_messages_that_one_person_sent_one_after_the_other_are_a_turn() -> None:
    sent = [[{"sender": "a", "text": "Hello!"}, {"sender": "a", "text": "Anyone home?"}], [{"sender": "b", "text": "No."}]]
    record = read({"messages": sent})
    assert record.turns == (("a", "Hello! Anyone home?"), ("b", "No."))
    with pytest.raises(SourceError, match="turn 1 is '5'; expected an object"):
        read({"messages": [sent[0], [5]]})
