import numpy as np
import pytest

from core.alignment.aligners import make_aligner, score_sentences, shrink_columns
from core.alignment.config import AlignmentConfig
from core.text.tokens import make_tokenizer

TURNS = ["the heron stole the lantern", "who has seen the red boat", "the ferry leaves at noon", "a lighthouse burns tonight"]
SENTENCES = ["A heron steals a lantern.", "The ferry leaves.", "The lighthouse burns."]


@pytest.mark.parametrize("aligner", ["windows", "needleman-wunsch", "greedy"])
def test_the_matrix_has_a_score_for_every_sentence_and_turn_and_the_spans_of_the_aligner(aligner: str) -> None:
    config = AlignmentConfig(aligner=aligner)  # type: ignore[arg-type]
    tokenizer = make_tokenizer(config.tokenizer, None)
    found = score_sentences(TURNS, SENTENCES, config, tokenizer)
    assert found.scores.shape == (3, 4)
    assert 0 <= found.scores.min() <= found.scores.max() <= 1 + 1e-9
    assert found.posterior == (aligner == "windows")
    assert found.spans == make_aligner(config, tokenizer)(TURNS, SENTENCES)
    assert found.scores[0].argmax() == 0


def test_columns_are_joined_by_their_highest_score() -> None:
    scores = np.arange(20, dtype=float).reshape(2, 10)
    assert shrink_columns(scores, 10) is scores
    shrunk = shrink_columns(scores, 4)
    assert shrunk.tolist() == [[1, 4, 6, 9], [11, 14, 16, 19]]
