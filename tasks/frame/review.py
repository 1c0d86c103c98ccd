"""What people can look at in a dataset, which of their answers still hold, and what a comparison with gold says of itself."""

import logging
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from core.errors import ConfigError
from core.review.decisions import DECIDING
from core.review.judgements import Judgement, digest_row, digest_texts, is_model
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.store.releases import read_default_config
from infra.store.reviews import read_reviews
from infra.tables.parquet import read_rows
from tasks.frame.release_spec import Kind, Released, ReviewRow, ReviewSource

logger = logging.getLogger(__name__)


REVIEWED = "what readers decided (fabula review)"
"""How a card calls gold that comes from reviews."""


def find_compared(store: Store, dataset: str, units: Collection[str], stage: str) -> dict[str, str]:
    """Return the SHA-256 of a stage's artifact of each unit that was compared, of those that have landed."""
    catalog = read_catalog(store, dataset)
    found = {
        unit: reference.artifacts[stage].sha256
        for unit in sorted(units)
        if (entry := catalog.get(unit)) is not None and (reference := entry.reference) is not None
    }
    if not found:
        raise ConfigError(f"no unit of {dataset} was compared, so there is nothing to record")
    return found


def tell_judged(store: Store, dataset: str, questions: Collection[str]) -> str:
    """Return the first and the last day on which people answered these questions ("": nobody did)."""
    answers = read_reviews(store, dataset).judgements
    days = sorted({entry.at[:10] for entry in answers if entry.question in questions and not is_model(entry.annotator)})
    return " to ".join(dict.fromkeys([days[0], days[-1]])) if days else ""


def tell_today() -> str:
    """Return today's date (UTC), as a card says when figures were computed."""
    return datetime.now(UTC).date().isoformat()


def keep_valid(source: ReviewSource, judgements: Iterable[Judgement]) -> list[Judgement]:
    """Return the judgements without those about rows that are gone, or about other texts than the rows have now.

    An answer that does not say what it rests on stays, unless it would decide a row: a release does not honour it.
    """
    entries = list(judgements)
    judged = {entry.item for entry in entries}
    digests = {row.item: source.show(row.item)["digest"] for row in source.rows if row.item in judged}
    return [
        entry
        for entry in entries
        if (digest := digests.get(entry.item)) is not None
        and (entry.digest == digest or (not entry.digest and entry.question not in DECIDING))
    ]


def list_pairs(released: "Released", kind: Kind = "pair") -> ReviewSource:
    """Return the rows of the default config, to accept or reject one by one: what every pipeline has."""
    config = read_default_config(released.store, released.folder) or ""
    places: dict[str, tuple[str, int]] = {}
    rows: list[ReviewRow] = []
    for key in released.list_keys(config):
        for number, row in enumerate(read_rows(released.store, key, ("id",), ("unit", "probability", "coherence"))):
            places[row["id"]] = (key, number)
            likely = row.get("probability", row.get("coherence"))
            rows.append(
                ReviewRow(
                    item=row["id"],
                    unit=str(row.get("unit") or row["id"]),
                    priority=0.0 if likely is None else 1 - likely,
                    confidence=likely,
                )
            )
    sure = {row.item: row.confidence for row in rows}
    if not rows:
        raise ConfigError(f"{released.folder}: its default config has no rows to look at")

    @lru_cache(maxsize=64)
    def show(item: str) -> dict[str, Any]:
        key, number = places[item]
        (row,) = read_rows(released.store, key, places=[number])
        turns, text = row.get("turns") or [], row.get("summary") or row.get("text") or ""
        return {
            "item": item,
            "unit": str(row.get("unit") or item),
            "title": row.get("title") or "",
            "summary": text,
            "turns": turns,
            "confidence": sure.get(item),
            "source": row.get("source") or "",
            "digest": digest_row(text, digest_texts(turn["text"] for turn in turns)),
        }

    return ReviewSource(kind=kind, rows=rows, show=show)
