import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.snowball import SnowballStemmer  # type: ignore[import-untyped]

from core.text.stems import _IRREGULAR, _STEP_2, _STEP_3, _STEP_4, stem_word

NLTK = SnowballStemmer("english")
BEGINNINGS = (
    "", "gener", "commun", "arsen", "y", "say", "hop", "hopp", "fla", "organ", "intern", "be", "ow", "e", "anal", "relat",
)  # fmt: skip
ENDINGS = (
    *_STEP_2, *_STEP_3, *_STEP_4,
    "'s'", "'s", "'", "sses", "ied", "ies", "us", "ss", "s", "eedly", "ingly", "edly", "eed", "ing", "ed", "y", "e", "ll", "at",
)  # fmt: skip


def test_words_of_the_examples_and_irregular_ones_have_nltks_stems(repository: Path) -> None:
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in (repository / "examples").rglob("*.txt")]
    words = {*re.findall(r"[a-z0-9']+", " ".join(texts).lower()), *_IRREGULAR}
    assert len(words) > 1000
    assert [word for word in sorted(words) if stem_word(word) != NLTK.stem(word)] == []


@settings(max_examples=200)
@given(st.sampled_from(BEGINNINGS), st.lists(st.sampled_from([*ENDINGS, "l", "t", "a", "i"]), max_size=3))
def test_words_of_suffixes_have_nltks_stems(beginning: str, endings: list[str]) -> None:
    word = beginning + "".join(endings)
    assert stem_word(word) == NLTK.stem(word)
