"""Processes that are started shielded do not see Ctrl-C; the one that starts them does."""

import signal
import subprocess
import sys

import pytest

from infra.orchestration.interrupts import start_shielded

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
