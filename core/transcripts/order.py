"""The order in which a show's episodes were told."""

import re
from collections.abc import Iterable
from itertools import pairwise

_CODE = re.compile(r"([A-Za-z]+\d+)E(\d+)", re.IGNORECASE)


def find_preceding(units: Iterable[str]) -> dict[str, str]:
    """Return for each episode the one of its season that was told before it: the one that its recap retells.

    Only plain episode codes (C1E013, s01e13) count; specials (C1E058-5) neither precede nor follow. A season's first episode has
    none.
    """
    seasons: dict[str, list[tuple[int, str]]] = {}
    for unit in units:
        match = _CODE.fullmatch(unit)
        if match is not None:
            seasons.setdefault(match[1].casefold(), []).append((int(match[2]), unit))
    ordered = [[unit for _, unit in sorted(season)] for season in seasons.values()]
    return {later: earlier for season in ordered for earlier, later in pairwise(season)}
