"""What of a release readers can look at: rows with what a look is worth, and how one is shown. A pipeline may have its own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from core.errors import ConfigError
from core.review.decisions import DECIDING
from core.review.judgements import Judgement, digest_texts, name_basis
from infra.store.releases import read_default_config
from infra.tables.parquet import read_rows, take_rows

if TYPE_CHECKING:
    from tasks.frame.release_spec import Released

Kind = Literal["span", "links", "pair", "rate", "room"]
"""What a reader is asked of a row: its turns, its scenes, whether it is good, how its interactions are, whether it is a room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """A row to look at: its id and unit, what a look is worth, and how sure the aligner is of it (None: unknown)."""

    item: str
    unit: str
    worth: float = 0.0
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSource:
    """The rows of a release that readers can look at.

    `show` returns a row as JSON values: `item`, `unit`, `title`, `summary`, `turns` (number, speakers, text), the `basis` of a
    decision about it, and what its kind needs besides. `more` returns turns of a unit, from one to another (inclusive).
    """

    kind: Kind
    rows: Sequence[ReviewRow]
    show: Callable[[str], Mapping[str, Any]]
    more: Callable[[str, int, int], Sequence[Mapping[str, Any]]] | None = None


def keep_valid(source: ReviewSource, judgements: Iterable[Judgement]) -> list[Judgement]:
    """Return the judgements without those about rows that are gone, or about other texts than the rows have now.

    An answer that does not say what it rests on stays, unless it would decide a row: a release does not honour it.
    """
    entries = list(judgements)
    judged = {entry.item for entry in entries}
    basis = {row.item: source.show(row.item)["basis"] for row in source.rows if row.item in judged}
    return [
        entry
        for entry in entries
        if entry.item in basis and (entry.basis == basis[entry.item] or (not entry.basis and entry.question not in DECIDING))
    ]


def list_pairs(released: "Released", kind: Kind = "pair") -> ReviewSource:
    """Return the rows of the default config, to accept or reject one by one: what every pipeline has.

    Raises:
        ConfigError: the release's default config has no rows.
    """
    config = read_default_config(released.store, released.folder) or ""
    places: dict[str, tuple[str, int]] = {}
    rows: list[ReviewRow] = []
    for key in released.list_keys(config):
        for number, row in enumerate(read_rows(released.store, key, ("id",), ("unit", "probability", "coherence"))):
            places[row["id"]] = (key, number)
            sure = row.get("probability", row.get("coherence"))
            rows.append(
                ReviewRow(
                    item=row["id"],
                    unit=str(row.get("unit") or row["id"]),
                    worth=0.0 if sure is None else 1 - sure,
                    confidence=sure,
                )
            )
    if not rows:
        raise ConfigError(f"{released.folder}: its default config has no rows to look at")

    @lru_cache(maxsize=64)
    def show(item: str) -> dict[str, Any]:
        key, number = places[item]
        (row,) = take_rows(released.store, key, [number])
        turns, text = row.get("turns") or [], row.get("summary") or row.get("text") or ""
        return {
            "item": item,
            "unit": str(row.get("unit") or item),
            "title": row.get("title") or "",
            "summary": text,
            "turns": turns,
            "basis": name_basis(text, digest_texts(turn["text"] for turn in turns)),
        }

    return ReviewSource(kind=kind, rows=rows, show=show)
