import pytest

from core.dialogue import Turn
from core.scripts.cast_matching import CastConfig
from core.scripts.name_masking import NameMask
from core.scripts.scenes import CastMember, Scene

CAST = (CastMember("Mrs. Ada Lindqvist"), CastMember("Tobias Marr"), CastMember("Quill"))
SCENES = (Scene(0, 0, "INT. BAR", (Turn(0, ("WAITRESS",), ("Yes.",), "WAITRESS", "Yes."),), ("Tobias finds his oar.",)),)
MASK = NameMask(CAST, SCENES, (), CastConfig())


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Ada hands Tobias the lamp.", "She hands he the lamp."),
        ("TOBIAS MARR, wet, rows to Ada Lindqvist's island.", "He, wet, rows to her island."),
        ("Quill hides in Tobias’s boat (Ada's).", "Someone hides in his boat (her)."),
        ("“Quill's!” says the Waitress", "“someone's!” says the she"),
        ("The lamp  is\nout.", "The lamp is out."),
        ("... - (", "... - ("),
        ("", ""),
    ],
)
def test_names_become_pronouns_of_their_gender(text: str, masked: str) -> None:
    assert MASK(text) == masked


def test_without_a_cast_nobody_is_masked() -> None:
    assert NameMask((), SCENES, (), CastConfig())("Ada hands the Waitress a lamp.") == "Ada hands the Waitress a lamp."


def test_a_name_is_found_only_in_windows_of_the_lengths_set() -> None:
    single = NameMask(CAST, SCENES, (), CastConfig(window_lengths=(1,)))
    assert single("Tobias Marr rows.") == "He he rows."
