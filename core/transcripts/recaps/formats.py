"""Reads a recap of any supported format; in JSON, CRD3's METADATA and answers of MediaWiki's `action=parse`."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from core.errors import SourceError
from core.text.decoding import mend_text
from core.text.sentences import SentenceSplitter
from core.transcripts.discovery import RECAP_TYPES, RecapFormat
from core.transcripts.recaps.markdown import read_recap_markdown
from core.transcripts.recaps.plain_text import read_recap_text
from core.transcripts.recaps.recap import Recap, RecapSection, structure_page
from core.wiki.page import Block, RecapPage, clean_text, name_title
from core.wiki.page_reader import read_wiki_page


def _read_json(name: str, text: str, splitter: SentenceSplitter) -> RecapPage | Recap:
    """Read a record's recap (`core.records.write_halves`), CRD3's METADATA, or MediaWiki's `{"parse": {"title", "text"}}`.

    In METADATA each line is a paragraph, though CRD3 breaks lines inside sentences too: the one cannot be told from the other.
    """
    try:
        data = json.loads(text)
        if isinstance(data, dict) and "sections" in data:
            return _read_sections(name, data, splitter)
        if "\\ud" in text.lower():
            json.dumps(data, ensure_ascii=False).encode()
        if "parse" in data:
            return _read_parse(name, data["parse"])
        metadata = data["METADATA"]
        blurb = [Block(0, line) for part in metadata.get("Wiki Blurb", []) for line in _lines(part["content"])]
        blocks = [*blurb, Block(1, "Synopsis"), *(block for section in metadata["Synopsis"] for block in _blocks(section))]
    except UnicodeEncodeError as half:
        found = ord(half.object[half.start])
        raise SourceError(f"{name}: lone surrogate \\u{found:04x}; the text is damaged. Export the file again") from half
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SourceError(
            f"{name}: not a recap ({type(error).__name__} {error}); expected CRD3's METADATA with 'Wiki Blurb' and 'Synopsis', "
            "or an answer of MediaWiki's action=parse. Export the file again"
        ) from error
    return RecapPage(name_title(name), tuple(blocks))


def _read_parse(name: str, answer: dict[str, Any]) -> RecapPage:
    html, title = answer["text"], answer["title"]
    if not isinstance(title, str | None):
        raise TypeError(f"title is {type(title).__name__}, not a text")
    page = read_wiki_page(name, html["*"] if isinstance(html, dict) else html, title or "")
    named = (entry.get("category") or entry.get("*") or "" for entry in answer.get("categories", ()))
    categories = tuple(category.replace("_", " ") for category in named if category)
    return replace(page, categories=categories or page.categories)


def _blocks(section: dict[str, Any]) -> Iterator[Block]:
    yield Block(2, clean_text(section["heading"]))
    for part in section["content"]:
        if subheading := clean_text(part["sub-heading"]):
            yield Block(3, subheading)
        yield from (Block(0, line) for line in _lines(part["content"]))


def _lines(content: str) -> Iterator[str]:
    return filter(None, map(clean_text, content.split("\n")))


_READERS: dict[RecapFormat, Callable[[str, str], RecapPage]] = {
    "wiki page": read_wiki_page,
    "markdown": read_recap_markdown,
    "plain text": read_recap_text,
}


def read_recap(name: str, text: str, splitter: SentenceSplitter, chunk_lists: bool = False) -> Recap:
    """Read a recap file into sections and sentences; the extension of `name` decides the format.

    With `chunk_lists`, list entries without a sentence count as sentences.

    Raises:
        SourceError: the extension is unknown, the text breaks the format, or the page has no recap.
    """
    kind = RECAP_TYPES.get(PurePath(name).suffix.lower())
    if kind is None:
        raise SourceError(f"{name}: unknown extension; a recap is one of {', '.join(sorted(RECAP_TYPES))}. Convert the file")
    page = _read_json(name, text, splitter) if kind == "json" else _READERS[kind](name, text)
    return page if isinstance(page, Recap) else structure_page(name, page, splitter, chunk_lists)


def _read_sections(name: str, data: dict[str, Any], splitter: SentenceSplitter) -> Recap:
    sections, whole = data["sections"], data.get("whole", 0)
    fits = isinstance(sections, list) and type(whole) is int and 0 <= whole <= len(sections)
    if not fits or not all(isinstance(entry, dict) and isinstance(entry.get("text"), str) for entry in sections):
        raise SourceError(
            f'{name}: expected {{"sections": [{{"heading": …, "text": …}}, …], "whole": NUMBER}}; export the file again'
        )
    made = []
    for entry in sections:
        paragraphs = tuple(_lines(mend_text(entry["text"])))
        sentences = tuple(sentence for paragraph in paragraphs for sentence in splitter(paragraph))
        made.append(RecapSection("plot", clean_text(mend_text(str(entry.get("heading", "")))), "", paragraphs, sentences))
    return Recap(name_title(name), "", tuple(made), whole=whole, independent=whole < len(made))
