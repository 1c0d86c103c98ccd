"""Nothing of a session survives its end, and nothing that this process has started survives a kill of all."""

import socket
import subprocess
import sys
import time

import psutil

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
