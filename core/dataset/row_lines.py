"""A row of a release as lines for a person."""

from collections.abc import Iterator, Mapping
from typing import Any

_OWN_LINES = frozenset(
    {"id", "summary", "dialogue", "kept", "reason", "score", "turn_start", "turn_end", "license", "attribution"}
)
"""Columns of a row that the lines of `list_row_lines` show in their own way, or not at all."""


def list_row_lines(identity: str, row: Mapping[str, Any]) -> Iterator[str]:
    """Yield a row as lines, its texts and turns last."""
    plain = {name: value for name, value in row.items() if isinstance(value, str | int | float | bool) and name not in _OWN_LINES}
    outcome = "" if "kept" not in row else ", kept" if row["kept"] else f", {row.get('reason')}"
    span = f"  turns {row['turn_start']} to {row['turn_end']}" if "turn_start" in row else ""
    score = f", score {row['score']:.2f}" if "score" in row else ""
    yield f"{identity}{span}{score}{outcome}"
    if not span:
        yield from (f"  {name:<16} {value}" for name, value in plain.items() if value != "")
    for part in row.get("parts") or []:
        evidence = f"  ({', '.join(part['evidence'])})" if part["evidence"] else ""
        yield f"  {part['points']:+6g}  {part['name']} × {part['count']}{evidence}"
    if row.get("summary"):
        yield str(row["summary"])
    for turn in row.get("turns") or []:
        yield f"{turn['number']:>5} {', '.join(turn['speakers'])}: {turn['text']}"
