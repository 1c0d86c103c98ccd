"""The code of the quality benchmark: settings from the command line, columns."""

from pathlib import Path

import pytest

from core.transcripts.config import AlignmentConfig, TranscriptsConfig
from lab.quality.alignment import BENCHMARKS, COLUMNS, Episode, measure, override
from lab.quality.episode_breaks import Break
from lab.quality.synthetic_episodes import SyntheticConfig, make_episode

PAPER = TranscriptsConfig(alignment=AlignmentConfig(aligner="needleman-wunsch", chunk_sizes=(2, 3)))


@pytest.fixture(autouse=True)
def _no_dictionary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABULA_CORPORA", str(tmp_path))


def episode(name: str, seed: int = 0, benchmark: str = "gold") -> Episode:
    made = make_episode(seed, SyntheticConfig(events=12))
    known = Break(len(made.turns) // 2, len(made.turns), 0, 8, 8, len(made.gold))
    return Episode(name, made.turns, made.recap, made.gold, known, benchmark)


def test_settings_override_the_nested_config() -> None:
    config = override(PAPER, 'alignment.aligner="greedy" alignment.ngram_orders=[1] filter.min_turns=1')
    assert (config.alignment.aligner, config.alignment.ngram_orders, config.filter.min_turns) == ("greedy", (1,), 1)
    assert config.alignment.chunk_sizes == (2, 3)
    with pytest.raises(AttributeError, match="no_such"):
        override(PAPER, "alignment.no_such.thing=1")


def test_each_benchmark_fills_its_own_columns() -> None:
    episodes = [episode(name, benchmark=name) for name in ("gold", "read", "synthetic")]
    row = measure(episodes, PAPER, BENCHMARKS)
    empty = {"ECE", "Brier", "read ECE", "synthetic ECE"}  # no confidence
    assert {name for name in COLUMNS if row[name] is None} == empty
    assert row["pooled F1"] == row["read pooled F1"] == row["synthetic pooled F1"]
    only = measure(episodes, PAPER, ["break"])
    assert {name for name in COLUMNS if only[name] is not None} == {"break error %", "median %", "section accuracy", "s"}
