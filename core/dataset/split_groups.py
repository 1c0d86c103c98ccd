"""Finds groups of units (seasons, story arcs), orders them, and cuts their sequence into train, validation and test."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.dataset.units import identify_unit
from core.errors import ConfigError

_NUMBER = re.compile(r"([0-9]+)")


def natural_key(name: str) -> tuple[tuple[str | int, ...], str]:
    """Return a sort key that compares numbers in ids as numbers: `C1E9` < `C1E010` < `C1E010-2` < `C2E1`."""
    parts = _NUMBER.split(name)
    return tuple(int(part) if index % 2 else part for index, part in enumerate(parts)), name


def find_groups(units: Sequence[str], groups: Mapping[str, Sequence[str]], pattern: str) -> dict[str, str]:
    """Return the group name of each unit: its arc in `groups`, or without `groups` the season that `pattern` finds in its id.

    Upper and lower case do not distinguish seasons: a season's name is the matched text, case-folded.

    Raises:
        ConfigError: a unit is in no arc or in two, the pattern does not match a unit's id, or the pattern is invalid.
    """
    if groups:
        return _find_arcs(units, groups)
    if problem := check_pattern(pattern):
        raise ConfigError(f"split group_pattern {pattern!r}: {problem}")
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
    than the distance to the shares. With too few groups, train is filled first, then test, then validation. Time O(g²) and memory
    O(g) for g groups.
    """
    ends = np.concatenate(([0], np.cumsum(np.asarray(sizes, dtype=np.int64))))
    total = int(ends[-1]) + sum(have)
    best: tuple[bool, bool, bool, float] | None = None
    cuts = (0, 0)
    for first in range(len(ends)):
        train = int(ends[first]) + have[0]
        validation = ends[first:] - ends[first] + have[1]
        test = ends[-1] - ends[first:] + have[2]
        distance = abs(train - shares[0] * total) + np.abs(validation - shares[1] * total) + np.abs(test - shares[2] * total)
        no_validation = (validation == 0) & (shares[1] > 0)
        no_test = (test == 0) & (shares[2] > 0)
        second = int(np.lexsort((np.round(distance, 6), no_validation, no_test))[0])
        fit = round(float(distance[second]), 6)
        quality = (train == 0 and shares[0] > 0, bool(no_test[second]), bool(no_validation[second]), fit)
        if best is None or quality <= best:  # ties go to the larger training set
            best, cuts = quality, (first, first + second)
    return cuts


def _find_arcs(units: Sequence[str], groups: Mapping[str, Sequence[str]]) -> dict[str, str]:
    if twice := find_twice(groups):
        raise ConfigError(f"split groups: {twice[0]} is in {twice[1]} and in {twice[2]}; keep it in one of them")
    arcs = {identify_unit(unit): name for name, members in groups.items() for unit in members}
    missing = [unit for unit in units if identify_unit(unit) not in arcs]
    if missing:
        raise ConfigError(f"split groups: {missing[0]} is in no arc; add it to one of {', '.join(groups)}")
    return {unit: arcs[identify_unit(unit)] for unit in units}
