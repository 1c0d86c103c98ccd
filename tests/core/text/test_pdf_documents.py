from core.scripts.screenplays.reader import read_screenplay
from core.text.pdf_documents import read_pdf
from tests.script_forms import draw_pdf

TURNS = [((name,), text) for name in ("ANNA", "BEN") for text in ("Where is the lamp?", "On the pier.", "Row, then.")]


def _draw(left: float, acts: bool = True) -> list[tuple[float, float, str]]:
    rows: list[tuple[int, str]] = []
    for (name,), text in TURNS:
        rows += [(0, "EXT. PIER - NIGHT"), (0, ""), (0, "Rain. Nobody is to be seen."), (0, "")] if acts else []
        rows += [(100, name), (50, text), (0, "")]
    return [(left + column, 750 - 13 * row, text) for row, (column, text) in enumerate(rows) if text]


def test_a_page_keeps_its_columns_and_two_columns_of_a_page_are_read_one_after_the_other():
    pages = [_draw(108), *[_draw(108, acts=False)] * 3, _draw(108), [(108, 700, "Rain."), (108, 680, "Night.")]]
    scenes = read_screenplay("x", read_pdf("x", draw_pdf(pages), 100_000))
    assert [(turn.speakers, turn.text) for scene in scenes for turn in scene.turns] == TURNS * 5
    assert scenes[-1].narration[-1] == "Rain. Night."
    pages = [_draw(30) + _draw(330)] * 2
    scenes = read_screenplay("x", read_pdf("x", draw_pdf(pages), 100_000))
    assert [(turn.speakers, turn.text) for scene in scenes for turn in scene.turns] == TURNS * 4
