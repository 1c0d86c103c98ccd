"""Drops what a saved web page has around a screenplay, and nothing of the screenplay."""

import pytest

from core.errors import SourceError
from core.scripts.screenplays.layout import ScreenplayConfig
from core.scripts.screenplays.lines import read_lines
from core.scripts.screenplays.reader import parse_screenplay, read_screenplay
from core.scripts.screenplays.web_page import drop_web_page

SCRIPT = "INT. BARN - DAY\n\nA cow looks up.\n\n" + "ANNA\nHello.\n\nBEN\nHello yourself.\n\n" * 4 + "They leave; it rains.\n"
HEAD = """The Cow (1931) movie script - Scripts of Old
var host = ("https:" == document.location.protocol) ? "a" : "b";
document.write(unescape("%3Cscript src='" + host + "'%3E"));

try {
var tracker = _gat._getTracker("UA-1");
tracker._trackPageview();
} catch(err) {}
(function(w, c) {
    (w[c] = w[c] || []).push(function() {
    });
})(window, 'callbacks');
&lt;div style="position:absolute"&gt;

Home   About   Links
Browse by letter: A B C D
<!--
some_ad = "pub-1";
Ad of the day
//-->

The Cow
More about this film on cows.com

"""
TAIL = """
<!--
some_ad = "pub-1"; /* 160x600 */
//-->

All scripts on this site are intended for fair use only.
"""


def bodies(lines):
    return [line.body for line in lines]


def test_the_page_around_a_script_is_dropped_and_counted():
    script = read_lines(SCRIPT)
    kept, dropped = drop_web_page(read_lines(HEAD + SCRIPT + TAIL))
    assert bodies(kept) == ["The Cow", *bodies(script)]
    assert dropped == len(read_lines(HEAD + TAIL)) - 1
    page = parse_screenplay("x", HEAD + SCRIPT + TAIL)
    assert (page.scenes, page.web_lines) == (read_screenplay("x", SCRIPT), dropped)


def test_the_published_rows_keep_the_page():
    published = parse_screenplay("x", HEAD + SCRIPT + TAIL, ScreenplayConfig(as_published=True))
    assert published.web_lines == 0
    assert any("tracker" in paragraph for paragraph in published.scenes[0].narration)


def test_a_comment_inside_the_script_is_dropped_alone():
    kept, dropped = drop_web_page(read_lines(SCRIPT + "\n<!-- begin\nadvert\n-->\n\nThey come back.\n"))
    assert (bodies(kept)[-2:], dropped) == (["They leave; it rains.", "They come back."], 3)
    assert kept[-1].gap == 2


@pytest.mark.parametrize(
    "line",
    [
        "She types: www.cows.com.",
        "A page opens: http://cows.org/moo",
        "He goes to the window.(He limps.)",
        "Fair use only.",
        "var",
        "The cow script - a draft",
        "{",
        "(function)",
        "<!-- never closed",
    ],
)
def test_a_script_without_code_loses_nothing(line):
    lines = read_lines(f"{line}\n{SCRIPT}{line}\n")
    assert drop_web_page(lines) == (lines, 0)


def test_a_heading_inside_a_comment_stays_a_scene():
    lines = read_lines(f"<!--\nads\n//-->\n{SCRIPT}<!--\nEXT. FIELD - DAY\n-->\n")
    assert "EXT. FIELD - DAY" in bodies(drop_web_page(lines)[0])


def test_prose_between_code_stays():
    opening = "A long shot of the valley, and nobody in it but a cow and a dog.\n" * 3
    kept, _ = drop_web_page(read_lines(f"{HEAD}{opening}<!--\nads\n//-->\n{SCRIPT}"))
    assert bodies(kept)[1:4] == opening.splitlines()


def test_a_page_without_a_script_is_refused():
    with pytest.raises(SourceError, match="no usable scene headings"):
        read_screenplay("x", HEAD + TAIL)


def test_titles_and_scripts_of_a_page_are_dropped_from_its_mark_up():
    page = parse_screenplay("x", f"<title>The Cow</title>\n<pre>\n{SCRIPT}</pre><script>var x = 1;</script>\n")
    assert (page.scenes, page.web_lines) == (read_screenplay("x", SCRIPT), 2)


@pytest.mark.parametrize(("opens", "closes"), [("<p>", "</p>"), ("<P>", "</P>"), ("", "<BR>"), ("<div>", "</div>")])
def test_a_page_whose_paragraphs_are_all_on_one_line(opens, closes):
    page = "".join(f"{opens}{line}{closes}" for line in SCRIPT.replace("\n\n", "\n").split("\n") if line)
    assert [len(scene.turns) for scene in read_screenplay("x", page)] == [8]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("<!-- page 3 -->Anna shoots Ben.", "Anna shoots Ben."),
        ("     She leaves.<script>ad();</script>", "She leaves."),
        ("Boom.<script>ad();</script>", "Boom."),
        ("          ANNA<!-- x -->", "ANNA"),
        ("<style>b {}</style>  Rain.", "Rain."),
    ],
)
def test_text_beside_mark_up_stays_and_the_mark_up_goes(line, kept):
    lines, dropped = drop_web_page(read_lines(f"{SCRIPT}\n{line}\nThey come back.\n"))
    assert (bodies(lines)[-2:], dropped) == ([kept, "They come back."], 0)
    assert lines[-2].number == SCRIPT.count("\n") + 1
    assert lines[-2].gap == 1


def test_text_on_the_lines_of_a_long_comment_stays():
    lines, dropped = drop_web_page(read_lines(f"{SCRIPT}\nRain. <!--\nadvert\n--> Snow.\n"))
    assert (bodies(lines)[-2:], dropped) == (["Rain.", "Snow."], 1)


@pytest.mark.parametrize(
    "between", ["ANNA\nNot for you\n", "They row to the lighthouse.\n", "EXT. FIELD - DAY\n", "</script>\n", "A sign --> EXIT\n"]
)
def test_an_opening_mark_takes_nothing_of_the_script_with_it(between):
    lines = read_lines(f"{SCRIPT}\n<!-- start\n{between}{'' if '>' in between else '-->'}\n{SCRIPT}")
    assert drop_web_page(lines) == (lines, 0)
