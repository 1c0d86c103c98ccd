"""Computes the figures of a dataset from the counts of its episodes (CRD3, tables 1 to 3 and section 3.4)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from core.metrics.moments import Moments, confidence_interval
from core.transcripts.config import StatisticsConfig
from core.transcripts.statistics.corpus_totals import CorpusTotals
from core.transcripts.statistics.episode_figures import EpisodeFigures
from core.transcripts.statistics.token_counts import COUNTERS, CounterName

Decisions = Mapping[tuple[int, str], int]
"""The number of chunks by chunk size and the filter's reason; the reason is "" for kept chunks."""

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

    The numbers are given by chunk size and in total. `without_filter` leaves out chunkings with too few chunks, as the paper
    does; `reasons` counts them.
    """
    sizes = sorted({size for size, _ in decisions})
    table = {str(size): _describe_size({reason: n for (of, reason), n in decisions.items() if of == size}) for size in sizes}
    every: Counter[str] = Counter()
    for (_, reason), number in decisions.items():
        every[reason] += number
    return {"by_chunk_size": table, "all": _describe_size(every)}


def _describe_size(reasons: Mapping[str, int]) -> dict[str, Any]:
    return {
        "without_filter": sum(reasons.values()) - reasons.get("too-few-chunks", 0),
        "with_filter": reasons.get("", 0),
        "reasons": {reason: reasons[reason] for reason in sorted(reasons) if reason},
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
