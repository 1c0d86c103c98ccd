"""What a takedown list keeps out that the plan of a run does not know yet: renamed units, and ids added while it ran."""

from collections.abc import Mapping

from core.references import UnitReference
from core.takedown import Takedown
from tasks.frame.planning import RunPlan


def list_contents(reference: UnitReference, members: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the SHA-256 of the landed files of a unit, or of each small unit of a shard, in order; records have none."""
    if members != (reference.unit,) and not reference.owners:
        return {}
    found: dict[str, list[str]] = {}
    for owner, key in zip(reference.owners or [reference.unit] * len(reference.inputs), reference.inputs, strict=True):
        found.setdefault(owner, []).append(key.split("/")[3])
    return found


def find_renamed(plan: RunPlan, references: Mapping[str, UnitReference]) -> dict[str, str]:
    """Return the units that are on the takedown list under another name, since they have its text; each with the listed id."""
    takedown = plan.withheld.takedown
    if not takedown.contents:
        return {}
    found: dict[str, str] = {}
    for unit, reference in references.items():
        found |= takedown.find_copies(list_contents(reference, plan.members[unit]))
    return found


def has_grown(plan: RunPlan, takedown: Takedown) -> bool:
    """Tell whether a takedown list names something of a plan that it did not name when the plan was made."""
    before = plan.withheld.takedown
    new = Takedown({name: reason for name, reason in takedown.reasons.items() if name not in before})
    if takedown.contents.keys() - before.contents.keys():
        return True
    return bool(new.reasons) and (any(unit in new for unit in plan.discovered) or bool(new.find_rows(plan.members)))
