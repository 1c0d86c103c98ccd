"""Measures how time and memory grow with the number of units, on synthetic corpora (`lab/speed/scale_corpus.py`).

    python -m lab.speed.scale [--full | --units N] [--folder DIR] [--only tiny,episodes,films]

`docs/scaling.md` says what is built. Dask's scheduler and two workers are separate processes, so that the memory of each role is
visible: flow (fabula: command, flow, task threads), server (Prefect's, with its SQLite), scheduler and workers.

The figures are

- seconds: the whole process, from start to end;
- fixed: the seconds for a corpus of 20 units;
- cost per unit: (seconds − fixed) / number of units;
- memory: the peak resident set; its growth per unit is measured between 10 % and all units.

Other work on the machine changes the seconds, so the load before and after each run is printed with them. Corpora, stores and
results (`results.jsonl`) stay in `--folder`. Finished measurements are not repeated: an interrupted benchmark can be continued.

The exit status is 1 only if a run computed the wrong number of units: the first run must compute all, the second none.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from infra.orchestration.dask import ALLOWED_FAILURES, KEPT_MESSAGES
from lab.speed.process_tree import Sampler, list_tree
from lab.speed.scale_corpus import Kind, write_corpus

BIN = Path(sys.executable).parent
SIZES: dict[Kind, int] = {"tiny": 20_000, "episodes": 2_000, "films": 20_000}
PIPELINES: dict[Kind, str] = {"tiny": "transcripts", "episodes": "transcripts", "films": "subtitles"}
FIXED_UNITS = 20
WORKERS = 2
MIB = 2**20


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: its seconds, its processor seconds and peak memory (MiB) by role, and the size of store and database after it."""

    kind: Kind
    units: int
    run: str
    seconds: float
    cpu: dict[str, float]
    peak: dict[str, float]
    objects: int
    database_bytes: int
    load_before: float
    load_after: float
    computed: int
    reused: int

    @property
    def key(self) -> tuple[str, int, str]:
        """The identity of this measurement: kind, units and run."""
        return self.kind, self.units, self.run


def name_role(process: psutil.Process, root: psutil.Process, role: str) -> str:
    """Return the role of a process below the one that has `role`; "" where it has ended."""
    words = process.cmdline()
    return "server" if role == "flow" and process != root and "owned_process" in " ".join(words) else role if words else ""


@contextmanager
def started(*command: str, log: Path, environment: Mapping[str, str]) -> Iterator[int]:
    """Run a server during the block. The server and its children end with the block."""
    with log.open("ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=dict(environment))
    try:
        yield process.pid
    finally:
        family = list_tree(psutil.Process(process.pid)) if process.poll() is None else []
        for member in family:
            member.terminate()
        psutil.wait_procs(family, timeout=10)
        process.wait(timeout=10)


def measure(kind: Kind, units: int, run: str, source: Path, store: Path, folder: Path) -> Measured:
    """Measure one `fabula run` with its own scheduler, workers and Prefect home. A run "new" starts with an empty store."""
    home = folder / "prefect"
    if run == "new":
        shutil.rmtree(store, ignore_errors=True)
        shutil.rmtree(home, ignore_errors=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "FABULA_", "DASK_"))}
    environment |= {"PREFECT_HOME": str(home), "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    # The same settings as for the scheduler in docker-compose.yml.
    environment |= {
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(ALLOWED_FAILURES),
        "DASK_DISTRIBUTED__SCHEDULER__WORKER_SATURATION": "1.0",
        "DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH": str(KEPT_MESSAGES),
    }
    address = f"tcp://127.0.0.1:{_free_port()}"
    log = folder / "servers.log"
    with ExitStack() as stack:
        scheduler = ("scheduler", "--host", "127.0.0.1", "--port", address.rsplit(":", 1)[1], "--no-dashboard", "--no-show")
        roles = {stack.enter_context(started(str(BIN / "dask"), *scheduler, log=log, environment=environment)): "scheduler"}
        worker = ("worker", address, "--nworkers", str(WORKERS), "--nthreads", "1", "--no-dashboard")
        roles[stack.enter_context(started(str(BIN / "dask"), *worker, log=log, environment=environment))] = "workers"
        before = os.getloadavg()[0]
        clock = time.perf_counter()
        call = ["run", PIPELINES[kind], "--source", str(source), "--store", str(store), "--scheduler", address, "--json"]
        with tempfile.TemporaryFile("w+") as out, log.open("ab") as errors:
            process = subprocess.Popen([str(BIN / "fabula"), *call], stdout=out, stderr=errors, env=environment)
            sampler = Sampler(roles | {process.pid: "flow"}, name_role)
            status = process.wait()
            seconds = time.perf_counter() - clock
            peak: dict[str, float] = defaultdict(float)
            cpu: dict[str, float] = defaultdict(float)
            for use in sampler.stop():
                peak[use.process] = max(peak[use.process], round(use.rss / MIB, 1))
                cpu[use.process] += use.cpu
            out.seek(0)
            text = out.read()
    if status != 0:
        raise SystemExit(f"fabula run ended with exit status {status}; expected 0. See {log}")
    counts = json.loads(text)["units"]
    objects = sum(path.is_file() for path in store.rglob("*"))
    return Measured(
        kind, units, run, round(seconds, 2), dict(cpu), dict(peak), objects,
        sum(path.stat().st_size for path in home.glob("prefect.db*")), before, os.getloadavg()[0],
        counts["computed"], counts["reused"],
    )  # fmt: skip


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def plan_runs(sizes: Mapping[Kind, int]) -> Iterator[tuple[Kind, int, str]]:
    """Yield the runs of the benchmark: kind, units, and "new" (a new store) or "same" (nothing changed)."""
    for kind, units in sizes.items():
        for count in (FIXED_UNITS, units // 10, units):
            yield kind, count, "new"
            yield kind, count, "same"


def report(results: Mapping[tuple[str, int, str], Measured], sizes: Mapping[Kind, int]) -> Iterator[str]:
    """Yield the lines of the report: a Markdown table, and the growth of time and memory."""
    yield "| corpus | units | run | seconds | ms per unit above fixed | flow MiB | server | scheduler | worker | objects | Prefect's database MiB | load |"  # noqa: E501
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for result in results.values():
        fixed = results.get((result.kind, FIXED_UNITS, result.run), result)
        each = f"{1000 * (result.seconds - fixed.seconds) / result.units:.2f}" if fixed is not result else ""
        roles = " | ".join(f"{result.peak.get(role, 0):.0f}" for role in ("flow", "server", "scheduler", "workers"))
        yield (
            f"| {result.kind} | {result.units:,} | {result.run} | {result.seconds:.1f} | {each} | {roles} | {result.objects:,} | "
            f"{result.database_bytes / MIB:.0f} | {result.load_before:.1f} to {result.load_after:.1f} |"
        )
    yield ""
    for kind, units in sizes.items():
        found = [results.get((kind, count, "new")) for count in (FIXED_UNITS, units // 10, units)]
        if all(found):
            yield from _judge(*(entry for entry in found if entry is not None))
        same = results.get((kind, units, "same"))
        if same is not None:
            yield f"{kind}: a run with nothing new, in a store of {same.objects:,} objects: {same.seconds:.1f} s (goal: 30 s)"


def _judge(fixed: Measured, tenth: Measured, whole: Measured) -> Iterator[str]:
    """Yield the growth of time and memory per unit, from 10 % to all units."""
    some, every = ((run.seconds - fixed.seconds) / run.units for run in (tenth, whole))
    yield f"{whole.kind}: {1000 * some:.2f} ms per unit at 10 %, {1000 * every:.2f} at 100 %: × {every / some:.2f} (goal: 1.20)"
    some, every = ((sum(run.cpu.values()) - sum(fixed.cpu.values())) / run.units for run in (tenth, whole))
    yield f"{whole.kind}: {1000 * some:.2f} processor ms per unit at 10 %, {1000 * every:.2f} at 100 %: × {every / some:.2f}"
    for role in ("flow", "server", "scheduler", "workers"):
        grown = (whole.peak[role] - tenth.peak[role]) * 1024 / (whole.units - tenth.units)
        memory = f"{tenth.peak[role]:.0f} to {whole.peak[role]:.0f} MiB"
        yield f"{whole.kind}: {role} from {memory}: {grown:.1f} KiB per additional unit"


def check(result: Measured) -> str | None:
    """Return a message if the run's counts are wrong, else None."""
    wanted = (0, result.units) if result.run == "same" else (result.units, 0)
    if (result.computed, result.reused) == wanted:
        return None
    return f"{result.key}: {result.computed} units computed and {result.reused} reused; expected {wanted[0]} and {wanted[1]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "fabula-scale")
    parser.add_argument("--only", default=",".join(SIZES), help="kinds of corpora, separated by commas")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--full", action="store_true", help="build all units, which takes an hour or more")
    size.add_argument("--units", type=int, help="number of units of each kind, instead of a hundredth of all")
    arguments = parser.parse_args()
    share = 1 if arguments.full else 100
    sizes = {kind: arguments.units or SIZES[kind] // share for kind in SIZES if kind in arguments.only.split(",")}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # exit normally, so that the servers end too
    folder = arguments.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "results.jsonl"
    lines = kept.read_text().splitlines() if kept.exists() else []
    results = {found.key: found for found in (Measured(**json.loads(line)) for line in lines)}
    for kind, units, run in plan_runs(sizes):
        if (kind, units, run) in results:
            continue
        source, store = folder / f"{kind}-{units}", folder / f"store-{kind}-{units}"
        write_corpus(kind, units, source)
        if run == "same" and not (store / "catalog").exists():
            continue
        print(f"{kind}, {units:,} units, {run} (load {os.getloadavg()[0]:.1f}) …", file=sys.stderr, flush=True)
        measured = measure(kind, units, run, source, store, folder)
        results[measured.key] = measured
        with kept.open("a") as stream:
            stream.write(json.dumps(asdict(measured)) + "\n")
    print("\n".join(report(results, sizes)))
    faults = [fault for result in results.values() if (fault := check(result)) is not None]
    print("\n".join(faults), file=sys.stderr, end="")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
