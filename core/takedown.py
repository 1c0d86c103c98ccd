"""The takedown list: units and pairs that every later release leaves out."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_BOUNDARY = re.compile(r"[^A-Za-z0-9]")


@dataclass(frozen=True, slots=True)
class Takedown:
    """The takedown list: the reason for each id. An id names a unit, or a row (a pair) of a unit."""

    reasons: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, name: object) -> bool:
        """Tell whether the list names the whole unit."""
        return name in self.reasons

    def find_rows(self, members: Mapping[str, Iterable[str]]) -> dict[str, dict[str, str]]:
        """Return the listed rows with their reasons, by the unit or shard that contains them.

        `members` maps each shard to its small units, and any other unit to itself. A row's id begins with the id of its unit,
        followed by a character that is not a letter or digit: `C1E001_2_0_0017` is a row of `C1E001`. If several units fit, the
        one with the longest id counts.
        """
        owners = {member: unit for unit, names in members.items() for member in names}
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
    """What a takedown list removes from a source.

    `units` are removed as a whole, `rows` (row id to reason) from the unit or shard that contains them. `entries` leave the
    catalog: the removed units, and shards that become empty.
    """

    takedown: Takedown = field(default_factory=Takedown)
    units: tuple[str, ...] = ()
    rows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    entries: frozenset[str] = frozenset()
