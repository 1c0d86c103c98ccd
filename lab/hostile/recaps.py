"""Hostile pages of wikis, wikitext and Markdown."""

from collections.abc import Callable

from core.transcripts.recaps.formats import read_recap
from lab.hostile.case import PROSE, SAID, Hostile


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
    Hostile("recap page", "infobox values", _WIKI, lambda n: _aside("".join(map(_value, range(n))))),
    Hostile(
        "recap page",
        "infobox values of one label",
        _WIKI,
        lambda n: _aside("<h3 class='pi-data-label'>L</h3>" + "<div class='pi-data-value'>v</div>" * n),
    ),
    Hostile(
        "recap page",
        "infobox items of one label",
        _WIKI,
        lambda n: _aside("<div><h3 class='pi-data-label'>L</h3><div class='pi-data-value'>v</div></div>" * n),
    ),
    Hostile(
        "recap page",
        "infobox values before their label",
        _WIKI,
        lambda n: _aside("<div class='pi-data-value'>v</div>" * n + "<h3 class='pi-data-label'>L</h3>"),
    ),
    Hostile(
        "recap page",
        "a table of heads and values in an infobox",
        _WIKI,
        lambda n: _aside(
            "<table>"
            + "".join(f"<tr><th data-source='s{i}'>h {i}</th></tr>" for i in range(n))
            + "".join(f"<tr><td class='pi-data-value' data-source='s{i}'>v</td></tr>" for i in range(n))
            + "</table>"
        ),
        250,
    ),
    Hostile(
        "recap page",
        "tables in tables in an infobox",
        _WIKI,
        lambda n: _aside("<table><tr><th>h</th><td class='pi-data-value'>v<table><tr><td>" * 40 + "<p>x</p>" * n),
    ),
    Hostile(
        "recap page",
        "rows of a MediaWiki infobox",
        _WIKI,
        lambda n: _page("<table class='infobox'>" + "<tr><th>h</th><td>v</td></tr>" * n + f"</table><p>{SAID}</p>"),
    ),
    Hostile(
        "recap page",
        "heads in one row of an infobox",
        _WIKI,
        lambda n: _page("<table class='infobox'><tr>" + "<th>h</th><td>v</td>" * n + f"</tr></table><p>{SAID}</p>"),
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
    Hostile(
        "recap page",
        "links to different pages",
        _WIKI,
        lambda n: _page("<p>" + "".join(f"<a href='/wiki/A{i}'>w</a> " for i in range(n)) + "</p>"),
    ),
    Hostile("recap page", "paragraphs", _WIKI, lambda n: _page(f"<p>{SAID}</p>" * n)),
    Hostile("recap page", "headings", _WIKI, lambda n: _page(f"<h3>Part</h3><p>{SAID}</p>" * n)),
    Hostile("recap page", "headings without text", _WIKI, lambda n: _page("<h3>Part</h3>" * n + f"<p>{SAID}</p>")),
    Hostile("recap page", "deep levels, closed by nobody", _WIKI, lambda n: _page("<div>" * 200 + f"<p>{SAID}</p>" * n)),
    Hostile(
        "recap page",
        "headlines outside the content",
        _WIKI,
        lambda n: _page(f"<p>{SAID}</p></div>" + f"<h2><span class='mw-headline'>H</span></h2><p>{SAID}</p>" * n),
    ),
    Hostile("recap page", "open script tags", _WIKI, lambda n: _page(f"<p>{SAID}</p>" + "<script" * n)),
    Hostile("recap page", "pairs of script tags", _WIKI, lambda n: _page(f"<p>{SAID}</p>" + "<script></script>" * n)),
    Hostile("recap page", "signs of tags", _WIKI, lambda n: _page(f"<p>{SAID}</p>" + "<a" * n)),
    Hostile(
        "recap page",
        "categories",
        _WIKI,
        lambda n: _page(
            f"<p>{SAID}</p></div><div id='catlinks'><div class='mw-normal-catlinks'><ul>"
            + "".join(f"<li><a href='/wiki/Category:C{i}'>C</a></li>" for i in range(n))
            + "</ul></div>"
        ),
    ),
    Hostile("wikitext", "lines of prose", _WIKI_TEXT, lambda n: SAID + "\n" + (SAID + "\n") * n),
    Hostile("wikitext", "one long paragraph", _WIKI_TEXT, lambda n: "== Synopsis ==\n" + SAID * n),
    Hostile("wikitext", "headings", _WIKI_TEXT, lambda n: f"== Part ==\n\n{SAID}\n\n" * n),
    Hostile("wikitext", "open links", _WIKI_TEXT, lambda n: SAID + "[[a|" * n),
    Hostile("wikitext", "open references", _WIKI_TEXT, lambda n: SAID + "<ref>a " * n),
    Hostile("wikitext", "open templates", _WIKI_TEXT, lambda n: SAID + "{{a|" * n),
    Hostile("wikitext", "templates on one line", _WIKI_TEXT, lambda n: SAID + "{{a|b}} " * n),
    Hostile("wikitext", "templates in each other", _WIKI_TEXT, lambda n: SAID + "{{a|" * n + "b" + "}}" * n),
    Hostile("wikitext", "attributes of a cell", _WIKI_TEXT, lambda n: f"{SAID}\n{{|\n| {'a=b' * n}\n|}}\n"),
    Hostile("wikitext", "open comments", _WIKI_TEXT, lambda n: SAID + "<!-- a " * n),
    Hostile("wikitext", "apostrophes", _WIKI_TEXT, lambda n: SAID + "'" * n),
    Hostile("wikitext", "equals signs", _WIKI_TEXT, lambda n: f"{SAID}\n{'=' * n}x{'=' * n}"),
    Hostile("wikitext", "a list", _WIKI_TEXT, lambda n: f"* {SAID}\n" * n),
    Hostile("Markdown", "paragraphs", _MARKDOWN, lambda n: f"{SAID}\n\n" * n, 250),
    Hostile("Markdown", "one long paragraph", _MARKDOWN, lambda n: f"{SAID}\n" * n, 250),
    Hostile("Markdown", "emphasis", _MARKDOWN, lambda n: SAID + "*a **b " * n, 250),
    Hostile("Markdown", "open links", _MARKDOWN, lambda n: SAID + "[a](" * n, 250),
    Hostile("Markdown", "open brackets", _MARKDOWN, lambda n: SAID + "[" * n, 250),
    Hostile("Markdown", "open images", _MARKDOWN, lambda n: SAID + "![" * n, 250),
    Hostile(
        "Markdown",
        "backticks of growing length",
        _MARKDOWN,
        lambda n: SAID + "".join(f"{'`' * (i % 97)} " for i in range(n)),
        250,
    ),
    Hostile("Markdown", "open tags", _MARKDOWN, lambda n: SAID + "<a x='" * n, 250),
    Hostile("Markdown", "open comments", _MARKDOWN, lambda n: SAID + "<!-- " * n, 250),
    Hostile("Markdown", "quotation marks of quotations", _MARKDOWN, lambda n: "> " * n + SAID, 250),
    Hostile("Markdown", "quotations", _MARKDOWN, lambda n: f"> {SAID}\n" * n, 250),
    Hostile("Markdown", "a list", _MARKDOWN, lambda n: f"- {SAID}\n" * n, 250),
    Hostile("Markdown", "a deep list", _MARKDOWN, lambda n: "".join(f"{'  ' * (i % 60)}- a\n" for i in range(n)), 250),
    Hostile("Markdown", "rows of a table", _MARKDOWN, lambda n: "|a|b|\n|-|-|\n" + f"|{SAID}|b|\n" * n, 250),
    Hostile("Markdown", "columns of a table", _MARKDOWN, lambda n: "|a" * n + "|\n" + "|-" * n + "|\n" + "|b\n" * 20, 250),
    Hostile(
        "Markdown", "reference definitions", _MARKDOWN, lambda n: SAID + "\n\n" + "".join(f"[r{i}]: /u\n" for i in range(n)), 250
    ),
    Hostile("Markdown", "open footnotes", _MARKDOWN, lambda n: SAID + "\n\n" + "[^1]: a\n b\n" * n, 250),
    Hostile("Markdown", "front matter without end", _MARKDOWN, lambda n: "---\n" + "a: b\n" * n, 250),
    Hostile("Markdown", "entities", _MARKDOWN, lambda n: SAID + "&amp;" * n, 250),
    Hostile("Markdown", "backslashes", _MARKDOWN, lambda n: SAID + "\\" * n, 250),
    Hostile("Markdown", "headings", _MARKDOWN, lambda n: f"## Part\n\n{SAID}\n\n" * n, 250),
)
