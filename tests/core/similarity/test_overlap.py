from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.similarity.ngrams import NgramIndex
from core.similarity.overlap import overlap_matrix
from lab.speed import literal

words = st.lists(st.sampled_from(list("abcdef")), max_size=12).map(" ".join)
dialogues = st.lists(words, min_size=1, max_size=8)
orders = st.sets(st.integers(1, 4), min_size=1).map(tuple)


@settings(max_examples=50, deadline=None)
@given(dialogues, st.lists(dialogues, min_size=1, max_size=3), orders)
def test_beta_equals_the_literal_one_bitwise(turns: list[str], chunkings: list[list[str]], orders: tuple[int, ...]) -> None:
    index = NgramIndex(turns, str.split, orders)
    coded = [literal.ngrams(turn.split(), orders) for turn in turns]
    for chunks in chunkings:
        expected = literal.score_matrix(coded, [literal.ngrams(chunk.split(), orders) for chunk in chunks])
        assert np.array_equal(overlap_matrix(index.turns, index.code(chunks)), np.array(expected))


@settings(max_examples=3, deadline=None)
@given(st.integers(1, 300), st.randoms(use_true_random=False))
def test_beta_equals_the_literal_one_for_long_turns_of_rare_and_common_ngrams(n_chunks: int, random: Random) -> None:
    chunks = [" ".join(random.choices("abcdefgh", k=random.randrange(6))) + f" rare{number // 2}" for number in range(n_chunks)]
    every = [f"all{number}" for number in range(300)]  # in every chunk; more than a byte can count
    chunks = [" ".join([*every, chunk]) if number % 7 else chunk for number, chunk in enumerate(chunks)]
    turns = [
        " ".join(random.sample([*every, *"abcdefgh", *(f"rare{number}" for number in range(n_chunks))], 300)) for _ in range(3)
    ]
    turns.append(" ".join(every))
    coded = [literal.ngrams(turn.split()) for turn in turns]
    expected = literal.score_matrix(coded, [literal.ngrams(chunk.split()) for chunk in chunks])
    index = NgramIndex(turns, str.split, (1, 2))
    assert np.array_equal(overlap_matrix(index.turns, index.code(chunks)), np.array(expected))


@settings(max_examples=100, deadline=None)
@given(dialogues, dialogues, orders)
def test_sizes_count_every_distinct_ngram(turns: list[str], chunks: list[str], orders: tuple[int, ...]) -> None:
    index = NgramIndex(turns, str.split, orders)
    assert index.turns.sizes.tolist() == [len(literal.ngrams(turn.split(), orders)) for turn in turns]
    assert index.code(chunks).sizes.tolist() == [len(literal.ngrams(chunk.split(), orders)) for chunk in chunks]
    assert index.code(turns).codes.tolist() == index.turns.codes.tolist()
