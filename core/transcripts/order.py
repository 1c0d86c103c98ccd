"""Orders a show's episodes within their seasons."""

import re
from collections.abc import Iterable
from itertools import pairwise

_CODE = re.compile(r"([A-Za-z]+\d+)E(\d+)", re.IGNORECASE)


def find_preceding(units: Iterable[str]) -> dict[str, str]:
    """Map each episode to the previous episode of its season. An episode often begins by retelling the previous one.

    Only plain episode codes (C1E013, s01e13) count. Specials (C1E058-5) neither precede nor follow an episode. The first episode
    of a season has no entry.
    """
    seasons: dict[str, list[tuple[int, str]]] = {}
    for unit in units:
        match = _CODE.fullmatch(unit)
        if match is not None:
            seasons.setdefault(match[1].casefold(), []).append((int(match[2]), unit))
    ordered = [[unit for _, unit in sorted(season)] for season in seasons.values()]
    return {later: earlier for season in ordered for earlier, later in pairwise(season)}
