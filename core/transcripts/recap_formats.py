"""Reads a recap of any supported format."""

from pathlib import PurePath

from core.errors import SourceError
from core.text.sentences import SentenceSplitter
from core.transcripts.crd3_json import read_crd3_json
from core.transcripts.markdown import read_markdown
from core.transcripts.plain_text import read_plain_text
from core.transcripts.recap import Recap
from core.transcripts.recap_outline import structure_page
from core.transcripts.wiki_page import read_wiki_page

_READERS = {
    ".html": read_wiki_page,
    ".htm": read_wiki_page,
    ".xhtml": read_wiki_page,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_plain_text,
    ".wiki": read_plain_text,
    ".json": read_crd3_json,
}
RECAP_SUFFIXES = frozenset(_READERS)
"""File name endings, in lower case, that `read_recap` reads."""


def read_recap(name: str, text: str, splitter: SentenceSplitter) -> Recap:
    """Read a recap by the ending of its file name.

    Args:
        name: the file's name; the ending chooses the format.
        text: the file's decoded text.
        splitter: cuts one paragraph into sentences.

    Raises:
        SourceError: the ending is unknown, the format is broken, or the page holds no recap.
    """
    reader = _READERS.get(PurePath(name).suffix.lower())
    if reader is None:
        raise SourceError(f"{name}: no recap format has this ending; expected one of {', '.join(sorted(_READERS))}")
    return structure_page(name, reader(name, text), splitter)
