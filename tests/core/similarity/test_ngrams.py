import sys
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from core.similarity.ngrams import WHITE_SPACE, PieceTable, Vocabulary
from core.text.tokens import Tokenizer, make_tokenizer

any_texts = st.lists(st.text(alphabet="\0ab \n\x1f\xa0\u2003é🚀\ud800", max_size=12), max_size=6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(any_texts, st.sets(st.integers(0, 5))), max_size=3))
def test_equal_pieces_have_equal_numbers_in_all_calls(calls: list[tuple[list[str], set[int]]]) -> None:
    table, known = PieceTable(WHITE_SPACE), []
    for several, chosen in calls:
        whole = {place for place in chosen if place < len(several)}
        numbers, bounds = table.number(several, whole)
        known += table.read(len(known))
        found = [[known[number] for number in numbers[start:end]] for start, end in pairwise(bounds.tolist())]
        assert found == [[text] * bool(text) if place in whole else text.split() for place, text in enumerate(several)]
        assert len(known) == len(set(known))


def test_a_table_grows_and_white_space_equals_that_of_str_split() -> None:
    words = [f"w{number}" for number in range(5000)]
    table = PieceTable(WHITE_SPACE)
    assert table.number([" ".join(words)])[0].tolist() == [*range(5000)]
    assert table.number([" ".join(reversed(words))])[0].tolist() == [*range(4999, -1, -1)]
    assert table.read(0) == words
    assert (table.read(4998), table.read(5000)) == (words[-2:], [])
    assert not any(chr(code).isspace() for code in range(WHITE_SPACE.size, sys.maxunicode + 1))


texts = st.lists(st.text(alphabet="aB.' 5\t-&;", max_size=15), max_size=5)
tokenizers = st.sampled_from([make_tokenizer("tweet"), make_tokenizer("whitespace"), make_tokenizer("rouge"), list])


@settings(max_examples=60, deadline=None)
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
