"""A call that takes too long is broken off, wherever it hangs, and nothing of that reaches the next call; a command's seconds."""

import subprocess
import sys
import time

import pytest

from core.errors import TimeLimitError
from flows.frame.ingestion import InProcessMapper
from infra.orchestration.time_limit import count_seconds, time_limit

STUCK = """
import re, sys
from infra.orchestration import time_limit
time_limit.GRACE_SECONDS = 0.2
with time_limit.time_limit(0.2, ends_process=True):
    re.match(r"(a+)+$", "a" * 60 + "b")  # holds the interpreter for years
"""


def spin(_: object) -> None:
    """Take for ever, and take every ordinary error for one of its own."""
    while True:
        try:
            sum(range(1000))
        except Exception:
            continue


def test_a_unit_without_end_is_broken_off_and_the_next_one_is_built() -> None:
    requests = {"endless": spin, "short": lambda _: 7}
    endless, short = InProcessMapper().map_units(lambda work: work(None), requests, seconds=0.3)
    assert isinstance(endless.error, TimeLimitError)
    assert "0.3 s" in str(endless.error)
    assert "--unit-seconds" in str(endless.error)
    assert short.result == 7


def test_a_call_that_ends_at_its_limit_leaves_nothing_behind_and_its_errors_are_its_own() -> None:
    broken_off = 0
    for _ in range(60):
        end = time.perf_counter() + 0.003
        try:
            with time_limit(0.003):
                while time.perf_counter() < end:
                    pass
        except TimeLimitError:
            broken_off += 1
        sum(number for number in range(200))  # an exception that came late would be raised here
    assert broken_off < 60
    for seconds in (None, 60):
        with pytest.raises(ValueError, match="mine"), time_limit(seconds):
            raise ValueError("mine")


def test_a_process_that_cannot_be_broken_off_ends() -> None:
    ended = subprocess.run([sys.executable, "-c", STUCK], capture_output=True, text=True, check=False, timeout=300)
    assert ended.returncode == 1
    assert ended.stderr == ""


@pytest.mark.parametrize("now", [None, 0.0, 4e9])
def test_seconds_are_those_of_the_process_and_a_clock_that_is_set_does_not_count(
    now: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = count_seconds()
    if now is not None:
        monkeypatch.setattr(time, "time", lambda: now)
    assert 0 < before <= count_seconds() < before + 60
    assert before < 24 * 3600
    monkeypatch.delattr(time, "CLOCK_BOOTTIME")
    assert 0 < count_seconds() < before + 60
