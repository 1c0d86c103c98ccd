"""The benchmark of the aligners ends with an error where the limit is broken."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.synthetic_episodes import SyntheticConfig, make_episode

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import bench_alignment

    made = make_episode(0, SyntheticConfig(events=6))
    monkeypatch.setattr(bench_alignment, "read_recaps", lambda _: [(list(made.turns), made.recap)])
    monkeypatch.setattr(sys, "argv", ["bench_alignment.py", "--aligners"])
    monkeypatch.setenv("FABULA_CORPORA", str(tmp_path))
    return bench_alignment


@pytest.mark.parametrize(("limit", "status", "said"), [(0.0, 1, "BROKEN"), (1e9, 0, "kept")])
def test_the_status_tells_whether_the_limit_is_kept(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], limit: float, status: int, said: str
) -> None:
    monkeypatch.setattr(bench, "LIMIT", limit)
    assert bench.main() == status
    assert said in capsys.readouterr().out
