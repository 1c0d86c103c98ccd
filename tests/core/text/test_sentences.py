"""Sentences are split between sentences only; a process that only splits does not pay for torch."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.sentences import (
    MAX_SPACY_CHARACTERS,
    SentenceSplitter,
    make_splitter,
    split_by_rules,
    split_by_spacy,
    split_lines,
    split_prose,
    without_torch,
)

SPLITTERS = pytest.mark.parametrize("split", [split_by_rules, split_by_spacy, split_prose])

CASES = [
    ["Dr. Ashe met Mr. Bole at St. Orla.", "They spoke."],
    ["It was Ila vs. Tobin.", "Nobody won."],
    ["J. R. Thorn wrote it.", "It sold well."],
    ["The toll is 3.5 silver, i.e. a day's wage.", "Nobody pays it."],
    ['"Run!"', '"Where?"', "They ran."],
    ['Ila shouts, "Stop!" and draws her bow.', "It snaps."],
    ["She knew (or guessed.)", "He did not."],
    ["They waited... and waited.", "Nothing came."],
    ["“I… I do not know,” he said.", "“Nobody does.”"],
    ["What?!", "The door was gone."],
    ["She left.", '"Good," said Tobin.'],
    ["He left (quietly).", "(Nobody saw it.)", "Dawn came."],
    ["1. Ila opens the gate.", "It creaks."],
    ["Q: Who built the tower?"],
    ["Vax'ren asks whether the bell 'rang.'", "It did."],
]


@SPLITTERS
@pytest.mark.parametrize("sentences", CASES, ids=lambda sentences: sentences[0][:30])
def test_splits_between_sentences_only(split: SentenceSplitter, sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


PROSE = [
    ['She sings "Go away!", but nothing happens.', "He waits."],
    ["Guests of Signal Boost!, a show about shows, arrive.", "They sit."],
    ["Is it he?; nobody asks.", "Dawn."],
    ["The club, a.k.a. Harbour Rats, meets.", "It rains."],
    ["They climb Mt. Orla.", "It is cold."],
    ["It is ship no. 5 of the fleet.", "It sinks."],
    ["He said no.", "They left."],
    ['"Stop!"', "Ila draws her bow."],
]


@pytest.mark.parametrize("sentences", PROSE, ids=lambda sentences: sentences[0][:30])
def test_prose_goes_on_after_quotations_and_abbreviations(sentences: list[str]) -> None:
    assert split_prose(" ".join(sentences)) == sentences


@SPLITTERS
def test_a_missing_space_does_not_hide_a_boundary(split: SentenceSplitter) -> None:
    assert split("The bridge fell.Tobin swore.") == ["The bridge fell.", "Tobin swore."]


def test_the_rules_split_scripts_without_spaces() -> None:
    assert split_by_rules("橋が落ちた。彼は逃げた。") == ["橋が落ちた。", "彼は逃げた。"]


def test_the_rules_know_that_i_may_end_a_sentence() -> None:
    assert split_by_rules("Nobody is braver than I. He laughed.") == ["Nobody is braver than I.", "He laughed."]


@SPLITTERS
@given(text=st.text(st.sampled_from("aBI1 .!?…\"'”’)(]—-,:\n\tDr。é"), max_size=120) | st.text(max_size=80))
def test_loses_nothing_but_white_space_and_keeps_the_order(split: SentenceSplitter, text: str) -> None:
    sentences = split(text)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence and sentence == sentence.strip() for sentence in sentences)


def test_spacy_leaves_very_long_paragraphs_to_the_rules() -> None:
    text = "It rains. " * (MAX_SPACY_CHARACTERS // 10 + 1)
    assert split_by_spacy(text) == split_by_rules(text) == ["It rains."] * (len(text) // 10)


def test_lines_are_sentences_with_the_splitter_lines() -> None:
    assert split_lines(" One. Still one.\n\nTwo\n") == ["One. Still one.", "Two"]


def test_splitters_have_the_names_of_the_settings() -> None:
    splitters = [split_prose, split_by_spacy, split_by_rules, split_lines]
    assert [make_splitter(name) for name in ("prose", "spacy", "regex", "lines")] == splitters


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
