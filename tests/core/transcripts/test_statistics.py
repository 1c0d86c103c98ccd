import json
import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dialogue import Turn
from core.transcripts.config import StatisticsConfig
from core.transcripts.recaps.recap import Recap, RecapSection
from core.transcripts.statistics import count_tokens, describe_decisions, measure_episode, summarise


def test_both_tokenisers():
    counts = count_tokens(["Don't, Vex'ahlia— don't!", "A d20."])
    assert counts["whitespace"].total == 5
    assert counts["whitespace"].vocabulary == ("A", "Don't,", "Vex'ahlia—", "d20.", "don't!")
    assert counts["words"].total == 5
    assert counts["words"].vocabulary == ("a", "d20", "don't", "vex'ahlia")


@given(st.lists(st.text(alphabet="aB1'’_-.\u00a0\n É")))
def test_words_equal_a_search_of_the_whole_text(texts):
    words = [word for text in texts for word in re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text.lower())]
    counted = count_tokens(texts)["words"]
    assert (counted.total, counted.vocabulary) == (len(words), tuple(sorted(set(words))))


CAST = StatisticsConfig(game_master="MASTER", main_cast=("MASTER", "ANN"))
LINES = [
    (("MASTER",), "The door opens. “Enter!”"),
    (("ANN",), "Is it a trap?"),
    (("MASTER",), 'It says "maybe".'),
    (("GUEST",), "Do I see it? "),
    (("ANN", "MASTER"), "Yes?"),
    (("MASTER",), "You do."),
    (("GUEST",), 'I say "hello".'),
    ((), "(laughter)"),
    (("ANN", "ANN"), "Can I?"),
]
TURNS = [Turn(number, speakers, (text,), "", "") for number, (speakers, text) in enumerate(LINES)]
RECAP = Recap(
    "One",
    "A short blurb.",
    (
        RecapSection("pre-show", "Pre-Show", "", ("Hi all.",), ("Hi all.",)),
        RecapSection("announcements", "Announcements", "", ("None today, sorry.",), ("None today, sorry.",)),
        RecapSection("plot", "Part I", "a", ("They enter.", "They leave."), ("They enter.", "They leave.")),
        RecapSection("break", "Break", "", (), ()),
    ),
)


def test_counts():
    figures = measure_episode(TURNS, RECAP, np.arange(9, dtype=np.float64), CAST, entities=4)
    assert figures.turns == 9
    assert figures.speaker_turns == {"ANN": 3, "GUEST": 2, "MASTER": 4}
    assert figures.main_cast_turns == 6
    assert figures.quoting_turns == (2, 1)
    assert figures.answered_questions == 2  # "a trap?" and "see it? "; the game master's own question does not count
    assert figures.sections == {"blurb": 3, "pre-show and announcements": 5, "plot": 4}
    assert figures.summary == {"whitespace": 12, "words": 12}
    assert figures.dialogue["whitespace"].total == sum(len(text.split()) for _, text in LINES)
    assert figures.contributions["GUEST"].total == 3 + 6
    assert figures.entities == 4


PLAYERS = ("MATT", "LAURA", "MARISHA", "SAM", "TRAVIS", "LIAM", "TALIESIN", "ASHLEY", "ORION")
CRD3 = StatisticsConfig(game_master="MATT", main_cast=PLAYERS)
KINDS = {name: name.lower() for name in ("Pre-Show", "Announcements", "Recap", "Break")}
KINDS |= {"Previously on Critical Role": "recap"} | dict.fromkeys(("Post-Show", "Afterword", "Post-Game"), "post-show")
DECISIONS = {
    (2, "", "plot", False): 3,
    (2, "", "plot", True): 2,
    (2, "too-few-turns", "plot", False): 2,
    (2, "too-few-chunks", "plot", False): 9,
    (3, "", "recap", True): 1,
    (3, "unaligned", "break", False): 1,
    (0, "untold", "break", False): 4,
}


def episode(lines, contributions=None, config=CRD3):
    turns = [Turn(number, (speaker,), (text,), "", "") for number, (speaker, text) in enumerate(lines)]
    recap = Recap("", "one two", (RecapSection("plot", "Part I", "", ("three",), ("three",)),))
    return measure_episode(turns, recap, None if contributions is None else np.array(contributions), config)


ONE = [("MATT", "a b"), ("SAM", "b?"), ("MATT", "b")]
TWO = [("SAM", "c?"), ("MATT", 'd "e"'), ("ZAC", "f")]


def test_adds_up_episodes():
    stats = summarise([episode(ONE, [1.0, 0.0, 0.5]), episode(TWO, [0.2, 0.6, 0.1])], DECISIONS, CRD3)
    assert (stats["dialogues"], stats["turns"], stats["turns_per_dialogue"]) == (2, 6, 3)
    tokens = stats["tokens"]["whitespace"]
    assert (tokens["dialogue_total"], tokens["dialogue_unique"], tokens["summary_total"]) == (8, 7, 6)
    assert tokens["summary_dialogue_ratio"] == pytest.approx(3 / 4)
    assert stats["tokens"]["words"]["dialogue_unique"] == 6
    assert stats["speakers"]["main_cast_share"] == pytest.approx(5 / 6)
    assert stats["speakers"]["turns"] == {"MATT": 3, "SAM": 2, "ZAC": 1}
    assert stats["quotes"] == {"game_master": 1, "others": 0}
    assert stats["answered_questions"] == {"count": 2, "mean": 1, "deviation": 0}
    assert list(stats["contributions"]) == ["MATT", "SAM"]
    assert stats["contributions"]["MATT"]["mean"] == pytest.approx(0.7)
    assert stats["sections"]["plot"] == {"count": 2, "mean": 1, "deviation": 0}
    assert stats["entities"] is None
    assert json.loads(json.dumps(stats, allow_nan=False)) == stats


def test_notes_say_which_figures_are_null_and_why():
    config = StatisticsConfig()
    stats = summarise([episode(ONE, config=config)], {}, config)
    assert (
        stats["quotes"] is stats["answered_questions"] is stats["contributions"] is stats["speakers"]["main_cast_share"] is None
    )
    assert [note.split(":")[0] for note in stats["notes"]] == [
        "statistics.game_master is not set",
        "statistics.main_cast is not set",
        "statistics.entity_pipeline is not set",
        "no alignment paths (the greedy aligner draws none)",
    ]


def test_table_3_with_reasons():
    table = describe_decisions(DECISIONS)
    reasons = {"too-few-chunks": 9, "too-few-turns": 2}
    assert table["by_chunk_size"]["2"] == {"without_filter": 7, "with_filter": 5, "train_on": 2, "reasons": reasons}
    assert table["by_kind"]["plot"] == table["by_chunk_size"]["2"]
    assert table["by_kind"]["recap"] == {"without_filter": 1, "with_filter": 1, "train_on": 1, "reasons": {}}
    every = reasons | {"unaligned": 1, "untold": 4}
    assert table["all"] == {"without_filter": 9, "with_filter": 6, "train_on": 3, "reasons": every}


def test_figures_agree_with_the_paper(corpora, record_property):
    """We have 115 of the paper's 159 episodes, nearly all of campaign 1, so the figures agree only approximately."""
    episodes = {path.stem: read_episode(path) for path in sorted((corpora / "crd3" / "cleaned data").glob("*.json"))}
    started = time.perf_counter()
    figures = {name: measure_episode(turns, recap, None, CRD3) for name, (turns, recap) in episodes.items()}
    stats = summarise(figures.values(), {}, CRD3)
    record_property("seconds", time.perf_counter() - started)
    first = summarise([found for name, found in figures.items() if name.startswith("C1")], {}, CRD3)
    tokens = stats["tokens"]["whitespace"]
    assert (stats["dialogues"], stats["turns"], tokens["dialogue_total"]) == (115, 285817, 3621878)
    assert stats["turns_per_dialogue"] == pytest.approx(2507.4, rel=0.02)
    assert tokens["per_turn"] == pytest.approx(12.7, rel=0.01)
    assert tokens["per_summary"] == pytest.approx(2062.3, rel=0.05)
    assert tokens["summary_dialogue_ratio"] == pytest.approx(0.065, rel=0.05)
    assert first["speakers"]["main_cast_share"] == pytest.approx(0.972, abs=0.0005)
    quotes = stats["quotes"]
    assert quotes["game_master"] / quotes["others"] == pytest.approx(21383 / 2497, rel=0.05)
    assert stats["answered_questions"]["mean"] == pytest.approx(199, rel=0.2)
    assert stats["answered_questions"]["deviation"] == pytest.approx(58, rel=0.1)
    sections = {"blurb": (50, 16.7), "pre-show and announcements": (183, 254), "recap": (335, 123.9), "plot": (1544, 1553.7)}
    for kind, (mean, deviation) in sections.items():
        assert stats["sections"][kind]["mean"] == pytest.approx(mean, rel=0.1), kind
        assert stats["sections"][kind]["deviation"] == pytest.approx(deviation, rel=0.5), kind


def read_episode(path):
    """Read CRD3's cleaned file without the pipeline's own readers."""
    value = json.loads(path.read_text(encoding="utf-8"))
    turns = [Turn(number, tuple(turn["NAMES"]), tuple(turn["UTTERANCES"]), "", "") for number, turn in enumerate(value["TURNS"])]
    metadata = value["METADATA"]
    sections = tuple(
        RecapSection(KINDS.get(section["heading"], "plot"), section["heading"], part["sub-heading"], (part["content"],), ())
        for section in metadata.get("Synopsis", [])
        for part in section["content"]
    )
    return turns, Recap("", " ".join(part["content"] for part in metadata.get("Wiki Blurb", [])), sections)
