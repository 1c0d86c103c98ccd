"""Turns the figures of a dataset into the rows of a table, one metric per row."""

from collections.abc import Mapping
from typing import Any

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
    rows: list[tuple[str, str | None]] = [
        ("dialogues", _number(stats["dialogues"])),
        ("turns", _number(stats["turns"])),
        ("turns per dialogue", _number(stats["turns_per_dialogue"])),
    ]
    for name, figures in stats["tokens"].items():
        rows += [(f"{label} ({name})", _number(figures[key])) for key, label in _TOKENS.items()]
    speakers = stats["speakers"]
    share = speakers["main_cast_share"]
    rows += [
        ("speakers", _number(speakers["count"])),
        ("main cast's share of the turns", None if share is None else f"{share:.2%}"),
        ("turns of the game master", _number(speakers["game_master_turns"])),
    ]
    quotes = stats["quotes"] or {}
    rows += [(f"turns with quotes, {who.replace('_', ' ')}", _number(count)) for who, count in quotes.items()]
    rows.append(("answered questions per dialogue", _spread(stats["answered_questions"])))
    rows.append(("named entities per dialogue", _spread(stats["entities"])))
    rows += [(f"tokens in section {kind}", _spread(figures)) for kind, figures in stats["sections"].items()]
    for speaker, figures in (stats["contributions"] or {}).items():
        rows.append((f"contribution of {speaker}", _plus_minus(figures["mean"], figures["confidence_95"], ".4f")))
    rows += _pairs(stats["pairs"])
    if "between_splits" in stats:
        copies = stats["between_splits"]
        rows.append(("near copies between splits, plot", _number(copies["near_copies"].get("plot", 0))))
        rows.append(("near copies between splits, all", _number(copies["near_copies"]["all"])))
    return [{"metric": metric, "value": value} for metric, value in rows if value is not None]


def _pairs(pairs: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    sizes = {f"chunks of {size}": figures for size, figures in pairs["by_chunk_size"].items()}
    rows: list[tuple[str, str | None]] = []
    for label, figures in (sizes | {"all": pairs["all"]}).items():
        rows.append((f"pairs without filter, {label}", _number(figures["without_filter"])))
        rows.append((f"pairs with filter, {label}", _number(figures["with_filter"])))
    rows += [(f"pairs about {kind}", _number(figures["with_filter"])) for kind, figures in pairs["by_kind"].items()]
    rows.append(("pairs to train on", _number(pairs["all"]["train_on"])))
    rows += [(f"dropped: {reason}", _number(count)) for reason, count in pairs["all"]["reasons"].items()]
    return rows


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
