"""Hostile screenplays, synopses, books, casts, gold and series."""

import json

from core.scripts.json_files import list_episodes, read_cast, read_episode, read_gold
from core.scripts.long_texts import read_long_text
from core.scripts.mentions import resolve_mentions
from core.scripts.names import CastConfig, CastMatcher
from core.scripts.people import find_genders
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.story import CastMember
from core.scripts.synopsis import read_synopsis
from lab.hostile.case import PROSE, SAID, Hostile, list_cases

_SCENE = {"utterances": [{"speakers": ["A"], "transcript": "Go."}], "plots": ["p"]}
_PEOPLE = tuple(CastMember(name, actor="Jane Pell") for name in ("Anna", "Ben", "Mr. Osei", "Coroner"))


def _read_mentions(sentence: str) -> None:
    """Read whom a synopsis of one sentence means."""
    matcher = CastMatcher(_PEOPLE, CastConfig())
    resolve_mentions([sentence], _PEOPLE, matcher, find_genders(_PEOPLE, (), [sentence], matcher))


FILMS = (
    *list_cases(
        "screenplay",
        lambda t: read_screenplay("u", t),
        ("lines of speech", lambda n: "INT. BARN\n\nANNA\nGo.\n\n" * n),
        ("one speech of many lines", lambda n: "INT. BARN\n\nANNA\n" + "Go on now, she said.\n" * n + "\nBEN\nNo.\n"),
        (
            "sentences below speech without blank lines",
            lambda n: "INT. BARN\nANNA\nGo.\nBEN\nNo.\n" * 20 + "INT. MILL\nANNA\n" + "A b.\n" * n,
        ),
        ("mark-up beside text", lambda n: "INT. BARN\n\nANNA\nGo.\n" + "<!--x -->a" * n),
        ("comments", lambda n: "INT. BARN\n\nANNA\nGo.\n" + "<!--\nx\n-->\n" * n),
        ("one speech in capitals", lambda n: "INT. BARN\n\nANNA\nGo.\n\nBEN\nNo.\n\nANNA\n" + "GO ON NOW, SHE SAID.\n" * n),
        ("remarks in one speech", lambda n: "INT. BARN\n\nANNA\nGo.\n\nBEN\n" + "(nods)\n\n" * n + "No.\n"),
        ("open brackets", lambda n: "INT. BARN\n\nANNA\n" + "(a\n" * n),
        ("one line", lambda n: "INT. BARN\n\nANNA\n" + "Go (on) now. " * n),
        ("continued speeches", lambda n: "INT. BARN\n\n" + "ANNA\nGo on.\n\n(CONTINUED)\n\nANNA (CONT'D)\nNow.\n\n" * n),
        ("running heads", lambda n: "INT. BARN\n\nANNA\nGo.\n\n" + "".join(f"THE BARN Rev. 3 {i}.\n\n" for i in range(n))),
        ("headings", lambda n: "INT. BARN\n\n" * n + "ANNA\nGo.\n"),
        ("speakers", lambda n: "INT. BARN\n\n" + "".join(f"ANNA {i}\nGo on.\n\n" for i in range(n))),
        ("two columns", lambda n: "INT. BARN\n\n" + "ANNA          BEN\nGo on.        No.\n\n" * n),
        ("stars", lambda n: "INT. BARN\n\nANNA\nGo.\n" + "*" * n + "a b" + "*" * n),
        ("tags", lambda n: "INT. BARN\n\nANNA\nGo.\n" + "<b" * n),
        ("transcript lines", lambda n: "INT. BARN\n\n" + "Anna: Go on.\n" * n),
        ("spaces", lambda n: "INT. BARN\n\nANNA\nGo" + " " * n + ".\n"),
        ("a heading with spaces and numbers", lambda n: "INT. BARN" + " " * n + "12 " * n + "x\n\nANNA\nGo.\n"),
        (
            "long remarks",
            lambda n: "INT. BARN\n\n               ANNA\n" + "          (slowly\n" + "          and so on\n" * n + "     Go.\n",
        ),
        (
            "paragraphs that go on",
            lambda n: "INT. BARN\n\nANNA\nGo.\n\n" + "Anna looks at the cow and at Ben who sits beside the\n\n" * n,
        ),
        ("lists of scenes", lambda n: "INT. BARN\n\nANNA\nGo.\n\n" + "12A-13, 14 & 15 x\n" * n),
    ),
    *list_cases(
        "synopsis",
        lambda t: read_synopsis("s", t, PROSE),
        ("one paragraph", lambda n: SAID * n),
        ("lines", lambda n: (SAID + "\n") * n),
        ("equals signs", lambda n: SAID + "=" * n),
        ("open headings", lambda n: SAID + "== a " * n),
    ),
    *list_cases(
        "book",
        lambda t: read_long_text("b", t),
        ("paragraphs", lambda n: f"{SAID}\n\n" * n),
        ("apostrophes", lambda n: "'Tis the sailors' boat" * n),
        ("opening single quotes", lambda n: "a ‘b" * n),
        ("straight quotes before capitals", lambda n: "a 'B" * n),
        ("straight quotes with ends", lambda n: "a 'Go on.'x " * n),
        ("open double quotes", lambda n: "a “b " * n),
        ("quotes that are too long", lambda n: '"' + "a b “" + "c " * n),
        ("straight double quotes", lambda n: '"' * n + "a"),
        ("chapters", lambda n: f"CHAPTER I\n\n{SAID}\n\n" * n),
        ("lines of one paragraph", lambda n: (SAID + "\n") * n + "\n" * (n // 2)),
        ("gutenberg marks", lambda n: SAID + "*** START OF THE PROJECT GUTENBERG" * n),
    ),
    *list_cases(
        "cast",
        lambda t: read_cast("c", t),
        ("members", lambda n: json.dumps([{"actor": f"A {i}", "character": f"C {i}"} for i in range(n)])),
        ("one character, many actors", lambda n: json.dumps([{"actor": f"A {i}", "character": "Ben"} for i in range(n)])),
        ("one character, many names", lambda n: json.dumps([{"actor": "A", "character": f"Ben / B{i}"} for i in range(n)])),
    ),
    *list_cases(
        "mentions",
        _read_mentions,
        ("a sentence without brackets", lambda n: "Anna goes on " * n),
        ("open brackets", lambda n: "Anna (" * n),
        ("actors in brackets", lambda n: "Anna Moss Bell (Jane Pell) " * n),
        ("pronouns joined by and", lambda n: "Anna sees Ben " + "and him " * n),
        ("strangers", lambda n: "Ben sees " + "his wife and her boss and his brother " * n),
        ("names joined by and", lambda n: "Anna, Ben and Mr. Osei " * n),
        ("groups", lambda n: "Anna and Ben see " + "them and they see " * n),
        ("pronouns before names", lambda n: "After " + "he " * n + ", " + "they see Anna " * n),
        ("titles of one person", lambda n: "Anna, a lawyer, " * n + "the lawyer and " * n),
        ("sentences without pronouns", lambda n: "Go on. " * n),
    ),
    Hostile("gold", "links", lambda t: read_gold("g", t), lambda n: '{"movie_id": "m", "sent": "s", "scene_idx": [1]}\n' * n),
    Hostile(
        "series",
        "episodes",
        lambda t: (list_episodes("s", t), read_episode("s", t, "e0")),
        lambda n: json.dumps({"episodes": [{"episode_id": f"e{i}", "scenes": [_SCENE]} for i in range(n)]}),
    ),
    Hostile(
        "series",
        "episodes twice",
        lambda t: list_episodes("s", t),
        lambda n: json.dumps({"episodes": [{"episode_id": f"e{i // 2}"} for i in range(n)]}),
    ),
)
