import numpy as np

from core.dialogue import Turn
from core.transcripts.config import StatisticsConfig
from core.transcripts.recaps.recap import Recap, RecapSection
from core.transcripts.statistics import measure_contributions, measure_episode

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


def test_figures_that_need_a_cast_are_none_without_one():
    figures = measure_episode(TURNS, RECAP, None, StatisticsConfig())
    assert figures.main_cast_turns is figures.quoting_turns is figures.answered_questions is None
    assert figures.contributions is figures.entities is None


def test_each_turn_of_a_speaker_is_one_observation():
    measured = measure_contributions({"A": [0, 2], "B": [1, 2]}, np.array([0.5, 0.0, 1.5]))
    assert (measured["A"].count, measured["A"].total, measured["A"].squares) == (2, 2.0, 2.5)
    assert measured["B"].mean == 0.75
