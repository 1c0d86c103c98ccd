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


def test_a_call_that_ends_at_its_limit_leaves_nothing_behind() -> None:
    broken_off = 0
    for _ in range(300):
        end = time.perf_counter() + 0.003
        try:
            with time_limit(0.003):
                while time.perf_counter() < end:
                    pass
        except TimeLimitError:
            broken_off += 1
        sum(number for number in range(200))  # an exception that came late would be raised here
    assert broken_off < 300


def test_without_a_limit_there_is_none() -> None:
    with time_limit(None):
        pass


def test_a_process_that_cannot_be_broken_off_ends() -> None:
    ended = subprocess.run([sys.executable, "-c", STUCK], capture_output=True, text=True, check=False, timeout=300)
    assert ended.returncode == 1
    assert ended.stderr == ""


def test_an_error_of_the_call_is_its_own() -> None:
    with pytest.raises(ValueError, match="mine"), time_limit(60):
        raise ValueError("mine")


SET = """
import time
{change}
from infra.orchestration.time_limit import count_seconds
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
