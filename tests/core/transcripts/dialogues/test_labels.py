import unicodedata

import pytest

from core.transcripts.config import CleaningConfig
from core.transcripts.dialogues.formats import read_dialogue
from core.transcripts.dialogues.labels import find_labels
from core.transcripts.dialogues.text_formats import read_plain_text


def labels(text, **options):
    return [(turn.label, " ".join(turn.text.split())) for turn in read_plain_text("tale.txt", text, **options)]


def names(text, **options):
    return [label for label, _ in labels(text, **options)]


@pytest.mark.parametrize(
    "name",
    [
        "Ludwig van Beethoven", "Queen of Hearts", "Ana María de la Cruz", "李雷", "דוד", "मीरा", "narrator", "the old man",
        "SPEAKER_00",
    ],
)  # fmt: skip
@pytest.mark.parametrize("others", ["ANNA", "Anna"])
def test_a_name_that_recurs_after_complete_sentences_is_a_label_in_any_style_and_script(name, others):
    text = f"{others}: Who is there?\n{name}: Only I.\n{others}: Good.\n{name}: And you?\n{others}: I am.\n{name}: Oh.\n"
    expected = [others, name] * 3
    assert names(text) == expected


def test_another_spelling_of_a_known_name_is_a_label_and_clauses_of_prose_are_none():
    text = "ANNA: Hm.\n" * 3 + "Anna: Yes.\nBen: So?\nANNA: I told\nBen: no.\n"
    assert names(text) == ["ANNA"] * 3 + ["Anna", "ANNA"]
    assert names(text.replace("told", "left."), known={"ben"}) == ["ANNA"] * 3 + ["Anna", "Ben", "ANNA", "Ben"]
    assert names("ANNA: Hm.\nThen he says: no.\nBEN: Oh.\nAnd she asked: why?\n" * 4) == ["ANNA", "BEN"] * 4
    bracketed = [label.name for label in find_labels("ANNA [softly]: Row.\n(BEN): No.\nANNA: Yes.\n'''CARLA:''' Well.\n")]
    assert bracketed == ["ANNA [softly]", "BEN", "ANNA", "CARLA"]


def test_labels_that_lost_their_colon_are_read_where_the_name_is_frequent():
    text = "ANNA: Go.\nBEN: No.\n" * 3 + 'ANNA; Why?\nBEN Because.\nANNA "Oh."\nBEN. 18.\nANNA\nYes.\nBEN MERCER is here.\n'
    assert labels(text)[6:] == [
        ("ANNA", "Why?"),
        ("BEN", "Because."),
        ("ANNA", '"Oh."'),
        ("BEN", "18."),
        ("ANNA", "Yes. BEN MERCER is here."),
    ]
    assert len(labels(text, rule="pattern")) == 6


def test_a_decomposed_accent_makes_no_other_speaker():
    text = "RENÉ: Bonjour.\nANNA: Hello.\nRENÉ: Oui.\n"
    for form in ("NFC", "NFD"):
        turns = read_dialogue("a.txt", unicodedata.normalize(form, text).encode(), aliases={"rené": ("Rene",)})
        assert [turn.speakers for turn in turns] == [("Rene",), ("ANNA",), ("Rene",)]
    spelt = read_dialogue("a.json", b'{"lines": [{"name": "RENE\\u0301", "text": "Oui."}]}')
    assert spelt[0].speakers == ("RENÉ",)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("[00:01:00] ANNA: Go.\n[00:01:02] BEN: No.\n", [60, 62]),
        ("00:01:00 ANNA: Go.\n00:01:02.5 - BEN: No.\n", [60, 62.5]),
        ("(01:00) Anna Ashe: Go.\n(01:02) Ben: No.\n", [60, 62]),
        ("ANNA (00:01:00): Go.\nBEN (00:01:02): No.\n", [60, 62]),
        ("ANNA: [00:01:00] Go.\nBEN: [00:01:02] No.\n", [60, 62]),
        ("Anna Ashe  1:00\nGo.\n\nBen  1:02\nNo.\n", [60, 62]),
        ("[00:01:00 --> 00:01:01] [SPEAKER_00]: Go.\n[00:01:02 --> 00:01:04] [SPEAKER_01]: No.\n", [60, 62]),
        ("**ANNA** [01:00]: Go.\n**BEN** [01:02]: No.\n", [60, 62]),
        ("**[01:00] ANNA:** Go.\n**[01:02] BEN:** No.\n", [60, 62]),
        ("--- Log opened Mon Jan 01\n[01:00] <@anna> Go.\n01:01 -!- cora [~c@host] has quit\n01:02 <Ben> No.\n", [60, 62]),
        ("[Anna Ashe 01:00] Go.\n[Ben 01:02]: No.\n", [60, 62]),
        ("Anna Ashe 01:00: Go.\nBen, 01:02:\nNo.\n", [60, 62]),
        ("Anna Ashe: 01:00\n\nGo.\n\nBen: 01:02\n\nNo.\n", [60, 62]),
        ("**ANNA:**\n[01:00] Go.\n**BEN:**\n[01:02] No.\n", [60, 62]),
        ("Anna Ashe - 01:00\nGo.\n\nBen | 01:02\nNo.\n", [60, 62]),
    ],
)
def test_times_beside_labels_are_kept(text, times):
    turns = read_plain_text("tale.txt", text)
    assert [turn.start for turn in turns] == times
    assert [turn.text.strip() for turn in turns] == ["Go.", "No."]
    assert all(":" not in turn.label and "[" not in turn.label for turn in turns)


@pytest.mark.parametrize("label", ["**Anna:**", "**Anna**:", "__Anna:__", "*Anna:*", "- **Anna:**", "[Anna]:", "***Anna:***"])
def test_emphasised_labels_lose_their_marks(label):
    text = f"{label} Go.\n{label.replace('Anna', 'Ben')} No.\n"
    assert labels(text) == [("Anna", "Go."), ("Ben", "No.")]


def test_lines_of_a_name_that_a_program_gave_are_one_turn_and_the_published_rule_reads_as_crd3_did():
    text = "SPEAKER_00: Go.\nSPEAKER_00: Now.\n[SPEAKER_01]: No.\n[SPEAKER_00] Yes.\nANNA: a.\nANNA: b.\n"
    found = labels(text)
    assert found == [("SPEAKER_00", "Go. Now."), ("SPEAKER_01", "No."), ("SPEAKER_00", "Yes."), ("ANNA", "a."), ("ANNA", "b.")]
    content = b"ANNA: Go.\nANNA: Hm.\nANNA: So.\nANNA; No.\nAnna: Yes.\n"
    assert len(read_dialogue("a.txt", content)) == 5
    assert len(read_dialogue("a.txt", content, CleaningConfig(labels="pattern"))) == 3


def test_a_word_before_a_colon_in_a_paragraph_is_no_label_where_labels_begin_paragraphs() -> None:
    turns = "\n\n".join(f"{name}: Row on." for name in ("Anna", "Ben") * 4)
    text = f"{turns}\n\nAnna: It says this.\nEnlarge: the boat doubles.\n\nGuard: Halt.\n"
    assert [label.name for label in find_labels(text)][-2:] == ["Anna", "Guard"]
    assert "Enlarge" in {label.name for label in find_labels(text.replace("\n\n", "\n"))}


TURNS = "\n\n".join(f"{name}: I say thing {number} here. It is so." for number in range(6) for name in ("ANNA", "BEN"))


def test_speakers_of_the_table_are_no_header_and_no_words_of_a_turn() -> None:
    opening = "NARRATOR: Once upon a time\nVOICE: There was a road\n\n"
    assert find_labels(opening + TURNS)[0].name == "ANNA"
    names = [label.name for label in find_labels(opening + TURNS, {"narrator", "voice"})]
    assert names == ["NARRATOR", "VOICE", *("ANNA", "BEN") * 6]
    late = TURNS.replace("thing 3 here. It is so.", "thing 3 here. It is so.\nCARLA: I have come too late.", 1)
    assert "CARLA" not in [label.name for label in find_labels(late)]
    assert [label.name for label in find_labels(late, {"carla"})].count("CARLA") == 1


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("NARRATOR: Once there was a town.\nVOICE: And a road.", ["NARRATOR", "VOICE"]),
        ("Title: The Ferry.\nPlayed at: the fair", []),
        ("TITLE: THE FERRY\nNARRATOR: Once there was a town.", ["NARRATOR"]),
        ("PLAYED AT: the fair\nWITH: Anna, Ben", []),
        ("Episode 1: The Ferry", []),
        ("MARA: The ferry", ["MARA"]),
    ],
)
def test_sentences_above_the_dialogue_are_said(header: str, names: list[str]) -> None:
    assert [label.name for label in find_labels(header + "\n\n" + TURNS.replace("\n\n", "\n"))] == [*names, *("ANNA", "BEN") * 6]
