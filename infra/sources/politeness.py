"""Limits the parallel requests to one server, over all processes of this machine."""

import fcntl
import os
import random
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SLOTS = 2
"""Parallel requests from one machine to a server."""


@contextmanager
def taking_turns(host: str) -> Iterator[None]:
    """Hold one of the machine's slots for `host` inside the block; wait if the slot is taken."""
    folder = Path(tempfile.gettempdir()) / f"fabula-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    name = re.sub(r"[^A-Za-z0-9.-]", "_", host)
    # The system releases this lock when the process dies.
    descriptor = os.open(folder / f"{name}.{random.randrange(SLOTS)}", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
