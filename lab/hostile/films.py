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
from lab.hostile.case import PROSE, SAID, Hostile

_PEOPLE = tuple(CastMember(name, actor="Jane Pell") for name in ("Anna", "Ben", "Mr. Osei", "Coroner"))


def _read_mentions(sentence: str) -> None:
    """Read whom a synopsis of one sentence means."""
    matcher = CastMatcher(_PEOPLE, CastConfig())
    resolve_mentions([sentence], _PEOPLE, (), matcher, find_genders(_PEOPLE, (), [sentence], matcher))


FILMS = (
    Hostile("screenplay", "lines of speech", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\nGo.\n\n" * n),
    Hostile(
        "screenplay",
        "one speech of many lines",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\n" + "Go on now, she said.\n" * n + "\nBEN\nNo.\n",
    ),
    Hostile(
        "screenplay",
        "sentences below speech without blank lines",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\nANNA\nGo.\nBEN\nNo.\n" * 20 + "INT. MILL\nANNA\n" + "A b.\n" * n,
    ),
    Hostile(
        "screenplay",
        "mark-up beside text",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\nGo.\n" + "<!--x -->a" * n,
    ),
    Hostile(
        "screenplay", "comments", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\nGo.\n" + "<!--\nx\n-->\n" * n
    ),
    Hostile(
        "screenplay",
        "one speech in capitals",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\nGo.\n\nBEN\nNo.\n\nANNA\n" + "GO ON NOW, SHE SAID.\n" * n,
    ),
    Hostile(
        "screenplay",
        "remarks in one speech",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\nGo.\n\nBEN\n" + "(nods)\n\n" * n + "No.\n",
    ),
    Hostile("screenplay", "open brackets", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\n" + "(a\n" * n),
    Hostile("screenplay", "one line", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\n" + "Go (on) now. " * n),
    Hostile(
        "screenplay",
        "continued speeches",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\n" + "ANNA\nGo on.\n\n(CONTINUED)\n\nANNA (CONT'D)\nNow.\n\n" * n,
    ),
    Hostile(
        "screenplay",
        "running heads",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\nGo.\n\n" + "".join(f"THE BARN Rev. 3 {i}.\n\n" for i in range(n)),
    ),
    Hostile("screenplay", "headings", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\n" * n + "ANNA\nGo.\n"),
    Hostile(
        "screenplay",
        "speakers",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\n" + "".join(f"ANNA {i}\nGo on.\n\n" for i in range(n)),
    ),
    Hostile(
        "screenplay",
        "two columns",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\n" + "ANNA          BEN\nGo on.        No.\n\n" * n,
    ),
    Hostile(
        "screenplay", "stars", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\nGo.\n" + "*" * n + "a b" + "*" * n
    ),
    Hostile("screenplay", "tags", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\nGo.\n" + "<b" * n),
    Hostile(
        "screenplay", "transcript lines", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\n" + "Anna: Go on.\n" * n
    ),
    Hostile("screenplay", "spaces", lambda t: read_screenplay("u", t), lambda n: "INT. BARN\n\nANNA\nGo" + " " * n + ".\n"),
    Hostile(
        "screenplay",
        "a heading with spaces and numbers",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN" + " " * n + "12 " * n + "x\n\nANNA\nGo.\n",
    ),
    Hostile(
        "screenplay",
        "long remarks",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\n               ANNA\n" + "          (slowly\n" + "          and so on\n" * n + "     Go.\n",
    ),
    Hostile(
        "screenplay",
        "paragraphs that go on",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\nGo.\n\n" + "Anna looks at the cow and at Ben who sits beside the\n\n" * n,
    ),
    Hostile(
        "screenplay",
        "lists of scenes",
        lambda t: read_screenplay("u", t),
        lambda n: "INT. BARN\n\nANNA\nGo.\n\n" + "12A-13, 14 & 15 x\n" * n,
    ),
    Hostile("synopsis", "one paragraph", lambda t: read_synopsis("s", t, PROSE), lambda n: SAID * n),
    Hostile("synopsis", "lines", lambda t: read_synopsis("s", t, PROSE), lambda n: (SAID + "\n") * n, 500),
    Hostile("synopsis", "equals signs", lambda t: read_synopsis("s", t, PROSE), lambda n: SAID + "=" * n),
    Hostile("synopsis", "open headings", lambda t: read_synopsis("s", t, PROSE), lambda n: SAID + "== a " * n),
    Hostile("book", "paragraphs", lambda t: read_long_text("b", t), lambda n: f"{SAID}\n\n" * n),
    Hostile("book", "apostrophes", lambda t: read_long_text("b", t), lambda n: "'Tis the sailors' boat" * n),
    Hostile("book", "opening single quotes", lambda t: read_long_text("b", t), lambda n: "a ‘b" * n),
    Hostile("book", "straight quotes before capitals", lambda t: read_long_text("b", t), lambda n: "a 'B" * n),
    Hostile("book", "straight quotes with ends", lambda t: read_long_text("b", t), lambda n: "a 'Go on.'x " * n),
    Hostile("book", "open double quotes", lambda t: read_long_text("b", t), lambda n: "a “b " * n),
    Hostile("book", "quotes that are too long", lambda t: read_long_text("b", t), lambda n: '"' + "a b “" + "c " * n),
    Hostile("book", "straight double quotes", lambda t: read_long_text("b", t), lambda n: '"' * n + "a"),
    Hostile("book", "chapters", lambda t: read_long_text("b", t), lambda n: f"CHAPTER I\n\n{SAID}\n\n" * n),
    Hostile("book", "lines of one paragraph", lambda t: read_long_text("b", t), lambda n: (SAID + "\n") * n + "\n" * (n // 2)),
    Hostile(
        "book", "gutenberg marks", lambda t: read_long_text("b", t), lambda n: SAID + "*** START OF THE PROJECT GUTENBERG" * n
    ),
    Hostile(
        "cast",
        "members",
        lambda t: read_cast("c", t),
        lambda n: json.dumps([{"actor": f"A {i}", "character": f"C {i}"} for i in range(n)]),
    ),
    Hostile(
        "cast",
        "one character, many actors",
        lambda t: read_cast("c", t),
        lambda n: json.dumps([{"actor": f"A {i}", "character": "Ben"} for i in range(n)]),
    ),
    Hostile(
        "cast",
        "one character, many names",
        lambda t: read_cast("c", t),
        lambda n: json.dumps([{"actor": "A", "character": f"Ben / B{i}"} for i in range(n)]),
    ),
    Hostile("mentions", "a sentence without brackets", _read_mentions, lambda n: "Anna goes on " * n),
    Hostile("mentions", "open brackets", _read_mentions, lambda n: "Anna (" * n),
    Hostile("mentions", "actors in brackets", _read_mentions, lambda n: "Anna Moss Bell (Jane Pell) " * n),
    Hostile("mentions", "pronouns joined by and", _read_mentions, lambda n: "Anna sees Ben " + "and him " * n),
    Hostile("mentions", "strangers", _read_mentions, lambda n: "Ben sees " + "his wife and her boss and his brother " * n),
    Hostile("mentions", "names joined by and", _read_mentions, lambda n: "Anna, Ben and Mr. Osei " * n),
    Hostile("mentions", "groups", _read_mentions, lambda n: "Anna and Ben see " + "them and they see " * n),
    Hostile("mentions", "pronouns before names", _read_mentions, lambda n: "After " + "he " * n + ", " + "they see Anna " * n),
    Hostile("mentions", "titles of one person", _read_mentions, lambda n: "Anna, a lawyer, " * n + "the lawyer and " * n),
    Hostile("mentions", "sentences without pronouns", _read_mentions, lambda n: "Go on. " * n),
    Hostile("gold", "links", lambda t: read_gold("g", t), lambda n: '{"movie_id": "m", "sent": "s", "scene_idx": [1]}\n' * n),
    Hostile(
        "series",
        "episodes",
        lambda t: (list_episodes("s", t), read_episode("s", t, "e0")),
        lambda n: json.dumps(
            {
                "episodes": [
                    {
                        "episode_id": f"e{i}",
                        "scenes": [{"utterances": [{"speakers": ["A"], "transcript": "Go."}], "plots": ["p"]}],
                    }
                    for i in range(n)
                ]
            }
        ),
    ),
    Hostile(
        "series",
        "episodes twice",
        lambda t: list_episodes("s", t),
        lambda n: json.dumps({"episodes": [{"episode_id": f"e{i // 2}"} for i in range(n)]}),
    ),
)
