"""A structured recap: an opening blurb, then sections of known kinds; and how it is made of a page.

Reference: CRD3, section 3.3 (pre-show and announcements, recap, plot parts, break, post-show).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal

from core.errors import SourceError
from core.text.sentences import SentenceSplitter
from core.wiki.page import Block, RecapPage, is_furniture

SectionKind = Literal["pre-show", "announcements", "recap", "plot", "break", "post-show", "other"]
"""The kind of a section (CRD3, section 3.3). `other` is our addition: a section of no known kind outside the plot parts."""


@dataclass(frozen=True, slots=True)
class RecapSection:
    """One heading or sub-heading ("" for text directly under the heading) of the synopsis, with its text.

    `untold` are the numbers of the paragraphs that tell nothing: entries of lists and lines that head others, without a sentence.
    `sentences` are those of all other paragraphs.
    """

    kind: SectionKind
    heading: str
    subheading: str
    paragraphs: tuple[str, ...]
    sentences: tuple[str, ...]
    untold: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Recap:
    """A recap page. Chunks are made from the sentences of the sections; the blurb and untold paragraphs are in none.

    `links` are the titles of the wiki's own pages that the synopsis links to. Infobox, links and categories are empty for plain
    text. The last `whole` sections sum up the whole dialogue, each by itself. `independent`: the others are answers to
    questions, each about any part of it.
    """

    title: str
    blurb: str
    sections: tuple[RecapSection, ...]
    infobox: dict[str, tuple[str, ...]] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    whole: int = 0
    independent: bool = False

    @property
    def sentences(self) -> tuple[str, ...]:
        """Every sentence that the synopsis tells, in order."""
        return tuple(sentence for section in self.sections for sentence in section.sentences)

    def kinds(self) -> list[SectionKind]:
        """Return the kind of each section. On a page without a plot section, sections of no known kind tell the plot."""
        plotless = all(section.kind != "plot" for section in self.sections)
        return ["plot" if plotless and section.kind == "other" else section.kind for section in self.sections]

    def kinds_of_sentences(self) -> list[SectionKind]:
        """Return the kind of each sentence, by its section."""
        return [kind for section, kind in zip(self.sections, self.kinds(), strict=True) for _ in section.sentences]


def place_sentences(section: RecapSection) -> list[int]:
    """Return for each sentence of a section its paragraph, from 0; splitters change white space only, so letters are counted."""
    places: list[int] = []
    ends = [0]
    for number, paragraph in enumerate(section.paragraphs):  # no sentence begins in a paragraph that tells nothing
        ends.append(ends[-1] + (0 if number in section.untold else _letters(paragraph)))
    at, place = 0, 0
    for sentence in section.sentences:
        while place < len(section.paragraphs) - 1 and at >= ends[place + 1]:
            place += 1
        places.append(place)
        at += _letters(sentence)
    return places


def _letters(text: str) -> int:
    return sum(len(word) for word in text.split())


def hide_recap(recap: Recap, hide: Callable[[str], str]) -> Recap:
    """Return a recap with hidden texts, also in its title, infobox, links and categories. It keeps its sentences."""
    return Recap(
        hide(recap.title),
        hide(recap.blurb),
        tuple(_hide_section(section, hide) for section in recap.sections),
        {hide(label): tuple(map(hide, values)) for label, values in recap.infobox.items()},
        tuple(map(hide, recap.links)),
        tuple(map(hide, recap.categories)),
        recap.whole,
        recap.independent,
    )


def _hide_section(section: RecapSection, hide: Callable[[str], str]) -> RecapSection:
    sentences = tuple(map(hide, section.sentences))
    told: defaultdict[int, list[str]] = defaultdict(list)
    for place, sentence in zip(place_sentences(section), sentences, strict=True):
        told[place].append(sentence)
    # Joined from the hidden sentences: `place_sentences` finds these in a paragraph by their letters.
    paragraphs = (
        " ".join(told[number]) if number in told else hide(paragraph) for number, paragraph in enumerate(section.paragraphs)
    )
    heading, subheading = hide(section.heading), hide(section.subheading)
    return replace(section, heading=heading, subheading=subheading, paragraphs=tuple(paragraphs), sentences=sentences)


_KINDS: tuple[tuple[SectionKind, re.Pattern[str]], ...] = (
    ("pre-show", re.compile(r"pre ?(?:show|game|stream)\b|before the (?:show|game)\b")),
    ("announcements", re.compile(r"announcements?\b|housekeeping$|sponsors?$")),
    ("recap", re.compile(r"recap\b|previously\b|last (?:time|week|session)\b|the story so far$")),
    ("plot", re.compile(r"part (?:[ivx]+|\d+|one|two|three|four|five)\b|(?:first|second) half$")),
    ("break", re.compile(r"(?:mid show |the )?break$|intermission$")),
    ("post-show", re.compile(r"post ?(?:show|game|episode|stream|credits)\b|after(?:word| the (?:show|game))\b|q (?:and )?a$")),
)
_OPENING = ("pre-show", "announcements", "recap")


def fold_heading(text: str) -> str:
    """Return the words of a heading in lower case, without punctuation and separated by one space."""
    return " ".join(re.findall(r"\w+", text.lower()))


def name_kind(heading: str) -> SectionKind:
    """Return the kind of a section by its heading alone; `other` if the heading names no kind."""
    folded = fold_heading(heading)
    return next((kind for kind, pattern in _KINDS if pattern.match(folded)), "other")


def judge_kinds(headings: Sequence[str]) -> list[SectionKind]:
    """Return the kind of each section of a synopsis, by its heading and its place.

    A heading that names no kind is `plot` among the plot parts, which run from the first "Part N" to the last "Part N" or break,
    or else from the end of the pre-show, announcements and recap to the post-show; elsewhere it is `other`.
    """
    kinds = [name_kind(heading) for heading in headings]
    if "plot" in kinds:
        start = kinds.index("plot")
        end = max(number for number, kind in enumerate(kinds) if kind in ("plot", "break"))
    else:
        start = max((number + 1 for number, kind in enumerate(kinds) if kind in _OPENING), default=0)
        end = kinds.index("post-show") if "post-show" in kinds else len(kinds)
    return ["plot" if kind == "other" and start <= number < end else kind for number, kind in enumerate(kinds)]


MAX_ENTRY_WORDS = 12
"""A longer paragraph without a full stop is taken for a sentence whose writer forgot it."""

_SENTENCE_END = re.compile(r"""[.!?…。！？]["'”’»)\]*]*(?:\s|$)""")


def find_untold(paragraphs: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the paragraphs that tell nothing (0-based, in order).

    A paragraph tells nothing if no sentence ends in it and it has at most 12 words, or ends with a colon: a name in a list of
    credits, a title, "Also shown:".
    """
    return tuple(
        number
        for number, text in enumerate(paragraphs)
        if not _SENTENCE_END.search(text) and (len(text.split()) <= MAX_ENTRY_WORDS or text.endswith((":", "：")))
    )


def ends_with_stops(paragraphs: Sequence[str]) -> bool:
    """Tell whether paragraphs with a full stop hold most of the words; else an entry of a list looks like a sentence."""
    words = [(len(text.split()), bool(_SENTENCE_END.search(text))) for text in paragraphs]
    return 2 * sum(count for count, stopped in words if stopped) > sum(count for count, _ in words)


SYNOPSIS_NAMES = (
    "detailed synopsis", "full synopsis", "long synopsis", "synopsis", "episode synopsis", "plot synopsis",
    "detailed summary", "full summary", "long summary", "detailed plot", "plot", "plot summary", "episode summary", "summary",
)  # fmt: skip
"""Headings of the synopsis, the most reliable first; compared without case and punctuation. Of two summaries on a page the
longer one tells the episode."""

APPARATUS_NAMES = frozenset((
    "appearances", "behind the scenes", "bibliography", "cast", "cast and crew", "characters", "contents", "continuity",
    "credits", "cultural references", "errata", "external links", "fan art", "featured characters", "footnotes",
    "further reading", "gallery", "gallery of events", "goofs", "in other languages", "inventory", "locations", "loot", "media",
    "music", "navigation", "notes", "npcs", "production", "quotations", "quotes", "reception", "references", "related articles",
    "rewards", "see also", "short summary", "soundtrack", "sources", "transcript", "treasure", "trivia", "videos", "works cited",
))  # fmt: skip
"""Top-level headings of sections that never belong to a recap. They are left out of a page without a synopsis heading."""


@dataclass(slots=True)
class _Draft:
    number: int
    heading: str
    subheading: str
    paragraphs: list[str] = field(default_factory=list)


_BESIDE_THE_SHOW: frozenset[SectionKind] = frozenset({"pre-show", "break", "post-show"})
"""Kinds of sections whose lists are credits and adverts' titles."""


def structure_page(name: str, page: RecapPage, splitter: SentenceSplitter, chunk_lists: bool = False) -> Recap:
    """Find a page's synopsis and divide it into sections.

    The synopsis is the text under the first heading of `SYNOPSIS_NAMES` that has text. On a page without such a heading, all
    top-level sections are read except those of `APPARATUS_NAMES`. They are all `other`, unless the heading of at least one of
    them names its kind. Text before the first heading is the blurb. A page without any heading is one plot section.

    Of sections beside the show, paragraphs that tell nothing (`find_untold`) have no sentences, unless `chunk_lists` is set or
    the page's writer does without full stops. Lists of the plot and of announcements are told: readers found turns for 37 of 41
    of their entries, and for 2 of 6 of the others. An empty section is kept: it still says that there was a break.
    """
    blocks = [block for block in page.blocks if block.level or not is_furniture(block.text)]
    first = next((number for number, block in enumerate(blocks) if block.level), len(blocks))
    blurb, body = " ".join(block.text for block in blocks[:first]), blocks[first:]
    found = False
    if body:
        found, body = _find_synopsis(body)
    elif blocks:
        found, blurb, body = True, "", [Block(1, ""), *blocks]
    drafts = _draft_sections(body)
    if not any(draft.paragraphs for draft in drafts):
        found_headings = ", ".join(map(repr, page.headings[:20])) or "no heading"
        paragraphs = sum(not block.level for block in page.blocks)
        raise SourceError(
            f"{name}: no synopsis with text: found {found_headings} and {paragraphs} paragraphs; expected a heading such as "
            "'Synopsis' or 'Plot' with paragraphs under it; check that this page is a recap"
        )
    headings = list({draft.number: draft.heading for draft in drafts}.values())
    kinds = judge_kinds(headings)
    if not {"plot", "other"} & {*kinds}:  # a page with the one section "Recap" recaps its own episode
        kinds = ["plot" if fold_heading(heading) == "recap" else kind for heading, kind in zip(headings, kinds, strict=True)]
    if not found and all(name_kind(heading) == "other" for heading in headings):
        kinds = ["other"] * len(headings)
    every = [paragraph for draft in drafts for paragraph in draft.paragraphs]
    look = not chunk_lists and ends_with_stops(every)
    sections = tuple(_make_section(kinds[draft.number], draft, splitter, look) for draft in drafts)
    links = tuple(dict.fromkeys(chain.from_iterable(block.links for block in body)))
    return Recap(page.title, blurb, sections, dict(page.infobox), links, page.categories)


def _make_section(kind: SectionKind, draft: _Draft, splitter: SentenceSplitter, look_for_lists: bool) -> RecapSection:
    untold = find_untold(draft.paragraphs) if look_for_lists and kind in _BESIDE_THE_SHOW else ()
    told = (paragraph for number, paragraph in enumerate(draft.paragraphs) if number not in untold)
    sentences = tuple(chain.from_iterable(map(splitter, told)))
    return RecapSection(kind, draft.heading, draft.subheading, tuple(draft.paragraphs), sentences, untold)


def _find_synopsis(blocks: Sequence[Block]) -> tuple[bool, list[Block]]:
    """Return whether there is a synopsis heading, and the blocks of the synopsis. `blocks` must start with a heading."""
    for wanted in SYNOPSIS_NAMES:
        for start, block in enumerate(blocks):
            if block.level and fold_heading(block.text) == wanted:
                ends = (number for number in range(start + 1, len(blocks)) if 0 < blocks[number].level <= block.level)
                inside = blocks[start + 1 : next(ends, len(blocks))]
                if any(not inner.level for inner in inside):
                    return True, _keep_own_text(block, inside)
    top = min(block.level for block in blocks if block.level)
    body: list[Block] = []
    wanted_section = True
    for block in blocks:
        if block.level == top:
            wanted_section = fold_heading(block.text) not in APPARATUS_NAMES
        if wanted_section:
            body.append(block)
    return False, body


def _keep_own_text(heading: Block, inside: Sequence[Block]) -> list[Block]:
    """Drop the synopsis heading, unless text stands directly under it; that text is then a section with this heading."""
    if inside[0].level:
        return list(inside)
    top = min((block.level for block in inside if block.level), default=heading.level)
    return [Block(top, heading.text), *inside]


def _draft_sections(body: Sequence[Block]) -> list[_Draft]:
    """Collect the paragraphs under each heading and sub-heading; a heading without text of its own gets no draft."""
    top = min((block.level for block in body if block.level), default=1)
    drafts: list[_Draft] = []
    number = -1
    for block in body:
        if not drafts or block.level == top:
            number += 1
            drafts.append(_Draft(number, block.text if block.level else "", ""))
            if block.level:
                continue
        if not block.level:
            drafts[-1].paragraphs.append(block.text)
            continue
        last = drafts[-1]
        if not last.subheading and not last.paragraphs:
            drafts.pop()
        drafts.append(_Draft(last.number, last.heading, block.text))
    return drafts
