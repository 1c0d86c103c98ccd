"""Structures a recap page: finds the synopsis and divides it into sections.

Reference: CRD3, section 3.3.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from core.errors import SourceError
from core.text.sentences import SentenceSplitter
from core.transcripts.recaps.kinds import fold_heading, judge_kinds, name_kind
from core.transcripts.recaps.lists import ends_with_stops, find_untold
from core.transcripts.recaps.recap import Recap, RecapSection, SectionKind
from core.wiki.page import Block, RecapPage, is_furniture

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
    "rewards", "see also", "short summary", "soundtrack", "sources", "transcript", "treasure", "trivia", "videos",
    "works cited",
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

    Furniture (`is_furniture`) is left out.

    Of sections beside the show, paragraphs that tell nothing (`find_untold`) are kept, but have no sentences, unless
    `chunk_lists` is set or the page's writer does without full stops. Lists of the plot and of announcements are told: readers
    found turns for 37 of 41 of their entries, and for 2 of 6 of the others.

    Headings below the sub-headings become sub-headings too. A section without text is kept: an empty break section still says
    that there was a break.

    Raises:
        SourceError: the synopsis has no text, or the page has apparatus sections only.
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
    """Collect the paragraphs under each heading and sub-heading.

    A heading gets no draft of its own if all its text stands under sub-headings.
    """
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
