import json
import string
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.tokenize import TweetTokenizer as NltkTweetTokenizer

from core.errors import ConfigError, SourceError
from core.text.terms import STOP_WORDS
from core.text.tokens import (
    _PLAIN,
    NounDictionary,
    PieceTokenizer,
    TweetTokenizer,
    make_tokenizer,
    parse_noun_exceptions,
    parse_noun_index,
)

NLTK = NltkTweetTokenizer()
NOUNS = NounDictionary(frozenset({"wolf", "dog", "glass", "a"}), {"wolves": ("wolf",)})

words = r"""
. .. ... …. … ! !!!!! - -- ( ) * + & ; ’ _ 555 1 0 12 1234 867-5309 20 ٣٤٥ 3.5 1/2 &amp; &nbsp; &#32; &#x2e; &quot D&D don't
Vex'ahlia NOOOOO İ ß @you #tag :) :D <3 <b> -> a.b@c.org http://x.io/a(b) x.com
I a It. no! O'Brien rock'n'roll, who?' 🇩🇪 👍🏽 “Yes,” it's—well—fine
"""
pieces = st.sampled_from([" ", "  ", "\n", "\t", "\xa0", "\x1c", "\x1f", "\u2003", "👩\u200d🚀", *words.split()])
texts = st.one_of(
    st.text(max_size=40), st.lists(pieces, max_size=14).map("".join), st.text(alphabet=" .-()*+01359&;ab\n\xa0", max_size=30)
)


def literal(text: str, lemma: bool = False) -> list[str]:
    tokens = [token.lower() for token in NLTK.tokenize(text)]
    tokens = [NOUNS.lemma(token) if lemma else token for token in tokens]
    return [token for token in tokens if not (len(token) == 1 and token in string.punctuation)]


@settings(max_examples=100, deadline=None)
@given(texts)
@example("call (555) 867 - 5309 now")
@example("wait. . . what")
@example("a.\x1c.b")
@example("555 &#32; 867 5309")
def test_tweet_equals_nltk(text: str) -> None:
    assert make_tokenizer("tweet")(text) == literal(text)


@settings(max_examples=100, deadline=None)
@given(st.from_regex(_PLAIN, fullmatch=True, alphabet=st.sampled_from("adopDPx'-018;:.,?!()\"37")))
@example("do:")
@example("word...")
def test_plain_words_equal_nltk(word: str) -> None:
    assert TweetTokenizer(str.lower)(word) == literal(word)


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, max_size=5))
def test_texts_are_the_tokens_of_their_pieces(several: list[str]) -> None:
    tokenize = TweetTokenizer(str.lower)
    assert isinstance(tokenize, PieceTokenizer)
    whole = tokenize.find_whole(several)
    for place, text in enumerate(several):
        pieces = [text] if place in whole else text.split()
        assert [token for line in tokenize.tokenize(pieces) for token in line.split("\n") if token] == literal(text)


def test_tweet_equals_nltk_on_real_episodes(corpora: Path) -> None:
    tokenize = make_tokenizer("tweet")
    for path in sorted((corpora / "crd3" / "cleaned data").glob("*.json"))[::40]:
        for turn in json.loads(path.read_text(encoding="utf-8"))["TURNS"]:
            text = " ".join(turn["UTTERANCES"])
            assert tokenize(text) == literal(text)


def test_nltk_s_time_limit_is_a_source_error(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenize = TweetTokenizer(str.lower)

    def give_up(_: str) -> list[str]:
        raise TimeoutError

    monkeypatch.setattr("core.text.tokens._open_nltk", lambda: give_up)
    with pytest.raises(SourceError, match="time limit"):
        tokenize("1111111")


def test_the_other_tokenizers() -> None:
    text = "Don't  STOP, Keyleth’s\nwolves!"
    assert make_tokenizer("whitespace")(text) == ["don't", "stop,", "keyleth’s", "wolves!"]
    assert make_tokenizer("rouge")(text) == ["don", "t", "stop", "keyleth", "s", "wolves"]
    assert make_tokenizer("spacy")(text) == ["do", "n't", "stop", ",", "keyleth", "’s", "wolves", "!"]
    assert make_tokenizer("tweet-lemmas", NOUNS)("Wolves, DOGS & glasses!") == ["wolf", "dog", "glass"]
    with pytest.raises(ConfigError, match="--wordnet"):
        make_tokenizer("tweet-lemmas")
    text = "Where is THE dragon? It's in its cave..."
    kept = [token for token in make_tokenizer("tweet")(text) if token not in STOP_WORDS]
    assert make_tokenizer("tweet-content")(text) == kept == ["dragon", "it's", "cave", "..."]


INDEX = """  1 This software and database is being provided to you, the LICENSEE, by
wolf n 5 4 @ ~ #m + 5 1 02114100 10769782
dog n 7 5 @ ~ #m #p %p 7 1 02084071
hot_dog n 3 2 @ ~ 3 1 07697537
"""
SMALL_DICTIONARY = NounDictionary(
    frozenset({"dog", "wolf", "man", "dragonman", "box", "church", "glass", "gla", "story", "leaf", "wa", "ax", "axis", "axes"}),
    {"wolves": ("wolf",), "axes": ("ax", "axis"), "men": ("man",), "geese": ("goose",)},
)


def test_lemmas_and_the_parsers_of_wordnets_files() -> None:
    """By exception, by ending, of several the shortest, although it makes no sense; `geese` has no lemma in the dictionary."""
    words = ["dogs", "wolves", "leaves", "dragonmen", "boxes", "churches", "stories", "was", "glass", "axes", "geese", "keyleth"]
    lemmas = ["dog", "wolf", "leaf", "dragonman", "box", "church", "story", "wa", "glass", "ax", "geese", "keyleth"]
    assert [SMALL_DICTIONARY.lemma(word) for word in ["", *words]] == ["", *lemmas]
    assert parse_noun_index(INDEX) == {"wolf", "dog", "hot_dog"}
    found = parse_noun_exceptions("wolves wolf\naurar eyrir\naurar eyrar\n\n")
    assert found == {"wolves": ("wolf",), "aurar": ("eyrir", "eyrar")}
