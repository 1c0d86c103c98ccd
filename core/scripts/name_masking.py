"""Replaces characters' names by pronouns, so that vectors compare what happens; who it happens to is compared apart."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.scripts.names import POSSESSIVE, CastConfig, match_people
from core.scripts.people import find_genders
from core.scripts.story import Story
from core.text.sentences import TITLES

_BREAK = re.compile(r"(\s+|[/–—]+|--+)")
_OPENING = "\"'“‘(["
_CLOSING = "\"'”’)].,;:!?…-"
_SOMEONE = ("someone", "someone's")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word, the marks around it, and its possessive; `gap` is what stands before it: a blank, a slash or a dash."""

    gap: str
    opening: str
    bare: str
    possessive: str
    closing: str

    @property
    def ends_name(self) -> bool:
        """Whether no name goes on behind this word. The dot of a title or an initial ends none."""
        if self.closing == "." and (self.bare.casefold() in TITLES or len(self.bare) == 1):
            return False
        return bool(self.possessive or self.closing)

    def show(self, bare: str) -> str:
        """Return the word as it stood, with another one in its place."""
        return f"{self.gap}{self.opening}{bare}{self.closing}"


class NameMask:
    """Replaces names by `he`, `she` or `someone`, and possessives by `his`, `her` or `someone's`.

    The longest windows of capitalised words go first. None runs over a mark or a possessive, and none is taken that matches its
    member better without a word: of `WHEN ANNA BELL SINGS`, only the name is replaced.
    """

    def __init__(self, story: Story, config: CastConfig) -> None:
        """Find the genders of the cast, and of the roles that only the cues name, in the script and its synopsis."""
        self._lengths = sorted(config.window_lengths, reverse=True)
        people, self._matcher = match_people(story, config)
        genders = find_genders(people, story.scenes, story.sentences, self._matcher)
        self._pronouns = {member: ("he", "his") if odds > 0 else ("she", "her") for member, odds in genders.items()}

    def __call__(self, text: str, /) -> str:
        """Return the text with every name replaced. Its first letter is a capital, and white space becomes one blank."""
        words = list(_split(text))
        masked: list[str] = []
        at, before = 0, None
        while at < len(words):
            length, member = self._find_name(words, at)
            last = words[at + length - 1]
            if member is None:
                masked.append(last.show(last.bare + last.possessive))
            else:
                plain, possessive = self._pronouns.get(member, _SOMEONE)
                if member != before:  # a name that is longer than the windows is one name
                    first = words[at]
                    masked.append("")
                masked[-1] = replace(first, closing=last.closing).show(possessive if last.possessive else plain)
            before = None if last.ends_name else member
            at += length
        joined = "".join(masked).strip()
        return joined[:1].upper() + joined[1:]

    def _find_name(self, words: Sequence[_Word], at: int) -> tuple[int, int | None]:
        """Return the length of the name that begins at a word, and its member; 1 and None where none begins there."""
        for length in self._lengths:
            window = words[at : at + length]
            if len(window) < length or not _can_be_name(window):
                continue
            member, similarity = self._rate(window)
            if member is not None and all(
                other != member or better <= similarity for other, better in map(self._rate, _list_parts(window))
            ):
                return length, member
        return 1, None

    def _rate(self, window: Sequence[_Word]) -> tuple[int | None, float]:
        """Return the member whom a window names, and how well; titles before the name do not count against it."""
        member, similarity = self._matcher.rate(" ".join(word.bare for word in window))
        if len(window) > 1 and window[0].bare.casefold() in TITLES:
            other, better = self._rate(window[1:])
            return (member, max(similarity, better)) if other == member else (member, similarity)
        return member, similarity


def _split(text: str) -> Iterator[_Word]:
    gap = ""
    for place, part in enumerate(_BREAK.split(text)):
        if place % 2:
            gap += " " if part.isspace() else part
        elif part:
            opened = part.lstrip(_OPENING)
            core = opened.rstrip(_CLOSING)
            opening, closing = part[: len(part) - len(opened)], opened[len(core) :]
            if core.endswith(POSSESSIVE):
                yield _Word(gap, opening, core[:-2], core[-2:], closing)
            elif not opening and core[-1:] in {"s", "S"} and closing[:1] in {"'", "’"}:  # James' house
                yield _Word(gap, opening, core, closing[0], closing[1:])
            else:
                yield _Word(gap, opening, core, "", closing)
            gap = ""


def _can_be_name(window: Sequence[_Word]) -> bool:
    """Tell whether all words have a capital, and no mark, dash or possessive stands between two of them."""
    return all(word.bare[:1].isupper() for word in window) and all(
        not word.ends_name and after.gap == " " and not after.opening for word, after in pairwise(window)
    )


def _list_parts(window: Sequence[_Word]) -> Iterator[Sequence[_Word]]:
    for length in range(1, len(window)):
        for start in range(len(window) - length + 1):
            yield window[start : start + length]
