"""Reads the text of Word's documents (.docx): a zip archive whose `word/document.xml` has the paragraphs."""

import io
import zipfile

from core.errors import SourceError
from core.text.documents import parse_xml

_MAIN = "word/document.xml"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
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
    paragraphs = []
    for paragraph in parse_xml(name, written, max_bytes).iter(f"{_W}p"):
        pieces = (piece.text or "" if piece.tag == f"{_W}t" else _BREAKS.get(piece.tag, "") for piece in paragraph.iter())
        paragraphs.append("".join(pieces))
    return "\n\n".join(paragraphs)
