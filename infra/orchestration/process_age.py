"""How long this process has run, by a clock that nobody sets."""

import os
import time
from pathlib import Path

_IMPORTED = time.monotonic()


def count_seconds() -> float:
    """Return the seconds since this process began, its start and its imports included; a clock that is set does not change them.

    Where the system does not tell when a process began by the time since its own start (Linux does), they count from this import.
    """
    try:
        # Field 22 of /proc/PID/stat (man 5 proc), in clock ticks since the start of the system; the name before may have spaces.
        ticks = int(Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return time.monotonic() - _IMPORTED
