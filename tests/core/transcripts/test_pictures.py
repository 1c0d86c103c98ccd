import pytest
from lxml import etree

from core.alignment.spans import Chunk, Span
from core.transcripts.pictures import draw_episode

ALIGNED = [
    (Chunk(2, 0, 0, 0, 1, "a"), Span(0, 9, 0.9, 0.9)),
    (Chunk(2, 0, 1, 2, 3, "b"), Span(30, 39, 0.9, 0.2)),
    (Chunk(2, 0, 2, 4, 5, "c"), Span(None, None, 0.0, None)),
    (Chunk(4, 0, 0, 0, 3, "d"), Span(0, 99, 0.9, 0.9)),
]


def test_three_pictures_of_the_smallest_chunks() -> None:
    pictures = draw_episode("S01 <E01>", ALIGNED, 100)
    assert [picture.name for picture in pictures] == ["coverage", "confidence", "alignment"]
    assert pictures[0].title == "S01 <E01>: 20% of 100 turns are in a span"
    assert "2 chunks of 2 sentences" in pictures[1].title
    for picture in pictures:
        root = etree.fromstring(picture.svg.encode())
        assert root.findtext("{http://www.w3.org/2000/svg}title") == picture.title
    sure, unsure = '#4878a8" fill-opacity', '#d0743c" fill-opacity'
    assert (pictures[2].svg.count(sure), pictures[2].svg.count(unsure)) == (1, 1)


@pytest.mark.parametrize(("aligned", "turns"), [([], 100), (ALIGNED[2:3], 100), (ALIGNED, 0)])
def test_nothing_aligned_has_no_pictures(aligned: list[tuple[Chunk, Span]], turns: int) -> None:
    assert draw_episode("S01E01", aligned, turns) == []
