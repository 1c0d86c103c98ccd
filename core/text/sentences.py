"""Splits a paragraph into sentences, with one of four interchangeable splitters.

Three of them propose boundaries, by spaCy's rule-based sentencizer or a regular expression. They share the rules that accept or
reject a boundary; the splitter `prose` adds rules for quotations and abbreviations.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

TORCH_PARTS = ("spacy_curated_transformers", "spacy_experimental", "spacy_transformers")
"""Packages that bring parts of trained pipelines which compute with torch."""


@contextmanager
def without_torch() -> Iterator[None]:
    """Hide torch from what is imported inside the block; afterwards it can be imported as usual.

    spaCy imports torch wherever it is installed, which takes 2 s of processor time and 180 MiB. Nothing is hidden where torch is
    imported already, or where one of `TORCH_PARTS` is installed. Other threads must not import torch while the block runs.
    """
    if "torch" in sys.modules or any(find_spec(name) for name in TORCH_PARTS):
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]  # so Python says that a module cannot be imported
    try:
        yield
    finally:
        sys.modules.pop("torch", None)


if TYPE_CHECKING:
    from spacy.language import Language

TITLES = frozenset((
    "adm", "brig", "capt", "cmdr", "col", "cpl", "dr", "fr", "gen", "gov", "hon", "lt", "maj", "messrs", "mlle", "mme",
    "mr", "mrs", "ms", "mx", "pres", "prof", "rep", "rev", "sen", "sgt", "sr", "sra", "st", "ste", "supt",
))  # fmt: skip
"""Titles and similar words. A name follows them, so a capital letter after them does not start a sentence."""

ABBREVIATIONS = TITLES | frozenset((
    "approx", "ca", "cf", "e.g", "ed", "eds", "ep", "eps", "esp", "fig", "figs", "i.e", "nos", "pg", "pp", "vol",
    "vols", "vs", "viz",
))  # fmt: skip
"""Abbreviations inside a sentence, in lower case and without the last full stop. The sentence goes on, in any case."""

PROSE_ABBREVIATIONS = frozenset((
    "a.k.a", "asst", "blvd", "bros", "cpt", "dept", "mgr", "msgr", "mt", "mts", "pfc", "univ",
))  # fmt: skip
"""More abbreviations that end no sentence. The splitter `prose` adds them; the other splitters stay as they were."""

_NUMBERED = frozenset(("ch", "no", "nos", "op", "p", "pt"))
"""Abbreviations before a number ("No. 5"). Elsewhere the same letters may end a sentence."""

MAX_SPACY_CHARACTERS = 100_000
"""Longer paragraphs are split by the regular expression, since spaCy refuses texts above a million characters."""

_CANDIDATE = re.compile(r"""[.!?…。！？]["'”’»)\]*]*(?:\s+|(?<=[a-z]\.)(?=[A-Z][a-z]))|[。！？][”’」』]*""")
_GAP = re.compile(r"""[.!?…。！？]["'”’»)\]*]*\s*""")
_TRAILING = re.compile(r"[.!?…。！？][^\w.!?…。！？]*$")
_LAST_WORD = re.compile(r"""([^\s("'“‘\[—–-]*)\.$""")
_GOES_ON = re.compile(r"""["'”’»)\]*]*[,;:]""")
MAX_SPACY_WORD = 200
"""Paragraphs with a longer word are split by the regular expression too: spaCy takes quadratic time in a word's punctuation."""

_BEFORE = 400  # characters before a boundary that are looked at; the rules need the last word and the marks after it
_LONG_WORD = re.compile(rf"\S{{{MAX_SPACY_WORD + 1}}}")
_CLOSERS = "\"'”’»)]*"
_OPENERS = "\"'“‘«([{—–-…. *"


SentenceSplitter = Callable[[str], list[str]]
"""Splits one paragraph into sentences, stripped and in order. Only white space is lost, and no sentence is empty."""


def make_splitter(name: Literal["prose", "spacy", "regex", "lines"]) -> SentenceSplitter:
    """Return the splitter with this name in the settings."""
    return {"prose": split_prose, "spacy": split_by_spacy, "regex": split_by_rules, "lines": split_lines}[name]


def split_lines(text: str) -> list[str]:
    """Return the sentences of a text with one sentence per line."""
    return [sentence for line in text.splitlines() if (sentence := line.strip())]


def split_by_rules(text: str) -> list[str]:
    """Return the sentences found by a regular expression and the rules of `ends_sentence`. Needs no library."""
    return _cut(text, _propose_by_pattern(text))


def split_by_spacy(text: str) -> list[str]:
    """Return the sentences of spaCy's blank English sentencizer, without boundaries that `ends_sentence` rejects."""
    return _cut(text, _propose_by_spacy(text))


def split_prose(text: str) -> list[str]:
    """Return the sentences of `split_by_spacy`, without boundaries that `ends_sentence_of_prose` rejects."""
    return _cut(text, _propose_by_spacy(text), ends_sentence_of_prose)


def ends_sentence_of_prose(before: str, after: str) -> bool:
    """Tell whether a sentence ends between two texts, as `ends_sentence` does, with more rules.

    It does not end before `,`, `;` or `:`, after one of `PROSE_ABBREVIATIONS`, or between "No." and its number.
    """
    if _GOES_ON.match(after) or not ends_sentence(before, after):
        return False
    match = _LAST_WORD.search(before.rstrip(_CLOSERS)[-40:])
    if match is None:
        return True
    word = match[1].lower()
    return word not in PROSE_ABBREVIATIONS and not (word in _NUMBERED and after[:1].isdigit())


def ends_sentence(before: str, after: str) -> bool:
    """Tell whether a sentence ends between two texts, the first of which ends with terminal punctuation.

    It does not end if the second text starts with a lower-case letter. Nor does it end after an abbreviation, an initial
    ("J. Smith"), the number of a list entry, or an ellipsis that is followed by "I".
    """
    start = after.lstrip(_OPENERS)[:1]
    if not start or start.islower():
        return False
    bare = before.rstrip(_CLOSERS)
    if bare.endswith(("...", "…")):
        return not re.match(r"""["'“‘]?I\b""", after)
    if not bare.endswith("."):
        return True
    if match := _LAST_WORD.search(bare[-40:]):
        word = match[1]
        if word.lower() in ABBREVIATIONS or (len(word) == 1 and word.isupper() and word != "I"):
            return False
        if word.isdigit() and len(bare) <= len(word) + 1:
            return False
    return True


def _propose_by_pattern(text: str) -> Iterator[int]:
    return (match.end() for match in _CANDIDATE.finditer(text))


def _propose_by_spacy(text: str) -> Iterator[int]:
    if len(text) > MAX_SPACY_WORD and (len(text) > MAX_SPACY_CHARACTERS or _LONG_WORD.search(text) is not None):
        yield from _propose_by_pattern(text)
        return
    for sentence in _load_sentencizer()(text).sents:
        end = sentence.end_char
        tail = text[max(0, end - 40) : end]
        if (closing := _TRAILING.search(tail)) and (gap := _GAP.match(closing.group())):
            end -= len(closing.group()) - gap.end()
        yield end


def _cut(text: str, boundaries: Iterable[int], ends: Callable[[str, str], bool] = ends_sentence) -> list[str]:
    sentences: list[str] = []
    start = 0
    for end in boundaries:
        if start < end < len(text) and ends(text[max(start, end - _BEFORE) : end].rstrip(), text[end : end + 40].lstrip()):
            sentences.append(text[start:end].strip())
            start = end
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


@cache
def _load_sentencizer() -> "Language":
    """Load spaCy once per process, and only when it is needed: the import takes about a second."""
    with without_torch():
        from spacy.lang.en import English

    nlp = English()
    nlp.max_length = MAX_SPACY_CHARACTERS
    nlp.add_pipe("sentencizer", config={"punct_chars": list(".!?…。！？")})
    return nlp
