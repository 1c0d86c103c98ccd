"""Reads a recap of any supported format."""

from collections.abc import Callable
from pathlib import PurePath

from core.errors import SourceError
from core.text.sentences import SentenceSplitter
from core.transcripts.file_types import RECAP_TYPES, RecapFormat
from core.transcripts.recaps.crd3_json import read_recap_json
from core.transcripts.recaps.markdown import read_recap_markdown
from core.transcripts.recaps.outline import structure_page
from core.transcripts.recaps.plain_text import read_recap_text
from core.transcripts.recaps.recap import Recap
from core.wiki.page import RecapPage
from core.wiki.page_reader import read_wiki_page

_READERS: dict[RecapFormat, Callable[[str, str], RecapPage]] = {
    "wiki page": read_wiki_page,
    "markdown": read_recap_markdown,
    "plain text": read_recap_text,
    "json": read_recap_json,
}


def read_recap(name: str, text: str, splitter: SentenceSplitter, chunk_lists: bool = False) -> Recap:
    """Read a recap file into sections and sentences.

    Args:
        name: the file's name. Its extension decides the format.
        text: the file's decoded text.
        splitter: splits one paragraph into sentences.
        chunk_lists: whether list entries without a sentence count as sentences.

    Raises:
        SourceError: the extension is unknown, the text breaks the format, or the page has no recap.
    """
    kind = RECAP_TYPES.get(PurePath(name).suffix.lower())
    if kind is None:
        raise SourceError(
            f"{name}: unknown extension; a recap is one of {', '.join(sorted(RECAP_TYPES))}. Convert or rename the file"
        )
    return structure_page(name, _READERS[kind](name, text), splitter, chunk_lists)
