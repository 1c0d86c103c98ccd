"""Aligns a recap with its episode. The aligner gets the recap's sentences together with their sections and paragraphs."""

from collections.abc import Sequence

from core.alignment.aligners import EpisodeAlignment, align_episode
from core.alignment.summary_outline import Role, SummaryOutline
from core.dialogue import Turn
from core.similarity.cosine import Embedder
from core.text.tokens import Tokenizer
from core.transcripts.config import AlignmentConfig
from core.transcripts.recaps.recap import Recap, RecapSection, SectionKind

_ROLES: dict[SectionKind, Role] = {
    "recap": "retold",
    "pre-show": "aside",
    "announcements": "aside",
    "break": "unspoken",
    "post-show": "unspoken",
}


def align_recap_text(
    turns: Sequence[Turn], recap: Recap, config: AlignmentConfig, tokenizer: Tokenizer, embedder: Embedder | None = None
) -> EpisodeAlignment:
    """Align an episode's recap with its turns.

    Raises:
        ConfigError: `core.alignment.aligners.check_config` refuses the settings.
    """
    return align_episode([turn.text for turn in turns], recap.sentences, config, tokenizer, embedder, outline_recap(recap))


def outline_recap(recap: Recap) -> SummaryOutline:
    """Return the outline of a recap for the aligner.

    The outline gives for every sentence its role (from the kind of its section), its part of the story, and its group in two
    groupings: by paragraph, and by section or sub-section.
    """
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
    return SummaryOutline(tuple(roles), (tuple(paragraphs), tuple(sections)), tuple(parts), n_parts, tuple(sections))


def number_parts(sections: Sequence[RecapSection]) -> list[int]:
    """Return the part of the story that each section belongs to, counted from 0.

    A section about the break starts a new part if there are plot sections before and after it. A heading without text counts:
    where "Part II" is empty, the writer told the first of two parts.
    """
    last_plot = max((number for number, section in enumerate(sections) if section.kind == "plot"), default=-1)
    part, numbers, told = 0, [], False
    for number, section in enumerate(sections):
        if section.kind == "break" and told and number < last_plot:
            part, told = part + 1, False
        told = told or section.kind == "plot"
        numbers.append(part)
    return numbers


def place_sentences(section: RecapSection) -> list[int]:
    """Return for each sentence of a section the paragraph in which it begins, counted from 0.

    The positions are found by counting the characters that are not white space: sentence splitters change white space only.
    """
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
