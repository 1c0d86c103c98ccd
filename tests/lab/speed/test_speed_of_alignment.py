"""The timing of the aligners ends with an error where the limit is broken."""

import sys
from pathlib import Path

import pytest

from lab.quality.synthetic_episodes import SyntheticConfig, make_episode
from lab.speed import alignment


@pytest.fixture(autouse=True)
def made_up_episode(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = make_episode(0, SyntheticConfig(events=6))
    monkeypatch.setattr(alignment, "read_recaps", lambda _: [(list(made.turns), made.recap)])
    monkeypatch.setattr(sys, "argv", ["alignment.py", "--aligners"])
    monkeypatch.setenv("FABULA_CORPORA", str(tmp_path))


@pytest.mark.parametrize(("limit", "status", "said"), [(0.0, 1, "BROKEN"), (1e9, 0, "kept")])
def test_the_status_tells_whether_the_limit_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], limit: float, status: int, said: str
) -> None:
    monkeypatch.setattr(alignment, "LIMIT", limit)
    assert alignment.main() == status
    assert said in capsys.readouterr().out
