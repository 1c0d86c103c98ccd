"""Computes the figures of a dataset from the counts of its episodes (CRD3, tables 1 to 3 and section 3.4)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from core.metrics.estimates import Moments, confidence_interval
from core.transcripts.config import StatisticsConfig
from core.transcripts.statistics.corpus_totals import CorpusTotals
from core.transcripts.statistics.episode_figures import EpisodeFigures
from core.transcripts.statistics.token_counts import COUNTERS, CounterName

Decisions = Mapping[tuple[int, str, str, bool], int]
"""The number of chunks by chunk size, reason ("" for kept chunks), kind of section, and whether they are to train on."""

_TRAIN_ON = "train_on"
_NO_PAIRS = ("too-few-chunks", "untold")

_NO_MASTER = "statistics.game_master is not set: quotes and answered questions are not counted"
_NO_CAST = "statistics.main_cast is not set: its share of the turns is not computed"


def summarise(episodes: Iterable[EpisodeFigures], decisions: Decisions, config: StatisticsConfig) -> dict[str, Any]:
    """Return the figures of a dataset as JSON values; `notes` says which figures are null and why.

    `episodes` is read once, one episode at a time. Only the union of their vocabularies stays in memory.

    Reference: CRD3, section 3.4, tables 1, 2 and 3.
    """
    totals = CorpusTotals(episodes)
    conditions = {
        _NO_MASTER: not config.game_master,
        _NO_CAST: not config.main_cast,
        "statistics.entity_pipeline is not set: named entities are not counted": not config.entity_pipeline,
        "no alignment paths (the greedy aligner draws none): no speaker contributions": not totals.contributions,
        f"named entities were counted in {totals.entities.count} of {totals.turns.count} dialogues": (
            bool(config.entity_pipeline) and totals.entities.count < totals.turns.count
        ),
    }
    return _describe_totals(totals, config) | {
        "pairs": describe_decisions(decisions),
        "notes": [note for note, holds in conditions.items() if holds],
    }


def describe_decisions(decisions: Decisions) -> dict[str, Any]:
    """Return table 3: the number of pairs without and with the filter, and the dropped pairs by reason.

    The numbers are given by chunk size, by kind of section, and in total. `without_filter` leaves out chunkings with too few
    chunks, as the paper does, and paragraphs that tell nothing; `reasons` counts them. `train_on` counts the kept pairs to
    train on.
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
    turns = int(totals.turns.total)
    master, cast = config.game_master, config.main_cast
    chosen = cast or tuple(totals.contributions)
    means = {name: totals.contributions[name].mean or 0.0 for name in chosen if name in totals.contributions}
    ranked = sorted(means, key=lambda name: (-means[name], name))
    return {
        "dialogues": totals.turns.count,
        "turns": turns,
        "turns_per_dialogue": totals.turns.mean,
        "tokens": {name: _describe_tokens(totals, name, turns) for name in COUNTERS},
        "sections": {kind: _describe(moments) for kind, moments in sorted(totals.sections.items())},
        "speakers": {
            "count": len(totals.speakers),
            "main_cast_share": totals.cast_turns / turns if cast and turns else None,
            "game_master_turns": totals.speakers[master] if master else None,
            "turns": dict(sorted(totals.speakers.items(), key=lambda found: (-found[1], found[0]))),
        },
        "quotes": {"game_master": totals.master_quotes, "others": totals.other_quotes} if master else None,
        "answered_questions": _describe(totals.questions) if master else None,
        "contributions": {name: _describe_contribution(totals.contributions[name]) for name in ranked} if ranked else None,
        "entities": _describe(totals.entities) if totals.entities.count else None,
    }


def _describe_tokens(totals: CorpusTotals, name: CounterName, turns: int) -> dict[str, Any]:
    return {
        "dialogue_total": int(totals.tokens[name].total),
        "dialogue_unique": len(totals.vocabulary[name]),
        "per_turn": totals.tokens[name].total / turns if turns else None,
        "summary_total": int(totals.summary[name].total),
        "per_summary": totals.summary[name].mean,
        "summary_dialogue_ratio": totals.ratio[name].mean,
    }


def _describe(moments: Moments) -> dict[str, Any]:
    return {"count": moments.count, "mean": moments.mean, "deviation": moments.deviation}


def _describe_contribution(moments: Moments) -> dict[str, Any]:
    return {"turns": moments.count, "mean": moments.mean, "confidence_95": confidence_interval(moments)}
