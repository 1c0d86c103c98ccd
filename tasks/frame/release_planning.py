"""Plans the release of landed units: what a run is about to publish, and what the index of a release must agree with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.dataset.report import Quality
from core.fingerprints import canonicalise
from core.references import UnitReference
from infra.store.objects import Store
from tasks.frame.planning import RunPlan
from tasks.frame.quality import find_quality
from tasks.frame.release import ReleasePlan, TableSpec, list_release_units, plan_release
from tasks.frame.release_spec import Landed, PipelineConfig, ReleaseSpec
from tasks.frame.report import Reporter, choose_reporter, identify_report
from tasks.frame.reviews import collect_reviews


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRelease:
    """A release to be, and what it is planned from: the landed units, its tables, its report, the comparisons that hold."""

    landed: Landed[Any]
    tables: Sequence[TableSpec]
    reporter: Reporter
    quality: Sequence[Quality]
    release: ReleasePlan


def plan_landed(
    store: Store,
    dataset: str,
    spec: ReleaseSpec[Any],
    versions: Mapping[str, int],
    config: PipelineConfig,
    plan: RunPlan,
    releasable: Mapping[str, UnitReference],
) -> PlannedRelease:
    """Plan the release of what has landed, with what readers have decided and what was compared with gold by now.

    Args:
        store: holds the units' artifacts and what is known of the dataset.
        dataset: its name.
        spec: the pipeline's.
        versions: of the stages that the units are built with by now.
        config: its settings.
        plan: of the run.
        releasable: every landed unit.
    """
    config = spec.disclose(config, plan.knowledge)
    landed = Landed(
        store=store,
        config=config,
        references=dict(sorted(releasable.items())),  # whatever was built now and found, the same comes of it
        known=plan.discovered,
        withheld=plan.withheld,
        knowledge=plan.knowledge,
        reviews=collect_reviews(store, dataset, releasable),
    )
    tables = spec.tables(landed)
    reporter = choose_reporter(spec, landed, tables)
    quality = find_quality(store, dataset, landed.references, canonicalise(config), versions)
    release = plan_release(
        store,
        dataset,
        list_release_units(landed, spec),
        tables,
        config.split,
        canonicalise(config),
        plan.withheld,
        [
            *(canonicalise(spec.told(landed)), canonicalise(spec.description), identify_report(reporter)),
            *(canonicalise(each) for each in quality),
        ],
    )
    return PlannedRelease(landed=landed, tables=tables, reporter=reporter, quality=quality, release=release)
