from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.dialogues.speaker_slips import count_speakers, find_guessed_labels, find_speaker_slips, find_unread_labels
from core.transcripts.dialogues.speakers import parse_alias_table, select_aliases


def test_misspellings_of_frequent_names_are_proposed_as_rows():
    counts = {"TRAVIS": 900, "TALIESIN": 800, "SAM": 700, "MATT": 900}
    counts |= {"TRAVS": 2, "TARVIS": 1, "TAIESIN": 3, "MAT": 1, "PAM": 4, "MARK": 60}
    rows = ["\t".join(slip) for slip in find_speaker_slips(counts)]
    assert rows == ["MAT\tMATT", "TAIESIN\tTALIESIN", "TARVIS\tTRAVIS", "TRAVS\tTRAVIS"]
    aliases = select_aliases("S01E01", [parse_alias_table("speakers.tsv", "\n".join(rows))])
    assert aliases["tarvis"] == ("TRAVIS",)


def test_lines_that_look_like_labels_are_counted_and_told_even_once_in_plain_words():
    text = "ANNA: Hm.\nANNA: We saw\nFire: a play.\nThen he says: no.\nOld Carla: Yes.\n"
    text += "At 7 or\n7:30 we go.\nANNA: Go.\nOld Carla: No.\n"
    turns = read_dialogue("a.txt", text.encode())
    assert find_unread_labels(turns) == {"Old Carla": 2}
    assert count_speakers(turns) == {"ANNA": 3}
    text = "ANNA: One more.\nGuy at bar: Another one?\nANNA: He said\nwhat we knew: nothing.\nBEN: Then we go.\n"
    assert find_unread_labels(read_dialogue("tale.txt", text.encode())) == {"Guy at bar": 1}


def test_speakers_that_were_guessed_are_told():
    said = ["Where is the lamp?", "I gave it away.", "To whom?", "To him.", "To the ferryman?", "To the ferryman."]
    lines = [f"{name}: {text}" for name, text in zip(["Anna", "Ben"] * 3, said, strict=True)]
    turns = read_dialogue("a.txt", "\n".join([*lines[:3], "Guy at bar: He drank it!", *lines[3:]]).encode())
    assert find_guessed_labels(turns) == {"Guy at bar": 1}
    assert find_unread_labels(turns) == {}
