"""Times `fabula run transcripts` on a whole campaign against an empty Prefect flow and a plain loop over the same work.

    FABULA_CORPORA=DIR python benchmarks/bench_campaign.py [--limit N] [--repeat N] [--json]

Every measurement is the wall time of a new process from start to end. The processes run one after the other on the same two
cores. A short run before them migrates Prefect's database, fills numba's cache with compiled kernels and puts the source into the
page cache. The processes are

- empty flow: Python, Prefect with fabula's settings, its embedded server, one flow that does nothing, the end of both;
- plain loop: `build_episode` for every unit in one process, then every shard of the release, statistics, manifest and pointer
  into a new store; no Prefect, no Dask, no catalog. What card, report and checks add to it is told beside it: seconds, bytes;
- fabula run: the command as a user calls it, default profile, all chunk sizes and offsets, two workers, a new store;
- second run: the same command again, with nothing changed;
- one changed: the same command again, with one more line in one transcript.

The speed rules are printed for information only, since other work on the machine changes the times. The exit status is 1 only if
the counts are wrong. The first run must compute the units of the plain loop and release the same version. The second run must
compute no unit, and the last run one.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

CORES = 2
ADDED = ("report", "card", "checks")
"""Stages of the plain loop that a release of tables alone would not have; `card` has manifest and checksums too."""
SAMPLE_SECONDS = 0.1
GIB = 2**30
PROCESSES = {
    "uvicorn": "Prefect's embedded server (API, SQLite)",
    "forkserver": "Dask worker, or the process that it is a fork of (numpy, scipy, numba, spaCy, pyarrow)",
    "spawn_main": "Dask worker (numpy, scipy, numba, spaCy, pyarrow; one unit or shard at a time)",
    "resource_tracker": "multiprocessing's resource tracker",
}
COMMAND_PROCESS = "fabula (command, flow, task threads, Dask scheduler and nannies)"


@dataclass(frozen=True, slots=True)
class ProcessUse:
    """A process of a run: its description, its peak resident memory (bytes) and its processor time (seconds)."""

    process: str
    rss: int
    cpu: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measured process: its wall time in seconds, the JSON object that it printed, and its process tree, largest first."""

    seconds: float
    output: dict[str, Any]
    processes: tuple[ProcessUse, ...]

    @property
    def cpu(self) -> float:
        """Processor seconds of the whole process tree, up to the last sample of each process."""
        return sum(process.cpu for process in self.processes)


@dataclass(frozen=True, slots=True)
class Rule:
    """A figure and its limit."""

    text: str
    figure: float
    limit: float

    @property
    def kept(self) -> bool:
        """Whether the figure is within its limit."""
        return self.figure <= self.limit


# The work of the child processes.


def run_empty_flow() -> dict[str, Any]:
    """Run a flow that does nothing, in the way that `fabula` runs its flows."""
    from infra.orchestration.embedded_server import embedded_server
    from infra.orchestration.prefect import prepare_prefect

    prepare_prefect(quiet=True)
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
    from core.errors import SourceError
    from core.fingerprints import canonicalise
    from core.references import UnitReference
    from infra.settings import load_config
    from infra.store.history import Publication
    from infra.store.objects import Store
    from tasks.frame.building import build_unit
    from tasks.frame.pipeline import Landed
    from tasks.frame.planning import plan_run
    from tasks.frame.publishing import ReleaseFacts, publish_tables
    from tasks.frame.rejects import explain_tables
    from tasks.frame.release import list_release_units, plan_release, write_shard
    from tasks.frame.report import choose_reporter, identify_report, plan_report, write_report_part
    from tasks.frame.taken_down import check_tables
    from tasks.transcripts.build import build_episode  # noqa: F401 -- its imports are timed here, not in the first unit
    from tasks.transcripts.pipeline import TRANSCRIPTS

    seconds: Counter[str] = Counter({"imports": perf_counter() - started})

    @contextmanager
    def timed(stage: str) -> Iterator[None]:
        clock = perf_counter()
        yield
        seconds[stage] += perf_counter() - clock

    store, implementation = Store(store_url), TRANSCRIPTS.load()
    config = load_config(implementation.config, TRANSCRIPTS.name)
    with timed("plan"):
        plan = plan_run(
            TRANSCRIPTS,
            sources=[source],
            store=store,
            config=config,
            profile="default",
            resources={},
            catalog={},
            limit=limit,
        )
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
        knowledge=plan.knowledge,
    )
    with timed("plan"):
        units, tables = list_release_units(landed, implementation), implementation.tables(landed)
        reporter = choose_reporter(implementation, landed, tables)
        told = [canonicalise(implementation.told(landed)), canonicalise(implementation.description), identify_report(reporter)]
        release = plan_release(store, TRANSCRIPTS.name, units, tables, config.split, canonicalise(config), plan.withheld, told)
    shards = []
    for request in release.requests.values():
        with timed(f"release: {request.table.name}"):
            shards.append(write_shard(request))
    with timed("statistics"):
        statistics = implementation.summarise(landed, shards)
    with timed("report"):
        parts = [write_report_part(request) for request in plan_report(release, reporter).values()]
    with timed("card"):
        written = [(shard.table, f"{release.folder}/{shard.path}", shard.rows) for shard in shards]
        rejects = explain_tables(store, written, implementation, config)
    with timed("checks"):
        check_tables(store, plan, release)
    with timed("card"):
        publication = Publication(run=1, started="2026-01-01T00:00:00+00:00", parent=None)
        facts = ReleaseFacts(
            statistics=statistics,
            figures=implementation.tabulate(statistics),
            rejects=rejects,
            description=implementation.description,
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


# The work of the parent process.


def measure(command: Sequence[str], folder: Path) -> Measurement:
    """Run a command and measure it: wall time, memory of its process tree by sampling, and the JSON object that it prints.

    Raises:
        RuntimeError: the command failed; the message ends with what it wrote to standard error.
    """
    import psutil

    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    environment["PREFECT_HOME"] = str(folder / "prefect")
    found: dict[tuple[int, str], ProcessUse] = {}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = perf_counter()
        child = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        root = psutil.Process(child.pid)
        while child.poll() is None:
            for process in _tree(root):
                try:
                    name, times = _name(process, root), process.cpu_times()
                    before = found.get((process.pid, name))
                    peak = max(_peak_rss(process), before.rss if before else 0)
                    found[process.pid, name] = ProcessUse(name, peak, times.user + times.system)
                except psutil.Error:
                    continue  # the process ended meanwhile
            sleep(SAMPLE_SECONDS)
        seconds = perf_counter() - started
        output.seek(0)
        errors.seek(0)
        if child.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}:\n{errors.read().decode()[-2000:]}")
        processes = sorted((use for (_, name), use in found.items() if name), key=lambda use: -use.rss)
        return Measurement(seconds, json.loads(output.read()), tuple(processes))


def _tree(root: Any) -> list[Any]:
    import psutil

    try:
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []


def _peak_rss(process: Any) -> int:
    """Return a process's peak memory, which Linux records, so that no peak falls between samples. Elsewhere: its memory now."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    except OSError:
        return int(process.memory_info().rss)
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def _name(process: Any, root: Any) -> str:
    words = process.cmdline()
    if process == root:
        return COMMAND_PROCESS
    if not words or words == root.cmdline():
        return ""  # it ended, or was forked and is about to start another program
    return next((name for mark, name in PROCESSES.items() if mark in " ".join(words)), " ".join(words)[:80])


def copy_source(folder: Path) -> Path:
    """Copy the corpus's transcripts and recaps into `folder`, because the benchmark changes a transcript."""
    corpora = os.environ.get("FABULA_CORPORA")
    source = Path(corpora) / "crd3" if corpora else Path(__file__).resolve().parents[1] / "examples" / "transcripts"
    if not corpora:
        print("FABULA_CORPORA is not set: timing the small examples, which say little about a campaign", file=sys.stderr)
    for part in ("transcripts", "recaps", "raw summary data"):
        if (source / part).is_dir():
            shutil.copytree(source / part, folder / "source" / part)
    return folder / "source"


def measure_all(folder: Path, limit: int | None, repeat: int) -> dict[str, list[Measurement]]:
    """Return `repeat` measurements of every process, by name, in the order of the table."""
    source = copy_source(folder)
    this = [sys.executable, str(Path(__file__).resolve())]
    fabula = [str(Path(sys.executable).with_name("fabula")), "run", "transcripts", "--source", str(source), "--json"]
    fabula += ["--workers", str(CORES)]
    limited = ["--limit", str(limit)] if limit else []
    measure([*fabula, "--store", str(folder / "warm-up"), "--limit", "2"], folder)
    measured: dict[str, list[Measurement]] = {name: [] for name in ("empty", "plain", "run", "again", "changed")}
    for number in range(repeat):
        store = ["--store", str(folder / f"run-{number}")]
        measured["empty"].append(measure([*this, "--part", "empty"], folder))
        plain = measure(
            [*this, "--part", "plain", "--source", str(source), "--store", f"{folder}/plain-{number}", *limited], folder
        )
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
    for rule in rules:
        yield f"| {rule.text} | {rule.figure:.2f} | {rule.limit:.2f} | {'kept' if rule.kept else 'NOT kept'} |"
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
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    for hidden in ("--part", "--source", "--store"):  # for the child processes
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part is not None:
        empty = options.part == "empty"
        print(json.dumps(run_empty_flow() if empty else run_plain_loop(options.source, options.store, options.limit)))
        return 0
    if hasattr(os, "sched_setaffinity"):  # the speed goal is for two cores
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        measured = measure_all(Path(folder), options.limit, max(options.repeat, 1))
    seconds = {name: median(entry.seconds for entry in entries) for name, entries in measured.items()}
    processes = max((entry.processes for entry in measured["run"]), key=lambda uses: uses[0].rss)
    cpu = {name: median(entry.cpu for entry in entries) for name, entries in measured.items()}
    rules = judge(seconds, cpu, processes, measured["plain"][-1].output)
    wrong = find_wrong_counts(measured)
    if options.json:
        listed = {name: [asdict(entry) for entry in entries] for name, entries in measured.items()}
        judged = [asdict(rule) | {"kept": rule.kept} for rule in rules]
        print(json.dumps({"seconds": seconds, "rules": judged, "wrong_counts": wrong, "measurements": listed}))
    else:
        print("\n".join(write_tables(measured, seconds, rules, processes)))
    for line in wrong:
        print(f"wrong counts: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
