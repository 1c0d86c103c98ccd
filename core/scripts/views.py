"""Formats dialogue as input for a model (the input views of SumTitles), and removes names from a synopsis.

Reference: SumTitles, sections 6 and 6.3.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal, NamedTuple

from core.dialogue import Turn
from core.scripts.names import list_name_parts
from core.scripts.story import CastMember, Scene
from core.text.sentences import TITLES

View = Literal["plain", "speakers", "separators", "both"]
START, MIDDLE, END = "[START]", "[SEP]", "[END]"
"""The separator tokens: before an utterance, between speaker and utterance, and after it."""


class Line(NamedTuple):
    """A turn as a model sees it: who speaks ("" where nobody is named), and what is said."""

    speaker: str
    text: str


_UNNAMED = TITLES | {"the", "a", "an", "of", "and", "or", "to", "de", "la", "le", "von", "van", "der", "miss", "sir"}
"""Words that are part of a name but do not name anybody alone."""
_TITLE = rf"(?:(?:{'|'.join(sorted(word.capitalize() for word in TITLES | {'miss', 'sir'}))})\.?\s+)?"
_NO_NAME_WORDS = """
i you he she it we they me him her us them my your his its our their mine yours the a an this that these those there here what who
how why when where if not no be been am are do does did have
"""
_NO_NAME_BEFORE = frozenset(_NO_NAME_WORDS.split())
"""Before these words, the first word of a sentence is no name: `Will she come?`, `Mark my words`."""
_OF_NAMES = re.compile(r"(?:\w+(?:s|ed)|and|who|then|also|had|goes|tells|is|was|has)\b")
"""Before these words, a word that is both a name and an ordinary word is a name: `Will opens the door`."""
_SENTENCE_START = re.compile(r"(?:^|[.!?:;…][\"”’')\]]*\s|[\"“‘(\[])\s*$")
_ARTICLE = re.compile(r"\b(?:the|a|an|this|that|every|each|some|two|three)\s+$", re.IGNORECASE)
_LOWER = re.compile(r"(?<![\w'’-])[a-z][a-z'’-]*")


@dataclass(frozen=True, slots=True)
class Element:
    """A part of a scene: its heading, a speech or a paragraph of action. Only a speech has speakers."""

    kind: Literal["heading", "speech", "action"]
    speakers: tuple[str, ...]
    text: str


def show_line(line: Line, view: View) -> str:
    """Return one turn as the view shows it; without a speaker's name only the text is shown (SumTitles, section 6.3)."""
    if view == "plain" or (view == "speakers" and not line.speaker):
        return line.text
    if view == "speakers":
        return f"{line.speaker.upper()}: {line.text}"
    if view == "separators" or not line.speaker:
        return f"{START} {line.text} {END}"
    return f"{START} {line.speaker} {MIDDLE} {line.text} {END}"


def list_lines(turns: Iterable[Turn]) -> list[Line]:
    """Return turns as a model sees them; joint speakers are one name with commas."""
    return [Line(", ".join(turn.speakers), turn.text) for turn in turns]


def show_dialogue(lines: Sequence[Line], view: View) -> str:
    """Return a dialogue as the view shows it: its turns, joined by one space."""
    return " ".join(show_line(line, view) for line in lines)


def list_elements(scenes: Iterable[Scene]) -> list[Element]:
    """Return headings, speeches (remarks in brackets at their places) and action in the order of the script.

    Where a scene does not say where its action stands, the action comes before the speeches.
    """
    found: list[Element] = []
    for scene in scenes:
        if scene.heading:
            found.append(Element("heading", (), scene.heading))
        places = scene.narration_places or (0,) * len(scene.narration)
        spoken = scene.spoken or ("",) * len(scene.turns)
        told = [(place, 0, Element("action", (), text)) for place, text in zip(places, scene.narration, strict=True)]
        said = [
            (number, 1, Element("speech", turn.speakers, marked or turn.text))
            for number, (turn, marked) in enumerate(zip(scene.turns, spoken, strict=True))
        ]
        found += [element for _, _, element in sorted(told + said, key=itemgetter(0, 1))]
    return found


def join_with_action(elements: Iterable[Element]) -> str:
    """Join the elements as `SPEAKER: words`, with headings and action in square brackets."""
    return " ".join(
        (f"{', '.join(each.speakers).upper()}: {each.text}" if each.speakers else each.text)
        if each.kind == "speech"
        else f"[{each.text.strip('[] ')}]"
        for each in elements
    )


def list_script_words(scenes: Iterable[Scene]) -> frozenset[str]:
    """Return the words that a script has in lower case: its ordinary words."""
    texts = (text for scene in scenes for text in (*(turn.text for turn in scene.turns), *scene.narration))
    return frozenset(word for text in texts for word in _LOWER.findall(text))


def list_speakers(scenes: Iterable[Scene]) -> tuple[CastMember, ...]:
    """Return the speakers of a script as a cast list; names in capitals become as in running text (`ADA QUILL`: Ada Quill)."""
    names = dict.fromkeys(speaker for scene in scenes for turn in scene.turns for speaker in turn.speakers)
    return tuple(CastMember(" ".join(map(_capitalise, name.split())) if name.isupper() else name) for name in names)


def remove_names(sentences: Sequence[str], cast: Sequence[CastMember], ordinary: frozenset[str]) -> tuple[str, ...]:
    """Remove the cast's names from the sentences of a synopsis where they stand as names; `ordinary` are the script's own words.

    Names are full names, alter egos and parts of them; a title before a name, a possessive `'s` and brackets that become empty go
    too. A single word is ambiguous at the start of a sentence, and after an article. There it stays where the next word rules a
    name out (`Mark my words`), where the synopsis has it in lower case, and, of ordinary words, where neither a possessive 's nor
    a verb says that it is a name (`Will Ada come?`, but not `Will comes`).
    """
    pattern = _match_names(cast)
    small = frozenset(word for sentence in sentences for word in _LOWER.findall(sentence))

    def judge(match: re.Match[str]) -> str:
        return "" if _is_name(match, small, ordinary) else match[0]

    return tuple(sentences) if pattern is None else tuple(_tidy(pattern.sub(judge, sentence)) for sentence in sentences)


def _is_name(match: re.Match[str], small: frozenset[str], ordinary: frozenset[str]) -> bool:
    text, word = match[0], match[0].lower()
    if " " in text:
        return True
    before, after = match.string[: match.start()], match.string[match.end() :]
    word, possessive = (word[:-2], True) if word.endswith(("'s", "’s")) else (word, False)
    if _SENTENCE_START.search(before) is None:
        return not (word in small | ordinary and _ARTICLE.search(before))
    follower = re.match(r"\s+([\w'’]+)", after)
    if follower is not None and follower[1].lower() in _NO_NAME_BEFORE and not possessive:
        return False
    if word in small:
        return False
    named = possessive or (follower is not None and _OF_NAMES.fullmatch(follower[1]) is not None)
    return word not in ordinary or named


def _capitalise(word: str) -> str:
    return "-".join(part.capitalize() for part in word.split("-"))


def _match_names(cast: Sequence[CastMember]) -> re.Pattern[str] | None:
    """Return the pattern of the names of a cast: whole, in part, and word by word."""
    names = {" ".join(name.split()) for member in cast for name in (member.name, *member.alter_egos)} - {""}
    words = {word for name in names for word in re.findall(r"\w[\w'’-]*", name)}
    words = {word for word in words if len(word) > 1 and word[0].isupper() and word.lower() not in _UNNAMED}
    runs = {run for member in cast for run in list_name_parts(member) if " " in run}
    alternatives = sorted(names | words | runs, key=len, reverse=True)
    if not alternatives:
        return None
    return re.compile(rf"(?<!\w){_TITLE}(?:{'|'.join(map(re.escape, alternatives))})(?:['’]s)?(?!\w)")


def _tidy(text: str) -> str:
    text = re.sub(r"\(\s*\)|\[\s*\]|\"\s*\"|“\s*”", "", text)
    text = re.sub(r"([(\[“])\s+", r"\1", text)
    return re.sub(r"\s+([,.;:!?)\]])", r"\1", re.sub(r"\s+", " ", text)).strip(" ,;")
