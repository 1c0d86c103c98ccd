"""What `lab.speed.campaign` compares a run with, each in its own process: an empty flow, and a plain loop over the same work.

    python -m lab.speed.campaign_parts empty
    python -m lab.speed.campaign_parts plain --source DIR --store DIR [--limit N]

Both print one JSON object.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from tasks.frame.model import INGESTION
from tasks.frame.release_spec import RELEASE

ADDED = ("report", "card", "checks")
"""Stages of the plain loop that a release of tables alone would not have; `card` has manifest and checksums too."""


def run_empty_flow() -> dict[str, Any]:
    """Run a flow that does nothing, in the way that `fabula` runs its flows."""
    from infra.orchestration.embedded_server import embedded_server
    from infra.orchestration.prefect import prepare_prefect

    prepare_prefect()
    with embedded_server():
        from prefect import flow

        @flow(name="empty")
        def do_nothing() -> None:
            pass

        do_nothing()
    return {}


def run_plain_loop(source: str, store_url: str, limit: int | None) -> dict[str, Any]:
    """Build every unit and the release in this process. Return counts, the release, and seconds by stage."""
    started = perf_counter()
    from core.dataset.takedown import Takedown
    from core.errors import SourceError
    from core.fingerprints import canonicalise
    from core.references import UnitReference
    from infra.settings import load_config
    from infra.sources.opening import OpenedSources
    from infra.store.history import Publication
    from infra.store.objects import Store
    from tasks.frame.build import build_unit
    from tasks.frame.model import PlanRequest
    from tasks.frame.plan import plan_run
    from tasks.frame.publish import ReleaseFacts, publish_tables
    from tasks.frame.release import explain_files, list_release_units, plan_release, write_shard
    from tasks.frame.release_spec import Landed
    from tasks.frame.report import choose_reporter, identify_report, plan_report, write_report_part
    from tasks.frame.taken_down import check_tables
    from tasks.transcripts import TRANSCRIPTS
    from tasks.transcripts.build import build  # noqa: F401 -- its imports are timed here, not in the first unit
    from tasks.transcripts.release import summarise

    seconds: Counter[str] = Counter({"imports": perf_counter() - started})

    @contextmanager
    def timed(stage: str) -> Iterator[None]:
        clock = perf_counter()
        yield
        seconds[stage] += perf_counter() - clock  # type: ignore[assignment]  # counts seconds

    store, ingestion, spec = Store(store_url), TRANSCRIPTS.load(INGESTION), TRANSCRIPTS.load(RELEASE)
    config = load_config(ingestion.config, TRANSCRIPTS.name)
    with timed("plan"):
        request = PlanRequest(
            sources=OpenedSources((source,)), store=store, config=config, profile="default", resources={}, takedown=Takedown()
        )
        plan = plan_run(TRANSCRIPTS, request, {}, limit)
    references: dict[str, UnitReference] = {}
    quarantined = len(plan.failures)
    for unit in plan.to_build:
        try:
            references[unit] = build_unit(plan.requests[unit])
        except SourceError:
            quarantined += 1
        else:
            seconds.update(references[unit].seconds)
    landed = Landed(
        store=store,
        config=config,
        references=references,
        known=plan.discovered,
        withheld=plan.withheld,
        knowledge=plan.found.knowledge,
    )
    with timed("plan"):
        units, tables = list_release_units(landed, spec), spec.tables(landed)
        reporter = choose_reporter(TRANSCRIPTS, landed, tables)
        told = [canonicalise(spec.told(landed)), canonicalise(spec.description), identify_report(reporter)]
        release = plan_release(store, TRANSCRIPTS.name, units, tables, config.split, canonicalise(config), plan.withheld, told)
    shards = []
    for shard in release.requests.values():
        with timed(f"release: {shard.table.name}"):
            shards.append(write_shard(shard))
    with timed("statistics"):
        summary = summarise(landed, shards)
    with timed("report"):
        parts = [write_report_part(request) for request in plan_report(release, reporter).values()]
    with timed("card"):
        rejects = explain_files(store, release.folder, shards, spec, config)
    with timed("checks"):
        check_tables(store, plan, release)
    with timed("card"):
        publication = Publication(run=1, started="2026-01-01T00:00:00+00:00", parent=None)
        facts = ReleaseFacts(
            statistics=summary.statistics,
            figures=summary.figures,
            rejects=rejects,
            description=spec.description,
            provenance=config.provenance,
            report=parts,
            words=reporter.spec,
        )
        publish_tables(store, release, shards, facts, publication)
    tables_bytes = sum(shard.size for shard in shards)
    added = sum(entry.size for entry in store.list_objects(release.folder)) - tables_bytes
    spent = sum(seconds[name] for name in ADDED)
    alone = (files for unit in references if not (files := plan.requests[unit].unit.spec).duplicates)
    return {
        "units": {"computed": len(references), "quarantined": quarantined},
        "release": store.locate(release.folder),
        "shards": len(shards),
        "turns": sum(reference.counts["turns"] for reference in references.values()),
        "text_transcript": next(path for files in alone if (path := files.transcripts[0].path).endswith(".txt")),
        "rows": sum(part.listed for part in parts),
        "added": {"seconds": spent, "bytes": added},
        "without": {"seconds": perf_counter() - started - spent, "bytes": tables_bytes},
        "stages": dict(seconds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    parts.add_parser("empty", help="a flow that does nothing")
    plain = parts.add_parser("plain", help="every unit and the release, in this process")
    plain.add_argument("--source", required=True)
    plain.add_argument("--store", required=True)
    plain.add_argument("--limit", type=int)
    options = parser.parse_args()
    empty = options.part == "empty"
    print(json.dumps(run_empty_flow() if empty else run_plain_loop(options.source, options.store, options.limit)))


if __name__ == "__main__":
    main()
