"""What a run has to show beside its counts: what changed against the release before, and pictures of units.

No text of a row is among it. Prefect's database keeps what it is shown, and no takedown reaches it there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.dataset.release_changes import count_changes
from core.dataset.report import Picture
from core.references import UnitReference
from infra.store.objects import Store
from tasks.frame.ledger import RunSummary
from tasks.frame.release_spec import ReleaseSpec
from tasks.store.compare import compare_releases

MOST_COMPARED = 100_000
"""Rows of a release up to which it is compared with the one before: both are read for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Illustration:
    """`changes` say how many rows differ, and why."""

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
        changes=_describe_changes(store, summary.dataset, before) if before is not None and small else (),
        pictures=spec.draw(store, landed[unit]) if spec.draw is not None and unit is not None else (),
    )


def _describe_changes(store: Store, dataset: str, before: str) -> list[str]:
    found = compare_releases(store, dataset, before)
    changed = [f"rows {change} because of {why}: {count:,}" for (change, why), count in count_changes(found.changes).items()]
    settings = [f"{name}: {old!r} before, now {new!r}" for name, (old, new) in found.settings.items()]
    return [f"{found.rows[0]:,} rows of {found.table} before, {found.rows[1]:,} now", *changed, *settings]
