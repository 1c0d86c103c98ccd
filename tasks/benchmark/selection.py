"""The systems of `core.benchmark.selection`, with their settings."""

from dataclasses import dataclass

from core.benchmark.selection import Selection, rank_first
from core.benchmark.system import Workbench
from tasks.benchmark.systems import Implementation


@dataclass(frozen=True, slots=True)
class NoSettings:
    """A system without settings of its own."""


def _make_lead(_: NoSettings, bench: Workbench) -> Selection:
    return Selection(bench.budget, rank_first)


LEAD = Implementation(settings=NoSettings, make=_make_lead)
