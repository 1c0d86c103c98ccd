"""Ends a program when its parent process ends, however that happens: `python -m infra.orchestration.owned_process`.

The parent keeps the other end of standard input and never writes to it: it is closed when the parent ends, also by `kill -9` and
also before this program has begun.

    python -m infra.orchestration.owned_process MODULE ARGUMENT…        runs MODULE as `python -m MODULE ARGUMENT…` would
"""

import os
import runpy
import signal
import sys
import threading

OTHERS_SECONDS = 10.0  # how long the processes that the program has started may take to end, before they are killed
OWN_SECONDS = 20.0  # how long the program itself may take to end, before it is ended


def _end_with_parent() -> None:
    """Wait until standard input is closed; then end the rest of the session that this process leads, and this process."""
    os.read(0, 1)
    if os.getsid(0) == os.getpid():
        from infra.orchestration.processes import end_members

        end_members(os.getpid(), OTHERS_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(OWN_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, name="parent watch", daemon=True).start()
    module, *sys.argv[1:] = sys.argv[1:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
