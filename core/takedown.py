"""The takedown list: units and pairs that every later release leaves out."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from core.units import identify_unit

_BOUNDARY = re.compile(r"[\W_]")


@dataclass(frozen=True)
class Takedown:
    """The takedown list: the reason for each id, and the SHA-256 of the texts of the units on it with their ids.

    An id names a unit, or a row (a pair) of a unit. All spellings of an id mean the same (`identify_unit`).
    """

    reasons: Mapping[str, str] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _spelt(self) -> dict[str, str]:
        return {identify_unit(name): name for name in sorted(self.reasons)}

    def __contains__(self, name: object) -> bool:
        """Tell whether the list names the whole unit."""
        return bool(self.reasons) and isinstance(name, str) and identify_unit(name) in self._spelt

    def reason(self, unit: str) -> str:
        """Return why a unit is on the list; KeyError where it is not."""
        return self.reasons[self._spelt[identify_unit(unit)]]

    def find_copies(self, contents: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Return the units that have a text of a unit on the list, each with the id that the list has.

        `contents` are the SHA-256 of each unit's files.
        """
        if not self.contents:
            return {}
        found = (
            (unit, next((self.contents[each] for each in sums if each in self.contents), None)) for unit, sums in contents.items()
        )
        return {unit: listed for unit, listed in found if listed is not None and unit not in self}

    def find_rows(self, members: Mapping[str, Iterable[str]]) -> dict[str, dict[str, str]]:
        """Return the listed rows with their reasons, by the unit or shard that contains them.

        `members` maps each shard to its small units, and any other unit to itself. A row's id begins with the id of its unit,
        followed by a character that is not a letter or digit: `C1E001_2_0_0017` is a row of `C1E001`. If several units fit, the
        one with the longest id counts. The rows are returned as tables spell them: with the unit's id as the source spells it.
        """
        if not self.reasons:
            return {}
        owners = {identify_unit(member): (member, unit) for unit, names in members.items() for member in names}
        rows: dict[str, dict[str, str]] = {}
        for name, reason in sorted(self.reasons.items()):
            if identify_unit(name) in owners:
                continue
            for start in split_row(name):
                if (owner := owners.get(identify_unit(start))) is not None:
                    member, unit = owner
                    rows.setdefault(unit, {})[member + name[len(start) :]] = reason
                    break
        return rows


def split_row(name: str) -> Iterator[str]:
    """Yield the beginnings of a row's id that may be the id of its unit, the longest first."""
    return (name[: place.start()] for place in reversed(list(_BOUNDARY.finditer(name))))


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
