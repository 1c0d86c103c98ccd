import re

from core.scripts.screenplays.cues import is_broken_off, parse_cue

CUES = {
    (
        "ANNA",
    ): """ANNA | ANNA (V.O.) | ANNA (O.S.) (CONT'D) | ANNA (cont'd) | ANNA V.O. | ANNA O/S | ANNA (CONT'D | ANNA [on the radio]
        ANNA: | ANNA O.S. (ON TV): | ANNA'S VOICE | ANNA ^""",
    ("ANNA", "BEN"): "ANNA & BEN | ANNA/BEN | ANNA              BEN (CONT'D)",
    ("ANNA", "BEN", "CARL"): "ANNA, BEN AND CARL",
    ("HANS",): "HANS' VOICE",
    ("JACK",): "JACK (into bullhorn)",
    ("McCLANE",): "McCLANE",
    ("JOHN",): "33.           JOHN",
    ("JOHN, JR.",): "JOHN, JR.",
    ("C.W.",): "C.W.",
    ("GUARD #2",): "GUARD #2",
    ("#2 GUARD",): "#2 GUARD",
    ("DR. O'NEIL",): "DR. O'NEIL",
    ("V",): "V",
    ("DOC MARR",): '"DOC" MARR',
    ("ROBERT BOBBY OAKE",): "ROBERT “BOBBY” OAKE",
    ("INSTRUCTOR TONY",): 'INSTRUCTOR "TONY"',
}
NO_CUES = """ANGLE ON ANNA | CLOSE UP | CLOSER ON THE DOOR | FADE IN | CUT TO: | LATER | THE END | SUPER: | SERIES OF SHOTS
    INSERT | ANNA'S POV | BACK TO SCENE | MOMENTS LATER | MONTAGE | KITCHEN - NIGHT | Anna | ANNA walks | STOP! | OK. | WHY?
    WAIT -- | AND THEN... | DEFINITIVE) | (ANNA) | - 12 - | 1999 | HE SAID THAT NOBODY EVER CAME TO THIS PLACE | SIGN READS:
    "KEEP OUT" | "STOP" | # | AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"""


def test_names_are_cleaned_and_split_and_directions_sentences_and_numbers_are_no_cues():
    for names, bodies in CUES.items():
        found = {body: parse_cue(body.strip()).names for body in re.split(r"[|\n]", bodies)}
        assert found == dict.fromkeys(re.split(r"[|\n]", bodies), names)
    assert (parse_cue("ANNA (CONT'D)").continued, parse_cue("ANNA").continued) == (True, False)
    assert (parse_cue("ANNA:").colon, parse_cue("ANNA AND BEN").key) == (True, "ANNA & BEN")
    assert [body for body in re.split(r"[|\n]", NO_CUES) if parse_cue(body.strip()) is not None] == []
    assert all(map(is_broken_off, ("I --", "I", "I -")))
