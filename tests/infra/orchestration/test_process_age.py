"""A command's seconds come from a clock that nobody sets."""

import subprocess
import sys
import time

import pytest

from infra.orchestration.process_age import count_seconds

SET = """
import time
{change}
from infra.orchestration.process_age import count_seconds
began = time.monotonic()
first = count_seconds()
second = count_seconds()
assert 0 < first <= second < 3600, (first, second)
assert second - first <= time.monotonic() - began + 0.02
"""


@pytest.mark.parametrize("now", [0.0, 4e9])
def test_a_clock_that_is_set_while_a_command_runs_does_not_count(now: float, monkeypatch: pytest.MonkeyPatch) -> None:
    before = count_seconds()
    monkeypatch.setattr(time, "time", lambda: now)
    assert before <= count_seconds() < before + 60


@pytest.mark.parametrize("change", ["", "del time.CLOCK_BOOTTIME", "time.time = lambda: 0.0"])
def test_the_seconds_are_those_of_the_process(change: str) -> None:
    subprocess.run([sys.executable, "-c", SET.format(change=change)], check=True)
