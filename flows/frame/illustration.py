"""What a run has to show beside its counts: example rows, what changed against the release before, pictures of units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.pictures import Picture
from core.references import UnitReference
from core.release_changes import count_changes
from core.row_lines import list_row_lines
from infra.store.objects import Store
from tasks.frame.ledger import RunSummary
from tasks.frame.release_spec import ReleaseSpec
from tasks.store.compare import compare_releases
from tasks.store.units import draw_rows

MOST_COMPARED = 100_000
"""Rows of a release up to which it is compared with the one before: both are read for it."""
EXAMPLES = 3
MOST_LINES = 12
"""Lines of an example that are shown; a dialogue may have hundreds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Illustration:
    """`examples` are rows as lines, drawn at random with a fixed seed. `changes` say how many rows differ, and why."""

    examples: Sequence[Sequence[str]] = ()
    changes: Sequence[str] = ()
    pictures: Sequence[Picture] = ()


def illustrate_run(
    store: Store,
    spec: ReleaseSpec[Any],
    summary: RunSummary,
    landed: Mapping[str, UnitReference],
    before: str | None,
) -> Illustration:
    """Return what a run has to show. Pictures are of its first unit that was built, or else of the first that landed.

    Args:
        store: where the release is.
        spec: draws units.
        summary: what the run did.
        landed: its units.
        before: the version that the release follows; None: it is the first one, or it is unchanged.
    """
    unit = next((unit for unit in (*summary.computed, *sorted(landed)) if unit in landed), None)
    small = sum(summary.rows.values()) <= MOST_COMPARED
    return Illustration(
        examples=[_cut(row) for row in draw_rows(store, summary.dataset, False, EXAMPLES)] if any(summary.rows.values()) else (),
        changes=_describe_changes(store, summary.dataset, before) if before is not None and small else (),
        pictures=spec.draw(store, landed[unit]) if spec.draw is not None and unit is not None else (),
    )


def _cut(row: Mapping[str, Any]) -> list[str]:
    lines = list(list_row_lines(str(row.get("id") or row.get("film") or row.get("path") or ""), row))
    return lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], f"… and {len(lines) - MOST_LINES:,} more"]


def _describe_changes(store: Store, dataset: str, before: str) -> list[str]:
    found = compare_releases(store, dataset, before)
    changed = [f"rows {change} because of {why}: {count:,}" for (change, why), count in count_changes(found.changes).items()]
    settings = [f"{name}: {old!r} before, now {new!r}" for name, (old, new) in found.settings.items()]
    return [f"{found.rows[0]:,} rows of {found.table} before, {found.rows[1]:,} now", *changed, *settings]
