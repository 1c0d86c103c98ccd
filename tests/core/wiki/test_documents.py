from dataclasses import replace

import pytest

from core.wiki.documents import RenderedPage, extract_paragraphs, write_document
from core.wiki.page_reader import read_wiki_page

PAGE = RenderedPage(
    title="Low Tide & <High> Tide",
    revision="12",
    html=(
        '<div class="mw-parser-output"><table class="infobox"><tbody><tr><th>Air date</th><td>2020</td></tr></tbody></table>'
        '<p>They meet <a href="/index.php/Anna_B" title="Anna B">Anna</a>.</p><h2><span class="mw-headline">Synopsis</span></h2>'
        "<p>They row.</p><p>They land.</p>\n<!-- \nNewPP limit report\nCached time: 20261120\n-->\n</div>"
    ),
    categories=("Season 1", "A & B"),
    address="https://wiki.example/index.php?title=Low&oldid=12",
    article_path="/index.php/$1",
    license_name="CC BY-SA 4.0",
    license_url="https://creativecommons.org/licenses/by-sa/4.0/",
)


def test_all_parts_of_a_document_are_read_and_the_rendering_time_does_not_change_it() -> None:
    page = read_wiki_page("recaps/x.html", write_document(PAGE))
    assert page.title == "Low Tide & <High> Tide"
    assert page.infobox == {"Air date": ("2020",)}
    assert page.categories == ("Season 1", "A & B")
    found = [(block.level, block.text) for block in page.blocks[-4:]]
    assert found == [(0, "They meet Anna."), (2, "Synopsis"), (0, "They row."), (0, "They land.")]
    assert page.blocks[-4].links == ("Anna B",)
    later = replace(PAGE, html=PAGE.html.replace("20261120", "20261121"))
    assert write_document(later) == write_document(PAGE)


@pytest.mark.parametrize("prefix", ["/wiki/", "/", "/w/index.php?title="])
def test_links_are_found_under_every_article_path(prefix: str) -> None:
    html = f'<p>See <a href="{prefix}Anna_B">Anna</a> and <a href="//elsewhere.example/x">more</a>.</p>'
    page = read_wiki_page("x.html", write_document(replace(PAGE, html=html, article_path=f"{prefix}$1")))
    assert page.blocks[-1].links == ("Anna B",)


def test_a_transcript_page_becomes_its_paragraphs() -> None:
    html = "<h2>Part I</h2><p><b>ANNA:</b> Row!</p><p><b>BEN:</b> I do.</p>"
    document = write_document(replace(PAGE, html=html))
    assert extract_paragraphs("x.txt", document).split("\n\n")[-2:] == ["ANNA: Row!", "BEN: I do.\n"]
