"""Each sentence of a summary is retold by one turn."""

from core.metrics.coded_texts import RougeCoder
from lab.summarisation.neural.rewriting import find_salient_turns


def find(turns: list[str], sentences: list[str]) -> tuple[int, ...]:
    code = RougeCoder().code_all
    return find_salient_turns(code(turns), code(sentences))


def test_the_turn_with_the_highest_recall_is_taken_once() -> None:
    turns = ["we should open the old gate", "the gate", "what", "open it"]
    assert find(turns, ["they open the gate", "the gate falls"]) == (0, 1)
    assert find(turns, ["they open the old gate", "the old gate"]) == (0, 1)


def test_more_sentences_than_turns_leave_the_last_ones_out() -> None:
    assert find(["...", "a b"], ["a b", "b c"]) == (1,)
