"""Names of people in texts: known names replaced by pseudonyms, however they are written; headers of quoted mail dropped."""

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate

import regex

from core.text.stems import stem_word


@cache
def _read_stems() -> frozenset[str]:
    """Return the stems of common English words, counted in forums, games and screenplays: they are no names in running text."""
    return frozenset(files("core.people").joinpath("common_words.txt").read_text("ascii").split())


@lru_cache(maxsize=2**14)
def is_common(word: str) -> bool:
    """Tell whether a word in lower case is a common English word, in any of its forms; words of one or two letters are."""
    return len(word) < 3 or (word.isascii() and len(word) < 40 and stem_word(word) in _read_stems())


MOST_PARTS = 8
"""Parts of a name that are looked for; what follows them is no part of it."""
LEAST_PART = 4
"""Letters of a part of a name that stands for it alone."""
LEAST_PLURAL = 6
"""Letters of a name that is known with an `s` behind it, too: "GretaTheAskers lamp"."""
MOST_BETWEEN = 3
"""Characters between two parts of a name."""
_LONGEST_NAME = 1_000
_WORD = re.compile(r"[^\W_]+")
_PART = regex.compile(r"\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\W\p{Lu}\p{Ll}\p{N}_]+")
_ACCENTS = regex.compile(r"\p{M}+")
_UNSEEN = regex.compile(r"[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]+")
_HIDDEN = regex.compile(  # what does not show, or shows as another character
    _UNSEEN.pattern + r"|\\(?=[\p{P}\p{S}])|&(?:amp;)?(?:#\d{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[A-Za-z]\w{1,31};)"
)
_MARK = regex.compile(r"(?:(?<![^\W_])(?:/?(?:r/)?u_|/?u/|/?user/)|(?<!\w)@)[_-]{0,4}$", regex.IGNORECASE)
_LONGEST_MARK = 12
_BLANKS = str.maketrans({code: " " for code in range(128) if not chr(code).isalnum()})
_SENTENCE_STARTS = re.compile(r"(?:^|[.!?…:;—–]|\.\.|--)[\"“”'‘’(\[*]*\s*[\"“‘(\[*-]*\s*$")
_NEXT = re.compile(r"\s+([^\W_]+)")
_LAST = re.compile(r"([^\W_]+)(['’]s)?\s+$", re.IGNORECASE)
_AROUND = 40
_FOLLOWERS = frozenset((
    "a", "all", "an", "any", "anybody", "anyone", "anything", "as", "at", "be", "both", "by", "did", "do", "down", "each",
    "every", "everybody", "everyone", "everything", "for", "from", "give", "go", "have", "he", "her", "here", "him", "his",
    "how", "i", "if", "in", "into", "it", "its", "me", "mine", "my", "never", "no", "nobody", "none", "not", "of", "off",
    "on", "one", "our", "out", "over", "she", "so", "some", "somebody", "someone", "something", "that", "the", "their",
    "them", "there", "these", "they", "this", "those", "three", "to", "two", "up", "us", "was", "we", "were", "what",
    "when", "where", "which", "who", "why", "with", "work", "you", "your",
))  # fmt: skip
"""Words after which the word before, at the start of a sentence, is no name: `Will you`, `Mark my words`."""
_DETERMINERS = frozenset(("a", "an", "any", "each", "every", "her", "his", "its", "my", "our", "some", "the", "their", "your"))
_SHORTENED = frozenset(("he", "here", "how", "it", "let", "she", "that", "there", "what", "where", "who"))  # before `'s` for `is`
_PSEUDONYM = re.compile(r"(?<![a-z])[a-z]{1,20}-[0-9a-f]{16}(?![0-9A-Za-z])")


class _Form(IntEnum):
    """How a name must stand to be one: after a mark such as `u/` or `@`; or joined by `_`, `-` and `.`; or anyhow."""

    MARKED = 0
    JOINED = 1
    FREE = 2


@dataclass(frozen=True, slots=True)
class _Known:
    pseudonym: str
    form: _Form
    ends: frozenset[int]
    """Letters up to the end of each part: where the name may be divided."""


class Names:
    """Replaces known names in texts by pseudonyms, in time linear in the texts and in the names.

    A name is found in any case, with or without accents; after `@`, `u/`, `u_` and `user/`, which go with it; in links; with a
    possessive or another `s`; with HTML entities, Markdown's escapes and characters without a width in it; and with its parts
    joined or divided in another way: `FrankFerryman99` also as `frank_ferryman` and `Frank Ferryman`. One part stands for the
    name where it is no common word, none of the words `ordinary`, and no part of another's name: `Ferryman`.

    A name that is a common word, a number, or shorter than three letters is replaced only after such a mark (`u/book`, `@book`);
    one that consists of common words (`TheBookLover`) not where they are divided by blanks. Pseudonyms stay as they are. Names
    that are `called` in speech are replaced also where they are written as names are (`Thanks, Will`; not `Will you`).
    """

    def __init__(self, pseudonyms: Mapping[str, str], ordinary: Collection[str] = (), called: Collection[str] = ()) -> None:
        """Take plain names with their pseudonyms, words, in lower case, that stand for nobody alone, and names in speech."""
        self._called = {"".join(split_name(name)) for name in called}
        self._known: dict[str, _Known] = {}
        self._begun: set[str] = set()
        self._longest = 1
        divided = [(split_name(name), pseudonyms[name]) for name in sorted(pseudonyms)]
        for parts, pseudonym in divided:
            self._add(parts, pseudonym, _judge(parts, ordinary))
        owners: dict[str, set[str]] = {}
        for parts, pseudonym in divided:
            if len(parts) > 1 and parts[-1].isdigit() and (form := _judge(parts[:-1], ordinary)) > _Form.MARKED:
                self._add(parts[:-1], pseudonym, form)
            for part in parts if len(parts) > 1 else ():
                owners.setdefault(part, set()).add(pseudonym)
        for part, owned in owners.items():
            if len(owned) == 1 and len(part) >= LEAST_PART and _judge((part,), ordinary) is _Form.FREE:
                self._add((part,), min(owned), _Form.FREE)
        self._plain = all(map(str.isascii, self._begun))

    def replace(self, text: str) -> str:
        """Return a text with every known name in it replaced."""
        if not self._begun:
            return text
        shown = text if text.isascii() and "&" not in text and "\\" not in text else _HIDDEN.sub(_show, text)
        if self._begun.isdisjoint(self._list_words(_fold(shown))):
            return text
        pieces = None if shown == text else _align(text)
        kept: list[str] = []
        end = 0
        for start, stop, pseudonym in self._find(shown):
            if pieces is not None:
                start, stop = _locate(pieces, start)[0], _locate(pieces, stop - 1)[1]
            kept += text[end:start], pseudonym
            end = stop
        return "".join((*kept, text[end:]))

    def _list_words(self, folded: str) -> list[str]:
        """Return the words of a text in lower case, as far as they could begin a name; most texts are looked at no further."""
        if not folded.isascii():
            if not self._plain:
                return _WORD.findall(folded)
            folded = folded.encode("ascii", "replace").decode()
        return folded.translate(_BLANKS).split()

    def _add(self, parts: tuple[str, ...], pseudonym: str, form: _Form) -> None:
        """Keep a name unless another has its words."""
        whole = "".join(parts)
        if not whole or whole in self._known:
            return
        begun = list(accumulate(parts))
        self._known[whole] = _Known(pseudonym, form, frozenset(map(len, begun)))
        self._longest = max(self._longest, len(parts))
        self._begun.update(begun)
        if form is _Form.FREE and len(whole) >= LEAST_PLURAL:
            self._known.setdefault(f"{whole}s", self._known[whole])
            self._begun.add(f"{whole}s")

    def _find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield beginning, end and pseudonym of each name in a text, the longest where several begin at one word."""
        words = [(match.start(), match.end(), _fold(match[0])) for match in _WORD.finditer(text)]
        masked = [match.span() for match in _PSEUDONYM.finditer(text)]
        place = mask = 0
        while place < len(words):
            start, _, word = words[place]
            place += 1
            while mask < len(masked) and masked[mask][1] <= start:
                mask += 1
            if word not in self._begun or (mask < len(masked) and masked[mask][0] <= start):
                continue
            mark = _MARK.search(text[max(0, start - _LONGEST_MARK) : start])
            found = self._match(text, words, place - 1, _Form.MARKED) if mark else None
            if mark and found and text[words[found[0] - 1][1] :][:1] not in ("_", "-"):  # else it begins another's name
                start -= len(mark[0])
            else:
                found = self._match(text, words, place - 1, _Form.JOINED)
            if found:
                place, pseudonym = found
                yield start, words[place - 1][1], pseudonym

    def _match(self, text: str, words: list[tuple[int, int, str]], place: int, form: _Form) -> tuple[int, str] | None:
        """Return of the longest name that begins at a word the place behind it and its pseudonym; None where there is none.

        `form` is that of the place where it stands; blanks between its words make it `FREE`.
        """
        begun, found = "", None
        ends: set[int] = set()
        for there in range(place, min(place + self._longest, len(words))):
            if there > place:
                gap = text[words[there - 1][1] : words[there][0]]
                if len(gap) > MOST_BETWEEN or "\n" in gap or (gap in ("'", "’") and words[there][2] == "s"):
                    break
                if gap not in ("_", "-", "."):
                    form = _Form.FREE
                ends.add(len(begun))
            begun += words[there][2]
            if begun not in self._begun:
                break
            known = self._known.get(begun)
            if known is not None and (
                (known.form >= form and ends <= known.ends)
                or (begun in self._called and _is_written_as_name(text, words[place][0], words[there][1]))
            ):
                found = there + 1, known.pseudonym
        return found


@lru_cache(maxsize=2**14)
def split_name(name: str) -> tuple[str, ...]:
    """Return the parts of a name in lower case: `FrankFerryman_99` → frank, ferryman, 99. At most `MOST_PARTS`."""
    words = _WORD.findall(_HIDDEN.sub(_show, name[:_LONGEST_NAME]))
    parts = [part for word in words for part in _PART.findall(word)]
    return tuple(map(_fold, (parts if len(parts) <= MOST_PARTS else words)[:MOST_PARTS]))


def _judge(parts: tuple[str, ...], ordinary: Collection[str]) -> _Form:
    """Return how a name must stand, at least, to be told from other words."""
    words = [part for part in parts if not part.isdigit()]
    if not all(is_common(part) or part in ordinary for part in words):
        return _Form.FREE
    return _Form.JOINED if len(parts) > 1 and words else _Form.MARKED


def _is_written_as_name(text: str, start: int, stop: int) -> bool:
    """Tell whether a common word stands in a text as names do: capitalised, and not for another reason.

    Such reasons are the beginning of a sentence, words in capitals around, and terms (`Hunter's Mark`, `the Grace of Ann`).
    """
    word, before = text[start:stop], text[max(0, start - _AROUND) : start]
    following, last = _NEXT.match(text, stop, stop + _AROUND), _LAST.search(before)
    near = [match[1] for match in (following, last) if match is not None]
    if not word[0].isupper() or (word.isupper() and any(len(other) > 1 and other.isupper() for other in near)):
        return False
    owned = last is not None and last[2] is not None and last[1].lower() not in _SHORTENED
    if owned or (last is not None and last[1].lower() in _DETERMINERS):
        return False
    follower = following[1].lower() if following is not None else ""
    return follower not in _FOLLOWERS if _SENTENCE_STARTS.search(before) is not None else follower != "of"


def _fold(text: str) -> str:
    """Return a text in lower case and without accents."""
    return text.lower() if text.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFKD", text)).casefold()


def _show(match: "regex.Match[str]") -> str:
    """Return what an entity shows, and "" for what does not show."""
    return _UNSEEN.sub("", html.unescape(html.unescape(match[0]))) if match[0].startswith("&") else ""


def _align(text: str) -> tuple[list[int], list[tuple[int, int, bool]]]:
    """Return the pieces of a text as it shows: where each begins there; where it stands in the text, and whether as it is."""
    begins, places, length, end = [], [], 0, 0
    for match in _HIDDEN.finditer(text):
        for start, stop, literal in ((end, match.start(), True), (*match.span(), False)):
            size = stop - start if literal else len(_show(match))
            if size:
                begins.append(length)
                places.append((start, stop, literal))
                length += size
        end = match.end()
    return [*begins, length], [*places, (end, len(text), True)]


def _locate(pieces: tuple[list[int], list[tuple[int, int, bool]]], place: int) -> tuple[int, int]:
    """Return where a character of a text as it shows stands in the text: its beginning and its end."""
    begins, places = pieces
    piece = bisect_right(begins, place) - 1
    start, stop, literal = places[piece]
    return (start + place - begins[piece], start + place - begins[piece] + 1) if literal else (start, stop)


_FIELDS = ("From", "To", "Cc", "CC", "Bcc", "BCC", "Sender", "Reply-To")
_SAYING = ("wrote", "writes", "schrieb")
_HEADER_MARKS = (*(f"{word}:" for word in (*_FIELDS, *_SAYING)), "schrieb ", ":*")
_LONGEST = 300
_ADDRESS = re.compile(r"\S@\w")
_QUOTED_NAME = re.compile(r"[^\W\d_][\w.'’-]*+(?:,?[ \t]++[^\W\d_][\w.'’-]*+){0,3}")
_LETTERS = re.compile(r"[^\W\d_]+")


def drop_mail_headers(text: str) -> str:
    """Return a text without the lines of quoted mail that name somebody; other lines that look like such stay.

    A line goes if it has a date or an address, or one to four words in capitals that are not all common words: "From: Greta
    Asker" goes, "From: Home" stays.
    """
    if ":" not in text or not any(mark in text for mark in _HEADER_MARKS):
        return text
    lines = text.split("\n")
    for place, line in enumerate(lines):
        bare = line.strip(" \t>*")
        if not bare or len(bare) > _LONGEST or ":" not in bare:
            continue
        field, _, value = bare.partition(":")
        speaker, _, said = bare.removesuffix(":").rpartition(" ")
        if field in _FIELDS:
            if _names_somebody(value):
                lines[place] = ""
        elif bare.endswith(":") and (said in _SAYING or " schrieb " in bare):
            before = lines[place - 1].strip(" \t>*") if place else ""
            if not _is_dated(bare) and _is_dated(before) and not before.endswith((".", "!", "?", ":")):
                lines[place - 1] = lines[place] = ""
            elif _is_dated(bare) or _names_somebody(speaker):
                lines[place] = ""
    return "\n".join(lines)


def _is_dated(line: str) -> bool:
    return line.startswith(("On ", "Am ")) and len(line) <= _LONGEST and any(letter.isdigit() for letter in line)


def _names_somebody(said: str) -> bool:
    said = said.strip(" \t*\"'“”")
    words = _LETTERS.findall(said)
    named = _QUOTED_NAME.fullmatch(said) is not None and all(
        word[0].isupper() or word in ("de", "van", "von", "der") for word in words
    )
    return _ADDRESS.search(said) is not None or (named and not all(is_common(word.lower()) for word in words))
