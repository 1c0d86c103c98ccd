"""What `lab.speed.campaign` compares a run with, each in its own process: an empty flow, and a plain loop over the same work.

    python -m lab.speed.campaign_parts empty
    python -m lab.speed.campaign_parts plain --source DIR --store DIR [--limit N]

Both print one JSON object.
"""

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import Any


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


def run_plain_loop(source: str, store: str, limit: int | None) -> dict[str, Any]:
    """Build every unit and the release in this process. Return counts, the release, and the seconds of each step.

    What report, card and checks add to a release comes last: `added` has its seconds, and the bytes beside the tables.
    """
    began = [("imports", perf_counter())]
    from flows.frame.ingestion import InProcessMapper
    from flows.frame.observer import Observer
    from flows.frame.run import run_pipeline
    from infra.store.catalog import read_catalog
    from infra.store.objects import Store
    from tasks.frame.ledger import RunCall
    from tasks.transcripts import TRANSCRIPTS
    from tasks.transcripts.build import build  # noqa: F401 -- its imports are timed here, not in the first unit

    class Clock(Observer):
        def start(self, step: str, total: int) -> None:  # noqa: ARG002 -- the observer's
            began.append((step, perf_counter()))

    call = RunCall(source=(source,), store=store, dataset=TRANSCRIPTS.name, limit=limit, in_process=True)
    summary = run_pipeline(TRANSCRIPTS, call, InProcessMapper(), Clock())
    ends = [*(moment for _, moment in began[1:]), perf_counter()]
    steps = {name: end - moment for (name, moment), end in zip(began, ends, strict=True)}
    release = Path(str(summary.release))
    tables, others = (
        sum(path.stat().st_size for path in release.rglob("*") if path.is_file() and (path.suffix == ".parquet") == wanted)
        for wanted in (True, False)
    )
    references = [entry.reference for entry in read_catalog(Store(store), TRANSCRIPTS.name).values() if entry.reference]
    return {
        "units": {"computed": len(summary.computed), "quarantined": len(summary.quarantined)},
        "release": str(release),
        "turns": sum(reference.counts["turns"] for reference in references),
        "rows": sum(summary.rows.values()),
        "added": {"seconds": steps["report"], "bytes": others},
        "without": {"seconds": sum(steps.values()) - steps["report"], "bytes": tables},
        "steps": steps,
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
