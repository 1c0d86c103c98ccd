import pytest

from core.errors import SourceError
from core.rooms.game_sources import read_game_source
from core.rooms.sentences import Rights, read_document

ROM = """\
#AREA
mill.are~
The Mill~
{ 5 10} Nobody   The Mill~
4100 4199

#MOBILES
#4100
miller old~
an old miller~
An old miller counts his sacks.
~
He is white with flour.
~
human~
AG 0 0 0

#OBJECTS
#4101
sack flour~
a sack of flour~
A sack of flour leans here.~
cloth~
treasure 0 A
0 0 0 0 0

#ROOMS
#4100
The Mill Floor~
{WTwo stones{x turn slowly in the half dark.
White dust lies on every beam.
~
0 D 0
D0
You see the yard.
~
~
0 -1 4101
E
stones~
They are old.
~
S
#4101
The Yard~
Carts stand in a ring around the well.
~
0 C 2
S
#0
"""
DIKU = "#30\nA Cellar~\n   Barrels line the walls.\n~\n1 12 0\nS\n#31\nA Stair~\nSteps lead up.\n~\n1 cd 0 0 0 0\nS\n$~\n"
INFORM = """\
"The Ferry House" by Nobody

The Hall is a room. "A bell [if the bell is rung]still swings[otherwise]hangs[end if] over the door.

The floor is wet."

The lamp is a thing in the Hall. The description of the lamp is "It is made of brass."

The Jetty is north of the Hall. "Ropes creak. A sign says 'No boats'."
The Loft is an enclosed dark room. The Loft is above the Hall.
The description of the Loft is "Hay and nests fill the loft."

Instead of taking the lamp, say "It is nailed down."

[ROOM: the attic]
There is a room called Attic.
The Description is "Low beams[one of], and a mouse[or], and dust[stopping]. [A brass lamp] hangs here."
East of Attic is the Roof.
The Shed is a room.  The Shed is south of the Hall.
The printed name of the Shed is "Old Shed". The Shed is dark. "Spades."
The oak door is east of the Hall and west of the Yard. The oak door is a door. "Planks and nails."

Description of Roof is "Slates and sky."
"""
SMAUG = """\
#FUSSAREA
#OBJECT
Vnum     99
Long     A spade leans here.~
#ENDOBJECT

#ROOM
Vnum     100
Name     Ferry~
Sector   inside~
Desc     &wA low house of wet boards.
The river goes by.
~
#EXIT
Direction north~
Desc      A field.
~
#ENDEXIT
#ENDROOM

#ROOM
Vnum     101
Name     Field~
Desc     Grass.
~
#ENDROOM
"""


def test_areas_of_rom_of_diku_and_with_named_fields_have_rooms_without_colours_creatures_things_and_exits() -> None:
    assert read_game_source(ROM) == [
        "Two stones turn slowly in the half dark.\nWhite dust lies on every beam.\n",
        "Carts stand in a ring around the well.\n",
    ]
    assert read_game_source(DIKU) == ["   Barrels line the walls.\n", "Steps lead up.\n"]
    assert read_game_source(SMAUG) == ["A low house of wet boards.\nThe river goes by.\n", "Grass.\n"]


def test_rooms_of_inform_are_declared_and_described() -> None:
    assert read_game_source(INFORM) == [
        "A bell still swings over the door.\n\nThe floor is wet.",
        'Ropes creak. A sign says "No boats".',
        "Hay and nests fill the loft.",
        "Low beams, and a mouse. A brass lamp hangs here.",
        "Spades.",
        "Slates and sky.",
    ]


def test_running_text_is_no_game() -> None:
    prose = 'The Hall is a cold room. "Who is there?" she said.\n\nThe Yard is a bare room. "Nobody," he said.'
    assert read_game_source(prose) is None
    assert read_game_source(prose, ".ni") is not None
    assert read_game_source('The hall is a room. "A fine hall", she said.\n\nThe yard is north of the hall.') is None


def test_a_file_that_says_what_it_is_may_have_one_room_and_must_have_it() -> None:
    room = "#1\nThe Pier~\nPlanks lie here. The fog is thick.\n~\n1 0 0\nS\n$~\n"
    rights = Rights("CC0-1.0", "us")
    assert [passage.text for passage in read_document("a.wld", room.encode(), "a", rights)] == [
        "Planks lie here. The fog is thick."
    ]
    with pytest.raises(SourceError, match="found no description of a room"):
        read_document("a.wld", b"#MOBILES\n#1\nwizard~\nA wizard walks about.\n~\n", "a", rights)
