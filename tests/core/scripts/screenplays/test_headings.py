import pytest

from core.scripts.screenplays.headings import (
    are_numbered_behind,
    is_foreign_heading,
    is_fused_heading,
    is_heading,
    is_numbered_shot,
    is_shot,
    is_strict_heading,
    strip_scene_numbers,
    strip_shot_numbers,
)


@pytest.mark.parametrize(
    "body",
    ["INT. BARN", "EXT. BARN - DAY", "INT/EXT. CAR", "INT./EXT. CAR", "EXT./INT. CAR", "Int. Barn",
     "INTERIOR - BARN", "EXTERIOR: BARN",
     "INT BARN", "EXT BARN", "1 EXT JUNGLE", "12A INT. BARN 12A", "107-A   EXT. STORE", "A77  INT. BARN", "I/E CAR", "INT.BARN",
     "SCENE 5 - EXT. STREET", "CUT TO: INT. BAR", "• 14 EXT. BARN", "EXT-COUNTRY CLUB", "INT & EXT BARN",
     "EST. BARN - DAWN", "I./E. CAR", "12-INT. BARN", "12.INT. BARN", "Scene 4 - Int. Barn",
     "Interior. Barn. Day", "Exterior - Barn"],
)  # fmt: skip
def test_headings_of_every_form(body):
    assert is_heading(body)


@pytest.mark.parametrize(
    "body",
    ["INTERCUT", "INTERNAL AFFAIRS MAN", "EXTRA", "INTO THE BARN", "He is in the INTERIOR", "next. door",
     "POINT. BLANK", "13INT. BARN13",
     "We see the EXT of it", "CUT TO:", "Interior design is art.", "BEST. DAY", "Exterior"],
)  # fmt: skip
def test_not_headings(body):
    assert not is_heading(body)


@pytest.mark.parametrize(
    ("raw", "strict"),
    [
        ("INT. BARN", True),
        ("   12 EXT. BARN 12", True),
        ("He stands at the EXT. wall", True),
        ("INT./EXT. CAR", True),
        ("INT/EXT. CAR", True),
        ("EXT./INT. CAR", True),
        ("EXT/INT. CAR", False),
        ("INT.BARN", False),
        ("Int. Barn", False),
        ("INT BARN", False),
        ("13INT. BARN", False),
        ("<b>INT. BARN</b>", False),
        ("(INT. BARN)", False),
    ],
)
def test_the_strict_rule_compares_tokens(raw, strict):
    assert is_strict_heading(raw) is strict


def test_fused_headings_are_recognised():
    assert is_fused_heading("13INTERIOR - BARN13")
    assert is_fused_heading("2EXT. BARN - NIGHT2")
    assert not is_fused_heading("13 INT. BARN")


def test_shots():
    assert all(
        map(is_shot, ["ANGLE ON THE DOOR", "SCENE 94 - MS ON NICK.", "12 CLOSE SHOT", "CLOSER ON ANNA", "INSERT - LETTER"])
    )
    assert not any(map(is_shot, ["ANGLER", "Scene 5", "CLOSET DOOR", "INSERTED"]))


@pytest.mark.parametrize(
    "body", ["INNEN. SCHEUNE - TAG", "AUSSEN/FELD - NACHT", "INTÉRIEUR - GRANGE", "12 EXTERIEUR. CHAMP", "INTERNO. FIENILE",
     "BINNEN - HUIS"]
)  # fmt: skip
def test_headings_in_other_languages(body):
    assert is_foreign_heading(body)


@pytest.mark.parametrize("body", ["Innen ist es kalt.", "INTERNAL MEMO", "INNENSTADT", "INTERNO"])
def test_no_headings_in_other_languages(body):
    assert not is_foreign_heading(body)


@pytest.mark.parametrize(
    ("body", "shot"),
    [("23THE OUTER OFFICE23", "THE OUTER OFFICE"), ("5   CLOSE - ANNA   5", "CLOSE - ANNA"), ("12A BOAT #2 12A", "BOAT #2")],
)
def test_shots_with_their_numbers_on_both_sides(body, shot):
    assert is_numbered_shot(body)
    assert strip_shot_numbers(body) == shot


@pytest.mark.parametrize("body", ["1ST MARINE #1", "5 men, then 5", "12 ANGLE ON ANNA", "23 CARS 24", "10 10"])
def test_no_numbered_shots(body):
    assert not is_numbered_shot(body)


@pytest.mark.parametrize(
    "heading",
    ["INT. BARN - DAY", "35a INT. BARN - DAY 35a", "107-A   INT. BARN - DAY       107-A", "lO7     INT. BARN - DAY",
     "12INT. BARN - DAY12", "19.34   INT. BARN - DAY", "INT. BARN - DAY    12 *"],
)  # fmt: skip
def test_a_heading_loses_its_numbers(heading):
    assert strip_scene_numbers(heading) == "INT. BARN - DAY"


@pytest.mark.parametrize("heading", ["INT. ROOM 301", "1945 - INT. BARN", "EXT. BARN - APRIL   3RD", "INT. BARN, 5"])
def test_a_number_that_is_told_stays(heading):
    assert strip_scene_numbers(heading) == heading


def test_a_number_before_other_words_than_int_goes():
    assert strip_scene_numbers("36     FLASHBACK - INT. BARN") == "FLASHBACK - INT. BARN"


def test_numbers_one_space_behind_the_headings_are_the_scenes_if_they_go_up():
    numbered = [f"INT. BARN - DAY {number}" for number in range(1, 20)]
    assert are_numbered_behind(numbered)
    assert strip_scene_numbers(numbered[4], numbered=True) == "INT. BARN - DAY"
    assert strip_scene_numbers("INT. BARN - DAY", numbered=True) == "INT. BARN - DAY"
    assert not are_numbered_behind(["INT. ROOM 301"] * 20)
    assert not are_numbered_behind([*numbered[:9], *["INT. BARN"] * 20])
    assert not are_numbered_behind(numbered[:5])
