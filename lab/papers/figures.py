"""The papers' figures as SVG, where a release's report has no picture of the same."""

import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from core.dataset.pictures import BLUE, ORANGE

LEVELS = ("significantly less natural", "less natural", "the same", "more natural", "significantly more natural")
_BAR, _LEFT, _WIDTH = 30, 190, 420


def draw_levels(title: str, counts: Sequence[int]) -> str:
    """Return bars of the five levels of a comparison with their counts and shares (thesis, figures 4.1 to 4.6)."""
    total = max(sum(counts), 1)
    parts = []
    for place, (name, count) in enumerate(zip(LEVELS, counts, strict=True)):
        y, long = 46 + place * _BAR, _WIDTH * count / total
        parts += [
            f'<text x="{_LEFT - 8}" y="{y + 15}" text-anchor="end">{name}</text>',
            f'<rect x="{_LEFT}" y="{y}" width="{long:.1f}" height="{_BAR - 8}" fill="{BLUE}"/>',
            f'<text x="{_LEFT + long + 6:.1f}" y="{y + 15}">{count} ({count / total:.0%})</text>',
        ]
    return _frame(title, _LEFT + _WIDTH + 90, 60 + len(LEVELS) * _BAR, parts)


def draw_matrix(title: str, drawing: Mapping[str, Any]) -> str:
    """Return the score matrix of an episode with the spans that were chosen (CRD3, figure 4), as the report draws it.

    `drawing` is one of kind `heat`: the sentences of the recap from top to bottom, the turns from left to right; the
    highest scores are black.
    """
    rows, columns, across = drawing["rows"], drawing["columns"], drawing["across"]
    wide, high = 900.0, max(240.0, min(900.0, 5.0 * rows))
    values = b64decode(drawing["values"])
    most = max(sorted(values)[len(values) * 995 // 1000], 1) if values else 1  # a few high scores leave the others white
    pixels = bytes(255 - 255 * min(value, most) // most for value in values)
    image = f'<image x="20" y="40" width="{wide:g}" height="{high:g}" preserveAspectRatio="none"'
    parts = [f'{image} href="data:image/png;base64,{b64encode(_write_png(pixels, rows, columns)).decode()}"/>']
    for place, start, stop in drawing["spans"]:
        x, y = 20 + wide * start / across, 40 + high * place / drawing["down"]
        size = f'width="{max(wide * (stop - start) / across, 1.5):.1f}" height="{high / drawing["down"]:.1f}"'
        parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="none" stroke="{ORANGE}"/>')
    return _frame(title, int(wide) + 40, int(high) + 60, parts)


def _write_png(pixels: bytes, rows: int, columns: int) -> bytes:
    """Return a grey picture as PNG, a byte a pixel."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    lines = b"".join(b"\0" + pixels[row * columns : (row + 1) * columns] for row in range(rows))
    head = struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def _frame(title: str, width: int, height: int, parts: Sequence[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="12">',
            f'<title>{escape(title)}</title><rect width="{width}" height="{height}" fill="white"/>',
            f'<text x="20" y="26" font-size="14" font-weight="bold">{escape(title)}</text>',
            *parts,
            "</svg>\n",
        ]
    )
