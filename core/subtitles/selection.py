"""From the contents of a film's subtitle files to the one that is taken, with the reason against each of the others."""

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
    """The subtitle taken and why; `rejected` are the other files, as (path, reason), in the order given.

    `subtitle` is None where no file is English: the film is left out, which is no fault of the files.
    """

    subtitle: Subtitle | None
    reason: str
    rejected: tuple[tuple[str, str], ...]


def select_subtitle(contents: Iterable[tuple[str, bytes]], config: SubtitlesConfig | None = None) -> Selection:
    """Read the subtitle files of one film, given as (path, content), and take one English subtitle.

    A file that cannot be read does not stop the others.

    Raises:
        SourceError: no file can be read, or none of those that can is English and others cannot be read; each is named.
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
