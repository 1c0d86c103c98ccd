from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.alignment.aligners import align_episode, bind_turns, score_sentences, shrink_columns
from core.alignment.config import AlignmentConfig, WindowsConfig
from core.errors import ConfigError
from core.text.tokens import make_tokenizer

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
    align = bind_turns(TURNS, config, tokenize)
    for size, offset in {(chunk.size, chunk.offset) for chunk, _ in pairs}:
        mine = [(chunk.text, span) for chunk, span in pairs if (chunk.size, chunk.offset) == (size, offset)]
        assert align([text for text, _ in mine]) == [span for _, span in mine]


def test_embeddings_replace_the_overlap_and_need_an_embedder() -> None:
    topics = ["gate", "dog", "hall", "duke", "dead"]

    def embed(texts: list[str]) -> np.ndarray:
        return np.array([[float(topic in text.lower()) for topic in topics] for text in texts], np.float32)

    config = replace(CONFIG, similarity="embeddings", chunk_sizes=(2,))
    (first, second), *_ = [
        [span for chunk, span in align_episode(TURNS, SENTENCES, config, tokenize, embed).pairs if chunk.offset == 0]
    ]
    assert (first.start, first.end, second.end) == (0, 1, 4)
    with pytest.raises(ConfigError, match="needs a sentence embedder"):
        bind_turns(TURNS, config, tokenize)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"similarity": "embeddings", "aligner": "greedy"}, "use similarity = overlap"),
        ({"windows": WindowsConfig(engaged=(0.5, 0.2))}, "found 2 values, expected 3"),
        ({"windows": WindowsConfig(gap_means=(0.5,))}, "found 1 values, expected 3"),
        ({"windows": WindowsConfig(part_gap_shares=(0.5,) * 5)}, "the shares add up to 2.5"),
    ],
)
def test_invalid_settings_are_told(change: dict[str, Any], message: str) -> None:
    config = replace(CONFIG, **change)
    ((_, problem),) = [*config.list_problems(), *config.windows.list_problems()]
    assert message in problem


SPOKEN = ["the heron stole the lantern", "who has seen the red boat", "the ferry leaves at noon", "a lighthouse burns tonight"]
TOLD = ["A heron steals a lantern.", "The ferry leaves.", "The lighthouse burns."]


@pytest.mark.parametrize("aligner", ["windows", "needleman-wunsch", "greedy"])
def test_the_matrix_has_a_score_for_every_sentence_and_turn_and_the_spans_of_the_aligner(aligner: str) -> None:
    config = AlignmentConfig(aligner=aligner)  # type: ignore[arg-type]
    tokenizer = make_tokenizer(config.tokenizer, None)
    found = score_sentences(SPOKEN, TOLD, config, tokenizer)
    assert found.scores.shape == (3, 4)
    assert 0 <= found.scores.min() <= found.scores.max() <= 1 + 1e-9
    assert found.posterior == (aligner == "windows")
    assert found.spans == [span for _, span in align_episode(SPOKEN, TOLD, replace(config, chunk_sizes=(1,)), tokenizer).pairs]
    assert found.scores[0].argmax() == 0


def test_columns_are_joined_by_their_highest_score() -> None:
    scores = np.arange(20, dtype=float).reshape(2, 10)
    assert shrink_columns(scores, 10) is scores
    assert shrink_columns(scores, 4).tolist() == [[1, 4, 6, 9], [11, 14, 16, 19]]
