"""Processes: none survives its session, a shielded one sees no Ctrl-C, and imports leave the garbage collector on."""

import gc
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress

import psutil
import pytest

from infra.orchestration.interrupts import start_shielded
from infra.orchestration.large_imports import importing
from infra.orchestration.processes import end_session, is_answering, is_stopped

STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); time.sleep(600)"
subprocess.Popen([sys.executable, "-c", child])
time.sleep(600)
"""


def test_a_session_ends_with_all_that_it_started_whoever_ignores_the_request() -> None:
    leader = subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, start_new_session=True)
    leader.stdout.readline()
    children = psutil.Process(leader.pid).children(recursive=True)
    assert len(children) == 1
    end_session(leader, seconds=0.5)
    deadline = time.monotonic() + 10
    while any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert leader.returncode is not None


def test_a_process_that_is_stopped_ends_too() -> None:
    leader = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    psutil.Process(leader.pid).suspend()
    while not is_stopped(leader):
        time.sleep(0.05)
    end_session(leader)
    assert leader.returncode is not None


def test_a_port_that_takes_calls_and_says_nothing_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert not is_answering("127.0.0.1", port, 0.2)
    assert not is_answering("127.0.0.1", port, 0.2)


SURVIVOR = "import time; print('ready', flush=True); time.sleep(0.2); print('alive')"


def start() -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", SURVIVOR], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(("shielded", "survives"), [(True, True), (False, False)])
def test_a_shielded_process_outlives_an_interrupt(shielded: bool, survives: bool) -> None:
    process = start_shielded(start) if shielded else start()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=10)
    assert (out == "alive\n") == survives


def test_this_process_still_sees_interrupts_and_results_and_errors() -> None:
    assert start_shielded(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        start_shielded(lambda: 1 / 0)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_what_is_imported_is_left_out_of_later_collections_and_an_error_leaves_them_on() -> None:
    before = gc.get_freeze_count()
    try:
        with importing():
            assert not gc.isenabled()
            kept = [[] for _ in range(1000)]
        assert gc.isenabled()
        assert gc.get_freeze_count() >= before + len(kept)
        with suppress(ModuleNotFoundError), importing():
            import no_such_module  # type: ignore[import-not-found]  # noqa: F401
        assert gc.isenabled()
    finally:
        gc.unfreeze()  # other tests' objects are collected as before
