import re
from itertools import chain

from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.tokenize import tokenize
from rouge_score.tokenizers import DefaultTokenizer

from core.metrics import coded_texts
from core.metrics.coded_texts import RougeCoder, code_bertsum, join_codes, rouge_tokens

COMPILES = settings(deadline=None)  # the first call compiles its kernels
TEXTS = st.text(st.sampled_from("aAzZ09 .,'-\n\t\x1e\u00a0\u2003İKéß_runningly")) | st.text()


def pattern(items):
    """Return which items are equal."""
    listed = list(items)
    return [listed.index(value) for value in listed]


@given(TEXTS)
def test_tokens_equal_rouge_scores(text):
    assert rouge_tokens(text) == tokenize(text, None)


@COMPILES
@given(st.lists(TEXTS, max_size=4))
def test_codes_agree_with_rouge_score(texts):
    coded = RougeCoder().code_all(texts)
    tokens = [tokenize(text, None) for text in texts]
    assert [len(codes) for codes in coded] == [len(of_text) for of_text in tokens]
    assert pattern(join_codes(coded).tolist()) == pattern(chain.from_iterable(tokens))
    assert all(RougeCoder()(text).tolist() == codes.tolist() for text, codes in zip(texts, coded, strict=True))


@COMPILES
@given(st.lists(TEXTS, max_size=4))
def test_stemmed_codes_agree_with_rouge_score(texts):
    stems = [DefaultTokenizer(use_stemmer=True).tokenize(text) for text in texts]
    coded = RougeCoder(stem=True).code_all(texts)
    assert pattern(join_codes(coded).tolist()) == pattern(chain.from_iterable(stems))


@COMPILES
@given(st.lists(TEXTS, max_size=4))
def test_bertsums_words_are_cleaned_before_they_are_split(texts):
    cleaned = [re.sub("[^a-z0-9 ]", "", " ".join(text.split()).lower()).split() for text in texts]
    codes, bounds = code_bertsum(texts)
    assert bounds.tolist() == [sum(map(len, cleaned[:count])) for count in range(len(texts) + 1)]
    assert codes.tolist() == join_codes(RougeCoder()(" ".join(words)) for words in cleaned).tolist()


def test_stems_dropped_from_the_cache_get_the_same_codes(monkeypatch):
    code = RougeCoder(stem=True)
    before = code("the dukes opened gates").tolist()
    monkeypatch.setattr(coded_texts, "_MOST_STEMS", 1)
    assert RougeCoder(stem=True)("the dukes opened gates").tolist() == code("the dukes opened gates").tolist() == before


def test_invalid_unicode_is_coded():
    assert RougeCoder()("gate \ud800 gate").size == 2
