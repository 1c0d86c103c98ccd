import pytest

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


@pytest.mark.parametrize(
    "line",
    [
        "She types: www.cows.com.", "A page opens: http://cows.org/moo", "He goes to the window.(He limps.)",
        "Fair use only.", "var", "The cow script - a draft", "{", "(function)", "<!-- never closed",
    ],
)  # fmt: skip
def test_a_script_without_code_loses_nothing(line):
    lines = read_lines(f"{line}\n{SCRIPT}{line}\n")
    assert drop_web_page(lines) == (lines, 0)


@pytest.mark.parametrize(("opens", "closes"), [("<p>", "</p>"), ("<P>", "</P>"), ("", "<BR>"), ("<div>", "</div>")])
def test_a_page_whose_paragraphs_are_all_on_one_line(opens, closes):
    page = "".join(f"{opens}{line}{closes}" for line in SCRIPT.replace("\n\n", "\n").split("\n") if line)
    assert [len(scene.turns) for scene in read_screenplay("x", page)] == [8]
