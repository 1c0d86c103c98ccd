"""Fingerprints. The digits are golden values, since every artifact in every store is named by them."""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fingerprints import LATER, canonicalise, fingerprint
from core.transcripts.config import FilterConfig

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@dataclass(frozen=True, slots=True)
class Inner:
    share: float = 0.1
    names: frozenset[str] = frozenset({"b", "a"})


@dataclass(frozen=True, slots=True)
class Settings:
    sizes: tuple[int, ...] = (2, 3)
    inner: Inner = field(default_factory=Inner)
    label: str = "Tal’Dorei"


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (None, "1e43f2529b429f1f8ad509741de454f6870079f5e7f86737f6d915c5ae7c59a2"),
        (Settings(), "78667e85154f43b25d8732baff0a53d9dff24c1a6a042024e9a29bf25770f2ea"),
        ({"min": 2, "max": 100.5, "on": True}, "81821d7dad5e86bf234032bd2e8132cddca330b461a841beed69cc6397c4ae23"),
    ],
)
def test_golden(config, expected):
    assert fingerprint("align", 3, ["ab", "cd"], config) == expected


def test_the_default_of_a_later_setting_keeps_the_fingerprints_from_before_it():
    @dataclass(frozen=True, slots=True)
    class Grown(Settings):
        masks: bool = field(default=False, metadata=LATER)

    assert fingerprint("align", 3, ["ab"], Grown()) == fingerprint("align", 3, ["ab"], Settings())
    assert fingerprint("align", 3, ["ab"], Grown(masks=True)) != fingerprint("align", 3, ["ab"], Settings())


def test_the_same_in_another_process_with_another_hash_seed(repository):
    program = (
        "from core.fingerprints import fingerprint;"
        "print(fingerprint('filter', 1, [], {'names': frozenset({'x', 'y', 'z'}), 'b': 1, 'a': 2}), end='')"
    )
    expected = fingerprint("filter", 1, [], {"a": 2, "b": 1, "names": {"z", "y", "x"}})
    for seed in ("1", "2"):
        environment, command = os.environ | {"PYTHONHASHSEED": seed}, [sys.executable, "-c", program]
        run = subprocess.run(command, cwd=repository, env=environment, capture_output=True, check=True, text=True)
        assert run.stdout == expected


@pytest.mark.parametrize(
    "other",
    [
        ("align", 1, ["a", "b"], FilterConfig(min_turns=3)),
        ("align", 2, ["a", "b"], FilterConfig()),
        ("filter", 1, ["a", "b"], FilterConfig()),
        ("align", 1, ["b", "a"], FilterConfig()),
        ("align", 1, ["ab"], FilterConfig()),
    ],
)
def test_every_part_counts(other):
    assert fingerprint(*other) != fingerprint("align", 1, ["a", "b"], FilterConfig())
    assert fingerprint("s", 1, [], 1) != fingerprint("s", 1, [], 1.0)


@given(JSON)
def test_equal_values_have_equal_fingerprints_whatever_their_container(value):
    def disguise(part):
        if isinstance(part, list):
            return tuple(disguise(one) for one in part)
        if isinstance(part, dict):
            return MappingProxyType({key: disguise(part[key]) for key in reversed(part)})
        return part

    assert fingerprint("s", 1, [], disguise(value)) == fingerprint("s", 1, [], value)


@pytest.mark.parametrize(
    "value", [b"x", object(), {1: "a"}, float("nan"), float("inf"), np.arange(2), np.int64(1), Settings, Path("a"), [{"a": {2j}}]]
)
def test_refuses_values_without_canonical_form(value):
    with pytest.raises(TypeError, match="canonical form"):
        canonicalise(value)
