"""An invented recap in the mark-up of three generations of wikis."""

import pytest

from core.errors import SourceError
from core.text.sentences import split_by_rules
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.recap import Recap
from core.wiki.page import join_inline
from core.wiki.page_reader import read_wiki_page

EDIT = '<span class="editsection">\n <a href="/wiki/X?action=edit"> <img class="sprite" src="data:,"/> Edit </a>\n</span>'


def headline(level: int, text: str) -> str:
    return f'<h{level}>\n <span class="mw-headline" id="x">\n <b>\n {text}\n </b>\n </span>\n {EDIT}\n</h{level}>\n'


# A page as CRD3 saved it: each tag and each text on a line of its own; a tilde stands for a line break.
OLD_FANDOM = f"""<!DOCTYPE html>
<html><head><title>The Salt Road | Lantern Wiki | FANDOM</title><script>var a = "<h2>Synopsis</h2>";</script></head>
<body><nav><h2>FANDOM</h2><a href="/wiki/Home">Home</a></nav>
<div class="page-header__categories"><a href="/wiki/Category:Season_1">Season 1</a></div>~<h1 class="page-header__title">
The Salt Road~</h1>~<div class="mw-content-ltr mw-content-text" id="mw-content-text">~<aside class="portable-infobox">
<h2 class="pi-item pi-title"> The Salt Road </h2>~<div class="pi-item pi-data" data-source="Air">
<h3 class="pi-data-label">Airdate</h3><div class="pi-data-value">2031-02-03</div></div>
<section class="pi-group"><table class="pi-horizontal-group"><caption>Order</caption>
<thead><tr><th data-source="P">Previous</th><th data-source="N">Next</th></tr></thead>
<tbody><tr><td class="pi-data-value" data-source="P">N/A</td><td class="pi-data-value" data-source="N">"
<a href="/wiki/Embers">~Embers~</a>~"</td></tr></tbody></table></section>
<section class="pi-group"><table class="pi-horizontal-group"><caption>Starring</caption><tbody><tr>
<td class="pi-data-value" data-source="S">Ann Hall<br/>Jo Reed</td></tr></tbody></table></section>~</aside>~<p>~"
<strong class="selflink">~The Salt Road~</strong>~"~<small>~(1x02)~</small>~is the second tale of~<i>~Lanterns~</i>~.~</p>
<nav class="toc" id="toc"><h2>Contents</h2><ol><li><a href="#Synopsis">Synopsis</a></li></ol></nav>
{headline(2, "Synopsis")}~<div class="mw-collapsible mw-made-collapsible mw-collapsed">
<span class="mw-collapsible-toggle">[<a href="#">Expand</a>]</span>~{headline(3, "Pre-Show")}
<div class="mw-collapsible-content" style="display:none">~<ul>~<li>~The crew greet
<a href="/wiki/Ann_Hall" title="Ann Hall">~Ann~</a>~'s sister:~<ul>~<li>~She plays~<a href="/wiki/Ila">~Ila~</a>
, the ranger.~</li>~</ul>~</li>~</ul>~</div>~</div>~{headline(3, "Previously on Lanterns")}~<p>~"[They] fled the city of
<a href="/wiki/Vesk">~Vesk~</a>~—a port. Nobody followed."~<sup class="reference" id="cite_ref-1">~<a href="#cite_note-1">
[1]~</a>~</sup>~</p>~{headline(3, "Part I")}~<p>~An opening before the sub-heading.~</p>
<figure class="article-thumb tright"><a class="image" href="/wiki/File:M.png"><img src="m.png"/></a>
<figcaption><p class="caption">A map. <sup class="reference">[art 2]</sup></p></figcaption></figure>
{headline(4, "The Ford")}~<p>~Ila reads the 4~<sup>~th~</sup>~rune~<sup>~[~<i>~spelling?~</i>~]~</sup>
aloud. She waits [Expand] for~<a href="https://elsewhere.example/wiki/Rain">~rain~</a>~.~</p>
<div class="crquotebox crquoteboxcenter"><div>“ Never again. ” – Tobin <sup class="reference">[3]</sup>
[<a class="text">edit</a>]</div></div>~<dl><dd>Tobin: "Over here!"</dd></dl>~{headline(3, "A Feast")}~<p>They eat.</p>
{headline(3, "Break")}~<div class="mw-collapsible-content"></div>~{headline(3, "Part II")}~<p>The road ends.</p>
{headline(3, "Gifts")}~<p>Letters are read.</p>~{headline(3, "Post-Show")}~<p>Goodbyes.</p>~{headline(2, "Trivia")}
<ul><li>The ford is real.</li></ul>~</div>~<footer><h2>Explore</h2><p>More wikis.</p></footer></body></html>""".replace("~", "\n")

MODERN = """<div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr"><div class="hatnote">For the tune, see Salt.</div>
<table class="infobox vevent"><tbody><tr><th colspan="2">The Salt Road</th></tr><tr><th>Aired</th><td>3 February 2031</td></tr>
<tr><th>Cast</th><td><ul><li>Ann Hall</li><li>Jo Reed</li></ul></td></tr></tbody></table>
<p><b>The Salt Road</b> is a tale<sup class="reference"><a href="#cite_note-1">&#91;1&#93;</a></sup>
of <i>Lanterns</i>.</p>
<div id="toc" class="toc"><h2 id="mw-toc-heading">Contents</h2></div>
<div class="mw-heading mw-heading2"><h2 id="Plot">Plot</h2>
<span class="mw-editsection"><span>[</span><a href="/w/i">edit</a><span>]</span></span></div>
<p><a href="/wiki/Ila_(ranger)#Life" title="Ila (ranger)">Ila</a>'s bow breaks &amp; Tobin laughs.
She does not.</p><div class="thumb"><div class="thumbinner"><div class="thumbcaption">A bow</div></div></div>
<div class="mw-heading"><h2 id="References">References</h2></div><ol class="references"><li>Reed 2031.</li></ol></div>"""


def read(html: str, name: str = "C9E002_The_Salt_Road.html") -> Recap:
    return read_recap(name, html, split_by_rules)


def test_a_page_of_old_fandom() -> None:
    recap = read(OLD_FANDOM)
    assert [(section.kind, section.heading, section.subheading) for section in recap.sections] == [
        ("pre-show", "Pre-Show", ""),
        ("recap", "Previously on Lanterns", ""),
        ("plot", "Part I", ""),
        ("plot", "Part I", "The Ford"),
        ("plot", "A Feast", ""),
        ("break", "Break", ""),
        ("plot", "Part II", ""),
        ("other", "Gifts", ""),
        ("post-show", "Post-Show", ""),
    ]
    assert recap.title == "The Salt Road"
    assert recap.blurb == '"The Salt Road" (1x02) is the second tale of Lanterns.'
    assert recap.sections[0].paragraphs == ("The crew greet Ann's sister:", "She plays Ila, the ranger.")
    assert recap.sections[1].paragraphs == ('"[They] fled the city of Vesk—a port. Nobody followed."',)
    assert recap.sections[1].sentences == ('"[They] fled the city of Vesk—a port.', 'Nobody followed."')
    assert recap.sections[3].paragraphs == ("Ila reads the 4th rune aloud. She waits for rain.", 'Tobin: "Over here!"')
    assert recap.sections[5].paragraphs == ()
    assert recap.infobox == {
        "Airdate": ("2031-02-03",),
        "Order: Previous": ("N/A",),
        "Order: Next": ('"Embers"',),
        "Starring": ("Ann Hall", "Jo Reed"),
    }
    assert recap.links == ("Ann Hall", "Ila", "Vesk")
    assert recap.categories == ("Season 1",)


@pytest.mark.parametrize(
    "html",
    [
        "<div class='page-header__categories'><span>in:</span> LINK<a class='dropdown' href='/wiki/Category:More'>…</a></div>",
        "<div id='catlinks'><div class='mw-normal-catlinks'><a href='/wiki/Category:A'>A</a><ul><li>LINK</li></ul></div></div>",
        "<nav id='articleCategories'><ul><li class='category normal'><span>LINK</span></li><li>no</li></ul></nav>",
    ],
)
def test_categories_of_every_age_of_wiki(html: str) -> None:
    links = "".join(f"<a href='/wiki/Category:{name}'>{name}</a>" for name in ("Season_1", "B%C3%A9", "Season_1"))
    body = f"<div id='mw-content-text'><p>Text <a href='/wiki/Category:None'>no</a>.</p></div>{html.replace('LINK', links)}"
    assert read_wiki_page("a.html", f"<html><body>{body}</body></html>").categories == ("Season 1", "Bé")


def test_modern_mediawiki() -> None:
    recap = read(MODERN)
    assert recap.title == "C9E002 The Salt Road"
    assert recap.blurb == "The Salt Road is a tale of Lanterns."
    (section,) = recap.sections
    assert (section.kind, section.heading) == ("plot", "Plot")
    assert section.sentences == ("Ila's bow breaks & Tobin laughs.", "She does not.")
    assert recap.infobox == {"Aired": ("3 February 2031",), "Cast": ("Ann Hall", "Jo Reed")}
    assert recap.links == ("Ila (ranger)",)


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ("", "an empty page"),
        ("<div>" * 5_000 + "x", r"beyond the parser's limits \(Excessive depth"),
        ("<a " + " ".join(f"x{number}=1" for number in range(100_000)) + ">y</a>", "a tag of .* at most 4096"),
        ('<div id="mw-content-text"><p title="' + "x" * 20_000_000 + '">y</p></div>', "beyond the parser's limits"),
        ("<script>" * 100_000, "no HTML body|empty page"),
    ],
)
def test_hostile_pages_are_refused(html: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_wiki_page("hostile.html", html)


def test_entities_and_files_are_not_resolved() -> None:
    doctype = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
    page = doctype + '<div id="mw-content-text"><h2>Plot</h2><p>It is &e; here.</p></div>'
    assert read(page).sentences == ("It is &e; here.",)


def test_white_space_beside_a_tag_separates_unless_punctuation_joins() -> None:
    assert join_inline(["Emon\n", "\n, one"]) == "Emon, one"
    assert join_inline(["saw (\n", "\nVesk\n", "\n) burn"]) == "saw (Vesk) burn"
    assert join_inline(['"\n', "\nEmbers\n", '\n" is']) == '"Embers" is'
    assert join_inline(["half-\n", "\nelf"]) == "half-elf"
    assert join_inline(["Vesk\n", "\n— a port"]) == "Vesk — a port"
    assert join_inline(["Ila\n", "\n's bow"]) == "Ila's bow"
    assert join_inline(["Ila ", "'s bow"]) == "Ila 's bow"
    assert join_inline(["Il", "a"]) == "Ila"
    assert join_inline(["one\n", "\n'two'"]) == "one 'two'"
