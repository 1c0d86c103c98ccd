"""Reads the text of PDF files, with blanks for its columns."""

import io
from collections.abc import Iterator

from core.errors import SourceError

_MOST_PAGES = 2_000
_MOST_DRAWN = 16 * 2**20  # unpacked bytes that draw the pages: a minute's work; a script has about one MiB
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
    return "\n\n".join(pages)


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
