"""Groups of units (seasons, story arcs), their order, and where to cut a row of them into train, validation and test."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from core.errors import ConfigError

_NUMBER = re.compile(r"([0-9]+)")


def natural_key(name: str) -> tuple[tuple[str | int, ...], str]:
    """Return a sort key that compares numbers in ids as numbers: `C1E9` < `C1E010` < `C1E010-2` < `C2E1`."""
    parts = _NUMBER.split(name)
    return tuple(int(part) if index % 2 else part for index, part in enumerate(parts)), name


def find_groups(units: Sequence[str], groups: Mapping[str, Sequence[str]], pattern: str) -> dict[str, str]:
    """Return the name of each unit's group: its arc in `groups`, or, where there are none, what `pattern` finds in its id.

    As elsewhere, upper and lower case do not tell seasons apart: a season's name is what was found, with its case folded.

    Raises:
        ConfigError: a unit in no arc or in two, or whose id the pattern does not match; a broken pattern.
    """
    if groups:
        return _find_arcs(units, groups)
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise ConfigError(f"split group_pattern {pattern!r}: {error}; expected a regular expression with one group") from error
    if compiled.groups < 1:
        raise ConfigError(f"split group_pattern {pattern!r} has no group; put the season in parentheses, as in ^(C[0-9]+)E")
    found = {unit: compiled.search(unit) for unit in units}
    names = {unit: match.group(1).casefold() for unit, match in found.items() if match and match.group(1) is not None}
    missing = [unit for unit in units if unit not in names]
    if missing:
        raise ConfigError(f"split groups: group_pattern {pattern!r} finds nothing in {missing[0]}; widen it, or list groups")
    return names


def cut_groups(sizes: Sequence[int], shares: Sequence[float], have: Sequence[int]) -> tuple[int, int]:
    """Return where validation and test begin in a row of groups, so that the three splits come closest to their shares.

    `sizes` are the groups' unit counts in order, `have` the units that train, validation and test hold already. Groups before the
    first cut are train, from the second on test. A cut that leaves no split with a share empty comes before one that fits better;
    where there are too few groups, train is filled first, then test, then validation. O(g²) time, O(g) memory.
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
        if best is None or quality <= best:  # on a tie the larger training set
            best, cuts = quality, (first, first + second)
    return cuts


def _find_arcs(units: Sequence[str], groups: Mapping[str, Sequence[str]]) -> dict[str, str]:
    arcs: dict[str, str] = {}
    for name, members in groups.items():
        for unit in members:
            if arcs.setdefault(unit, name) != name:
                raise ConfigError(f"split groups: {unit} is in {arcs[unit]} and in {name}; leave it in one of them")
    missing = [unit for unit in units if unit not in arcs]
    if missing:
        raise ConfigError(f"split groups: {missing[0]} is in no arc; add it to one of {', '.join(groups)}")
    return {unit: arcs[unit] for unit in units}
