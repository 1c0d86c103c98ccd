"""Pictures of plots that a run shows, as SVG: axes, and bars inside them."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 360
LEFT, TOP, RIGHT, BOTTOM = 64, 44, 24, 48  # margins around the plot, in pixels
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
BLUE, ORANGE, GREY = "#4878a8", "#d0743c", "#cccccc"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with a name for its key (`coverage`) and a line that says what it shows."""

    name: str
    title: str
    svg: str


def frame_plot(title: str, across: str, up: str, most: tuple[float, float], parts: Iterable[str]) -> str:
    """Return a plot as SVG text: the parts inside axes from 0 to `most` (across, up), which are named and have five ticks."""
    ticks = [place / 4 for place in range(5)]
    bottom = TOP + PLOT_HEIGHT
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="sans-serif" font-size="12">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            f'<text x="{LEFT}" y="26" font-size="14" font-weight="bold">{escape(title)}</text>',
            *parts,
            f'<rect x="{LEFT}" y="{TOP}" width="{PLOT_WIDTH}" height="{PLOT_HEIGHT}" fill="none" stroke="#333"/>',
            *(_write(LEFT + share * PLOT_WIDTH, bottom + 16, "middle", share * most[0]) for share in ticks),
            *(_write(LEFT - 6, bottom - share * PLOT_HEIGHT + 4, "end", share * most[1]) for share in ticks),
            f'<text x="{LEFT + PLOT_WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(across)}</text>',
            f'<text transform="translate(16 {TOP + PLOT_HEIGHT / 2}) rotate(-90)" text-anchor="middle">{escape(up)}</text>',
            "</svg>\n",
        ]
    )


def draw_bar(left: float, right: float, low: float, high: float, colour: str = BLUE, opacity: float = 1.0) -> str:
    """Return a bar between two shares of the plot's width (from the left) and two of its height (from the bottom)."""
    x, y = LEFT + left * PLOT_WIDTH, TOP + (1 - high) * PLOT_HEIGHT
    width, height = max((right - left) * PLOT_WIDTH, 0.5), max((high - low) * PLOT_HEIGHT, 0.5)
    seen = "" if opacity == 1 else f' fill-opacity="{opacity:.2f}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"{seen}/>'


def _write(x: float, y: float, anchor: str, value: float) -> str:
    shown = f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2f}"
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{shown}</text>'
