"""Times `fabula run transcripts` on a whole campaign against an empty Prefect flow and a plain loop over the same work.

    FABULA_CORPORA=DIR python -m lab.speed.campaign [--limit N] [--repeat N]

Every measurement is the wall time of a new process from start to end. The processes run one after the other on the same two
cores. A short run before them migrates Prefect's database, fills numba's cache with compiled kernels and puts the source into the
page cache. The processes are

- empty flow: Python, Prefect with fabula's settings, its embedded server, one flow that does nothing, the end of both;
- plain loop: `build` for every unit in one process, then every shard of the release, statistics, manifest and pointer
  into a new store; no Prefect, no Dask, no catalog. What card, report and checks add to it is told beside it: seconds, bytes;
- fabula run: the command as a user calls it, default profile, all chunk sizes and offsets, two workers, a new store;
- second run: the same command again, with nothing changed;
- one changed: the same command again, with one more line in one transcript.

The speed rules are printed for information only, since other work on the machine changes the times. The exit status is 1 only if
the counts are wrong. The first run must compute the units of the plain loop and release the same version. The second run must
compute no unit, and the last run one.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from lab.corpora import find_source
from lab.speed.process_tree import Measurement, ProcessUse, measure

CORES = 2
GIB = 2**30


class Rule(NamedTuple):
    """A figure and its limit."""

    text: str
    figure: float
    limit: float


def copy_source(folder: Path) -> Path:
    """Copy the corpus's transcripts and recaps into `folder`, because the benchmark changes a transcript."""
    source = find_source("crd3", "transcripts")
    for part in ("transcripts", "recaps", "raw summary data"):
        if (source / part).is_dir():
            shutil.copytree(source / part, folder / "source" / part)
    return folder / "source"


def measure_all(folder: Path, limit: int | None, repeat: int) -> dict[str, list[Measurement]]:
    """Return `repeat` measurements of every process, by name, in the order of the table."""
    source = copy_source(folder)
    parts = [sys.executable, "-m", "lab.speed.campaign_parts"]
    fabula = [str(Path(sys.executable).with_name("fabula")), "run", "transcripts", "--source", str(source), "--json"]
    fabula += ["--workers", str(CORES)]
    limited = ["--limit", str(limit)] if limit else []
    measure([*fabula, "--store", str(folder / "warm-up"), "--limit", "2"], folder)
    measured: dict[str, list[Measurement]] = {name: [] for name in ("empty", "plain", "run", "again", "changed")}
    for number in range(repeat):
        store = ["--store", str(folder / f"run-{number}")]
        measured["empty"].append(measure([*parts, "empty"], folder))
        plain = measure([*parts, "plain", "--source", str(source), "--store", f"{folder}/plain-{number}", *limited], folder)
        measured["plain"].append(plain)
        for name in ("run", "again", "changed"):
            if name == "changed":
                with (source / plain.output["text_transcript"]).open("a", encoding="utf-8") as transcript:
                    transcript.write("\nMATT: And so it ends, once more.\n")
            measured[name].append(measure([*fabula, *store, *limited], folder))
        measured["run"][-1].output["stages"] = _sum_stages(folder / f"run-{number}")
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


def find_wrong_counts(measured: Mapping[str, Sequence[Measurement]]) -> list[str]:
    """Return a line for every count that differs from the expected one."""
    wrong = []
    for plain, run, again, changed in zip(*(measured[name] for name in ("plain", "run", "again", "changed")), strict=True):
        expected = plain.output["units"]["computed"]
        for name, found, computed in (("run", run, expected), ("again", again, 0), ("changed", changed, 1)):
            units = found.output["units"]
            if (units["computed"], units["reused"]) != (computed, expected - computed):
                wrong.append(f"{name}: {units}; expected {computed} computed and {expected - computed} reused")
        releases = [Path(found.output["release"]).name for found in (plain, run, again, changed)]
        if len(set(releases[:3])) != 1 or releases[3] == releases[0]:
            wrong.append(f"releases {releases}; expected three equal versions, then another one")
    return wrong


def judge(
    seconds: Mapping[str, float], cpu: Mapping[str, float], processes: Sequence[ProcessUse], plain: Mapping[str, Any]
) -> list[Rule]:
    """Return the rules of the speed goal with the measured figures."""
    allowed = seconds["empty"] + 12 + 0.55 * seconds["plain"]
    return [
        Rule("run ≤ empty flow + 12 s + 0.55 × plain loop", seconds["run"], allowed),
        Rule("processor time of the run ≤ 1.5 × plain loop's", cpu["run"], 1.5 * cpu["plain"]),
        Rule("second run ≤ empty flow + 3 s", seconds["again"], seconds["empty"] + 3),
        Rule("largest process ≤ 1 GiB (in GiB)", max(process.rss for process in processes) / GIB, 1),
        Rule("card, report, checks: seconds ≤ ⅓ of the rest", plain["added"]["seconds"], plain["without"]["seconds"] / 3),
        Rule("card, report, checks: MB ≤ ⅓ of the tables", plain["added"]["bytes"] / 1e6, plain["without"]["bytes"] / 3e6),
    ]


def write_tables(
    measured: Mapping[str, Sequence[Measurement]],
    seconds: Mapping[str, float],
    rules: Sequence[Rule],
    processes: Sequence[ProcessUse],
) -> Iterator[str]:
    """Yield the report's lines, as Markdown."""
    plain, run = measured["plain"][-1].output, measured["run"][-1].output
    counts = f"{plain['units']['computed']} units, {plain['turns']:,} turns, {plain['shards']} shards"
    counts += f", {plain['rows']:,} rows in the report"
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
        units = measured[name][-1].output.get("units", {})
        cpu = median(entry.cpu for entry in measured[name])
        counts = f"{units.get('computed', '')} | {units.get('reused', '')}"
        yield f"| {label} | {seconds[name]:.1f} | {cpu:.1f} | {counts} | {content} |"
    yield "\n| rule | figure | limit | |"
    yield "|---|---:|---:|---|"
    for text, figure, most in rules:
        yield f"| {text} | {figure:.2f} | {most:.2f} | {'kept' if figure <= most else 'NOT kept'} |"
    yield "\n| process of `fabula run` | peak RSS, MiB | processor, s |"
    yield "|---|---:|---:|"
    for process in processes:
        yield f"| {process.process} | {process.rss / 2**20:.0f} | {process.cpu:.1f} |"
    yield "\n| stage | plain loop, s | workers of `fabula run`, s |"
    yield "|---|---:|---:|"
    for stage, spent in plain["stages"].items():
        inside = f"{run['stages'][stage]:.2f}" if stage in run["stages"] else ""
        yield f"| {stage} | {spent:.2f} | {inside} |"
    yield f"\nThe flow of `fabula run` took {run['seconds']:.1f} s; the rest is the start and end of Python and Prefect."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, help="build at most this many units")
    parser.add_argument("--repeat", type=int, default=1, help="number of measurements; the report has their medians")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # the speed goal is for two cores
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        measured = measure_all(Path(folder), options.limit, max(options.repeat, 1))
    seconds = {name: median(entry.seconds for entry in entries) for name, entries in measured.items()}
    processes = max((entry.processes for entry in measured["run"]), key=lambda uses: uses[0].rss)
    cpu = {name: median(entry.cpu for entry in entries) for name, entries in measured.items()}
    rules = judge(seconds, cpu, processes, measured["plain"][-1].output)
    wrong = find_wrong_counts(measured)
    print("\n".join(write_tables(measured, seconds, rules, processes)))
    for line in wrong:
        print(f"wrong counts: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
