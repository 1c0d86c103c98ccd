"""Reads the text of PDF files, with blanks for its columns."""

import io
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import dedent, indent

from core.errors import SourceError

_MOST_PAGES = 2_000
_MOST_DRAWN = 16 * 2**20  # unpacked bytes that draw the pages: a minute's work; a script has about one MiB
_MOST_COLUMNS = 20
_WIDEST = 500  # characters of a line of two columns
_MOST_BYTES = 64 * 2**20  # of a file; a script has less than one


def read_pdf(name: str, content: bytes, max_bytes: int) -> str:
    """Return the text of the pages of a PDF file, as it stands there: blank lines and the indentation of columns are kept.

    Raises:
        SourceError: it is damaged, locked or too large, or has pictures of pages in place of text.
    """
    if len(content) > _MOST_BYTES:
        raise SourceError(f"{name}: {len(content):,} bytes, and at most {_MOST_BYTES:,} of a PDF file are read; divide it")
    try:
        pages = list(_list_pages(content, max_bytes))
    except Exception as error:  # a damaged file fails in whatever way
        raise SourceError(f"{name}: no readable PDF file ({type(error).__name__} {error}); export it as plain text") from error
    if not any(map(str.strip, pages)):
        raise SourceError(f"{name}: {len(pages):,} pages without text, probably pictures; recognise the text first")
    return "\n\n".join(_align_pages([column for page in pages for column in _part_columns(page)]))


def _part_columns(page: str) -> list[str]:
    """Return the two columns of a page, where a gap near the middle parts all of its lines; else the page."""
    lines = page.split("\n")
    filled = [line for line in lines if line.strip()]
    width = max(map(len, filled), default=0)
    for gap in range(width // 3, 2 * width // 3) if width <= _WIDEST else ():
        if any(line[gap - 1 : gap + 2].strip() for line in filled):
            continue
        if 3 * sum(bool(line[:gap].strip()) and bool(line[gap:].strip()) for line in filled) > len(filled):
            return ["\n".join(line[:gap].rstrip() for line in lines), dedent("\n".join(line[gap:] for line in lines))]
    return [page]


def _align_pages(pages: Sequence[str]) -> Iterator[str]:
    """Yield the pages with their columns where most pages have them: the library takes its own left margin from each page.

    A page where nobody acts begins with its speech. It is moved to where its columns are likeliest by those of all pages. A page
    with one column may be all action, and stays.
    """
    columns = [Counter(len(line) - len(line.lstrip()) for line in page.splitlines() if line.strip()) for page in pages]
    usual = sum(columns, Counter[int]())
    costs = {column: -math.log(count / usual.total()) for column, count in usual.most_common(_MOST_COLUMNS)}
    most = math.log(usual.total()) + 1
    for page, own in zip(pages, columns, strict=True):
        shift = min(costs, key=lambda shift: (sum(n * costs.get(column + shift, most) for column, n in own.items()), shift))
        yield indent(page, " " * shift) if sum(n > 1 for n in own.values()) > 1 else page


def _list_pages(content: bytes, max_bytes: int) -> Iterator[str]:
    from pypdf import PdfReader  # takes 0.2 s, and few files need it

    left, drawn, pages = max_bytes, _MOST_DRAWN, PdfReader(io.BytesIO(content)).pages
    if len(pages) > _MOST_PAGES:
        raise ValueError(f"more than {_MOST_PAGES:,} pages")
    for page in pages:
        stream = page.get_contents()
        drawn -= len(stream.get_data()) if stream is not None else 0
        if drawn < 0:
            raise ValueError(f"more than {_MOST_DRAWN:,} bytes that draw its pages")
        text = page.extract_text(extraction_mode="layout")
        left -= len(text)
        if left < 0:
            raise ValueError(f"more than {max_bytes:,} characters")
        yield text
