"""Reads books and other long texts into scenes: chapters, or groups of paragraphs. Quoted speech becomes turns.

Reference: SumTitles, section 7: "the proposed algorithm could be applied to other domains, such as fiction books".
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from core.bounds import PositiveCount
from core.dialogue import Turn
from core.errors import SourceError
from core.scripts.story import Scene

_NUMBER = (
    r"(?:\d{1,4}|[IVXLCDM]{1,8}|[ivxlcdm]{1,8}|(?i:the\s)?(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    r"twenty|thirty|forty|first|second|third|fourth|fifth|last)(?:[- ]\w{3,6})?)"
)
_CHAPTER = re.compile(
    rf"(?:CHAPTER|Chapter|BOOK|Book|PART|Part|STAVE|Stave|LETTER|Letter|CANTO|Canto|VOLUME|Volume|ACT|Act)\s{{1,4}}{_NUMBER}\b(?!['’,])"
    r"(?:\s{0,4}[.:–—-].{0,90}|\s{1,4}[^a-z\s].{0,90})?"
    r"|(?:PROLOGUE|Prologue|EPILOGUE|Epilogue|PREFACE|Preface|INTRODUCTION|Introduction|FOREWORD|AFTERWORD)\.?"
    r"|[IVXLC]{1,7}\.?(?:\s{1,4}[A-Z][^a-z]{0,80})?"
    r"|\d{1,3}\.?"
)
_MARKDOWN = re.compile(r"#{1,6}\s{1,4}\S.{0,150}")
_BOILERPLATE = re.compile(r"\*\*\* ?(START|END) OF (?:THE|THIS) PROJECT GUTENBERG[^\n]{0,200}")
_QUOTATION = re.compile(r"“([^“”]{1,20000})(?:”|$)|\"([^\"]{1,20000})(?:\"|$)")
# British single quotes. A straight opening quote is told from an apostrophe by the capital after it.
_SINGLE_OPENING = re.compile(r"(?<!\w)(?:‘|'(?=[^\W\d_a-z]|[…—-]))")
_SINGLE_CLOSING = re.compile(r"(?<=[,.!?…—–-])[’'](?!\w)")
_MAX_SINGLE = 2001  # characters of a quotation in single quotes
_ENDS_SPEECH = tuple(",.!?…—–-;:*'’)")


@dataclass(frozen=True, slots=True)
class LongTextConfig:
    """How a long text becomes scenes: chapters if at least `min_chapters` have text, or groups of `paragraph_words` words."""

    scenes: Literal["auto", "chapters", "paragraphs"] = "auto"
    min_chapters: PositiveCount = 2
    paragraph_words: PositiveCount = 400


def read_long_text(name: str, text: str, config: LongTextConfig | None = None) -> tuple[Scene, ...]:
    """Read a long text into scenes.

    The quotations of a paragraph form one turn of an unknown speaker (`speakers` is empty). The rest of the paragraph is
    narration. Single quotes mark speech only in a paragraph without double quotes. Quoted words inside a sentence are not speech.
    """
    config = config or LongTextConfig()
    sections = _split_chapters(_strip_boilerplate(text))
    filled = [(heading, paragraphs) for heading, paragraphs in sections if paragraphs]
    if not filled:
        raise SourceError(f"{name}: no words; expected a text in paragraphs. Remove the file or export it again")
    chapters = sum(heading != "" for heading, _ in filled)
    if config.scenes == "chapters" and chapters < config.min_chapters:
        raise SourceError(
            f"{name}: found {chapters} chapter heading(s) with text below; expected {config.min_chapters} or more, such as "
            "`CHAPTER I`, `Chapter 1`, `II.` or `# Title` between blank lines; add them, or set scenes to paragraphs"
        )
    if config.scenes == "paragraphs" or chapters < config.min_chapters:
        paragraphs = [paragraph for _, section in filled for paragraph in section]
        filled = [("", group) for group in _group(paragraphs, config.paragraph_words)]
    scenes: list[Scene] = []
    turns = 0
    for index, (heading, paragraphs) in enumerate(filled):
        scene = _read_scene(index, heading, paragraphs, turns)
        turns += len(scene.turns)
        scenes.append(scene)
    return tuple(scenes)


def _strip_boilerplate(text: str) -> str:
    """Return the text between Project Gutenberg's start and end marks, or the whole text if it has no marks."""
    start, end = 0, len(text)
    for match in _BOILERPLATE.finditer(text):
        if match[1] == "START":
            start = match.end()
        else:
            end = match.start()
            break
    return text[start:end]


def _split_chapters(text: str) -> list[tuple[str, list[str]]]:
    """Return each chapter heading with its paragraphs; the text before the first heading has the heading ""."""
    sections: list[tuple[str, list[str]]] = [("", [])]
    for block in _split_blocks(text):
        first = block[0]
        if _MARKDOWN.fullmatch(first):
            sections.append((first.lstrip("# ").strip(), []))
            block = block[1:]
        elif len(block) <= 2 and _CHAPTER.fullmatch(first) and (len(block) == 1 or len(block[1]) < 80):
            sections.append((" ".join(block), []))
            block = []
        if block:
            sections[-1][1].append(" ".join(block))
    return sections


def _split_blocks(text: str) -> list[list[str]]:
    """Return the paragraphs, each as a list of lines. If blank lines are rare, every line is a paragraph."""
    rows = [" ".join(row.split()) for row in text.split("\n")]
    full = sum(map(bool, rows))
    if len(rows) - full < 0.02 * full:
        return [[row] for row in rows if row]
    return [list(block) for full, block in groupby(rows, key=bool) if full]


def _group(paragraphs: list[str], words: int) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    size = 0
    for paragraph in paragraphs:
        if size >= words:
            groups.append([])
            size = 0
        groups[-1].append(paragraph)
        size += paragraph.count(" ") + 1
    return groups


def _read_scene(index: int, heading: str, paragraphs: list[str], first_turn: int) -> Scene:
    turns: list[Turn] = []
    narration: list[str] = []
    places: list[int] = []
    for paragraph in paragraphs:
        spoken, rest = _part_speech(paragraph)
        if spoken:
            turns.append(Turn(first_turn + len(turns), (), spoken, "", paragraph))
        if any(map(str.isalnum, rest)):
            narration.append(rest)
            places.append(len(turns))
    return Scene(index, index, heading, tuple(turns), tuple(narration), tuple(places))


def _find_single_quotations(paragraph: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each quotation begins and ends, and its words; in it no other one opens. Runs in linear time."""
    closings = [match.start() for match in _SINGLE_CLOSING.finditer(paragraph)]
    place = 0
    for opening in _SINGLE_OPENING.finditer(paragraph):
        first = opening.end()
        number = bisect_left(closings, first + 2)
        if opening.start() < place or number == len(closings) or closings[number] - first > _MAX_SINGLE:
            continue
        closing = closings[number]
        if paragraph.find("‘", first, closing - 1) < 0:
            yield opening.start(), closing + 1, paragraph[first:closing]
            place = closing + 1


def _part_speech(paragraph: str) -> tuple[tuple[str, ...], str]:
    """Separate the quoted speech of a paragraph from the rest: return the quotations and the rest."""
    spoken: list[str] = []
    rest: list[str] = []
    end = 0
    double = ((match.start(), match.end(), match[1] or match[2]) for match in _QUOTATION.finditer(paragraph))
    for start, stop, words in double if '"' in paragraph or "“" in paragraph else _find_single_quotations(paragraph):
        quotation = words.strip()
        if not any(map(str.isalnum, quotation)) or not (start == 0 or quotation.endswith(_ENDS_SPEECH)):
            continue
        spoken.append(quotation)
        rest.append(paragraph[end:start])
        end = stop
    rest.append(paragraph[end:])
    return tuple(spoken), " ".join(" ".join(rest).split())
