"""Counts one episode. `statistics.summary` adds the counts of all episodes up to the dataset's figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.dialogue import Turn
from core.metrics.estimates import Moments
from core.transcripts.config import StatisticsConfig
from core.transcripts.recaps.recap import Recap
from core.transcripts.statistics.token_counts import CounterName, TokenCount, count_tokens

_QUOTES = ('"', "“", "”")
_SECTION = {"pre-show": "pre-show and announcements", "announcements": "pre-show and announcements"}


@dataclass(frozen=True, slots=True)
class EpisodeFigures:
    """The counts of one episode, as plain values that JSON can hold.

    Attributes:
        turns: the number of turns.
        dialogue: the dialogue's tokens, by tokeniser.
        summary: the tokens of the blurb and all sections, by tokeniser.
        sections: white-space tokens by kind of section (`blurb`, `pre-show and announcements`, `recap`, `plot`, …); kinds without
            text are left out.
        speaker_turns: each speaker's turns. A turn in chorus counts for all its speakers.
        main_cast_turns: the turns with at least one speaker of the main cast; None if the settings name no main cast.
        quoting_turns: the turns with a quotation mark, of the game master and of the others; None without a game master.
        answered_questions: the turns of others that end in "?" right before a turn of the game master; None without one.
        contributions: the moments of each speaker's turn contributions; None if the aligner gives no contributions.
        entities: the named entities in the dialogue; None if they were not counted.
    """

    turns: int
    dialogue: dict[CounterName, TokenCount]
    summary: dict[CounterName, int]
    sections: dict[str, int]
    speaker_turns: dict[str, int]
    main_cast_turns: int | None
    quoting_turns: tuple[int, int] | None
    answered_questions: int | None
    contributions: dict[str, Moments] | None
    entities: int | None


def measure_episode(
    turns: Sequence[Turn],
    recap: Recap,
    contributions: NDArray[np.float64] | None,
    config: StatisticsConfig,
    entities: int | None = None,
) -> EpisodeFigures:
    """Count one episode.

    Args:
        turns: the episode's turns.
        recap: the episode's recap.
        contributions: each turn's mean share in a chunk, shape (n_turns,), see `share_path`; None if the aligner gives none.
        config: names the game master and the main cast.
        entities: the number of named entities in the dialogue; None if they were not counted.

    Reference: CRD3, section 3.4, tables 1 and 2.
    """
    texts = [turn.text for turn in turns]
    numbers: dict[str, list[int]] = {}
    for number, turn in enumerate(turns):
        for speaker in dict.fromkeys(turn.speakers):
            numbers.setdefault(speaker, []).append(number)
    sections = _section_texts(recap)
    summary = count_tokens(sections.values())
    lengths = {kind: len(text.split()) for kind, text in sections.items()}
    master = set(numbers.get(config.game_master, ())) if config.game_master else None
    cast = {number for speaker in config.main_cast for number in numbers.get(speaker, ())}
    return EpisodeFigures(
        turns=len(turns),
        dialogue=count_tokens(texts),
        summary={name: count.total for name, count in summary.items()},
        sections={kind: length for kind, length in lengths.items() if length},
        speaker_turns={speaker: len(found) for speaker, found in sorted(numbers.items())},
        main_cast_turns=len(cast) if config.main_cast else None,
        quoting_turns=None if master is None else _count_quotes(texts, master),
        answered_questions=None if master is None else _count_answered(texts, master),
        contributions=None if contributions is None else measure_contributions(numbers, contributions),
        entities=entities,
    )


def measure_contributions(speaker_turns: Mapping[str, Sequence[int]], contributions: NDArray[np.float64]) -> dict[str, Moments]:
    """Return the moments of each speaker's turn contributions; every turn is one observation.

    `speaker_turns` holds the 0-based turns of each speaker. `contributions` has the shape (n_turns,).
    """
    measured = {}
    for speaker, numbers in speaker_turns.items():
        values = contributions[np.asarray(numbers, dtype=np.int64)]
        measured[speaker] = Moments(len(values), float(values.sum()), float(values @ values))
    return measured


def _section_texts(recap: Recap) -> dict[str, str]:
    texts: dict[str, list[str]] = {"blurb": [recap.blurb]}
    for section in recap.sections:
        texts.setdefault(_SECTION.get(section.kind, section.kind), []).extend(section.paragraphs)
    return {kind: "\n".join(parts) for kind, parts in texts.items()}


def _count_quotes(texts: Sequence[str], master: set[int]) -> tuple[int, int]:
    quoting = {number for number, text in enumerate(texts) if any(mark in text for mark in _QUOTES)}
    return len(quoting & master), len(quoting - master)


def _count_answered(texts: Sequence[str], master: set[int]) -> int:
    return sum(number - 1 not in master and texts[number - 1].rstrip().endswith("?") for number in master if number > 0)
