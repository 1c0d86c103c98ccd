"""The leader board as one page of HTML, which needs no other file."""

from collections.abc import Mapping, Sequence
from html import escape

from core.dataset.pictures import BLUE, LEFT, ORANGE, PLOT_HEIGHT, PLOT_WIDTH, TOP, Picture, frame_plot
from lab.summarisation.board.board import Board, tell_length
from lab.summarisation.board.tables import TextTable, list_tables

_COLOURS = (BLUE, ORANGE, "#3f8f5b", "#8a5aa8", "#777777")
_STYLE = """
main { max-width: 90rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
section { margin: 1.5rem 0; }
.wide { overflow-x: auto; margin: 1rem 0; }
table.figures { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.85rem; width: auto; }
table.figures caption { text-align: left; font-weight: 600; padding: 0.5rem 0; }
table.figures th, table.figures td { padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); text-align: right; }
table.figures td { white-space: nowrap; }
table.figures th:first-child, table.figures td:first-child {
  text-align: left; position: sticky; left: 0; background: var(--sheet); white-space: normal; min-width: 18rem;
}
table.figures thead th, table.figures thead th:first-child { vertical-align: bottom; background: var(--raised); }
table.figures tr.published td { color: var(--quiet); font-style: italic; }
table.figures tr:not(.published) + tr.published td { border-top: 2px solid var(--quiet); }
svg { max-width: 100%; height: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dd { margin: 0; }
@media (max-width: 40rem) {
  dl { display: block; } dd { margin: 0 0 0.6rem; }
  table.figures th:first-child, table.figures td:first-child { min-width: 9rem; max-width: 45vw; }
}
"""


def render_page(boards: Sequence[Board], css: str) -> str:
    """Return a page with a section for each board. `css` is the style sheet that fabula's pages share."""
    title = f"Benchmark of {boards[0].dataset} {boards[0].version}"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{css}{_STYLE}</style></head><body><main>",
            f"<h1>{escape(title)}</h1>",
            "<p>Each system summarises the same rows. Intervals are at 95 %, from a bootstrap; differences are of the same rows. "
            f"{_tell_published(boards)}</p>",
            *(_render_board(board) for board in boards),
            "</main></body></html>\n",
        ]
    )


def _tell_published(boards: Sequence[Board]) -> str:
    if not any(board.published for board in boards):
        return "Of data of this kind fabula knows no published figures."
    return "Rows in italics, under a line, were published by papers, on the data in brackets: no difference from them is tested."


def _render_board(board: Board) -> str:
    told = {
        "rows": f"{board.n_rows:,} of {board.n_units:,} units",
        "drawn by the bootstrap": board.drawn,
        **{row.name: f"{row.result['summary']} {_tell_settings(row.result['settings'])}" for row in board.rows},
    }
    lengths = dict.fromkeys(tell_length(row.result["budget"]) for row in board.rows)
    pictures = [
        picture.svg
        for row in board.rows
        if (picture := draw_curves(row.name, f"Training of {row.name}", row.result["curves"])) is not None
    ]
    return "\n".join(
        [
            f"<section><h2>{escape(board.title)}</h2>",
            *(_render_table(table) for table in list_tables(board)),
            *(f"<figure>{picture}</figure>" for picture in pictures),
            "<h3>Systems</h3>",
            _list({"length of selections": " or ".join(lengths), **told}),
            "<h3>Variants of the measures</h3>",
            _list(board.variants),
            "</section>",
        ]
    )


def _render_table(table: TextTable) -> str:
    heads = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in table.headings)
    n_own = len(table.rows) - table.n_published
    lines = [
        f"<tr{' class=published' if place >= n_own else ''}>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for place, row in enumerate(table.rows)
    ]
    return (
        f'<div class="wide card"><table class="figures"><caption>{escape(table.caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def _tell_settings(settings: dict[str, object]) -> str:
    return f"({', '.join(f'{name} {value}' for name, value in settings.items())})" if settings else ""


def _list(told: dict[str, str]) -> str:
    return f"<dl>{''.join(f'<dt>{escape(name)}</dt><dd>{escape(text)}</dd>' for name, text in told.items())}</dl>"


def draw_curves(name: str, title: str, points: Sequence[Mapping[str, float]]) -> Picture | None:
    """Return the curves of a training: a line for each figure beside the step; None where there are fewer than two points.

    Figures that are absent from a point, or are not above 0, are left out of their line.
    """
    figures = [figure for figure in dict.fromkeys(key for point in points for key in point) if figure != "step"]
    last = max((point["step"] for point in points), default=0.0)
    most = max((point[figure] for point in points for figure in figures if figure in point), default=0.0)
    if len(points) < 2 or last <= 0 or most <= 0:
        return None
    parts = []
    for place, figure in enumerate(figures):
        colour = _COLOURS[place % len(_COLOURS)]
        places = [(point["step"] / last, point[figure] / most) for point in points if point.get(figure, -1.0) >= 0]
        spots = " ".join(f"{LEFT + x * PLOT_WIDTH:.1f},{TOP + (1 - y) * PLOT_HEIGHT:.1f}" for x, y in places)
        parts.append(f'<polyline points="{spots}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = LEFT + PLOT_WIDTH - 8, TOP + 18 + 16 * place
        parts.append(f'<text x="{x}" y="{y}" text-anchor="end" fill="{colour}">{escape(figure)}</text>')
    return Picture(name, title, frame_plot(title, "step", "figure", (last, most), parts))
