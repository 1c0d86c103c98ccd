import pytest

from core.transcripts.reproduction import (
    PublishedChunking,
    PublishedPair,
    PublishedTurn,
    reproduce_alignments,
    summarise_reproduction,
)

TURNS = [
    PublishedTurn(("MATT",), "the gate opens"),
    PublishedTurn(("LAURA",), "a dog barks"),
    PublishedTurn(("LAURA", "SAM"), "we run"),
    PublishedTurn(("MATT",), "the duke falls"),
]
PAIRS = [
    PublishedPair("the gate opens a dog barks", 0, 1, 3 / 2),
    PublishedPair("we run the duke falls", 1, 3, 0.0),  # recomputed: 2 to 3
]


def test_an_episode_is_compared_span_by_span_and_filtered() -> None:
    chunking = PublishedChunking(2, 0, tuple(PAIRS * 5))
    result = reproduce_alignments("E1", TURNS, [PublishedChunking(2, 1, tuple(PAIRS))], str.split)
    assert (result.identical, result.pairs, result.kept) == (1, {2: 2}, {})  # fewer than ten chunks: none is kept
    assert result.iou == pytest.approx(1 + 2 / 3)
    assert result.turn_counts == {"MATT": 2, "LAURA": 1}
    assert reproduce_alignments("E1", TURNS, [chunking], str.split).kept == {2: 10}
    pairs = [PublishedPair("Q: who?", 0, 1, 0.0), PublishedPair("gate", 0, 0, 0.0), PublishedPair("gate", 0, 100, 0.0)]
    pairs += [PublishedPair("gate", 0, 99, 0.0)] * 7
    assert reproduce_alignments("E1", TURNS, [PublishedChunking(3, 0, tuple(pairs))], str.split).kept == {3: 7}


def test_episodes_add_up_in_any_order() -> None:
    first = reproduce_alignments("E1", TURNS, [PublishedChunking(2, 0, tuple(PAIRS * 5))], str.split)
    second = reproduce_alignments("E2", TURNS, [PublishedChunking(3, 0, tuple(PAIRS))], str.split)
    split = {"train": ("E1",), "validation": ("E2",), "test": ()}
    report = summarise_reproduction([second, first], split)
    assert report == summarise_reproduction([first, second], split)
    assert report["episodes"] == 2
    assert report["alignments"] == report["pairs"] == 12
    assert report["identical"] == (first.identical + second.identical) / report["pairs"]
    assert report["by_chunk_size"] == {"2": {"pairs": 10, "kept": 10}, "3": {"pairs": 2, "kept": 0}}
    assert report["split"] == {"train": 10, "validation": 0, "test": 0}
    assert report["contributions"]["MATT"]["turns"] == 4
