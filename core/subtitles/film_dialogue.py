"""Reads a film: its whole subtitle as one dialogue, and its synopsis.

Reference: SumTitles, section 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.dialogue import Turn
from core.errors import SourceError
from core.subtitles.config import SubtitlesConfig
from core.subtitles.films import Film
from core.subtitles.selection import select_subtitle
from core.text.decoding import decode_text
from core.text.sentences import SentenceSplitter


@dataclass(frozen=True, slots=True)
class FilmDialogue:
    """A film ready for release: the chosen subtitle file and the reason for it, its turns, and the synopsis in sentences."""

    film: str
    title: str
    year: int | None
    subtitle: str
    reason: str
    turns: tuple[Turn, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilmOutcome:
    """The result for a film: its dialogue, or None if it failed.

    `rejected` holds (path, reason) for each file that was not chosen. `failure` is the reason for the film's quarantine, or "".
    """

    film: str
    dialogue: FilmDialogue | None
    rejected: tuple[tuple[str, str], ...]
    failure: str = ""


def read_film(
    film: Film,
    subtitles: Sequence[tuple[str, bytes]],
    summary: tuple[str, bytes],
    config: SubtitlesConfig,
    split: SentenceSplitter,
) -> FilmOutcome:
    """Choose one English subtitle of a film, and split its summary into sentences.

    Args:
        film: the film.
        subtitles: (name, content) of each of its subtitle files.
        summary: (name, content) of its summary.
        config: the settings of the pipeline.
        split: splits a paragraph into sentences.

    Raises:
        SourceError: no subtitle can be read, or the summary is empty; the message names the files.
    """
    selection = select_subtitle(subtitles, config)
    if selection.subtitle is None:
        reasons = "; ".join(f"{path}: {reason}" for path, reason in selection.rejected)
        return FilmOutcome(film.id, None, selection.rejected, f"no English subtitle: {reasons}. Add one or remove the film")
    name, content = summary
    paragraphs = [" ".join(paragraph.split()) for paragraph in decode_text(name, content).split("\n")]
    sentences = tuple(sentence for paragraph in paragraphs if paragraph for sentence in split(paragraph))
    if not sentences:
        raise SourceError(f"{name}: the summary of {film.id} is empty; expected a plot summary. Write one or remove the film")
    if not selection.subtitle.turns:
        raise SourceError(f"{selection.subtitle.name}: no words are left after cleaning; expected dialogue. Remove the file")
    taken = selection.subtitle
    dialogue = FilmDialogue(film.id, film.title or film.id, film.year, taken.name, selection.reason, taken.turns, sentences)
    return FilmOutcome(film.id, dialogue, selection.rejected)
