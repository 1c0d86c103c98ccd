"""Reads the text of Word's documents (.docx): a zip archive whose `word/document.xml` has the paragraphs."""

import io
import zipfile
from collections.abc import Iterator

from lxml import etree

from core.errors import SourceError
from core.text.documents import parse_xml

_MAIN = "word/document.xml"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LONGEST_LABEL = 40
_BREAKS = {f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}tab": "\t"}


def read_word_document(name: str, content: bytes, max_bytes: int) -> str:
    """Return the paragraphs of a document, a blank line after each; what was deleted in it, and its notes, are left out.

    Raises:
        SourceError: this is no such document, it is damaged, or its text has more than `max_bytes`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(_MAIN) as file:
            written = file.read(max_bytes + 1)
    except Exception as error:  # a damaged, locked or truncated archive fails in whatever way
        raise SourceError(f"{name}: no readable Word document ({error}); save it anew, or as plain text in UTF-8") from error
    if len(written) > max_bytes:
        raise SourceError(f"{name}: its text has more than {max_bytes:,} bytes; split the file")
    return "\n\n".join(_list_paragraphs(parse_xml(name, written, max_bytes)))


def _list_paragraphs(root: etree._Element) -> Iterator[str]:
    """Yield the paragraphs; a row of a table of speakers and what they say, perhaps with times, is one with a label."""
    told: set[etree._Element] = set()
    for element in root.iter(f"{_W}tr", f"{_W}p"):
        if element in told:
            continue
        if element.tag == f"{_W}p":
            yield _read_paragraph(element)
            continue
        cells = [" ".join(map(_read_paragraph, cell.iter(f"{_W}p"))).strip() for cell in element.findall(f"{_W}tc")]
        if len(cells) in (2, 3) and len(cells[-2]) <= _LONGEST_LABEL:
            told.update(element.iter(f"{_W}tr", f"{_W}p"))
            *times, speaker, said = cells
            yield " ".join([*times, f"{speaker.rstrip(':')}:" if speaker else "", said]).strip()


def _read_paragraph(paragraph: etree._Element) -> str:
    return "".join(piece.text or "" if piece.tag == f"{_W}t" else _BREAKS.get(str(piece.tag), "") for piece in paragraph.iter())
