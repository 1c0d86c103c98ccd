"""Hostile pages of wikis, wikitext and Markdown, and paragraphs for the sentence splitters."""

from collections.abc import Callable

from core.text.sentences import make_splitter
from core.transcripts.recaps.formats import read_recap
from lab.hostile.case import PROSE, SAID, Hostile, list_cases


def _recap(name: str) -> Callable[[str], object]:
    return lambda text: read_recap(name, text, PROSE)


def _page(body: str) -> str:
    return f"<html><head><title>E</title></head><body><div id='mw-content-text'><h2>Synopsis</h2>{body}</div></body></html>"


def _aside(values: str) -> str:
    return _page(f"<aside class='portable-infobox'>{values}</aside><p>{SAID}</p>")


def _value(n: int) -> str:
    return f"<div class='pi-item'><h3 class='pi-data-label'>L{n}</h3><div class='pi-data-value'>v {n}</div></div>"


_WIKI = _recap("e.html")
_WIKI_TEXT = _recap("e.wiki")
_MARKDOWN = _recap("e.md")
RECAPS = (
    *list_cases(
        "recap page",
        _WIKI,
        ("infobox values", lambda n: _aside("".join(map(_value, range(n))))),
        (
            "infobox values of one label",
            lambda n: _aside("<h3 class='pi-data-label'>L</h3>" + "<div class='pi-data-value'>v</div>" * n),
        ),
        (
            "infobox items of one label",
            lambda n: _aside("<div><h3 class='pi-data-label'>L</h3><div class='pi-data-value'>v</div></div>" * n),
        ),
        (
            "infobox values before their label",
            lambda n: _aside("<div class='pi-data-value'>v</div>" * n + "<h3 class='pi-data-label'>L</h3>"),
        ),
        (
            "a table of heads and values in an infobox",
            lambda n: _aside(
                "<table>"
                + "".join(f"<tr><th data-source='s{i}'>h {i}</th></tr>" for i in range(n))
                + "".join(f"<tr><td class='pi-data-value' data-source='s{i}'>v</td></tr>" for i in range(n))
                + "</table>"
            ),
        ),
        (
            "tables in tables in an infobox",
            lambda n: _aside("<table><tr><th>h</th><td class='pi-data-value'>v<table><tr><td>" * 40 + "<p>x</p>" * n),
        ),
        (
            "rows of a MediaWiki infobox",
            lambda n: _page("<table class='infobox'>" + "<tr><th>h</th><td>v</td></tr>" * n + f"</table><p>{SAID}</p>"),
        ),
        (
            "heads in one row of an infobox",
            lambda n: _page("<table class='infobox'><tr>" + "<th>h</th><td>v</td>" * n + f"</tr></table><p>{SAID}</p>"),
        ),
    ),
    *(
        Hostile("recap page", f"{name} in a paragraph", _WIKI, lambda n, piece=piece: _page(f"<p>{SAID}{piece * n}</p>"))
        for name, piece in (
            ("<b>", "<b>word</b> and "),
            ("<br>", "word<br>\n"),
            ("links", "<a href='/wiki/A'>word</a>, "),
            ("notes", "<sup>[1]</sup>"),
            ("raised text", "2\n<sup>nd</sup>"),
            ("quotes", '<i>"</i>\n'),
            ("dashes", "<i>–</i>\n"),
            ("empty tags", "<i></i>\n"),
            ("open brackets", "[ "),
            ("entities", "&amp;"),
        )
    ),
    *list_cases(
        "recap page",
        _WIKI,
        ("links to different pages", lambda n: _page("<p>" + "".join(f"<a href='/wiki/A{i}'>w</a> " for i in range(n)) + "</p>")),
        ("paragraphs", lambda n: _page(f"<p>{SAID}</p>" * n)),
        ("headings", lambda n: _page(f"<h3>Part</h3><p>{SAID}</p>" * n)),
        ("headings without text", lambda n: _page("<h3>Part</h3>" * n + f"<p>{SAID}</p>")),
        ("deep levels, closed by nobody", lambda n: _page("<div>" * 200 + f"<p>{SAID}</p>" * n)),
        (
            "headlines outside the content",
            lambda n: _page(f"<p>{SAID}</p></div>" + f"<h2><span class='mw-headline'>H</span></h2><p>{SAID}</p>" * n),
        ),
        ("open script tags", lambda n: _page(f"<p>{SAID}</p>" + "<script" * n)),
        ("pairs of script tags", lambda n: _page(f"<p>{SAID}</p>" + "<script></script>" * n)),
        ("signs of tags", lambda n: _page(f"<p>{SAID}</p>" + "<a" * n)),
        (
            "categories",
            lambda n: _page(
                f"<p>{SAID}</p></div><div id='catlinks'><div class='mw-normal-catlinks'><ul>"
                + "".join(f"<li><a href='/wiki/Category:C{i}'>C</a></li>" for i in range(n))
                + "</ul></div>"
            ),
        ),
    ),
    *list_cases(
        "wikitext",
        _WIKI_TEXT,
        ("lines of prose", lambda n: SAID + "\n" + (SAID + "\n") * n),
        ("one long paragraph", lambda n: "== Synopsis ==\n" + SAID * n),
        ("headings", lambda n: f"== Part ==\n\n{SAID}\n\n" * n),
        ("open links", lambda n: SAID + "[[a|" * n),
        ("open references", lambda n: SAID + "<ref>a " * n),
        ("open templates", lambda n: SAID + "{{a|" * n),
        ("templates on one line", lambda n: SAID + "{{a|b}} " * n),
        ("templates in each other", lambda n: SAID + "{{a|" * n + "b" + "}}" * n),
        ("attributes of a cell", lambda n: f"{SAID}\n{{|\n| {'a=b' * n}\n|}}\n"),
        ("open comments", lambda n: SAID + "<!-- a " * n),
        ("apostrophes", lambda n: SAID + "'" * n),
        ("equals signs", lambda n: f"{SAID}\n{'=' * n}x{'=' * n}"),
        ("a list", lambda n: f"* {SAID}\n" * n),
    ),
    *list_cases(
        "Markdown",
        _MARKDOWN,
        ("paragraphs", lambda n: f"{SAID}\n\n" * n),
        ("one long paragraph", lambda n: f"{SAID}\n" * n),
        ("emphasis", lambda n: SAID + "*a **b " * n),
        ("open links", lambda n: SAID + "[a](" * n),
        ("open brackets", lambda n: SAID + "[" * n),
        ("open images", lambda n: SAID + "![" * n),
        ("backticks of growing length", lambda n: SAID + "".join(f"{'`' * (i % 97)} " for i in range(n))),
        ("open tags", lambda n: SAID + "<a x='" * n),
        ("open comments", lambda n: SAID + "<!-- " * n),
        ("quotation marks of quotations", lambda n: "> " * n + SAID),
        ("quotations", lambda n: f"> {SAID}\n" * n),
        ("a list", lambda n: f"- {SAID}\n" * n),
        ("a deep list", lambda n: "".join(f"{'  ' * (i % 60)}- a\n" for i in range(n))),
        ("rows of a table", lambda n: "|a|b|\n|-|-|\n" + f"|{SAID}|b|\n" * n),
        ("columns of a table", lambda n: "|a" * n + "|\n" + "|-" * n + "|\n" + "|b\n" * 20),
        ("reference definitions", lambda n: SAID + "\n\n" + "".join(f"[r{i}]: /u\n" for i in range(n))),
        ("open footnotes", lambda n: SAID + "\n\n" + "[^1]: a\n b\n" * n),
        ("front matter without end", lambda n: "---\n" + "a: b\n" * n),
        ("entities", lambda n: SAID + "&amp;" * n),
        ("backslashes", lambda n: SAID + "\\" * n),
        ("headings", lambda n: f"## Part\n\n{SAID}\n\n" * n),
    ),
)
SENTENCES = (
    *(
        # above the size from which all splitters use the regular expression: another splitter takes another time
        Hostile("sentences", f"{what}, {name}", make_splitter(name), make, 400_000 * 100 // len(make(100)))
        for name in ("prose", "regex")
        for what, make in (
            ("a paragraph in lower case", lambda n: "and then. she rowed. " * n),
            ("a paragraph of capitals", lambda n: "She rowed. " * n),
            ("initials", lambda n: "A. " * n),
            ("abbreviations", lambda n: "Dr. " * n),
            ("full stops", lambda n: "." * n),
            ("full stops and spaces", lambda n: ". " * n),
            ("closing quotes", lambda n: "a." + '"' * n),
            ("closing brackets between", lambda n: ("a" + ")" * 50) * n),
            ("no end", lambda n: "word " * n),
            ("spaces", lambda n: "a. " + " " * n + "b"),
            ("dots and quotes in turn", lambda n: '."' * n),
            ("question marks with spaces and brackets", lambda n: "?) " * n),
        )
    ),
    Hostile("sentences", "words of spaCy's size, prose", PROSE, lambda n: "She rowed. " * min(n, 9000), 9000),
)
