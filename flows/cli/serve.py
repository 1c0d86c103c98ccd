"""`fabula serve`: Prefect's server and UI, a worker and the schedules, on this machine until Ctrl-C."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.options import DEFAULT_STORE, repeat_command
from flows.cli.tables import print_table

if TYPE_CHECKING:
    from flows.serving.deployments import Deployment
    from flows.serving.settings import Plan
    from infra.orchestration.local_prefect import LocalPrefect

DEFAULT_HOME = Path("fabula-server")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def serve(
    source: Annotated[
        list[str] | None,
        typer.Option(help="Source of a pipeline; may be repeated. Default: the examples.", metavar="PIPELINE=URL"),
    ] = None,
    store: Annotated[
        str | None, typer.Option(help=f"Folder or fsspec URL of the store; default: {DEFAULT_STORE}.", metavar="URL")
    ] = None,
    config: Annotated[
        str | None, typer.Option(help="TOML file with sources, store, schedules and parameters.", metavar="FILE")
    ] = None,
    home: Annotated[
        Path, typer.Option(help="Folder for the server's database and logs.", metavar="DIR", envvar="FABULA_HOME")
    ] = DEFAULT_HOME,
    host: Annotated[
        str, typer.Option(help="Address to listen on. Any other than loopback needs a password: docs/security.md.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the UI and the API.")] = 4200,
) -> None:
    """Run all pipelines on their schedules, with Prefect's UI, on this machine; Ctrl-C stops everything.

    Example: fabula serve --source transcripts=my-show --store ./fabula-store
    """
    with _stoppable():
        from flows.serving.settings import plan_serving
        from infra.orchestration.local_prefect import LocalPrefect

        plan = plan_serving(config, source or (), store, DEFAULT_STORE)
        local = LocalPrefect(home.absolute(), host, port)
        try:
            _serve(local, plan, home.absolute())
        finally:
            _stop(local)


def _serve(local: "LocalPrefect", plan: "Plan", home: Path) -> None:
    print("starting Prefect's server (takes some seconds, longer the first time)", file=sys.stderr)
    local.start_server()
    os.environ.update(local.environment)  # Prefect reads its environment once, when it is imported
    from flows.serving import provision
    from flows.serving.deployments import WORK_POOL

    provision.close_runs(left_behind=True)
    provision.create_pool()
    for deployment in plan.deployments:
        provision.apply_deployment(deployment, paused=not deployment.has_source)
    local.start_worker(WORK_POOL)
    provision.start_watcher()
    _print_screen(local.url, plan, home)
    while True:
        local.check()
        time.sleep(1)


def _stop(local: "LocalPrefect") -> None:
    """Stop the runs, the worker and then the server. This takes at most a minute; a second Ctrl-C does not interrupt it."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    if local.is_serving:
        _say("stopping the current runs, the worker and the server")
    try:
        if local.stop_worker() and local.is_serving:  # if the server has died, only its own error matters
            from flows.serving.provision import close_runs

            close_runs(left_behind=False)
    finally:
        local.stop_server()


def _say(message: str) -> None:
    with suppress(OSError):  # the terminal may be gone: that is what SIGHUP says
        print(message, file=sys.stderr, flush=True)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP end the block, and then the command; under nohup SIGHUP stays ignored."""
    for number in SIGNALS:  # SIGINT too: background jobs of a shell script start with it ignored
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        _say(f"stopped; nothing that was finished is lost. Go on with:\n{repeat_command()}")
        raise typer.Exit(0) from None


def _print_screen(url: str, plan: "Plan", home: Path) -> None:
    print_table(["fabula serves", ""], [], [("UI", url), ("store", plan.store), ("database, logs", str(home))])
    print()
    print_table(["deployment", "schedule (UTC)", "reads"], [], map(_describe, plan.deployments))
    print("\nThe watcher looks at the sources now and starts a run for whatever is new. Ctrl-C stops everything.", flush=True)


def _describe(deployment: "Deployment") -> tuple[str, str, str]:
    if not deployment.has_source:
        return deployment.name, "paused", "none: see fabula serve --help"
    named = ", ".join(deployment.parameters[deployment.reads])
    return deployment.name, deployment.cron if deployment.scheduled else "when started", named
