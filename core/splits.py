"""Train, validation and test: which split a unit belongs to, by order, by lists or by groups, and for good.

The policy when units arrive later: **a split once published is never taken back**. A unit that an earlier release placed stays
where it was, in train, validation or test, whatever the settings say now; only new units are placed, so that the shares of the
whole dataset are approached. Hence a model trained on any release has seen no test unit of any other. The price: after the first
release the splits follow the units' order only within what each release added.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from core.errors import ConfigError
from core.split_groups import cut_groups, find_groups, natural_key

Split = Literal["train", "validation", "test"]
SplitMethod = Literal["order", "lists", "groups"]
SPLITS: tuple[Split, Split, Split] = ("train", "validation", "test")


@dataclass(frozen=True, slots=True)
class SplitConfig:
    """How units are divided into train, validation and test.

    `order`: by natural order of their ids, in `shares` (appendix A.3: 80/10/10). `lists`: as listed, split name to unit ids.
    `groups`: whole seasons or story arcs to one split (appendix A.3 names it as future work). A group is an arc of `groups` (name
    to unit ids, in story order) or, where there are none, what the first group of the regular expression `group_pattern` finds in
    a unit's id, in any case; `lists` may then say which groups a split gets (split name to group names), the others are divided
    in `shares`.
    """

    method: SplitMethod = "order"
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    group_pattern: str = r"^([A-Za-z]+\d+)E\d+"


def assign_splits(units: Sequence[str], config: SplitConfig, earlier: Mapping[str, Split] | None = None) -> dict[str, Split]:
    """Return the split of every unit, in natural order of the ids (`C1E9` before `C1E010`).

    `earlier` holds the placements of all earlier releases, also of units that are gone now. With "order" the new units of a
    release go in order to train, validation and test, as many to each as its share of the whole still lacks. With "groups" a
    group that an earlier release placed draws its new units after it: to test if any of its units was there, else to validation
    if any was, else to train. O(n log n) in the units, O(g²) in the new groups.

    Raises:
        ConfigError: bad shares; a list or group that names no split; a unit in no list or arc, or in two.

    Reference: CRD3, appendix A.3.
    """
    _check(config)
    ordered = sorted(set(units), key=natural_key)
    placed = {unit: earlier[unit] for unit in ordered if unit in earlier} if earlier else {}
    new = [unit for unit in ordered if unit not in placed]
    match config.method:
        case "order":
            chosen = _by_order(new, placed, config)
        case "lists":
            listed = _invert(config.lists)
            _refuse_unlisted(ordered, listed)
            chosen = {unit: listed[unit] for unit in new}
        case "groups":
            chosen = _by_groups(ordered, new, placed, config)
    return {unit: placed.get(unit) or chosen[unit] for unit in ordered}


def _by_order(new: Sequence[str], placed: Mapping[str, Split], config: SplitConfig) -> dict[str, Split]:
    """Divide new units in order; each split gets what it lacks most, so that none ends a whole unit above its share."""
    total = len(new) + len(placed)
    have = Counter(placed.values())
    lacking = [round(share * total, 6) - have[split] for split, share in zip(SPLITS, config.shares, strict=True)]
    counts = [0, 0, 0]
    for _ in new:
        index = max((2, 1, 0), key=lambda split: lacking[split])  # on a tie the later split: a test set is worth more
        lacking[index] -= 1
        counts[index] += 1
    splits = [split for split, count in zip(SPLITS, counts, strict=True) for _ in range(count)]
    return dict(zip(new, splits, strict=True))


def _by_groups(ordered: Sequence[str], new: Sequence[str], placed: Mapping[str, Split], config: SplitConfig) -> dict[str, Split]:
    """Divide whole groups: those placed earlier follow their units, those in `lists` the lists, the rest the shares."""
    names = find_groups(ordered, config.groups, config.group_pattern)
    lists = config.lists
    if not config.groups:  # seasons, which the case does not tell apart
        lists = {split: tuple(name.casefold() for name in seasons) for split, seasons in lists.items()}
    chosen = _invert(lists)
    unknown = sorted(set(chosen) - set(config.groups)) if config.groups else []
    if unknown:
        raise ConfigError(f"split lists: {unknown[0]!r} is no arc; expected some of {', '.join(config.groups)}")
    for wanted in SPLITS:  # test comes last and has the last word
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


def _invert(lists: Mapping[str, Sequence[str]]) -> dict[str, Split]:
    found: dict[str, Split] = {}
    for split in SPLITS:
        for name in lists.get(split, ()):
            if found.setdefault(name, split) != split:
                raise ConfigError(f"split lists: {name} is in {found[name]} and in {split}; leave it in one of them")
    return found


def _refuse_unlisted(units: Sequence[str], listed: Mapping[str, Split]) -> None:
    missing = [unit for unit in units if unit not in listed]
    if missing:
        others = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise ConfigError(f"split lists: {missing[0]}{others} is in no list; add it to one, or split by order")


def _check(config: SplitConfig) -> None:
    if any(not 0 <= share <= 1 for share in config.shares) or abs(sum(config.shares) - 1) > 1e-6:
        raise ConfigError(f"split shares are {config.shares}; expected three numbers from 0 to 1 that add up to 1")
    unknown = sorted(set(config.lists) - set(SPLITS))
    if unknown:
        raise ConfigError(f"split lists: {unknown[0]!r} is no split; expected {', '.join(SPLITS)}")
