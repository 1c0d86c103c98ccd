"""Assigns units to the splits train, validation and test: by order, by lists or by groups.

**A unit is known by its identity** (`core.dataset.units.identify_unit`), not by how its id is spelt: a test unit whose file
is renamed to small letters stays in the test set, and two spellings of one unit have one split.

**A published split never changes.** A unit keeps the split that an earlier release gave it, whatever the settings say now. Only
new units are placed, so that the whole dataset approaches the shares. A model trained on any release has therefore seen no test
unit of any other release. The price: after the first release, the splits follow the units' order only within the units that each
release added.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations_with_replacement
from typing import Any, Literal

from core.bounds import Problem, Share, Text
from core.dataset.units import check_count, identify_unit
from core.errors import ConfigError

Split = Literal["train", "validation", "test"]
SplitMethod = Literal["order", "lists", "groups"]
SPLITS: tuple[Split, Split, Split] = ("train", "validation", "test")
_ROUNDED = 1e-6  # decimal shares may miss a sum of 1 by this much


@dataclass(frozen=True, slots=True)
class SplitConfig:
    """How units are divided into train, validation and test.

    The method `order` divides the units in natural order of their ids, by `shares` (appendix A.3: 80/10/10).

    The method `lists` reads the unit ids of each split from `lists`.

    The method `groups` puts whole seasons or story arcs into one split (future work in appendix A.3). A group is an arc in
    `groups` (arc name to unit ids, in story order). Without `groups`, a unit's group is what the first group of the regular
    expression `group_pattern` matches in its id, ignoring case. `lists` may name the groups that a split gets (split name to
    group names); the other groups are divided by `shares`.
    """

    method: SplitMethod = "order"
    shares: tuple[Share, Share, Share] = (0.8, 0.1, 0.1)
    lists: dict[Split, tuple[Text, ...]] = field(default_factory=dict)
    groups: dict[Text, tuple[Text, ...]] = field(default_factory=dict)
    group_pattern: str = r"^([A-Za-z]+\d+)E\d+"

    def list_problems(self) -> list[Problem]:
        """Return what no units could make right: shares, names in two lists or arcs, unknown arcs, an unusable pattern."""
        problems = []
        if abs(sum(self.shares) - 1) > _ROUNDED:
            problems.append(("shares", f"they add up to {sum(self.shares):g}; expected three numbers that add up to 1"))
        for name, table in (("lists", self.lists), ("groups", self.groups)):
            if twice := find_twice(table):
                problems.append((name, f"{twice[0]} is in {twice[1]} and in {twice[2]}; keep it in one of them"))
        if self.method == "lists" and not any(self.lists.values()):
            problems.append(("lists", "it is empty; expected the unit ids of each split, or method = order"))
        if self.method == "groups" and self.groups:
            unknown = sorted({name for names in self.lists.values() for name in names} - set(self.groups))
            problems += [("lists", f"{name!r} is not an arc; expected some of {', '.join(self.groups)}") for name in unknown]
        if found := check_pattern(self.group_pattern):
            problems.append(("group_pattern", found))
        return problems


def assign_splits(units: Sequence[str], config: SplitConfig, earlier: Mapping[str, Split] | None = None) -> dict[str, Split]:
    """Return the split of every unit, in natural order of the ids (`C1E9` before `C1E010`).

    `earlier` holds the splits of all units of earlier releases, including units that no longer exist. With "order", the new units
    go to train, validation and test in order; each split gets the number that it lacks of its share of the whole. With "groups",
    new units follow the earlier units of their group: to test if any of these is in test, else to validation if any is in
    validation, else to train. Time O(n log n) for n units and O(g²) for g new groups.

    Raises:
        ConfigError: a unit is in no list or arc, or units travel in another number of shards than in the releases before.

    Reference: CRD3, appendix A.3.
    """
    check_count(units, earlier or {})
    spellings: dict[str, list[str]] = {}
    for unit in sorted(set(units), key=natural_key):
        spellings.setdefault(identify_unit(unit), []).append(unit)
    chosen = _assign([names[0] for names in spellings.values()], config, _identify_earlier(earlier or {}))
    splits = {unit: chosen[names[0]] for names in spellings.values() for unit in names}
    return {unit: splits[unit] for unit in sorted(splits, key=natural_key)}


def _identify_earlier(earlier: Mapping[str, Split]) -> dict[str, Split]:
    """Return the split of every identity. Where spellings differ in it, test counts before validation, and that before train."""
    found: dict[str, Split] = {}
    for unit, split in earlier.items():
        identity = identify_unit(unit)
        found[identity] = max(split, found.get(identity, split), key=SPLITS.index)
    return found


def _assign(ordered: Sequence[str], config: SplitConfig, earlier: Mapping[str, Split]) -> dict[str, Split]:
    """Return the split of every unit; each has another identity, and `earlier` is by identity."""
    placed = {unit: earlier[identity] for unit in ordered if (identity := identify_unit(unit)) in earlier}
    new = [unit for unit in ordered if unit not in placed]
    match config.method:
        case "order":
            chosen = _by_order(new, placed, config)
        case "lists":
            listed = {identify_unit(unit): split for unit, split in _invert(config.lists).items()}
            if missing := [unit for unit in ordered if identify_unit(unit) not in listed]:
                others = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
                raise ConfigError(f"split lists: {missing[0]}{others} is in no list; add it to one, or use method = order")
            chosen = {unit: listed[identify_unit(unit)] for unit in new}
        case "groups":
            chosen = _by_groups(ordered, new, placed, config)
    return {unit: placed.get(unit) or chosen[unit] for unit in ordered}


def _by_order(new: Sequence[str], placed: Mapping[str, Split], config: SplitConfig) -> dict[str, Split]:
    """Divide the new units in order. Each split gets units while it lacks most, so none exceeds its share by a whole unit."""
    total = len(new) + len(placed)
    have = Counter(placed.values())
    lacking = [round(share * total, 6) - have[split] for split, share in zip(SPLITS, config.shares, strict=True)]
    counts = [0, 0, 0]
    for _ in new:
        index = max((2, 1, 0), key=lambda split: lacking[split])  # ties go to the later split, since test units are worth most
        lacking[index] -= 1
        counts[index] += 1
    splits = [split for split, count in zip(SPLITS, counts, strict=True) for _ in range(count)]
    return dict(zip(new, splits, strict=True))


def _by_groups(ordered: Sequence[str], new: Sequence[str], placed: Mapping[str, Split], config: SplitConfig) -> dict[str, Split]:
    """Divide whole groups: a group with earlier units follows them, a group in `lists` the list, any other group the shares."""
    names = find_groups(ordered, config.groups, config.group_pattern)
    lists = config.lists
    if not config.groups:  # season names are case-folded
        lists = {split: tuple(name.casefold() for name in seasons) for split, seasons in lists.items()}
    chosen = _invert(lists)
    for wanted in SPLITS:  # test comes last, so it overrides the others
        chosen |= {names[unit]: wanted for unit, split in placed.items() if split == wanted}
    sizes = Counter(names[unit] for unit in new)
    order = config.groups if config.groups else sorted(sizes, key=natural_key)
    open_groups = [name for name in order if name in sizes and name not in chosen]
    have = Counter(placed.values())
    have.update(chosen[names[unit]] for unit in new if names[unit] in chosen)
    first, second = cut_groups([sizes[name] for name in open_groups], config.shares, [have[split] for split in SPLITS])
    for index, name in enumerate(open_groups):
        chosen[name] = SPLITS[(index >= first) + (index >= second)]
    return {unit: chosen[names[unit]] for unit in new}


def _invert(lists: Mapping[Split, Sequence[str]]) -> dict[str, Split]:
    return {name: split for split in SPLITS for name in lists.get(split, ())}


_NUMBER = re.compile(r"([0-9]+)")


def natural_key(name: str) -> tuple[tuple[str | int, ...], str]:
    """Return a sort key that compares numbers in ids as numbers: `C1E9` < `C1E010` < `C1E010-2` < `C2E1`."""
    parts = _NUMBER.split(name)
    return tuple(int(part) if index % 2 else part for index, part in enumerate(parts)), name


def find_groups(units: Sequence[str], groups: Mapping[str, Sequence[str]], pattern: str) -> dict[str, str]:
    """Return the group name of each unit: its arc in `groups`, or without `groups` the season that `pattern` finds in its id.

    Upper and lower case do not distinguish seasons: a season's name is the matched text, case-folded.

    Raises:
        ConfigError: a unit is in no arc, or the pattern does not match its id.
    """
    if groups:
        arcs = {identify_unit(unit): name for name, members in groups.items() for unit in members}
        missing = [unit for unit in units if identify_unit(unit) not in arcs]
        if missing:
            raise ConfigError(f"split groups: {missing[0]} is in no arc; add it to one of {', '.join(groups)}")
        return {unit: arcs[identify_unit(unit)] for unit in units}
    compiled = re.compile(pattern, re.IGNORECASE)
    found = {unit: compiled.search(unit) for unit in units}
    names = {unit: match.group(1).casefold() for unit, match in found.items() if match and match.group(1) is not None}
    missing = [unit for unit in units if unit not in names]
    if missing:
        raise ConfigError(
            f"split group_pattern {pattern!r} does not match the unit id {missing[0]}; widen it, or list the units in groups"
        )
    return names


def check_pattern(pattern: str) -> str:
    """Return what is wrong with a pattern that finds a unit's season, "" where nothing is."""
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        return f"{error}; expected a regular expression with one group"
    return "" if compiled.groups else "it has no group; put the season in parentheses, as in ^(C[0-9]+)E"


def find_twice(table: Mapping[Any, Sequence[str]]) -> tuple[str, str, str] | None:
    """Return the first name that two entries of a table have, however it is spelt, with the two; None where there is none."""
    found: dict[str, str] = {}
    for entry, names in table.items():
        for name in names:
            if (other := found.setdefault(identify_unit(name), entry)) != entry:
                return name, other, entry
    return None


def cut_groups(sizes: Sequence[int], shares: Sequence[float], have: Sequence[int]) -> tuple[int, int]:
    """Return the indices of the groups at which validation and test begin, so that the splits come closest to their shares.

    Args:
        sizes: the number of units in each group, in order.
        shares: the shares of train, validation and test.
        have: the number of units that train, validation and test already hold.

    The groups before the first index are train, those from the second on test. Filling every split that has a share matters more
    than the distance to the shares. With too few groups, train is filled first, then test, then validation. Ties go to the larger
    training set. Time O(g²) for g groups.
    """
    ends = [0, *accumulate(sizes)]
    total = ends[-1] + sum(have)

    def rate(cuts: tuple[int, int]) -> tuple[bool, bool, bool, float, int, int]:
        first, second = cuts
        added = (ends[first], ends[second] - ends[first], ends[-1] - ends[second])
        counts = [before + more for before, more in zip(have, added, strict=True)]
        train, validation, test = (count == 0 and share > 0 for count, share in zip(counts, shares, strict=True))
        distance = round(sum(abs(count - share * total) for count, share in zip(counts, shares, strict=True)), 6)
        return train, test, validation, distance, -first, second

    return min(combinations_with_replacement(range(len(ends)), 2), key=rate)
