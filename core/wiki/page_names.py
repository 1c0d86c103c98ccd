"""Names the file of a wiki page. The episode code comes from the page's title, its redirects or its infobox."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.dataset.units import EPISODE_CODE
from core.errors import ConfigError, SourceError

_TITLE = re.compile(EPISODE_CODE, re.IGNORECASE)
_LETTERED = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{1,3}(?P<season>\d{1,3})E(?P<episode>\d{1,4})(?![A-Za-z0-9])")
_CROSSED = re.compile(r"(?<![\w.])(?P<season>\d{1,2})x(?P<episode>\d{1,3})(?![\w.])")
_NEIGHBOUR = re.compile(r"\s*[|!]?\s*(prev|next|preced|follow|last)", re.IGNORECASE)  # of an infobox's lines
_FIELD = re.compile(r"\{(season|episode)(?::0?([1-9]))?\}")
_UNSAFE = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\ud800-\udfff]")
MAX_NAME = 150
"""A file name keeps this many characters of the title."""


@dataclass(frozen=True, slots=True)
class EpisodeCode:
    """An episode's season and number, and the code as the page spells it."""

    season: int
    episode: int
    spelling: str


def check_template(template: str) -> None:
    """Check a template of unit ids: it needs the field `episode`, and may have the field `season` and no other field."""
    fields = {match[1] for match in _FIELD.finditer(template)}
    if "episode" not in fields or re.search(r"[{}]", _FIELD.sub("", template)):
        raise ConfigError(f"unit={template}: not a template of unit ids; expected a template such as C{{season}}E{{episode:03}}")


def name_page(title: str, redirects: Iterable[str] = (), lead: str = "", template: str = "") -> str:
    """Return the stem of a page's file name: the episode code, if one is found, and the title.

    A title that begins with an episode code stays as it is. Otherwise the code (`C1E1`, `S01E02` or `1x02`) is looked for in the
    redirects, then in the infobox (without its fields for the previous and the next episode), then in all of `lead`, the wiki
    text above the first heading. The first of these places that has codes decides, and its codes must mean one episode. By a
    `template` such as `C{season}E{episode:03}` a code becomes a unit id; "" keeps the page's spelling.

    Raises:
        SourceError: the page names several episodes; or the page's spelling is not a valid id and there is no template.
    """
    safe = _make_safe(title)
    if (start := _TITLE.fullmatch(safe)) is not None:
        own = _LETTERED.fullmatch(start["unit"]) if template and start["part"] is None else None
        return f"{_format(title, _as_code(own), template)}_{safe}" if own else safe
    lines = (line for line in lead.split("\n") if line.lstrip().startswith(("|", "!")) and _NEIGHBOUR.match(line) is None)
    for texts in (redirects, lines, (lead,)):
        codes = {(code.season, code.episode): code for code in find_episode_codes(texts)}
        if len(codes) > 1:
            named = ", ".join(code.spelling for code in codes.values())
            raise SourceError(
                f"the page {title!r} names several episodes ({named}); expected one. Add a redirect with the page's own code, "
                "such as S01E02, or begin its title with the code"
            )
        for code in codes.values():
            return f"{_format(title, code, template)}_{safe}"
    return safe


def names_episode(title: str, redirects: Iterable[str]) -> bool:
    """Tell whether a page's title or a redirect holds an episode code. If so, the page's text need not be fetched."""
    return _TITLE.fullmatch(_make_safe(title)) is not None or any(True for _ in find_episode_codes(redirects))


def _make_safe(title: str) -> str:
    return _UNSAFE.sub("_", title)[:MAX_NAME].lstrip(".") or "_"


def find_episode_codes(texts: Iterable[str]) -> Iterator[EpisodeCode]:
    """Yield the episode codes in some texts (`C1E1`, `S01E02`, `1x02`), those with letters last."""
    joined = "\n".join(texts)
    # The caller keeps the last spelling of an episode. Lettered codes come last, since only they can be unit ids.
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
        f"the page {title!r} is about episode {code.spelling}, which is not a valid unit id; tell fabula what the ids look "
        "like: add unit=S{season:02}E{episode:02} to the source's address"
    )
