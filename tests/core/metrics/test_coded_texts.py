from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenize import tokenize
from rouge_score.tokenizers import DefaultTokenizer

from core.metrics.coded_texts import TokenCoder, bounds_of, join_codes, make_rouge_coder, rouge_tokens

TEXTS = st.text(st.sampled_from("aAzZ09 .,'-\n\tİKéß_runningly")) | st.text()


@given(TEXTS)
def test_tokens_are_those_of_rouge_score(text):
    assert rouge_tokens(text) == tokenize(text, None)


@given(TEXTS)
def test_stemmed_codes_agree_with_rouge_score(text):
    stems = DefaultTokenizer(use_stemmer=True).tokenize(text)
    first_places = [stems.index(stem) for stem in stems]
    codes = make_rouge_coder(stem=True)(text).tolist()
    assert [codes.index(code) for code in codes] == first_places


def test_a_coder_keeps_its_codes():
    code = TokenCoder(str.split)
    assert code("a b a").tolist() == [0, 1, 0]
    assert code("c b").tolist() == [2, 1]
    assert len(code) == 3


def test_the_stemmer_folds_words_of_four_letters_and_more():
    code = make_rouge_coder(stem=True)
    assert code("walks walked walking").tolist() == [0, 0, 0]
    assert len(set(code("its it").tolist())) == 2


def test_joined_texts_are_found_by_their_bounds():
    code = TokenCoder(str.split)
    texts = [code("a b"), code(""), code("c")]
    assert join_codes(texts).tolist() == [0, 1, 2]
    assert bounds_of(texts).tolist() == [0, 2, 2, 3]
    assert join_codes([]).tolist() == []
