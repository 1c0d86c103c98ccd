"""Signals end a block in order; where that takes too long, or Ctrl-C comes twice, at once and with all that was started."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

HEAR = "import signal; [signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)]\n"  # under nohup too
BLOCK = """
import subprocess, sys, threading
from flows.cli import interruption
interruption.ENDING_SECONDS = float(sys.argv[2])
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
child = subprocess.Popen(sleep, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
try:
    with interruption.ending_on_signals("fabula run again"):
        try:
            print(child.pid, flush=True)
            threading.Event().wait(600)
        finally:
            print("ending", flush=True)
            if sys.argv[1] == "hang":
                while True:
                    threading.Event().wait(600)
finally:
    child.kill()
"""
SECOND = """
import sys
from flows.cli import interruption  # before every call is looked at, which makes imports slow
calls_left = {calls}
def send_second(frame, event, argument):
    global calls_left
    while event == "call" and frame.f_back and frame.f_back.f_code.co_name != "_interrupt":
        frame = frame.f_back
    if event == "call" and frame.f_back:  # the handler of the first signal, or what it calls, calls something
        calls_left -= 1
        if calls_left == 0:
            signal.raise_signal(signal.SIGHUP)
sys.setprofile(send_second)
"""
HOW = "Go on with:\nfabula run again\n"
Start = Callable[..., "tuple[subprocess.Popen[str], psutil.Process]"]


@pytest.fixture
def start(repository: Path) -> Iterator[Start]:
    """Start the block; return its process, and the one that it has started."""
    started: list[subprocess.Popen[str]] = []
    children: list[psutil.Process] = []

    def call(manner: str, seconds: float = 600, before: str = HEAR) -> "tuple[subprocess.Popen[str], psutil.Process]":
        process = subprocess.Popen(
            [sys.executable, "-c", before + BLOCK, manner, str(seconds)],
            cwd=repository,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        children.append(psutil.Process(int(process.stdout.readline())))
        return process, children[-1]

    yield call
    for process in started:
        process.kill()
        process.communicate()
    for child in children:
        with suppress(psutil.NoSuchProcess):
            child.kill()


def end(process: "subprocess.Popen[str]", child: psutil.Process) -> tuple[int, str]:
    _, err = process.communicate(timeout=60)
    gone, alive = psutil.wait_procs([child], timeout=60)
    assert (len(gone), alive) == (1, [])
    return process.returncode, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_signal_ends_the_block_and_says_how_to_go_on(start: Start, number: signal.Signals) -> None:
    process, child = start("quick")
    process.send_signal(number)
    assert end(process, child) == (128 + number, "interrupted; nothing that was finished is lost. " + HOW)


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_in_the_end_ends_it_at_once(start: Start, first: signal.Signals) -> None:
    process, child = start("hang")
    process.send_signal(first)
    assert process.stdout.readline() == "ending\n"
    process.send_signal(signal.SIGINT)
    assert end(process, child) == (128 + first, "stopped at once; nothing that was finished is lost. " + HOW)


def test_more_signals_of_the_first_kind_do_not_break_off_the_end(start: Start) -> None:
    process, child = start("hang", 1)
    for _ in range(3):
        process.send_signal(signal.SIGHUP)
    status, err = end(process, child)
    assert status == 129
    assert "Traceback" not in err
    assert err.startswith("stopped after 1 s")


@pytest.mark.parametrize("calls", [1, 4])
def test_a_second_signal_may_come_anywhere_in_the_handler_of_the_first(start: Start, calls: int) -> None:
    process, child = start("quick", before=HEAR + SECOND.format(calls=calls))
    process.send_signal(signal.SIGTERM)
    status, err = end(process, child)
    assert status in (143, 129)  # either may be noted first
    assert err == "interrupted; nothing that was finished is lost. " + HOW


def test_a_signal_that_is_ignored_stays_ignored(start: Start) -> None:
    process, child = start("quick", before="import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n")
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    assert end(process, child)[0] == 143
