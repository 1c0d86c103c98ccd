"""Mapping requests in this process."""

import pytest

from flows.frame.ingestion import InProcessMapper, UnitOutcome


def halve(number: int) -> int:
    if number % 2:
        raise ValueError(f"{number} is odd")
    return number // 2


def test_every_request_has_an_outcome_in_order_and_one_error_ends_no_other() -> None:
    first, second, third = InProcessMapper().map_units(halve, {"b": 4, "c": 3, "a": 2})
    assert (first, third) == (UnitOutcome("b", 2, None), UnitOutcome("a", 1, None))
    assert (second.unit, second.result, str(second.error)) == ("c", None, "3 is odd")


def test_a_unit_is_built_when_its_outcome_is_asked_for() -> None:
    built: list[str] = []
    outcomes = InProcessMapper().map_units(built.append, {"a": "a", "b": "b"})
    assert built == []
    next(outcomes)
    assert built == ["a"]


def test_an_interrupt_ends_the_run() -> None:
    def interrupt(_: int) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(InProcessMapper().map_units(interrupt, {"a": 1}))
