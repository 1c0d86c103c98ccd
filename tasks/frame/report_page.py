"""The page of a release's report: one HTML file with the release's figures in it, and the files that it loads."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from core.dataset.card import Card
from core.dataset.paper_tables import PaperTable
from core.dataset.report import Quality, ReportSpec, ReviewCurve, add_counts
from infra.pages.assets import read_asset
from tasks.frame.report import ASSETS, FOLDER, ReportPart


def write_page(
    card: Card, spec: ReportSpec, parts: Sequence[ReportPart], papers: Sequence[PaperTable] = (), sharded: bool = False
) -> dict[str, str]:
    """Return the files of a release's `report/` beside its parts, as text by path.

    `sharded`: small units travel in shards, so that the card counts those by split.
    """
    files = {f"{FOLDER}/{name}": read_asset(path).decode() for name, path in ASSETS.items()}
    page = files[f"{FOLDER}/index.html"]
    title = escape(f"{card.name} {card.version}")
    told = _embed(_tell(card, spec, parts) | {"papers": [asdict(table) for table in papers], "sharded": sharded})
    files[f"{FOLDER}/index.html"] = page.replace("{{title}}", title).replace("{{release}}", told)
    return files


def _tell(card: Card, spec: ReportSpec, parts: Sequence[ReportPart]) -> dict[str, Any]:
    """Return what the page tells before it loads anything, as JSON values."""
    counts = add_counts(part.counts for part in parts)
    return {
        "name": card.name,
        "version": card.version,
        "about": card.description.about,
        "words": {"unit": spec.unit, "row": spec.row, "explores": spec.explores},
        "tables": [{"name": table.name, "config": table.config, "rows": dict(table.rows)} for table in card.tables],
        "units": dict(card.units),
        "figures": [dict(row) for row in card.figures],
        "quality": [_describe_quality(each) for each in card.quality],
        "curve": None if (curve := _choose_curve(card, spec)) is None else asdict(curve),
        "rejects": [asdict(each) for each in card.rejects],
        "withheld": dict(card.withheld),
        "licenses": list(card.licenses),
        "attribution": card.attribution,
        "faults": list(card.description.faults),
        "measures": [asdict(measure) | {"bins": counts.bins.get(measure.name, {})} for measure in spec.measures],
        "thresholds": [asdict(threshold) for threshold in spec.thresholds],
        "counts": {"units": counts.units, "turns": counts.turns, "reasons": dict(sorted(counts.reasons.items()))},
        "parts": [{"index": part.index, "listed": part.listed} for part in parts],
    }


def _describe_quality(quality: Quality) -> dict[str, Any]:
    """Return what the page tells of a comparison with gold."""
    told = {"gold": quality.gold, "counted": quality.counted, "judged": quality.judged, "measured": quality.measured}
    return {**told, "figures": [asdict(figure) for figure in quality.figures]}


def _choose_curve(card: Card, spec: ReportSpec) -> ReviewCurve | None:
    """Return the simulated review of the release's own gold, else the recorded one."""
    own = [quality.curve for quality in card.quality if quality.curve is not None]
    return max(own, key=lambda curve: curve.rows) if own else spec.curve


def _embed(value: Mapping[str, Any]) -> str:
    """Return a value as JSON that can stand inside an element of HTML: nothing in it ends the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
