"""A recap as its wiki page structures it: an opening blurb, then sections with sub-sections."""

from dataclasses import dataclass, field
from typing import Literal

SectionKind = Literal["pre-show", "announcements", "recap", "plot", "break", "post-show", "other"]
"""What a section is about (paper, section 3.3); `other` is kept; it counts as plot only among plot parts."""


@dataclass(frozen=True, slots=True)
class RecapSection:
    """One heading or sub-heading of the synopsis, with its text.

    `paragraphs` are cleaned paragraphs and list entries in page order; `sentences` are the same text split by the chosen
    splitter, in order, none empty. `subheading` is "" for text that stands directly under `heading`.
    """

    kind: SectionKind
    heading: str
    subheading: str
    paragraphs: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recap:
    """A recap page. The chunks run over the sections' sentences in order; the blurb is not part of them.

    `infobox` maps a field's label to its values as text, `links` are the wiki's own pages named in the synopsis (deduplicated,
    in order), `categories` the page's categories. Plain-text and Markdown recaps leave the last three empty.
    """

    title: str
    blurb: str
    sections: tuple[RecapSection, ...]
    infobox: dict[str, tuple[str, ...]] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Every sentence of the synopsis, in order."""
        return tuple(sentence for section in self.sections for sentence in section.sentences)
