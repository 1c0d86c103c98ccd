"""What a run says of the rows that a release left out: the reasons, the settings that decide, and what it would take."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor
from operator import attrgetter
from typing import Any

MOST_REASONS = 20
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedRows:
    """The rows that a release left out for one reason.

    `setting` decides it, with its value (`filter.min_confidence = 0.8`), "" where none does. `half` and `every` are its values at
    which this rule lets half of the rows, or all of them, pass; None where no value does. `note` says what else to do.
    """

    reason: str
    count: int
    setting: str = ""
    half: float | int | None = None
    every: float | int | None = None
    note: str = ""

    def describe(self) -> str:
        """Return one line for a person."""
        passing = "" if self.half is None else f"with {self.half} half of them pass, with {self.every} all"
        why = "; ".join(filter(None, [self.setting, passing, self.note]))
        return f"{self.count:,} {self.reason}{': ' if why else ''}{why}"


def count_reasons(_: Any, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    """Return the rows by reason, the most frequent first.

    Reasons that differ in their numbers only are counted together, and each number is told as a range (`3 to 40 words`).
    """
    found: Counter[str] = Counter()
    ranges: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        reason = str(row["reason"])
        numbers, key = _NUMBER.findall(reason), _NUMBER.sub("\0", reason)
        known = ranges.setdefault(key, [(number, number) for number in numbers])
        ranges[key] = [
            (min(low, number, key=_read_number), max(high, number, key=_read_number))
            for (low, high), number in zip(known, numbers, strict=True)
        ]
        found[key] += 1
    counted = [RejectedRows(reason=_fill(key, ranges[key]), count=count) for key, count in found.most_common(MOST_REASONS)]
    others = found.total() - sum(rows.count for rows in counted)
    return [*counted, RejectedRows(reason="for other reasons", count=others)] if others else counted


def name_settings(rows: Iterable[RejectedRows], settings: Mapping[str, Sequence[str]], config: Any) -> list[RejectedRows]:
    """Return the rows with the settings that decide each reason, and their values.

    `settings` has by reason the paths of settings in `config` (`prefilter.min_quality`). A reason that it lacks stays as it is.
    """

    def show(path: str) -> str:
        value = attrgetter(path)(config)
        return f"{path} = {list(value) if isinstance(value, tuple) else value}"

    return [replace(each, setting=", ".join(map(show, settings.get(each.reason, ())))) for each in rows]


def _read_number(text: str) -> float:
    return float(text.replace(",", ""))


def _fill(key: str, ranges: Iterable[tuple[str, str]]) -> str:
    """Put the ranges of the numbers into a reason."""
    shown = iter(low if low == high else f"{low} to {high}" for low, high in ranges)
    return "".join(part if part != "\0" else next(shown) for part in re.split("(\0)", key))


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a filter: `reason` drops a row whose `measure` is below the filter's `setting`, or above it (not `least`).

    `column` has the measured value in the table `rejects`; "" where it is counted from several.
    """

    reason: str
    setting: str
    measure: str
    column: str = ""
    least: bool = True

    def drops(self, value: float | None, config: Any) -> bool:
        """Tell whether a value is out of bounds; one that is not known passes, and so does every one where the bound is 0."""
        bound = getattr(config, self.setting)
        return value is not None and (value < bound if self.least else 0 < bound < value)

    def explain(self, config: Any, found: Sequence[float | int]) -> RejectedRows:
        """Return what the rule left out; `found` are the values of the rows, shares rounded down to 3 digits."""
        ordered = sorted((each if isinstance(each, int) else floor(1000 * each) / 1000 for each in found), reverse=self.least)
        return RejectedRows(
            reason=self.reason,
            count=len(found),
            setting=f"filter.{self.setting} = {getattr(config, self.setting)}",
            half=ordered[(len(ordered) - 1) // 2],
            every=ordered[-1],
        )
