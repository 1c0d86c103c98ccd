import re
from collections.abc import Callable

import pytest

from core.scripts.screenplays import headings, kinds
from core.scripts.screenplays.kinds import find_repeated_heads, find_running_heads
from core.scripts.screenplays.lines import read_lines
from core.scripts.screenplays.wording import sounds_spoken, sounds_told

NAMES = {"ANNA", "HARBOUR MASTER", "MASTER", "HARBOUR"}
JUDGES: dict[Callable[[str], bool], tuple[str, str]] = {
    kinds.is_furniture: (
        """12. | 12 | (12) | - 12 - | Page 12 | 12A. | 671.09 | 33   33 | (CONTINUED) | CONTINUED: | CONTINUED: (2) | (MORE)
        MORE | 38   CONTINUED:    (3)                38 | (more) | --more-- | (continues) | OMITTED | 14 OMITTED 14
        12-15 OMITTED | ----- | * * * | (03.18.14)  37.""",
        """ANNA | Continued rain. | 12 men. | I have 12. | MORE WINE | A | Three. | 12 ANGLE ON ANNA | More? | more. | continues.
        Deleted. | REVISION  3/4/91 | 11aA. | OMITTED 41-56 | TO:""",
    ),
    kinds.is_transition: (
        """CUT TO: | DISSOLVE TO: | SMASH CUT TO: | FADE IN: | FADE OUT. | FADE TO BLACK. | SLOW FADE | CUT TO BLACK | THE END
        BACK TO: | MATCH CUT | ABRUPT CUT TO: | GO TO:""",
        "ANNA | CUT IT OUT! | GO HOME | BACK OFF | Cut to: a cow | ENDER | CUT TO: INT. BAR | FINN",
    ),
    kinds.is_page_mark: (
        """16-A | (16-A)
        REVISION  3/4/91 | REVISION 3/491 | 5/4/91   JB | 5/491 JB | 11aA. | 37A-37D OMITTED 37A-37D | 59-60    59-60
        OMITTED 41-56 | 42A-50 OMITTE 42A-50 | 97. through 102. OMITTED | OMIT - 161E - 161I | 93A/93B OMITTED 93A/93B
        15A-17 CONTINUED: (2)      15A-17 | 131 CONTINUED (DAY) | SCENE 96 - CONTINUED | 12 CONTIUNED | THRU OMITTED | TO:
        ------------------------------------------------------------------------------------------------------------""",
        """1ST | 5pM | 16-A RAIN | A-16 | TO ANNA: | CONTINUED RAIN | DELETED SCENES | 9/11 NYC | SCENE 12 | Omitted
        911 DISPATCH | 10 TO 12
        10.15.30 AM | 10.15.30 PM.""",
    ),
    headings.is_heading: (
        """INT. BARN | EXT. BARN - DAY | INT/EXT. CAR | INT./EXT. CAR | EXT./INT. CAR | Int. Barn | INTERIOR - BARN
        EXTERIOR: BARN | INT BARN | EXT BARN | 1 EXT JUNGLE | 12A INT. BARN 12A | 107-A   EXT. STORE | A77  INT. BARN | I/E CAR
        INT.BARN | SCENE 5 - EXT. STREET | CUT TO: INT. BAR | • 14 EXT. BARN | EXT-COUNTRY CLUB | INT & EXT BARN
        EST. BARN - DAWN | I./E. CAR | 12-INT. BARN | 12.INT. BARN | Scene 4 - Int. Barn | Interior. Barn. Day
        Exterior - Barn""",
        """INTERCUT | INTERNAL AFFAIRS MAN | EXTRA | INTO THE BARN | He is in the INTERIOR | next. door | POINT. BLANK
        13INT. BARN13 | We see the EXT of it | CUT TO: | Interior design is art. | BEST. DAY | Exterior""",
    ),
    headings.is_strict_heading: (
        "INT. BARN | 12 EXT. BARN 12 | He stands at the EXT. wall | INT./EXT. CAR | INT/EXT. CAR | EXT./INT. CAR",
        "EXT/INT. CAR | INT.BARN | Int. Barn | INT BARN | 13INT. BARN | <b>INT. BARN</b> | (INT. BARN)",
    ),
    headings.is_shot: (
        "ANGLE ON THE DOOR | SCENE 94 - MS ON NICK. | 12 CLOSE SHOT | CLOSER ON ANNA | INSERT - LETTER",
        "ANGLER | Scene 5 | CLOSET DOOR | INSERTED",
    ),
    headings.is_foreign_heading: (
        """INNEN. SCHEUNE - TAG | AUSSEN/FELD - NACHT | INTÉRIEUR - GRANGE | 12 EXTERIEUR. CHAMP | INTERNO. FIENILE
        BINNEN - HUIS""",
        "Innen ist es kalt. | INTERNAL MEMO | INNENSTADT | INTERNO",
    ),
    headings.is_numbered_shot: (
        "23THE OUTER OFFICE23 | 5   CLOSE - ANNA   5 | 12A BOAT #2 12A",
        "1ST MARINE #1 | 5 men, then 5 | 12 ANGLE ON ANNA | 23 CARS 24 | 10 10",
    ),
    sounds_spoken: (
        "I know. | Give me the rope. | Your lamp is out, and nobody came. | Who? | Boats! | Let's go.",
        """Walks to the shore. | leans over your chair. | Reads a sign: "I love you." | BANG | World War I. Rain.
        The rope snaps, and the boat is gone! | They don't smile back.""",
    ),
    lambda text: sounds_told(text, NAMES): (
        "Anna laughs. | Harbour Master sits down. | Anna slowly turns to the sea.",
        "Anna looks like you. | Oskar laughs. | Anna wants the job. | She counts steps. | Smiles.",
    ),
}  # fmt: skip


def divide(lines: str) -> list[str]:
    return [line.strip() for line in re.split(r"[|\n]", lines)]


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.__name__)
def test_a_line_is_known_by_its_words(judge: Callable[[str], bool]) -> None:
    such, others = map(divide, JUDGES[judge])
    assert [line for line in such if not judge(line)] == []
    assert [line for line in others if judge(line)] == []


def test_running_heads_are_lines_in_which_only_the_number_changes_or_with_words_for_a_draft_or_a_date() -> None:
    pages = "\n".join(
        f"THE LAMP - Rev. 4/{page}/88     {page}.\nWords.\n{page} ANGLE ON ANNA {page}\nGUARD {page}" for page in range(1, 12)
    )
    heads = find_running_heads(read_lines(pages))
    assert len(heads) == 11
    assert all("LAMP" in head for head in heads)
    assert find_running_heads(read_lines("Flight 12 to Rome, gate 3.\n" * 20)) == set()
    for body in divide("The Fox - Second Draft | FOX - Revised | The Fox Rev. 3 | Fox REVISION (pink)"):
        assert find_repeated_heads(read_lines(f"{body}\nHello.\n" * 9)) == {body}
    for body in divide("REV. GREEN | DRAFTEE | REVISIONIST | MRS. DRAFTER"):
        assert find_repeated_heads(read_lines(f"{body}\nHello.\n" * 9)) == set()
    lines = read_lines("THE FOX - Numbered Script - 3/4/1991\nANNA\nHello.\nINT. HALL - 3/4/1991\n" * 8 + "Draft of 3/4/1991.\n")
    assert find_repeated_heads(lines) == {"THE FOX - Numbered Script - 3/4/1991"}
