import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from core.alignment.aligners import score_sentences
from core.alignment.config import AlignerName, AlignmentConfig
from core.compiled import compiled, compiled_when_busy


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


def test_small_work_runs_in_plain_python_and_busy_processes_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[str] = []
    monkeypatch.setattr("core.compiled._busy", False)
    monkeypatch.setattr("core.compiled.PATIENCE", 10)
    monkeypatch.setattr("core.compiled.compiled", lambda _: lambda _: ways.append("machine code"))
    double = compiled_when_busy(lambda _: ways.append("plain Python"))
    for _ in range(4):
        double(np.ones(4))
    assert ways == ["plain Python"] * 2 + ["machine code"] * 2


@pytest.mark.parametrize(
    "aligner", ["windows", *(pytest.param(name, marks=pytest.mark.integration) for name in ("needleman-wunsch", "greedy"))]
)
def test_plain_python_and_machine_code_give_the_same_bits(aligner: AlignerName, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    words = [f"word{number}" for number in range(60)]
    turns = [" ".join(random.choice(words, random.integers(1, 30))) for _ in range(40)]
    sentences = [" ".join(random.choice(words, 8)) for _ in range(9)]
    found = []
    for busy in (False, True):
        monkeypatch.setattr("core.compiled._busy", busy)
        monkeypatch.setattr("core.compiled.PATIENCE", 10**9)
        aligned = score_sentences(turns, sentences, AlignmentConfig(aligner=aligner), str.split)
        found.append((aligned.scores.tobytes(), aligned.spans))
    assert found[0] == found[1]
