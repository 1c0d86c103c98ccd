"""Orders a show's episodes within their seasons."""

import re
from collections.abc import Iterable
from itertools import pairwise

_CODE = re.compile(r"([A-Za-z]+\d+)E(\d+)", re.IGNORECASE)


def find_preceding(units: Iterable[str]) -> dict[str, str]:
    """Map each episode to the one right before it in its season. An episode often begins by retelling the previous one.

    Only plain episode codes (C1E013, s01e13) count. Specials (C1E058-5) neither precede nor follow an episode. An episode has no
    entry if the one before it is missing, or if it is the first of its season: what it retells is then not among `units`.
    """
    seasons: dict[str, list[tuple[int, str]]] = {}
    for unit in units:
        match = _CODE.fullmatch(unit)
        if match is not None:
            seasons.setdefault(match[1].casefold(), []).append((int(match[2]), unit))
    neighbours = (pair for season in seasons.values() for pair in pairwise(sorted(season)))
    return {later: earlier for (before, earlier), (number, later) in neighbours if number == before + 1}
