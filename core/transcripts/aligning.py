"""Aligns a recap with its episode."""

from collections.abc import Sequence
from dataclasses import replace

from core.alignment.aligners import EpisodeAlignment, Hearing, align_episode
from core.alignment.spans import Chunk, Order, Role, Span, SummaryOutline
from core.alignment.windows import WindowAligner, WindowAlignment
from core.dialogue import Turn
from core.similarity.cosine import Embedder
from core.text.tokens import Tokenizer
from core.transcripts.config import AlignmentConfig
from core.transcripts.recaps.recap import Recap, RecapSection, SectionKind, place_sentences

_ROLES: dict[SectionKind, Role] = {
    "recap": "retold",
    "pre-show": "aside",
    "announcements": "aside",
    "break": "unspoken",
    "post-show": "unspoken",
}


def align_recap_text(
    turns: Sequence[Turn],
    recap: Recap,
    config: AlignmentConfig,
    tokenizer: Tokenizer,
    embedder: Embedder | None = None,
    hear: Hearing | None = None,
) -> EpisodeAlignment:
    """Align an episode's recap with its turns, and with what a reader says of it.

    A section that sums up the whole dialogue is one chunk with all turns and no confidence: there is nothing to find.
    """
    texts, parts = [turn.text for turn in turns], leave_whole_out(recap, len(turns), config)
    found = align_episode(texts, parts.sentences, config, tokenizer, embedder, outline_recap(parts), hear)
    whole: list[tuple[Chunk, Span]] = []
    before, first = sum(chunk.size == 0 and chunk.offset == _SECTIONS for chunk, _ in found.pairs), len(parts.sentences)
    for index, section in enumerate(recap.sections[len(parts.sections) :], before):
        last = first + len(section.sentences) - 1
        if section.sentences:
            chunk = Chunk(0, _SECTIONS, index, first, last, " ".join(section.sentences))
            whole.append((chunk, Span(0, len(turns) - 1, 1.0)))
        first = last + 1
    return replace(found, pairs=(*found.pairs, *whole))


_SECTIONS = 1
"""The grouping of `outline_recap` by section."""


def leave_whole_out(recap: Recap, n_turns: int, config: AlignmentConfig) -> Recap:
    """Return a recap without the sections that sum up the whole dialogue; a recap's only section stays if the dialogue is long.

    Several such sections cannot be aligned in order one after another: each starts again where the dialogue begins.
    """
    if len(recap.sections) == 1 and n_turns > config.whole_turns:
        return replace(recap, whole=0)
    return replace(recap, sections=recap.sections[: len(recap.sections) - recap.whole], whole=0)


def locate_recap(turns: Sequence[Turn], recap: Recap, config: AlignmentConfig) -> WindowAlignment:
    """Locate the sentences of a recap (at least one) in an episode's turns (at least one), as the windows aligner does."""
    return WindowAligner([turn.text for turn in turns], config.windows).locate(recap.sentences, outline_recap(recap))


def outline_recap(recap: Recap) -> SummaryOutline:
    """Return the outline of a recap for the aligner; its groupings are by paragraph, and by section or sub-section."""
    roles: list[Role] = []
    paragraphs: list[int] = []
    sections: list[int] = []
    parts: list[int] = []
    section_parts = number_parts(recap.sections)
    for number, section in enumerate(recap.sections):
        first = paragraphs[-1] + 1 if paragraphs else 0
        roles += [_ROLES.get(section.kind, "story")] * len(section.sentences)
        paragraphs += [first + place for place in place_sentences(section)]
        sections += [number] * len(section.sentences)
        parts += [section_parts[number]] * len(section.sentences)
    n_parts = section_parts[-1] + 1 if parts else 1
    order: Order | None = "sections" if recap.independent else None
    return SummaryOutline(tuple(roles), (tuple(paragraphs), tuple(sections)), tuple(parts), n_parts, tuple(sections), order)


def number_parts(sections: Sequence[RecapSection]) -> list[int]:
    """Return each section's part of the story, counted from 0; a break between plot sections, also empty ones, starts one."""
    last_plot = max((number for number, section in enumerate(sections) if section.kind == "plot"), default=-1)
    part, numbers, told = 0, [], False
    for number, section in enumerate(sections):
        if section.kind == "break" and told and number < last_plot:
            part, told = part + 1, False
        told = told or section.kind == "plot"
        numbers.append(part)
    return numbers
