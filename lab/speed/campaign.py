"""Times `fabula run transcripts` on a whole campaign against an empty Prefect flow and a plain loop over the same work.

    FABULA_CORPORA=DIR python -m lab.speed.campaign [--limit N]

Every measurement is the wall time of a new process from start to end. The processes run one after the other on the same two
cores. A short run before them migrates Prefect's database, fills numba's cache with compiled kernels and puts the source into the
page cache. The processes are

- empty flow: Python, Prefect with fabula's settings, its embedded server, one flow that does nothing, the end of both;
- plain loop: every unit and the release into a new store, one after the other in one process; no Prefect, no Dask. What card,
  report and checks add to it is told beside it: seconds, bytes;
- fabula run: the command as a user calls it, default profile, all chunk sizes and offsets, two workers, a new store;
- second run: the same command again, with nothing changed;
- one changed: the same command again, with one more line in one transcript.

`lab/README.md` has the rules; the exit status is 1 only if the counts are wrong.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from lab.corpora import find_source
from lab.speed.process_tree import Measurement, measure

CORES = 2
GIB = 2**30


def copy_source(folder: Path) -> Path:
    """Copy the corpus's transcripts and recaps into `folder`, because the benchmark changes a transcript."""
    source = find_source("crd3", "transcripts")
    for part in ("transcripts", "recaps", "raw summary data"):
        if (source / part).is_dir():
            shutil.copytree(source / part, folder / "source" / part)
    return folder / "source"


def measure_all(folder: Path, limit: int | None) -> dict[str, Measurement]:
    """Return a measurement of every process, by name, in the order of the table."""
    source = copy_source(folder)
    parts = [sys.executable, "-m", "lab.speed.campaign_parts"]
    fabula = [str(Path(sys.executable).with_name("fabula")), "run", "transcripts", "--source", str(source), "--json"]
    fabula += ["--workers", str(CORES)]
    limited = ["--limit", str(limit)] if limit else []
    measure([*fabula, "--store", str(folder / "warm-up"), "--limit", "2"], folder)
    measured = {"empty": measure([*parts, "empty"], folder)}
    measured["plain"] = measure([*parts, "plain", "--source", str(source), "--store", f"{folder}/plain", *limited], folder)
    for name in ("run", "again", "changed"):
        if name == "changed":
            with min(source.glob("transcripts/*.txt")).open("a", encoding="utf-8") as transcript:
                transcript.write("\nMATT: And so it ends, once more.\n")
        measured[name] = measure([*fabula, "--store", str(folder / "run"), *limited], folder)
    for name in ("plain", "run"):
        measured[name].output["stages"] = _sum_stages(folder / name)
    return measured


def _sum_stages(store: Path) -> dict[str, float]:
    """Return the seconds that the workers spent in each stage, from the catalog (for a changed unit, those of the last run)."""
    from infra.store.catalog import read_catalog
    from infra.store.objects import Store

    entries = read_catalog(Store(str(store)), "transcripts").values()
    sums: Counter[str] = Counter()
    for entry in entries:
        sums.update(entry.reference.seconds if entry.reference else {})
    return dict(sums)


def find_wrong_counts(measured: Mapping[str, Measurement]) -> list[str]:
    """Return a line for every count that differs from the expected one."""
    wrong, expected = [], measured["plain"].output["units"]["computed"]
    for name, computed in (("run", expected), ("again", 0), ("changed", 1)):
        units = measured[name].output["units"]
        if (units["computed"], units["reused"]) != (computed, expected - computed):
            wrong.append(f"{name}: {units}; expected {computed} computed and {expected - computed} reused")
    releases = [Path(measured[name].output["release"]).name for name in ("plain", "run", "again", "changed")]
    if len(set(releases[:3])) != 1 or releases[3] == releases[0]:
        wrong.append(f"releases {releases}; expected three equal versions, then another one")
    return wrong


def list_rules(measured: Mapping[str, Measurement]) -> list[tuple[str, float, float]]:
    """Return the rules of the speed goal: what each says, the measured figure and its limit."""
    empty, plain, run, again = (measured[name] for name in ("empty", "plain", "run", "again"))
    added, without = plain.output["added"], plain.output["without"]
    return [
        ("run ≤ empty flow + 12 s + 0.55 × plain loop", run.seconds, empty.seconds + 12 + 0.55 * plain.seconds),
        ("processor time of the run ≤ 1.5 × plain loop's", run.cpu, 1.5 * plain.cpu),
        ("second run ≤ empty flow + 3 s", again.seconds, empty.seconds + 3),
        ("largest process ≤ 1 GiB (in GiB)", run.processes[0].rss / GIB, 1),
        ("card, report, checks: seconds ≤ ⅓ of the rest", added["seconds"], without["seconds"] / 3),
        ("card, report, checks: MB ≤ ⅓ of the tables", added["bytes"] / 1e6, without["bytes"] / 3e6),
    ]


def write_tables(measured: Mapping[str, Measurement]) -> Iterator[str]:
    """Yield the report's lines, as Markdown."""
    plain, run = measured["plain"].output, measured["run"].output
    counts = f"{plain['units']['computed']} units, {plain['turns']:,} turns, {plain['rows']:,} rows"
    yield f"{counts}; {CORES} workers on {CORES} cores\n"
    yield "| process | seconds | processor, s | computed | reused | contains |"
    yield "|---|---:|---:|---:|---:|---|"
    contents = {
        "empty": ("empty flow", "Prefect, its server, a flow that does nothing"),
        "plain": ("plain loop", "imports, every stage of every unit, the release; one process"),
        "run": ("fabula run", "imports, Prefect, Dask, every stage, the release; fresh store"),
        "again": ("second run", "imports, Prefect, discovery; nothing changed"),
        "changed": ("one changed", "imports, Prefect, Dask, one unit, a new release"),
    }
    for name, (label, content) in contents.items():
        found, units = measured[name], measured[name].output.get("units", {})
        counts = f"{units.get('computed', '')} | {units.get('reused', '')}"
        yield f"| {label} | {found.seconds:.1f} | {found.cpu:.1f} | {counts} | {content} |"
    yield "\n| rule | figure | limit | |"
    yield "|---|---:|---:|---|"
    for text, figure, most in list_rules(measured):
        yield f"| {text} | {figure:.2f} | {most:.2f} | {'kept' if figure <= most else 'NOT kept'} |"
    yield "\n| process of `fabula run` | peak RSS, MiB | processor, s |"
    yield "|---|---:|---:|"
    for process in measured["run"].processes:
        yield f"| {process.process} | {process.rss / 2**20:.0f} | {process.cpu:.1f} |"
    yield "\n| step, or stage of a unit | plain loop, s | workers of `fabula run`, s |"
    yield "|---|---:|---:|"
    for stage, spent in (plain["steps"] | plain["stages"]).items():
        inside = f"{run['stages'][stage]:.2f}" if stage in run["stages"] else ""
        yield f"| {stage} | {spent:.2f} | {inside} |"
    yield f"\nThe flow of `fabula run` took {run['seconds']:.1f} s; the rest is the start and end of Python and Prefect."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, help="build at most this many units")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # the speed goal is for two cores
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        measured = measure_all(Path(folder), options.limit)
    wrong = find_wrong_counts(measured)
    print("\n".join(write_tables(measured)))
    for line in wrong:
        print(f"wrong counts: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
