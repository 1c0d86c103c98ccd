import io
import zipfile

import pytest

from core.errors import SourceError
from core.text.decoding import TextLimits, decode_text

ENTITIES = '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/hostname"><!ENTITY f "secret">]>'
NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def write_document(body: str, path: str = "word/document.xml", before: str = "") -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(path, f"{before}<w:document {NAMESPACE}><w:body>{body}</w:body></w:document>")
    return content.getvalue()


def write_paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_paragraphs_are_apart_and_breaks_and_tabs_stay():
    body = write_paragraph("ANNA:</w:t><w:tab/><w:t>Where?") + write_paragraph("On the</w:t><w:br/><w:t>pier &amp; there.")
    assert decode_text("a.docx", write_document(body)) == "ANNA:\tWhere?\n\nOn the\npier & there."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"ANNA: Hi.", "no readable Word document"),
        (write_document("")[:-30], "no readable Word document"),
        (write_document("", "content.xml"), "no item named 'word/document.xml'"),
        (write_document("<w:p>"), "not well-formed XML"),
        (write_document(write_paragraph("x" * 20_000)), "more than 10,000 bytes"),
        (write_document(write_paragraph(" ")), "the file is empty"),
        (write_document(write_paragraph("Hi.&e;&f;"), before=ENTITIES), "entities are never read"),
    ],
)
def test_what_is_no_document_is_refused(content: bytes, message: str):
    with pytest.raises(SourceError, match=message):
        decode_text("a.docx", content, TextLimits(max_bytes=10_000))


def test_rows_of_speakers_and_what_they_say_are_lines_with_labels():
    def write_row(*cells: str) -> str:
        return "<w:tr>" + "".join(f"<w:tc>{''.join(map(write_paragraph, cell.split('|')))}</w:tc>" for cell in cells) + "</w:tr>"

    rows = write_row("Mara", "Where?|On the pier?") + write_row("00:01:05", "Tom:", "No.") + write_row("", "Never.")
    other = write_row("A long first cell that is no name of a speaker", "x") + write_row("alone")
    found = decode_text("a.docx", write_document(f"{write_paragraph('Cast')}<w:tbl>{rows}{other}</w:tbl>"))
    assert found.split("\n\n") == [
        "Cast", "Mara: Where? On the pier?", "00:01:05 Tom: No.", "Never.",
        "A long first cell that is no name of a speaker", "x", "alone",
    ]  # fmt: skip
