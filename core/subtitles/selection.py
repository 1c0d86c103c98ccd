"""Reads a film's subtitle files and chooses one, with a reason against each of the others."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import SourceError
from core.subtitles.config import SubtitlesConfig
from core.subtitles.formats import read_subtitle
from core.subtitles.language import judge_language
from core.subtitles.subtitle import Subtitle
from core.subtitles.variants import choose_variant, measure_variant


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen subtitle and the reason for it; `rejected` holds (path, reason) for each other file, in the given order.

    `subtitle` is None if no file is English. The film is then left out, which is not an error.
    """

    subtitle: Subtitle | None
    reason: str
    rejected: tuple[tuple[str, str], ...]


def select_subtitle(contents: Iterable[tuple[str, bytes]], config: SubtitlesConfig | None = None) -> Selection:
    """Read the subtitle files of one film, given as (path, content), and choose one English subtitle.

    A file that cannot be read does not stop the others.

    Raises:
        SourceError: there are no files; or none of the readable files is English and some files cannot be read. The message names
            each file that cannot be read.
    """
    config = config or SubtitlesConfig()
    english: dict[str, Subtitle] = {}
    reasons: dict[str, str] = {}
    unreadable: list[str] = []
    for path, content in contents:
        try:
            subtitle = read_subtitle(path, content, config.cleaning, config.limits)
        except SourceError as error:
            unreadable.append(str(error))
            reasons[path] = f"unreadable: {error}"
            continue
        reason = judge_language(path, subtitle, config.language)
        reasons[path] = reason or ""
        if reason is None:
            english[path] = subtitle
    if not english and (unreadable or not reasons):
        raise SourceError("no readable English subtitle: " + ("; ".join(unreadable) or "the film has no subtitle files"))
    if not english:
        return Selection(None, "no subtitle is English", tuple(reasons.items()))
    choice = choose_variant([measure_variant(subtitle) for subtitle in english.values()], config.variants)
    reasons.update(choice.rejected)
    del reasons[choice.chosen]
    return Selection(english[choice.chosen], choice.reason, tuple(reasons.items()))
