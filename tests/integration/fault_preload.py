"""Loaded into Dask's workers by the fault tests (distributed.worker.preload): it sees every file that a worker opens.

FAULTS_DELAY: seconds that opening a transcript takes, as from a slow disk. FAULTS_DEADLY: a name; whoever opens a transcript of
that name is killed, as the kernel kills a process that asks for too much memory.
"""

import os
import signal
import sys
import time

DELAY = float(os.environ.get("FAULTS_DELAY", "0"))
DEADLY = os.environ.get("FAULTS_DEADLY", "")


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event != "open" or "/source/transcripts/" not in str(arguments[0]):
        return
    time.sleep(DELAY)
    if DEADLY and DEADLY in str(arguments[0]):
        os.kill(os.getpid(), signal.SIGKILL)


sys.addaudithook(_watch)
