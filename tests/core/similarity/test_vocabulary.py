from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from core.similarity.ngrams import Vocabulary
from core.text.tokens import Tokenizer, make_tokenizer

texts = st.lists(st.text(alphabet="aB.' 5\t-&;", max_size=15), max_size=5)
tokenizers = st.sampled_from([make_tokenizer("tweet"), make_tokenizer("whitespace"), make_tokenizer("rouge"), list])


@settings(max_examples=200, deadline=None)
@given(tokenizers, st.lists(texts, min_size=1, max_size=3))
def test_numbers_identify_tokens(tokenize: Tokenizer, calls: list[list[str]]) -> None:
    vocabulary, token_of = Vocabulary(tokenize), {}
    for several in calls:
        numbers, bounds = vocabulary.code(several)
        for text, (start, end) in zip(several, pairwise(bounds.tolist()), strict=True):
            tokens = tokenize(text)
            assert end - start == len(tokens)
            for number, token in zip(numbers[start:end].tolist(), tokens, strict=True):
                assert token_of.setdefault(number, token) == token
    assert len(set(token_of.values())) == len(token_of)


def test_each_distinct_text_is_tokenised_once() -> None:
    seen = []
    vocabulary = Vocabulary(lambda text: seen.append(text) or text.split())
    vocabulary.code(["a b", "c", "a b"])
    vocabulary.code(["c", "d"])
    assert seen == ["a b", "c", "d"]
