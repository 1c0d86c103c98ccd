"""Draws the figures of a training over its steps."""

from collections.abc import Mapping, Sequence
from html import escape

from core.dataset.report import BLUE, LEFT, ORANGE, PLOT_HEIGHT, PLOT_WIDTH, TOP, Picture, frame_plot

_COLOURS = (BLUE, ORANGE, "#3f8f5b", "#8a5aa8", "#777777")


def draw_curves(name: str, title: str, points: Sequence[Mapping[str, float]], step: str = "step") -> Picture | None:
    """Return the curves of a training: a line for each figure beside `step`; None where there are fewer than two points.

    Figures that are absent from a point, or are not above 0, are left out of their line.
    """
    figures = [figure for figure in dict.fromkeys(key for point in points for key in point) if figure != step]
    last = max((point[step] for point in points), default=0.0)
    most = max((point[figure] for point in points for figure in figures if figure in point), default=0.0)
    if len(points) < 2 or last <= 0 or most <= 0:
        return None
    parts = []
    for place, figure in enumerate(figures):
        colour = _COLOURS[place % len(_COLOURS)]
        places = [(point[step] / last, point[figure] / most) for point in points if point.get(figure, -1.0) >= 0]
        spots = " ".join(f"{LEFT + x * PLOT_WIDTH:.1f},{TOP + (1 - y) * PLOT_HEIGHT:.1f}" for x, y in places)
        parts.append(f'<polyline points="{spots}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = LEFT + PLOT_WIDTH - 8, TOP + 18 + 16 * place
        parts.append(f'<text x="{x}" y="{y}" text-anchor="end" fill="{colour}">{escape(figure)}</text>')
    return Picture(name, title, frame_plot(title, step, "figure", (last, most), parts))
