import pytest

from core.scripts.screenplays.cues import is_sign, mend_cue, parse_cue


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


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("BR0DY", ("BRODY",)),
        ("OSKAR ET AL.", ("OSKAR ET AL",)),
        ("ANNA (CONT'D (cont'd)", ("ANNA",)),
        ("ANNA (softly}", ("ANNA",)),
        ("R2D2", ("R2D2",)),
        ("AGENT 007", ("AGENT 007",)),
    ],
)
def test_cues_that_are_mended(body, names):
    cue = parse_cue(mend_cue(body))
    assert cue is not None
    assert cue.names == names


@pytest.mark.parametrize("body", ["I --", "I", "I -"])
def test_who_breaks_off_is_no_speaker(body):
    assert mend_cue(body) == ""


@pytest.mark.parametrize("body", ["MAY 12, 1852", "OCTOBER 3, 1901"])
def test_a_date_is_a_sign(body):
    cue = parse_cue(body)
    assert cue is not None
    assert is_sign(cue, ["a good neighbour"])
