import subprocess
import sys
from pathlib import Path

import numba
import pytest

from core.compiled import compiled


def test_compiles_where_no_cache_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[dict[str, object]] = []

    def njit(*args: object, **options: object) -> object:
        if options.get("cache"):
            refused.append(options)
            raise RuntimeError("cannot cache function: no locator available")
        return numba.njit(*args, **options)

    monkeypatch.setattr("core.compiled.njit", njit)
    assert compiled(lambda x: x + 1)(2) == 3
    assert refused


def test_aligns_with_an_unwritable_cache_folder(repository: Path) -> None:
    code = (
        "import numpy; from core.alignment import needleman_wunsch as nw; print(nw.trace_path(numpy.ones((2, 1))).turns.tolist())"
    )
    environment = {"NUMBA_CACHE_DIR": "/proc/nowhere", "HOME": "/proc/nowhere", "PATH": ""}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=repository, env=environment, capture_output=True, text=True, check=False
    )
    assert run.stdout.strip() == "[0, 1]", run.stderr
