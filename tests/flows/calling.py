"""The command in this process, through the same function as the installed one."""

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flows.cli.main import main


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON value and nothing else."""
        return json.loads(self.out)


Fabula = Callable[..., Ended]
"""Calls `fabula` with arguments: see the fixture."""


def call_here(words: Sequence[str], environment: Mapping[str, str], cwd: Path) -> Ended:
    """Call `fabula WORDS` in this process, with the whole environment that is given. Runs need `--in-process`."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.dict(os.environ, environment, clear=True),
        patch.object(sys, "argv", ["fabula", *words]),
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = int(ended.code or 0)
    return Ended(status, out.getvalue(), err.getvalue())
