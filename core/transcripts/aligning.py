"""Aligns a recap with its episode, and tells whether it is of this episode at all."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.alignment.aligners import EpisodeAlignment, Hearing, align_episode
from core.alignment.spans import Chunk, Order, Role, Span, SummaryOutline
from core.alignment.windows import WindowAligner, WindowAlignment
from core.dialogue import Turn
from core.errors import SourceError
from core.similarity.cosine import Embedder
from core.text.tokens import Tokenizer
from core.transcripts.config import AlignmentConfig, MatchingConfig
from core.transcripts.recaps.recap import Recap, RecapSection, SectionKind, place_sentences
from core.wiki.page_names import find_episode_codes

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

    What sums up the whole of a dialogue is one chunk with all turns, and no confidence: there is nothing to find.
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


@dataclass(frozen=True, slots=True)
class RecapFit:
    """How a recap fits its dialogue: `order` is how it follows it, as far as that had to be found out."""

    order: Order


def rate_fit(aligned: EpisodeAlignment, recap: Recap) -> RecapFit:
    """Return how an aligned recap fits."""
    return RecapFit("held" if recap.independent else aligned.order)


_SECTIONS = 1
"""The grouping of `outline_recap` by section."""


def leave_whole_out(recap: Recap, n_turns: int, config: AlignmentConfig) -> Recap:
    """Return a recap without the sections that sum up the whole dialogue; the only one is aligned where the dialogue is long.

    Several sections each begin anew with the dialogue, so that in a row they could not be aligned in order.
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


_PROBABLE = 0.7
"""Expected F1 from which on a span is counted; a foreign recap has few such spans."""
_PLACEHOLDER = 2
"""The most sentences that stand for a part that is still to be told."""

_EPISODE_FIELD = re.compile(r"(episode|ep\.?|number|no\.?|code)( (number|no\.?|code))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Match:
    """How well a recap fits: the share of the turns that it tells, and the least share that is expected of it."""

    told: float
    least: float
    sentences: int

    def fits(self) -> bool:
        """Tell whether the recap tells enough of the dialogue."""
        return self.told >= self.least


def check_match(
    unit: str, name: str, aligned: Sequence[tuple[Chunk, Span]], recap: Recap, n_turns: int, config: MatchingConfig
) -> None:
    """Check that a recap and a transcript are of one episode; `aligned` are all chunkings of the recap, `name` is its file.

    Raises:
        SourceError: the page names another episode, or tells too little of the dialogue.
    """
    if (named := find_other_episode(unit, recap)) is not None:
        raise SourceError(
            f"{name}: recap and transcript do not match: the page is about episode {named}, the unit is {unit}. Put the recap of "
            f"{unit} in its place, or correct the page"
        )
    match = rate_match(aligned, recap, n_turns, config)
    if match is not None and not match.fits():
        raise SourceError(
            f"{name}: recap and transcript do not match: its {match.sentences} plot sentences find {match.told:.1%} of the turns "
            f"of {unit}, and {match.least:.1%} is the least for so many. Put the recap of {unit} in its place; if it is "
            "the right one, lower matching.least_told"
        )


def rate_match(aligned: Sequence[tuple[Chunk, Span]], recap: Recap, n_turns: int, config: MatchingConfig) -> Match | None:
    """Return how well a recap fits, None where that cannot be told.

    It is the share of the turns that lie in a probable span of one of the smallest chunks of the plot. Of an unfinished page,
    with a part of at most two sentences, as much less is expected. It cannot be told without confidence, nor of few plot
    sentences.
    """
    in_plot = [kind == "plot" for kind in recap.kinds_of_sentences()]
    plot = sum(in_plot)
    rated = [(chunk, span) for chunk, span in aligned if chunk.size and span.confidence is not None]
    if not rated or not config.least_told or plot < config.least_sentences:
        return None
    told = np.zeros(n_turns, np.bool_)
    smallest = min(chunk.size for chunk, _ in rated)
    for chunk, span in rated:
        if chunk.size != smallest or not in_plot[chunk.first_sentence]:
            continue
        if span.start is not None and span.end is not None and span.score >= _PROBABLE:
            told[span.start : span.end + 1] = True
    least = min(config.least_told, config.told_by_sentence * plot)
    return Match(float(told.mean()), least * _count_told_parts(recap), plot)


def _count_told_parts(recap: Recap) -> float:
    """Return the share of the plot's parts (before the break, after it) that have more text than a placeholder."""
    parts: Counter[int] = Counter()
    for number, section in zip(number_parts(recap.sections), recap.sections, strict=True):
        if section.kind == "plot":
            parts[number] += len(section.sentences)
    told = sum(count > _PLACEHOLDER for count in parts.values())
    return told / len(parts) if told else 1.0


def find_other_episode(unit: str, recap: Recap) -> str | None:
    """Return the code of the episode that a page is about, if that is another than the unit's; None if it names no episode.

    The title decides, then the infobox. `C1E40` is `C1E040`, and `1x40` too. Several different codes in one place say nothing.
    """
    own = {(code.season, code.episode) for code in find_episode_codes([unit])}
    if len(own) != 1:
        return None
    fields = [value for label, values in recap.infobox.items() if _EPISODE_FIELD.fullmatch(label) for value in values]
    for texts in ([recap.title], fields):
        codes = list(find_episode_codes(texts))
        if len({(code.season, code.episode) for code in codes}) == 1:
            return None if (codes[0].season, codes[0].episode) in own else codes[0].spelling
    return None
