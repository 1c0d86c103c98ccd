import pytest

from core.scripts.screenplays.cues import parse_cue


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("ANNA", ("ANNA",)),
        ("ANNA (V.O.)", ("ANNA",)),
        ("ANNA (O.S.) (CONT'D)", ("ANNA",)),
        ("ANNA (cont'd)", ("ANNA",)),
        ("ANNA V.O.", ("ANNA",)),
        ("ANNA O/S", ("ANNA",)),
        ("ANNA (CONT'D", ("ANNA",)),
        ("ANNA [on the radio]", ("ANNA",)),
        ("ANNA:", ("ANNA",)),
        ("ANNA O.S. (ON TV):", ("ANNA",)),
        ("ANNA'S VOICE", ("ANNA",)),
        ("HANS' VOICE", ("HANS",)),
        ("JACK (into bullhorn)", ("JACK",)),
        ("McCLANE", ("McCLANE",)),
        ("33.           JOHN", ("JOHN",)),
        ("JOHN, JR.", ("JOHN, JR.",)),
        ("C.W.", ("C.W.",)),
        ("GUARD #2", ("GUARD #2",)),
        ("DR. O'NEIL", ("DR. O'NEIL",)),
        ("JUNO AND MARK", ("JUNO", "MARK")),
        ("ANNA & BEN", ("ANNA", "BEN")),
        ("ANNA/BEN", ("ANNA", "BEN")),
        ("ANNA, BEN AND CARL", ("ANNA", "BEN", "CARL")),
        ("ANNA              BEN (CONT'D)", ("ANNA", "BEN")),
        ("V", ("V",)),
        ("ANNA ^", ("ANNA",)),
        ('"DOC" MARR', ("DOC MARR",)),
        ("ROBERT “BOBBY” OAKE", ("ROBERT BOBBY OAKE",)),
        ('INSTRUCTOR "TONY"', ("INSTRUCTOR TONY",)),
        ("#2 GUARD", ("#2 GUARD",)),
    ],
)
def test_names_are_cleaned_and_split(body, names):
    assert parse_cue(body).names == names


@pytest.mark.parametrize(
    "body",
    ["ANGLE ON ANNA", "CLOSE UP", "CLOSER ON THE DOOR", "FADE IN", "CUT TO:", "LATER", "THE END", "SUPER:",
     "SERIES OF SHOTS", "INSERT",
     "ANNA'S POV", "BACK TO SCENE", "MOMENTS LATER", "MONTAGE", "KITCHEN - NIGHT", "Anna", "ANNA walks", "STOP!",
     "OK.", "WHY?", "NO",
     "WAIT --", "AND THEN...", "DEFINITIVE)", "(ANNA)", "- 12 -", "1999", "HE SAID THAT NOBODY EVER CAME TO THIS PLACE", "A" * 80,
     "SIGN READS:", '"KEEP OUT"', '"STOP"', "#"],
)  # fmt: skip
def test_directions_sentences_and_numbers_are_not_cues(body):
    assert parse_cue(body) is None


def test_marks_are_read_separately_from_the_name():
    assert parse_cue("ANNA (CONT'D)").continued
    assert not parse_cue("ANNA").continued
    assert parse_cue("ANNA:").colon
    assert parse_cue("ANNA AND BEN").key == "ANNA & BEN"
