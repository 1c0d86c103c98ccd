from dataclasses import replace

import pytest

from core.dialogue import Turn
from core.scripts.name_masking import NameMask
from core.scripts.names import CastConfig
from core.scripts.story import CastMember, Scene, Story

CAST = (
    CastMember("Mrs. Ada Lindqvist"), CastMember("Tobias Marr"), CastMember("Quill"), CastMember("James Reeves"),
    CastMember("Tobias Holt"),
)  # fmt: skip
SCENES = (Scene(0, 0, "INT. BAR", (Turn(0, ("WAITRESS",), ("Yes.",), "WAITRESS", "Yes."),), ("Tobias finds his oar.",)),)
STORY = Story("lamp", "movie", "", "", SCENES, (), CAST)
MASK = NameMask(STORY, CastConfig())


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Ada hands Tobias the lamp.", "She hands he the lamp."),
        ("TOBIAS MARR, wet, rows to Ada Lindqvist's island.", "He, wet, rows to her island."),
        ("Quill hides in Tobias’s boat (Ada's).", "Someone hides in his boat (her)."),
        ("“Quill's!” says the Waitress", "“someone's!” says the she"),
        ("The lamp  is\nout.", "The lamp is out."),
        ("... - (", "... - ("),
        ("ADA LINDQVIST SHOUTS AT TOBIAS MARR", "She SHOUTS AT he"),
        ("Tobias, Ada and Quill sing.", "He, she and someone sing."),
        ("As Ada leaves, Mrs. Lindqvist's lamp goes out.", "As she leaves, her lamp goes out."),
        ("Tobias/Ada — Quill–Ada sing.", "He/she — someone–she sing."),
        ("At James' house James Reeves’ men wait.", "At his house his men wait."),
        ("He said 'Tobias' twice.", "He said 'he' twice."),
        ("Tobias Holt rows.", "Someone rows."),
    ],
)
def test_names_become_pronouns_of_their_gender_and_what_stands_around_them_stays(text: str, masked: str) -> None:
    assert MASK(text) == masked


def test_without_a_cast_nobody_is_masked() -> None:
    assert NameMask(replace(STORY, cast=None), CastConfig())("Ada hands the Waitress a lamp.") == "Ada hands the Waitress a lamp."
