from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.alignment.aligners import align_episode, make_aligner
from core.alignment.config import AlignmentConfig, WindowsConfig
from core.errors import ConfigError

TURNS = ["the gate opens", "a dog barks loudly", "we enter the hall", "the duke greets us", "he falls down dead"]
SENTENCES = ["The gate opens.", "A dog barks.", "They enter the hall.", "The duke falls down dead."]
CONFIG = AlignmentConfig(aligner="needleman-wunsch", tokenizer="whitespace", chunk_sizes=(2, 3))


def tokenize(text: str) -> list[str]:
    return text.lower().replace(".", "").split()


@pytest.mark.parametrize("aligner", ["needleman-wunsch", "greedy"])
def test_an_episode_equals_its_chunkings_aligned_one_by_one(aligner: str) -> None:
    config = replace(CONFIG, aligner=aligner)
    pairs = align_episode(TURNS, SENTENCES, config, tokenize).pairs
    assert [(chunk.size, chunk.offset, chunk.index) for chunk, _ in pairs] == [
        (2, 0, 0), (2, 0, 1), (2, 1, 0), (2, 1, 1), (3, 0, 0), (3, 0, 1), (3, 1, 0), (3, 2, 0),
    ]  # fmt: skip
    align = make_aligner(config, tokenize)
    for size, offset in {(chunk.size, chunk.offset) for chunk, _ in pairs}:
        mine = [(chunk.text, span) for chunk, span in pairs if (chunk.size, chunk.offset) == (size, offset)]
        assert align(TURNS, [text for text, _ in mine]) == [span for _, span in mine]


def test_turns_are_tokenised_once_per_episode() -> None:
    seen: list[str] = []

    def watched(text: str) -> list[str]:
        seen.append(text)
        return tokenize(text)

    align_episode(TURNS, SENTENCES, CONFIG, watched)
    assert [text for text in seen if text in TURNS] == TURNS


def test_nothing_to_align_gives_no_pairs() -> None:
    assert align_episode([], SENTENCES, CONFIG, tokenize).pairs == ()
    alignment = align_episode(TURNS, [], CONFIG, tokenize)
    assert alignment.pairs == ()
    assert alignment.contributions.tolist() == [0.0] * 5


def test_each_of_the_largest_chunks_distributes_one() -> None:
    contributions = align_episode(TURNS, SENTENCES, CONFIG, tokenize).contributions
    assert contributions.shape == (5,)
    assert contributions.sum() == pytest.approx((2 + 1 + 1) / 3)  # chunks of three sentences, by offset
    assert not align_episode(TURNS, SENTENCES, replace(CONFIG, aligner="greedy"), tokenize).contributions.any()


def test_embeddings_replace_the_overlap() -> None:
    topics = ["gate", "dog", "hall", "duke", "dead"]

    def embed(texts: list[str]) -> np.ndarray:
        return np.array([[float(topic in text.lower()) for topic in topics] for text in texts], np.float32)

    config = replace(CONFIG, similarity="embeddings", chunk_sizes=(2,))
    (first, second), *_ = [
        [span for chunk, span in align_episode(TURNS, SENTENCES, config, tokenize, embed).pairs if chunk.offset == 0]
    ]
    assert (first.start, first.end, second.end) == (0, 1, 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"aligner": "hmm"}, "choose windows, needleman-wunsch, greedy or greedy-contiguous"),
        ({"similarity": "bm25"}, "choose overlap, idf-overlap, rouge, rouge-l, tf-idf or embeddings"),
        ({"similarity": "embeddings"}, "needs a sentence embedder"),
        ({"similarity": "embeddings", "aligner": "greedy"}, "use similarity = overlap"),
        ({"windows": WindowsConfig(engaged=(0.5, 0.2))}, r"windows.engaged = \(0.5, 0.2\): found 2 values, expected 3"),
        ({"windows": WindowsConfig(gap_means=(0.5,))}, "found 1 values, expected 3"),
        ({"windows": WindowsConfig(part_gap_shares=(0.5,) * 5)}, "the shares add up to 2.5"),
    ],
)
def test_invalid_settings_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_aligner(replace(CONFIG, **change), tokenize)
