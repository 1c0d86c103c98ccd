"""Tells which paragraphs of a recap tell nothing: entries of lists and lines that head others."""

import re
from collections.abc import Sequence

MAX_ENTRY_WORDS = 12
"""A longer paragraph without a full stop is taken for a sentence whose writer forgot it."""

_SENTENCE_END = re.compile(r"""[.!?…。！？]["'”’»)\]*]*(?:\s|$)""")


def find_untold(paragraphs: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the paragraphs that tell nothing (0-based, in order).

    A paragraph tells nothing if no sentence ends in it and it has at most 12 words, or ends with a colon: a name in a list of
    credits, a title, "Also shown:".
    """
    return tuple(number for number, text in enumerate(paragraphs) if not _tells(text))


def ends_with_stops(paragraphs: Sequence[str]) -> bool:
    """Tell whether a writer ends sentences with full stops: paragraphs with one hold most of the words.

    Where they do not, an entry of a list looks like a sentence.
    """
    words = [(len(text.split()), bool(_SENTENCE_END.search(text))) for text in paragraphs]
    return 2 * sum(count for count, stopped in words if stopped) > sum(count for count, _ in words)


def _tells(text: str) -> bool:
    if _SENTENCE_END.search(text):
        return True
    return len(text.split()) > MAX_ENTRY_WORDS and not text.endswith((":", "："))
