"""Takedown: units and pairs that are to stay out of every later release."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_BOUNDARY = re.compile(r"[^A-Za-z0-9]")


@dataclass(frozen=True, slots=True)
class Takedown:
    """The ids that are out, with the reason of each; an id is that of a unit or, longer, of a row (a pair) of one."""

    reasons: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, name: object) -> bool:
        """Tell whether a unit is out as a whole."""
        return name in self.reasons

    def find_rows(self, members: Mapping[str, Iterable[str]]) -> dict[str, dict[str, str]]:
        """Return the ids (with reasons) that are rows of units, by these units.

        A row's id begins with that of its unit and goes on with something that is no letter or digit: `C1E001_2_0_0017` is one of
        `C1E001`. `members` are the small units in each shard, or each unit itself. Of several units that fit the longest counts.
        """
        owners = {small: unit for unit, smalls in members.items() for small in smalls}
        rows: dict[str, dict[str, str]] = {}
        for name, reason in sorted(self.reasons.items()):
            if name in owners:
                continue
            starts = (name[: place.start()] for place in reversed(list(_BOUNDARY.finditer(name))))
            owner = next((owners[start] for start in starts if start in owners), None)
            if owner is not None:
                rows.setdefault(owner, {})[name] = reason
        return rows


@dataclass(frozen=True, slots=True)
class Withheld:
    """What a takedown list keeps out of a source: `units` whole, and `rows` (id and reason) by the unit, or shard, they are of.

    `entries` are what the catalog forgets: these units, and shards of which nothing is left.
    """

    takedown: Takedown = field(default_factory=Takedown)
    units: tuple[str, ...] = ()
    rows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    entries: frozenset[str] = frozenset()
