"""A process that only splits sentences does not pay for torch, and may import it afterwards."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from core.text import spacy_import
from core.text.spacy_import import without_torch

PROGRAM = """
import sys
from core.text.sentences import split_prose
assert split_prose("They left. Nobody stayed.") == ["They left.", "Nobody stayed."]
print("spacy" in sys.modules, "torch" in sys.modules)
"""


def test_sentences_are_split_without_torch(repository: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], cwd=repository, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["True", "False"]


def test_torch_is_hidden_inside_the_block_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with suppress(RuntimeError), without_torch():  # whatever ends the block
        assert sys.modules["torch"] is None
        raise RuntimeError
    assert "torch" not in sys.modules


def test_torch_is_not_hidden_from_parts_that_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_import, "TORCH_PARTS", ("json",))  # stands for one that is installed
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with without_torch():
        assert "torch" not in sys.modules


def test_torch_that_is_there_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    there = sys.modules.get("torch") or sys
    monkeypatch.setitem(sys.modules, "torch", there)
    with without_torch():
        assert sys.modules["torch"] is there
    assert sys.modules["torch"] is there
