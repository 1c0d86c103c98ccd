"""Reads a recap of any supported format."""

from collections.abc import Callable
from pathlib import PurePath

from core.errors import SourceError
from core.text.sentences import SentenceSplitter
from core.transcripts.recaps.crd3_json import read_recap_json
from core.transcripts.recaps.markdown import read_recap_markdown
from core.transcripts.recaps.outline import structure_page
from core.transcripts.recaps.page import RecapPage
from core.transcripts.recaps.plain_text import read_recap_text
from core.transcripts.recaps.recap import Recap
from core.transcripts.recaps.wiki_page import read_wiki_page

_READERS: dict[str, Callable[[str, str], RecapPage]] = {
    ".html": read_wiki_page,
    ".htm": read_wiki_page,
    ".xhtml": read_wiki_page,
    ".md": read_recap_markdown,
    ".markdown": read_recap_markdown,
    ".txt": read_recap_text,
    ".wiki": read_recap_text,
    ".json": read_recap_json,
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
