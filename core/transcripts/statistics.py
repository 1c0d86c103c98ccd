"""Computes the figures of a dataset: counts each episode, adds up the counts, and makes a table of them (CRD3, tables 1 to 3)."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.dialogue import Turn
from core.metrics.estimates import Moments, confidence_interval, measure_moments
from core.transcripts.config import StatisticsConfig
from core.transcripts.recaps.recap import Recap

CounterName = Literal["whitespace", "words"]
COUNTERS: tuple[CounterName, CounterName] = ("whitespace", "words")
"""The tokenisers. `whitespace`: text between white space. `words`: lower-case letters, digits and inner apostrophes."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class TokenCount:
    """The tokens of a text by one tokeniser: their number, and the sorted set of different tokens."""

    total: int
    vocabulary: tuple[str, ...]


def count_tokens(texts: Iterable[str]) -> dict[CounterName, TokenCount]:
    """Return the token counts of some texts, by tokeniser. No word has white space, so each distinct token is searched once."""
    spaced = Counter("\n".join(texts).split())
    words: Counter[str] = Counter()
    for token, count in spaced.items():
        for word in _WORD.findall(token.lower()):
            words[word] += count
    return {
        "whitespace": TokenCount(spaced.total(), tuple(sorted(spaced))),
        "words": TokenCount(words.total(), tuple(sorted(words))),
    }


_CURVES = {
    "default": "by a curve of one show's recaps (CRD3): elsewhere it may say too much or too little; fabula evaluate, fabula fit",
    "own": "by this dataset's own curve (alignment.windows.curve)",
}
OUT_OF_ORDER = "recaps_out_of_order"
"""The count of a unit whose recap does not follow its dialogue."""
_QUOTES = ('"', "“", "”")
_SECTION = {"pre-show": "pre-show and announcements", "announcements": "pre-show and announcements"}


@dataclass(frozen=True, slots=True)
class EpisodeFigures:
    """The counts of one episode, as values that JSON can hold; None where settings or aligner lack what is needed."""

    turns: int
    dialogue: dict[CounterName, TokenCount]
    summary: dict[CounterName, int]  # the blurb and all sections
    sections: dict[str, int]  # white-space tokens by kind of section, `blurb` among them; kinds without text are left out
    speaker_turns: dict[str, int]  # a turn in chorus counts for all its speakers
    main_cast_turns: int | None  # turns with at least one speaker of the main cast
    quoting_turns: tuple[int, int] | None  # turns with a quotation mark, of the game master and of the others
    answered_questions: int | None  # turns of others that end in "?" right before a turn of the game master
    contributions: dict[str, Moments] | None  # of each speaker's turn contributions
    entities: int | None  # in the dialogue


def measure_episode(
    turns: Sequence[Turn],
    recap: Recap,
    contributions: NDArray[np.float64] | None,
    config: StatisticsConfig,
    entities: int | None = None,
) -> EpisodeFigures:
    """Count one episode (CRD3, section 3.4); `contributions` (n_turns) are None if the aligner gives none."""
    texts = [turn.text for turn in turns]
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for number, turn in enumerate(turns):
        for speaker in dict.fromkeys(turn.speakers):
            numbers[speaker].append(number)
    sections: defaultdict[str, list[str]] = defaultdict(list, blurb=[recap.blurb])
    for section in recap.sections:
        sections[_SECTION.get(section.kind, section.kind)] += section.paragraphs
    lengths = {kind: sum(len(text.split()) for text in parts) for kind, parts in sections.items()}
    summary = count_tokens(chain.from_iterable(sections.values()))
    master = {*numbers.get(config.game_master, ())} if config.game_master else None
    quoting = {number for number, text in enumerate(texts) if any(mark in text for mark in _QUOTES)}
    asking = {number for number, text in enumerate(texts) if text.rstrip().endswith("?")} - (master or set())
    cast = {number for speaker in config.main_cast for number in numbers.get(speaker, ())}
    moments = None
    if contributions is not None:
        shares = {speaker: contributions[found] for speaker, found in numbers.items()}
        moments = {speaker: Moments(len(own), float(own.sum()), float(own @ own)) for speaker, own in shares.items()}
    return EpisodeFigures(
        turns=len(turns),
        dialogue=count_tokens(texts),
        summary={name: count.total for name, count in summary.items()},
        sections={kind: length for kind, length in lengths.items() if length},
        speaker_turns={speaker: len(found) for speaker, found in sorted(numbers.items())},
        main_cast_turns=len(cast) if config.main_cast else None,
        quoting_turns=None if master is None else (len(quoting & master), len(quoting - master)),
        answered_questions=None if master is None else len({number + 1 for number in asking} & master),
        contributions=moments,
        entities=entities,
    )


@dataclass(slots=True)
class CorpusTotals:
    """Moments over episodes, each of which is one observation, by the name of the figure; counts, and the united vocabularies."""

    moments: defaultdict[str, Moments] = field(default_factory=lambda: defaultdict(Moments))
    sections: defaultdict[str, Moments] = field(default_factory=lambda: defaultdict(Moments))
    contributions: defaultdict[str, Moments] = field(default_factory=lambda: defaultdict(Moments))
    vocabulary: dict[str, set[str]] = field(default_factory=lambda: {name: set() for name in COUNTERS})
    speakers: Counter[str] = field(default_factory=Counter)
    cast_turns: int = 0
    quotes: Counter[str] = field(default_factory=lambda: Counter(game_master=0, others=0))

    def add(self, episode: EpisodeFigures) -> None:
        """Add the figures of one episode."""
        observed: dict[str, float | None] = {
            "turns": episode.turns,
            "questions": episode.answered_questions,
            "entities": episode.entities,
        }
        for name in COUNTERS:
            spoken, written = episode.dialogue[name].total, episode.summary[name]
            observed |= {f"tokens.{name}": spoken, f"summary.{name}": written}
            observed[f"ratio.{name}"] = written / spoken if spoken else None
            self.vocabulary[name].update(episode.dialogue[name].vocabulary)
        for figure, value in observed.items():
            self.moments[figure] += measure_moments([] if value is None else [value])
        for kind, length in episode.sections.items():
            self.sections[kind] += measure_moments([length])
        for speaker, moments in (episode.contributions or {}).items():
            self.contributions[speaker] += moments
        self.speakers.update(episode.speaker_turns)
        self.cast_turns += episode.main_cast_turns or 0
        self.quotes.update(dict(zip(("game_master", "others"), episode.quoting_turns or (0, 0), strict=True)))


Decisions = Mapping[tuple[int, str, str, bool], int]
"""The number of chunks by chunk size, reason ("" for kept chunks), kind of section, and whether they are to train on."""

_TRAIN_ON = "train_on"
_NO_PAIRS = ("too-few-chunks", "untold")


def summarise(episodes: Iterable[EpisodeFigures], decisions: Decisions, config: StatisticsConfig) -> dict[str, Any]:
    """Return the figures of a dataset (CRD3, section 3.4, tables 1 to 3) as JSON values; `notes` says which are null and why."""
    totals = CorpusTotals()
    for episode in episodes:
        totals.add(episode)
    dialogues, entities = totals.moments["turns"].count, totals.moments["entities"].count
    conditions = {
        "statistics.game_master is not set: quotes and answered questions are not counted": not config.game_master,
        "statistics.main_cast is not set: its share of the turns is not computed": not config.main_cast,
        "statistics.entity_pipeline is not set: named entities are not counted": not config.entity_pipeline,
        "no alignment paths (the greedy aligner draws none): no speaker contributions": not totals.contributions,
        f"named entities were counted in {entities} of {dialogues} dialogues": bool(config.entity_pipeline)
        and entities < dialogues,
    }
    return _describe_totals(totals, config) | {
        "pairs": describe_decisions(decisions),
        "notes": [note for note, holds in conditions.items() if holds],
    }


def describe_decisions(decisions: Decisions) -> dict[str, Any]:
    """Return table 3: the number of pairs without and with the filter, and the dropped pairs by reason.

    `without_filter` leaves out chunkings with too few chunks, as the paper does, and paragraphs that tell nothing.
    """
    by_size: defaultdict[int, Counter[str]] = defaultdict(Counter)
    by_kind: defaultdict[str, Counter[str]] = defaultdict(Counter)
    every: Counter[str] = Counter()
    for (size, reason, kind, train_on), number in decisions.items():
        for counts in (by_size[size], by_kind[kind], every):
            counts[reason] += number
            counts[_TRAIN_ON] += number if train_on else 0
    return {
        "by_chunk_size": {str(size): _describe_size(by_size[size]) for size in sorted(by_size)},
        "by_kind": {kind: _describe_size(by_kind[kind]) for kind in sorted(by_kind)},
        "all": _describe_size(every),
    }


def _describe_size(counts: Mapping[str, int]) -> dict[str, Any]:
    reasons = {reason: counts[reason] for reason in sorted(counts) if reason not in ("", _TRAIN_ON)}
    kept = counts.get("", 0)
    return {
        "without_filter": kept + sum(reasons.values()) - sum(reasons.get(reason, 0) for reason in _NO_PAIRS),
        "with_filter": kept,
        "train_on": counts.get(_TRAIN_ON, 0),
        "reasons": reasons,
    }


def _describe_totals(totals: CorpusTotals, config: StatisticsConfig) -> dict[str, Any]:
    turns, moments = int(totals.moments["turns"].total), totals.moments
    master, cast = config.game_master, config.main_cast
    chosen = cast or tuple(totals.contributions)
    means = {name: totals.contributions[name].mean or 0.0 for name in chosen if name in totals.contributions}
    ranked = [(name, totals.contributions[name]) for name in sorted(means, key=lambda name: (-means[name], name))]
    contributions = {
        name: {"turns": own.count, "mean": own.mean, "confidence_95": confidence_interval(own)} for name, own in ranked
    }
    return {
        "dialogues": moments["turns"].count,
        "turns": turns,
        "turns_per_dialogue": moments["turns"].mean,
        "tokens": {name: _describe_tokens(totals, name, turns) for name in COUNTERS},
        "sections": {kind: _describe(found) for kind, found in sorted(totals.sections.items())},
        "speakers": {
            "count": len(totals.speakers),
            "main_cast_share": totals.cast_turns / turns if cast and turns else None,
            "game_master_turns": totals.speakers[master] if master else None,
            "turns": dict(sorted(totals.speakers.items(), key=lambda found: (-found[1], found[0]))),
        },
        "quotes": dict(totals.quotes) if master else None,
        "answered_questions": _describe(moments["questions"]) if master else None,
        "contributions": contributions or None,
        "entities": _describe(moments["entities"]) if moments["entities"].count else None,
    }


def _describe_tokens(totals: CorpusTotals, name: CounterName, turns: int) -> dict[str, Any]:
    return {
        "dialogue_total": int(totals.moments[f"tokens.{name}"].total),
        "dialogue_unique": len(totals.vocabulary[name]),
        "per_turn": totals.moments[f"tokens.{name}"].total / turns if turns else None,
        "summary_total": int(totals.moments[f"summary.{name}"].total),
        "per_summary": totals.moments[f"summary.{name}"].mean,
        "summary_dialogue_ratio": totals.moments[f"ratio.{name}"].mean,
    }


def _describe(moments: Moments) -> dict[str, Any]:
    return {"count": moments.count, "mean": moments.mean, "deviation": moments.deviation}


Row = dict[str, str]
_TOKENS = {
    "dialogue_total": "tokens in dialogues",
    "dialogue_unique": "unique tokens in dialogues",
    "per_turn": "tokens per turn",
    "summary_total": "tokens in summaries",
    "per_summary": "tokens per summary",
    "summary_dialogue_ratio": "summary:dialogue token ratio",
}


def tabulate_statistics(stats: Mapping[str, Any]) -> list[Row]:
    """Return the figures of `summarise` as rows of `metric` and `value`, in the paper's order; nulls are left out."""
    speakers, share, copies = stats["speakers"], stats["speakers"]["main_cast_share"], stats.get("between_splits")
    rows: dict[str, str | None] = {
        "dialogues": _number(stats["dialogues"]),
        "turns": _number(stats["turns"]),
        "turns per dialogue": _number(stats["turns_per_dialogue"]),
    }
    for name, figures in stats["tokens"].items():
        rows |= {f"{label} ({name})": _number(figures[key]) for key, label in _TOKENS.items()}
    rows |= {
        "speakers": _number(speakers["count"]),
        "main cast's share of the turns": None if share is None else f"{share:.2%}",
        "turns of the game master": _number(speakers["game_master_turns"]),
        **{f"turns with quotes, {who.replace('_', ' ')}": _number(n) for who, n in (stats["quotes"] or {}).items()},
        "answered questions per dialogue": _spread(stats["answered_questions"]),
        "named entities per dialogue": _spread(stats["entities"]),
        **{f"tokens in section {kind}": _spread(figures) for kind, figures in stats["sections"].items()},
    }
    for speaker, figures in (stats["contributions"] or {}).items():
        rows[f"contribution of {speaker}"] = _plus_minus(figures["mean"], figures["confidence_95"], ".4f")
    sizes = {f"chunks of {size}": figures for size, figures in stats["pairs"]["by_chunk_size"].items()}
    every = stats["pairs"]["all"]
    for label, figures in (sizes | {"all": every}).items():
        rows[f"pairs without filter, {label}"] = _number(figures["without_filter"])
        rows[f"pairs with filter, {label}"] = _number(figures["with_filter"])
    rows |= {
        **{f"pairs about {kind}": _number(figures["with_filter"]) for kind, figures in stats["pairs"]["by_kind"].items()},
        "pairs to train on": _number(every["train_on"]),
        **{f"dropped: {reason}": _number(count) for reason, count in every["reasons"].items()},
        "confidence": _CURVES.get(stats.get("confidence_curve") or ""),
        "recaps taken for those of other dialogues": _number(len(stats.get("foreign_recaps", ())) or None),
        "recaps that fit their own dialogue no better than by chance": _number(stats.get("unsure_recaps") or None),
        "recaps that do not follow the order of their dialogue": _number(stats.get(OUT_OF_ORDER) or None),
        "near copies between splits, plot": _number(copies["near_copies"].get("plot", 0)) if copies else None,
        "near copies between splits, all": _number(copies["near_copies"]["all"]) if copies else None,
    }
    return [{"metric": metric, "value": value} for metric, value in rows.items() if value is not None]


def _number(value: float | None) -> str | None:
    if value is None:
        return None
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}" if abs(value) < 1 else f"{value:,.1f}"


def _spread(figures: Mapping[str, Any] | None) -> str | None:
    return None if figures is None else _plus_minus(figures["mean"], figures["deviation"], ",.1f")


def _plus_minus(mean: float | None, width: float | None, form: str) -> str | None:
    if mean is None:
        return None
    return f"{mean:{form}}" if width is None else f"{mean:{form}} ± {width:{form}}"
