import pytest

from core.threads.mark_up import clean_text

CLEANED = {
    "**Bold** and _it is_ ~~gone~~": "Bold and it is gone",
    "&amp;#x200B;\n\nText &amp; more&nbsp;of it": "Text & more of it",
    "> quoted\n\nanswer": "answer",
    "\\> quoted by an editor that escapes\nanswer": "answer",
    ">!the butler!< did it": "the butler did it",
    "[SPOILER] He dies": "He dies",
    "[Spoilers: book two] He dies (nsfw)": "He dies",
    "[the wiki](https://w.example/a_(b)) says so": "the wiki says so",
    "# Head\n1. one\n* two\n---\n| a | b |\n###Foot": "Head\none\ntwo\nFoot",
    "snake_case and 2*3 stay": "snake_case and 23 stay",
    "zero\u200bwidth soft\u00adhyphen": "zerowidth softhyphen",
    "a  \t b": "a b",
    "Tea | or coffee?\nI like both.": "Tea | or coffee?\nI like both.",
    "```light``` is a word.\nSo is dark.": "light is a word.\nSo is dark.",
    "<p>It smokes.</p><p>A <em>lot</em>.<br/>Why?</p>": "It smokes.\nA lot.\nWhy?",
    "&lt;ul&gt;&lt;li&gt;oil&lt;/li&gt;&lt;li&gt;wick&lt;/li&gt;&lt;/ul&gt;": "oil\nwick",
    '<a rel="nofollow" href="https://w.example/a?b=1">the <b>wiki</b></a> says so': "the wiki says so",
    "<blockquote><p>old</p><blockquote>older</blockquote></blockquote><p>new</p><pre><code>x = 1\n</code></pre>": "new",
    "a <b and 3 > 2, <a few words>": "a <b and 3 > 2, <a few words>",
    '<div class="lightbox-wrapper"><a class="lightbox" href="/a"><img src="/a"><div class="meta">'
    "\n<span>a.png</span><span>2×1 3 KB</span>\n</div></a></div><p>Look.</p>": "Look.",
}


def test_cleaning() -> None:
    assert {raw: clean_text(raw) for raw in CLEANED} == CLEANED


@pytest.mark.parametrize(
    "table",
    [
        "name | price\n---|---\nlamp | 5\nwick | 2", "name | price\n:--|:-:\nlamp | 5",
        "| name | price |\n|---|---|\n| lamp | 5 |", "```\nfor lamp in lamps:\n    light(lamp)\n```",
        "````\nlight(lamp)\n```\nlight(wick)\n````", "```\nlight(lamp)\n````", "```\nlight(lamp)```",
        "~~~\nlight(lamp)\n~~~",
    ],
)  # fmt: skip
def test_tables_and_code_go_whole(table: str) -> None:
    assert clean_text(f"The lamp is out.\n\n{table}\n") == "The lamp is out."
    assert clean_text(f"The lamp is out.\n\n{table}\n\nLight it.") == "The lamp is out.\nLight it."


@pytest.mark.parametrize("fence", ["```", "```python", "~~~", "`````", "```\n~~~~"])
def test_a_fence_that_nothing_closes_takes_no_text_along(fence: str) -> None:
    assert clean_text(f"The lamp is out.\n{fence}\nLight it. ``\nPlease.") == "The lamp is out.\nLight it.\nPlease."
