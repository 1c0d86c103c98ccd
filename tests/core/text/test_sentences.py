import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.sentences import MAX_SPACY_CHARACTERS, SentenceSplitter, split_by_rules, split_by_spacy, split_lines, split_prose

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


def test_what_the_rules_and_lines_alone_know_and_spacy_leaves_to_the_rules() -> None:
    assert split_by_rules("橋が落ちた。彼は逃げた。") == ["橋が落ちた。", "彼は逃げた。"]
    assert split_by_rules("Nobody is braver than I. He laughed.") == ["Nobody is braver than I.", "He laughed."]
    assert split_lines(" One. Still one.\n\nTwo\n") == ["One. Still one.", "Two"]
    text = "It rains. " * (MAX_SPACY_CHARACTERS // 10 + 1)
    assert split_by_spacy(text) == split_by_rules(text) == ["It rains."] * (len(text) // 10)


@SPLITTERS
@given(text=st.text(st.sampled_from("aBI1 .!?…\"'”’)(]—-,:\n\tDr。é"), max_size=120) | st.text(max_size=80))
def test_loses_nothing_but_white_space_and_keeps_the_order(split: SentenceSplitter, text: str) -> None:
    sentences = split(text)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence and sentence == sentence.strip() for sentence in sentences)


PROGRAM = """
import sys
from core.text.sentences import split_prose
assert split_prose("They left. Nobody stayed.") == ["They left.", "Nobody stayed."]
print("spacy" in sys.modules, "torch" in sys.modules)
"""


def test_sentences_are_split_without_torch(repository: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], cwd=repository, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["True", "False"]
