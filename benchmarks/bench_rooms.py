"""Scores a whole corpus with the offline default: time, memory, and the share of sentences that is removed.

    FABULA_CORPORA=../shared/data python benchmarks/bench_rooms.py [--top 20]

Campaign 1 of CRD3 (its cleaned JSON), in one process, from files to a release. The report's pipeline took over 8 hours
(section 7), and removed at least 93 % of the corpus at threshold 1 (section 3.3).
"""

import argparse
import json
import os
import resource
import tempfile
import time
from pathlib import Path

from flows.frame.observer import Nobody
from flows.frame.run import run_pipeline
from infra.store.objects import Store
from tasks.frame.ledger import RunCall
from tasks.frame.mapper import InProcessMapper
from tasks.pipelines import find_pipeline
from tasks.rooms.labels import read_sentences


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--top", type=int, default=0, help="also print the sentences of the highest score")
    parser.add_argument("--max-short", type=int, default=7, help="selection.max_short")
    options = parser.parse_args()
    pipeline = find_pipeline("rooms")
    with tempfile.TemporaryDirectory(prefix="fabula-bench-rooms-") as folder:
        source = Path(folder) / "source"
        source.mkdir()
        for path in sorted((Path(os.environ["FABULA_CORPORA"]) / "crd3" / "cleaned data").glob("C1E*.json")):
            (source / path.name).symlink_to(path)
        store = f"{folder}/store"
        call = RunCall(
            source=(str(source),), store=store, dataset="rooms", settings={"selection": {"max_short": options.max_short}}
        )
        wall, processor = time.perf_counter(), time.process_time()
        summary = run_pipeline(pipeline, call, InProcessMapper(), Nobody())
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        release = Path(summary.release or "")
        statistics = json.loads((release / "stats.json").read_text("utf-8"))
        figures = {name: statistics[name] for name in ("sentences", "kept", "removed_share", "below_min_score", "reasons")}
        print(json.dumps({"seconds": wall, "processor_seconds": processor, "peak_mib": peak, **figures}))
        rows = sorted(read_sentences(Store(store), "rooms", ("rooms",)), key=lambda row: -float(row["score"]))
        for row in rows[: options.top]:
            print(row["score"], row["id"], row["text"])


if __name__ == "__main__":
    main()
