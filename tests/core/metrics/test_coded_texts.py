from itertools import chain

from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenize import tokenize
from rouge_score.tokenizers import DefaultTokenizer

from core.metrics.coded_texts import RougeCoder, join_codes, rouge_tokens

TEXTS = st.text(st.sampled_from("aAzZ09 .,'-\n\t\x1e\u00a0\u2003İKéß_runningly")) | st.text()


def pattern(items):
    """Return which items are equal."""
    listed = list(items)
    return [listed.index(value) for value in listed]


@given(TEXTS)
def test_tokens_equal_rouge_scores(text):
    assert rouge_tokens(text) == tokenize(text, None)


@given(st.lists(TEXTS, max_size=4))
def test_codes_agree_with_rouge_score(texts):
    coded = RougeCoder().code_all(texts)
    tokens = [tokenize(text, None) for text in texts]
    assert [len(codes) for codes in coded] == [len(of_text) for of_text in tokens]
    assert pattern(join_codes(coded).tolist()) == pattern(chain.from_iterable(tokens))
    assert all(RougeCoder()(text).tolist() == codes.tolist() for text, codes in zip(texts, coded, strict=True))


@given(st.lists(TEXTS, max_size=4))
def test_stemmed_codes_agree_with_rouge_score(texts):
    stems = [DefaultTokenizer(use_stemmer=True).tokenize(text) for text in texts]
    coded = RougeCoder(stem=True).code_all(texts)
    assert pattern(join_codes(coded).tolist()) == pattern(chain.from_iterable(stems))


def test_invalid_unicode_is_coded():
    assert RougeCoder()("gate \ud800 gate").size == 2
