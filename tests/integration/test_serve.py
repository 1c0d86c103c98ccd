"""`fabula serve` for real: a run that only its cron schedule started, one that an event started, and nothing left behind.

The first is what an unsuitable SQLAlchemy breaks in silence: then runs by hand work and scheduled ones never appear.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psutil
import pytest

from flows.serving.deployments import list_deployments
from tasks.pipelines import PIPELINES
from tests.flows.stories import write_episode
from tests.integration.conftest import BIN, copy_home

pytestmark = pytest.mark.integration

DEPLOYMENTS = {each.name for each in list_deployments({pipeline.name: () for pipeline in PIPELINES}, "")}
PATIENCE = 900
"""Seconds; a busy machine takes long, and nothing takes this long."""
EACH_MINUTE, ONCE_A_YEAR = "* * * * *", "0 0 1 1 *"

SETTINGS = """
[transcripts]
cron = "{cron}"
parameters = {{ workers = 1 }}
[scripts]
cron = "0 0 1 1 *"
parameters = {{ workers = 1, config_file = "{examples}/scripts/settings.toml" }}
[watch]
cron = "0 0 * * *"
parameters = {{ pipelines = ["scripts"] }}
"""


@dataclass(frozen=True, slots=True)
class Served:
    """A running `fabula serve`."""

    process: "subprocess.Popen[str]"
    port: int
    home: Path
    store: Path
    source: Path

    def ask(self, path: str, body: dict[str, Any]) -> Any:
        """Return what the API answers to a POST; a busy server is asked again, as Prefect's own client does."""
        address = f"http://127.0.0.1:{self.port}/api/{path}"
        request = Request(address, json.dumps(body).encode(), {"content-type": "application/json"})
        for wait in (1, 2, 4, 0):
            try:
                with urlopen(request, timeout=30) as answer:
                    return json.load(answer)
            except HTTPError as error:
                if error.code != 503 or not wait:
                    raise
                time.sleep(wait)

    def tell(self, deployment: str, action: str) -> None:
        """Start a run of a deployment by hand (`create_flow_run`), or hold back its schedule (`pause_deployment`)."""
        (found,) = self.ask("deployments/filter", {"deployments": {"name": {"any_": [deployment]}}})
        self.ask(f"deployments/{found['id']}/{action}", {})

    def list_runs(self, deployment: str) -> list[dict[str, Any]]:
        return list(self.ask("flow_runs/filter", {"deployments": {"name": {"any_": [deployment]}}, "limit": 200}))

    def wait_for(self, what: str, find: Callable[[], Any], seconds: float) -> Any:
        """Return what `find` returns once it is true."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert self.process.poll() is None, f"fabula serve ended: {self.process.communicate()}"
            if found := find():
                return found
            time.sleep(1)
        logs = "\n".join(path.read_text(errors="replace")[-4000:] for path in sorted((self.home / "logs").iterdir()))
        raise AssertionError(f"{what} did not come within {seconds} s\n{logs}")


@pytest.fixture
def start(
    environment: dict[str, str], repository: Path, tmp_path: Path, free_port: Callable[[], int]
) -> Iterator[Callable[..., Served]]:
    """Start `fabula serve` on a free port, with folders that stay from one start to the next; `cron` is for `transcripts`."""
    started: list[subprocess.Popen[str]] = []
    source, home, store = tmp_path / "source", tmp_path / "home", tmp_path / "store"
    for unit in ("S01E01", "S01E02", "S01E03"):
        write_episode(source, unit)
    movie = next((repository / "examples" / "scripts" / "movies").iterdir())
    shutil.copytree(movie, source / "movies" / "first")

    def begin(cron: str = ONCE_A_YEAR) -> Served:
        (tmp_path / "serve.toml").write_text(SETTINGS.format(examples=repository / "examples", cron=cron))
        port = free_port()
        call = [str(BIN / "fabula"), "serve", "--port", str(port), "--home", str(home), "--config", str(tmp_path / "serve.toml")]
        call += ["--source", f"transcripts={source}", "--source", f"scripts={source}", "--store", str(store)]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        started.append(subprocess.Popen(call, env=environment, cwd=tmp_path, start_new_session=True, **pipes))
        return Served(started[-1], port, home, store, source)

    yield begin
    for process in started:
        if process.poll() is None:
            process.terminate()
            process.wait(timeout=PATIENCE)


def describe_end(run: dict[str, Any]) -> str:
    return f"{run['state']['name']}: {run['state']['message']}"


def find_completed(served: Served, deployment: str, after: int = 0) -> list[dict[str, Any]]:
    """Return a deployment's completed runs once there are more than `after`."""
    runs = served.list_runs(deployment)
    failed = [run for run in runs if run["state_type"] in {"FAILED", "CRASHED"}]
    assert failed == [], [describe_end(run) for run in failed]
    completed = [run for run in runs if run["state_type"] == "COMPLETED"]
    return completed if len(completed) > after else []


def list_descendants(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def stop(served: Served, number: int) -> tuple[str, str]:
    """Signal the whole group, as a terminal does; return what was printed. Nothing may be left."""
    family = list_descendants(served.process)
    assert len(family) >= 2
    os.killpg(served.process.pid, number)
    out, err = served.process.communicate(timeout=PATIENCE)
    assert served.process.returncode == 0, err
    _, alive = psutil.wait_procs(family, timeout=60)
    assert alive == []
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", served.port)) != 0
    assert "Traceback" not in err
    return out, err


def read_release(served: Served, dataset: str) -> tuple[str, set[str]]:
    """Return the version of the latest release and its units."""
    latest = json.loads((served.store / "datasets" / dataset / "latest.json").read_text())
    manifest = json.loads((served.store / latest["path"] / "manifest.json").read_text())
    return str(latest["version"]), set(manifest["splits"])


def test_schedules_and_events_start_runs_and_a_signal_ends_everything(start: Callable[..., Served]) -> None:
    served = start(EACH_MINUTE)
    served.wait_for("the server's deployments", lambda: _count_deployments(served) == len(DEPLOYMENTS), PATIENCE)
    # Nothing but its schedule starts `transcripts` here: it is not watched. Nothing but the watcher's event starts `scripts`.
    (by_schedule, *_) = served.wait_for("a scheduled run", lambda: find_completed(served, "transcripts"), PATIENCE)
    served.tell("transcripts", "pause_deployment")  # one run has shown it; another each minute would show nothing new
    assert by_schedule["auto_scheduled"] is True
    assert by_schedule["created_by"]["type"] == "SCHEDULE"
    assert re.fullmatch(rf"transcripts [0-9 :-]+ from {re.escape(str(served.source))}", by_schedule["name"])
    assert read_release(served, "transcripts")[1] == {"S01E01", "S01E02", "S01E03"}
    (by_event,) = served.wait_for("a run by event", lambda: find_completed(served, "scripts"), PATIENCE)
    assert by_event["created_by"]["type"] == "AUTOMATION"
    version, units = read_release(served, "scripts")
    assert units == {"first"}

    shutil.copytree(served.source / "movies" / "first", served.source / "movies" / "second")
    assert [run for run in served.list_runs("watch") if run["auto_scheduled"]], "the watcher has a schedule too"
    served.tell("watch", "create_flow_run")  # at once, not when its schedule says so
    served.wait_for("a run by the new unit's event", lambda: find_completed(served, "scripts", after=1), PATIENCE)
    later, units = read_release(served, "scripts")
    assert units == {"first", "second"}
    assert later != version
    for deployment in DEPLOYMENTS - {"transcripts", "scripts", "watch"}:
        assert [run for run in served.list_runs(deployment) if run["state_type"] != "SCHEDULED"] == []

    out, _ = stop(served, signal.SIGINT)
    assert f"http://127.0.0.1:{served.port}" in out
    assert "subtitles" in out


def test_a_second_start_keeps_history_and_duplicates_nothing(
    start: Callable[..., Served], made_database: Path, tmp_path: Path
) -> None:
    copy_home(made_database, tmp_path / "home")
    first = start()
    first.wait_for("the server's deployments", lambda: _count_deployments(first) == len(DEPLOYMENTS), PATIENCE)
    first.wait_for(
        "the first look", lambda: [run for run in first.list_runs("watch") if run["state_type"] == "COMPLETED"], PATIENCE
    )
    seen = {run["id"] for run in first.list_runs("watch") if run["state_type"] == "COMPLETED"}
    left = list_descendants(first.process)
    first.process.kill()
    first.process.communicate()
    assert psutil.wait_procs(left, timeout=PATIENCE)[1] == [], "they outlive the command that has started them"
    second = start()
    second.wait_for("the server", lambda: _count_deployments(second), PATIENCE)
    # Its own look is the last thing that a start does.
    second.wait_for("a second look", lambda: _count_looks(second) == 2, PATIENCE)
    assert _count_deployments(second) == len(DEPLOYMENTS)
    assert second.ask("automations/count", {}) == len(PIPELINES)
    assert seen <= {run["id"] for run in second.list_runs("watch")}
    call = [str(BIN / "fabula"), "serve", "--port", str(second.port), "--source", f"transcripts={second.source}"]
    refused = subprocess.run(call, cwd=second.home.parent, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert refused.returncode == 2
    assert f"fabula serve --port {second.port + 1}" in refused.stderr

    # A server that ends by itself ends the command too: it names the log, and nobody asks the server for anything any more.
    family = list_descendants(second.process)
    children = psutil.Process(second.process.pid).children()
    (server,) = (each for each in children if "infra.orchestration.guarded_server" in each.cmdline())
    server.kill()
    _, err = second.process.communicate(timeout=PATIENCE)
    assert second.process.returncode == 1
    assert "the server has ended with status -9" in err
    assert "Traceback" not in err
    _, alive = psutil.wait_procs(family, timeout=60)
    assert alive == []


def _count_deployments(served: Served) -> int:
    try:
        return int(served.ask("deployments/count", {}))
    except OSError:
        return 0


def _count_looks(served: Served) -> int:
    """Count the watcher's runs that a start, and not the schedule, has asked for."""
    return len([run for run in served.list_runs("watch") if not run["auto_scheduled"]])
