"""Draws the yield curves of a review as SVG: room descriptions found against sentences read, a line an order."""

from core.rooms.review_yield import Order, YieldCurves, YieldPoint

_WIDTH, _HEIGHT, _LEFT, _TOP = 520, 300, 56, 36  # pixels: the area of the curves, and its margins
_COLOURS: dict[Order, str] = {"random": "#777777", "score": "#4878a8", "useful": "#d0743c", "likely": "#3a8a4d"}
_NAMES: dict[Order, str] = {
    "random": "at random",
    "score": "by score",
    "useful": "rank rooms",
    "likely": "rank rooms --order likely",
}


def draw_yield(found: YieldCurves) -> str:
    """Return the diagram as SVG text: recall by sentences read, with the 95 % interval as a band."""
    last = max(point.read for curve in found.curves.values() for point in curve)
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 16} {_TOP + _HEIGHT + 48}" '
        'font-family="sans-serif" font-size="12">',
        "<title>Room descriptions found</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="20" font-weight="bold">Room descriptions found, of all in the pool</text>',
        *(_band(curve, order, last) for order, curve in found.curves.items()),
        *(_line(curve, order, last) for order, curve in found.curves.items()),
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#333"/>',
        *(_tick_across(last * place // 4, last) for place in range(5)),
        *(f'<text x="{_LEFT - 6}" y="{_y(share / 4) + 4:.1f}" text-anchor="end">{share / 4:.0%}</text>' for share in range(5)),
        *(_legend(order, place) for place, order in enumerate(found.curves)),
        f'<text x="{_LEFT + _WIDTH / 2}" y="{_TOP + _HEIGHT + 38}" text-anchor="middle">sentences read</text>',
        "</svg>\n",
    ))  # fmt: skip


def _line(curve: tuple[YieldPoint, ...], order: Order, last: int) -> str:
    places = " ".join(f"{_x(point.read, last):.1f},{_y(point.recall.value):.1f}" for point in curve)
    start = f"{_x(0, last):.1f},{_y(0):.1f}"
    return f'<polyline points="{start} {places}" fill="none" stroke="{_COLOURS[order]}" stroke-width="2"/>'


def _band(curve: tuple[YieldPoint, ...], order: Order, last: int) -> str:
    above = [f"{_x(point.read, last):.1f},{_y(point.recall.high):.1f}" for point in curve]
    below = [f"{_x(point.read, last):.1f},{_y(point.recall.low):.1f}" for point in reversed(curve)]
    return f'<polygon points="{" ".join((*above, *below))}" fill="{_COLOURS[order]}" opacity="0.15"/>'


def _tick_across(read: int, last: int) -> str:
    return f'<text x="{_x(read, last):.1f}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle">{read}</text>'


def _legend(order: Order, place: int) -> str:
    top = _TOP + _HEIGHT - 66 + 16 * place
    mark = f'<rect x="{_LEFT + _WIDTH - 186}" y="{top - 9}" width="12" height="10" fill="{_COLOURS[order]}"/>'
    return mark + f'<text x="{_LEFT + _WIDTH - 168}" y="{top}">{_NAMES[order]}</text>'


def _x(read: int, last: int) -> float:
    return _LEFT + _WIDTH * read / last


def _y(share: float) -> float:
    return _TOP + _HEIGHT * (1 - share)
