"""What a wiki page is called as a file: which episode it is about, by its title, its redirects or its infobox."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.errors import ConfigError, SourceError
from core.transcripts.discovery import EPISODE_CODE

_TITLE = re.compile(EPISODE_CODE, re.IGNORECASE)
_LETTERED = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{1,3}(?P<season>\d{1,3})E(?P<episode>\d{1,4})(?![A-Za-z0-9])")
_CROSSED = re.compile(r"(?<![\w.])(?P<season>\d{1,2})x(?P<episode>\d{1,3})(?![\w.])")
_NEIGHBOUR = re.compile(r"\s*[|!]?\s*(prev|next|preced|follow|last)", re.IGNORECASE)
_FIELD = re.compile(r"\{(season|episode)(?::0?([1-9]))?\}")
_UNSAFE = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\ud800-\udfff]")
MAX_NAME = 150
"""Characters of a title that a file name keeps."""


@dataclass(frozen=True, slots=True)
class EpisodeCode:
    """An episode's place in its series, and how the page spells it."""

    season: int
    episode: int
    spelling: str


def check_template(template: str) -> None:
    """Refuse a template of unit ids that names neither season nor episode, or anything else.

    Raises:
        ConfigError: it is none.
    """
    fields = {match[1] for match in _FIELD.finditer(template)}
    if "episode" not in fields or re.search(r"[{}]", _FIELD.sub("", template)):
        raise ConfigError(f"unit={template}: expected a template of unit ids such as C{{season}}E{{episode:03}}")


def name_page(title: str, redirects: Iterable[str] = (), lead: str = "", template: str = "") -> str:
    """Return the stem of a page's file name: the episode's code, where one is found, and the title.

    A title that begins with a code stays as it is. Else the code is that of a redirect to the page, or of the infobox in `lead`:
    `C1E1`, `S01E02` or `1x02`, where all that are there, but for those of the episodes before and after, mean the same episode.
    A page without any keeps its title: discovery says whether that is an id.

    Args:
        title: the page's title.
        redirects: titles of the pages that lead to it.
        lead: the wiki text above the first heading.
        template: how a code becomes a unit id, as in `C{season}E{episode:03}`; "": as the page spells it.

    Raises:
        SourceError: the page names several episodes, or one in a form that is no id and there is no template.
    """
    safe = _make_safe(title)
    if (start := _TITLE.fullmatch(safe)) is not None:
        own = _LETTERED.fullmatch(start["unit"]) if template and start["part"] is None else None
        return f"{_format(title, _as_code(own), template)}_{safe}" if own else safe
    for texts in (redirects, _infobox_lines(lead), (lead,)):
        codes = {(code.season, code.episode): code for code in _find_codes(texts)}
        if len(codes) > 1:
            named = ", ".join(code.spelling for code in codes.values())
            raise SourceError(
                f"the page {title!r} names several episodes ({named}); give it one redirect with its own code, such as S01E02, "
                "or begin its title with the code"
            )
        for code in codes.values():
            return f"{_format(title, code, template)}_{safe}"
    return safe


def names_episode(title: str, redirects: Iterable[str]) -> bool:
    """Tell whether a page's title or a redirect to it holds an episode's code, so that its text need not be asked."""
    return _TITLE.fullmatch(_make_safe(title)) is not None or any(True for _ in _find_codes(redirects))


def _make_safe(title: str) -> str:
    return _UNSAFE.sub("_", title)[:MAX_NAME].lstrip(".") or "_"


def _infobox_lines(lead: str) -> Iterator[str]:
    """Yield the lines of infoboxes, as a template's fields or a table's cells, without those on other episodes."""
    for line in lead.split("\n"):
        if line.lstrip().startswith(("|", "!")) and _NEIGHBOUR.match(line) is None:
            yield line


def _find_codes(texts: Iterable[str]) -> Iterator[EpisodeCode]:
    joined = "\n".join(texts)
    # Of two spellings of one episode the lettered one, which can be an id, comes last and stays.
    yield from map(_as_code, _CROSSED.finditer(joined))
    yield from map(_as_code, _LETTERED.finditer(joined))


def _as_code(found: re.Match[str]) -> EpisodeCode:
    return EpisodeCode(int(found["season"]), int(found["episode"]), found[0])


def _format(title: str, code: EpisodeCode, template: str) -> str:
    if template:
        values = {"season": code.season, "episode": code.episode}
        return _FIELD.sub(lambda field: f"{values[field[1]]:0{field[2] or 1}d}", template)
    if _LETTERED.fullmatch(code.spelling):
        return code.spelling
    raise SourceError(
        f"the page {title!r} is about episode {code.spelling}, which is no unit id; say what the ids look like: add "
        "unit=S{season:02}E{episode:02} to the source's address"
    )
