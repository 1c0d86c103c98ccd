"""What is counted in one episode: small, plain, and adding up over episodes. `statistics.summarise` makes figures of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.dialogue import Turn
from core.metrics.moments import Moments
from core.transcripts.config import StatisticsConfig
from core.transcripts.recaps.recap import Recap
from core.transcripts.statistics.token_counts import CounterName, TokenCount, count_tokens

_QUOTES = ('"', "“", "”")
_SECTION = {"pre-show": "pre-show and announcements", "announcements": "pre-show and announcements"}


@dataclass(frozen=True, slots=True)
class EpisodeFigures:
    """The counts of one episode; plain values, so that `dataclasses.asdict` and JSON hold them (`read_figures` reads them back).

    `dialogue` and `summary` (blurb and all sections) count tokens by tokeniser; `sections` white-space tokens by kind of section
    (`blurb`, `pre-show and announcements`, `recap`, `plot`, …), only kinds that have text. `speaker_turns` and `speaker_quotes`
    count a speaker's turns and those of them with a quotation mark; a turn in chorus counts for everyone in it. `main_cast_turns`
    (at least one speaker is main cast), `quoting_turns` (of the game master, of the others) and `answered_questions` (turns of
    others that end in "?", with a game-master turn next) are None where the settings name no main cast or game master.
    `contributions` are the moments of each speaker's turn contributions; None where nothing was aligned. `entities` is the number
    of named entities in the dialogue, None where they were not counted.
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
    """Count one episode. `contributions` (n_turns) is the aligner's mean share of each turn in a chunk, see `share_path`.

    Reference: CRD3, section 3.4 and tables 1 and 2.
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


def read_figures(value: Mapping[str, Any]) -> EpisodeFigures:
    """Return the figures that `dataclasses.asdict` turned into JSON values."""
    contributions = value["contributions"]
    quoting = value["quoting_turns"]
    return EpisodeFigures(
        turns=value["turns"],
        dialogue={name: TokenCount(count["total"], tuple(count["vocabulary"])) for name, count in value["dialogue"].items()},
        summary=dict(value["summary"]),
        sections=dict(value["sections"]),
        speaker_turns=dict(value["speaker_turns"]),
        main_cast_turns=value["main_cast_turns"],
        quoting_turns=None if quoting is None else (quoting[0], quoting[1]),
        answered_questions=value["answered_questions"],
        contributions=None if contributions is None else {name: Moments(**sums) for name, sums in contributions.items()},
        entities=value["entities"],
    )


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


def measure_contributions(speaker_turns: Mapping[str, Sequence[int]], contributions: NDArray[np.float64]) -> dict[str, Moments]:
    """Return the moments of each speaker's contributions: an observation a turn. `contributions` has the shape (n_turns,)."""
    measured = {}
    for speaker, numbers in speaker_turns.items():
        values = contributions[np.asarray(numbers, dtype=np.int64)]
        measured[speaker] = Moments(len(values), float(values.sum()), float(values @ values))
    return measured
