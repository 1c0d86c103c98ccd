"""Draws the curves of a simulated review as SVG: pooled F1 against the share of rows looked at, a line an order."""

from collections.abc import Sequence

from core.dataset.quality import ReviewCurve
from core.pictures import HEIGHT, LEFT, PLOT_HEIGHT, PLOT_WIDTH, TOP, frame_plot

_COLOURS = {"worth": "#d0743c", "confidence": "#4878a8", "random": "#777777"}
_TITLES = {"worth": "by expected gain", "confidence": "lowest confidence first", "random": "at random"}


def draw_curves(curve: ReviewCurve) -> str:
    """Return the curves of the pooled F1 as SVG text, with the 95 % intervals as bands."""
    parts = [part for name, points in curve.orders.items() for part in _draw(name, points)]
    legend = (_name(name, place) for place, name in enumerate(curve.orders))
    title = f"Pooled F1 of the release, by the share of its {curve.row} looked at"
    return frame_plot(title, f"share of the {curve.row} looked at", "pooled F1", (1.0, 1.0), [*parts, *legend])


def _draw(name: str, points: Sequence[tuple[float, float, float, float]]) -> list[str]:
    line = " ".join(_place(share, value) for share, value, _, _ in points)
    band = [_place(share, high) for share, _, _, high in points] + [_place(share, low) for share, _, low, _ in reversed(points)]
    return [
        f'<polygon points="{" ".join(band)}" fill="{_COLOURS[name]}" fill-opacity="0.12"/>',
        f'<polyline points="{line}" fill="none" stroke="{_COLOURS[name]}" stroke-width="2"/>',
    ]


def _name(name: str, place: int) -> str:
    y = HEIGHT - 110 + 18 * place
    left = LEFT + PLOT_WIDTH - 200
    mark = f'<rect x="{left}" y="{y - 9}" width="14" height="10" fill="{_COLOURS[name]}"/>'
    return f'{mark}<text x="{left + 20}" y="{y}">{_TITLES[name]}</text>'


def _place(share: float, f1: float) -> str:
    return f"{LEFT + share * PLOT_WIDTH:.1f},{TOP + (1 - f1) * PLOT_HEIGHT:.1f}"
