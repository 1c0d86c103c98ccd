"""A structured recap: an opening blurb, then sections with sub-sections."""

from dataclasses import dataclass, field
from typing import Literal

SectionKind = Literal["pre-show", "announcements", "recap", "plot", "break", "post-show", "other"]
"""The kind of a section (CRD3, section 3.3). `other` is our addition: a section of no known kind outside the plot parts."""


@dataclass(frozen=True, slots=True)
class RecapSection:
    """One heading or sub-heading of the synopsis, with its text.

    `paragraphs` are the cleaned paragraphs and list entries in page order. `untold` are the numbers of those that tell nothing:
    entries of lists and lines that head others, without a sentence. `sentences` are the sentences of all other paragraphs in
    order, none of them empty. `subheading` is "" for text directly under `heading`.
    """

    kind: SectionKind
    heading: str
    subheading: str
    paragraphs: tuple[str, ...]
    sentences: tuple[str, ...]
    untold: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Recap:
    """A recap page. Chunks are made from the sentences of the sections, in order. The blurb and untold paragraphs are in none.

    `infobox` maps a field's label to its values as text. `links` are the titles of the wiki's own pages that the synopsis links
    to, in order and without repeats. `categories` are the page's categories. These three are empty for plain text and Markdown.
    """

    title: str
    blurb: str
    sections: tuple[RecapSection, ...]
    infobox: dict[str, tuple[str, ...]] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()

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
