import math

from hypothesis import given
from hypothesis import strategies as st

from core.alignment.spans import chunk_all, chunk_sections, chunk_sentences


@given(st.integers(0, 30), st.integers(1, 6), st.data())
def test_chunks_partition_the_sentences_from_the_offset_on(n: int, size: int, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, size - 1))
    sentences = [f"Sentence {number}." for number in range(n)]
    chunks = chunk_sentences(sentences, size, offset)
    assert len(chunks) == max(math.ceil((n - offset) / size), 0)
    covered = [number for chunk in chunks for number in range(chunk.first_sentence, chunk.last_sentence + 1)]
    assert covered == list(range(offset, n))
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert all(chunk.text == " ".join(sentences[chunk.first_sentence : chunk.last_sentence + 1]) for chunk in chunks)
    assert {(chunk.size, chunk.offset) for chunk in chunks} <= {(size, offset)}


def test_every_size_and_offset_in_order() -> None:
    chunkings = chunk_all(["a", "b", "c"], (2, 3))
    assert [[chunk.text for chunk in chunks] for chunks in chunkings] == [["a b", "c"], ["b c"], ["a b c"], ["b c"], ["c"]]
    assert len(chunk_all(["a", "b"], (3,))) == 2  # no chunk starts at sentence 2
    assert chunk_all([], (2,)) == []


@given(st.lists(st.integers(1, 9), max_size=5), st.integers(1, 5), st.data())
def test_what_is_left_over_belongs_to_the_chunk_before(lengths: list[int], size: int, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, size - 1))
    sections = [number for number, length in enumerate(lengths) for _ in range(length)]
    chunks = chunk_sections([str(place) for place in range(len(sections))], size, offset, sections)
    told = [sections[chunk.first_sentence : chunk.last_sentence + 1] for chunk in chunks]
    assert all(len(set(within)) == 1 for within in told)
    assert sum(map(len, told)) == sum(max(length - offset, 0) for length in lengths)
    for within in told:
        left = lengths[within[0]] - offset
        assert size <= len(within) < 2 * size if left >= size else len(within) == left
