"""The papers' tables: what stands above each (`tables.tsv`), the figures of releases beside the published ones, and the parts.

`fabula paper` and docs/papers.md both show the parts of the papers and what became of each (`parts.tsv`).
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lab.readings.published import read_facts, read_published

_CRD3_EPISODE = re.compile(r"C[12]E\d{3}.*")
_LEAST = 0.005
"""Share of the turns from which a speaker counts as a player: labels that are slips and guests have less."""
NONE = "–"
PAPERS = {
    "crd3": "CRD3 (2020)",
    "sumtitles": "SumTitles (2020)",
    "forums": "Forums (thesis, 2022)",
    "rooms": "Rooms (report, 2022)",
}
HEADS = ("part", "where", "verdict", "ours", "published")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """A table: where it stands in the paper, its column heads and rows as text, and what one must know to compare them.

    `parts` are the parts of the paper that it shows, as `parts.tsv` names them.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    parts: tuple[str, ...] = ()


@cache
def read_rows(name: str) -> list[list[str]]:
    """Return the rows of one of the files of facts that lie here, without its heads."""
    return read_facts(Path(__file__).with_name(name))


def make_table(table: str, rows: Iterable[tuple[str, ...]], differs: str = "", **said: str) -> PaperTable:
    """Return a table by its name (`crd3-1`); `differs` says what differs in the data, `said` stands in its note."""
    _, title, heads, parts, note = next(row for row in read_rows("tables.tsv") if row[0] == table)
    told = f"{differs} {note.format(**said)}".strip()
    return PaperTable(title=title, heads=tuple(heads.split("|")), rows=tuple(rows), note=told, parts=tuple(parts.split("|")))


def tabulate_crd3(statistics: Mapping[str, Any], units: Collection[str]) -> list[PaperTable]:
    """Return tables 1, 2 and 3 of CRD3 and the figures of its section 3.4, for the `stats.json` of a `transcripts` release.

    The published figures stand beside them where the units are episodes of CRD3's show; a note says where they are not all of
    CRD3's.
    """
    same, count = bool(units) and all(map(_CRD3_EPISODE.fullmatch, units)), statistics["dialogues"]
    differs = f"The release has {count} dialogues, CRD3 has 159: totals cannot be equal." if count != 159 else ""

    def beside(table: str, name: str, width: int = 1) -> tuple[str, ...]:
        return read_published(f"crd3-{table}").get(name, (NONE,) * width) if same else (NONE,) * width

    players, sizes = statistics["contributions"] or {}, statistics["pairs"]["by_chunk_size"]
    rows = {
        "1": [(name, *values, *beside("1", name, 6)) for name, values in _describe_size_of_crd3(statistics)],
        "3.4": [(name, shown, *beside("3.4", name)) for name, shown in _describe_talk(statistics)],
        "2": [
            (name, f"{each['turns']:,}", _interval(each), *beside("2", name))
            for name, each in players.items()
            if each["turns"] >= _LEAST * statistics["turns"]
        ],
        "3": [
            (size, f"{found['without_filter']:,}", f"{found['with_filter']:,}", *beside("3", size, 2))
            for size, found in sizes.items()
        ],
    }
    return [make_table(f"crd3-{table}", found, differs) for table, found in rows.items() if found]


def tabulate_sumtitles(measured: Mapping[str, Mapping[str, Any]], differs: str = "") -> list[PaperTable]:
    """Return tables 1 and 2 of SumTitles: the rows of releases, by name, and the published rows of other corpora.

    `measured` has the figures of `report_measures` by the name of the row.
    """
    tokens = ", ".join(sorted({str(found["settings"]["tokenizer"]) for found in measured.values()}))
    own = {
        "sumtitles-1": [_describe_size(name, found["size"]) for name, found in measured.items()],
        "sumtitles-2": [_describe_extractiveness(name, found) for name, found in measured.items()],
    }
    return [make_table(name, [*rows, *list_published(name)], differs, tokens=tokens) for name, rows in own.items()]


def list_published(table: str) -> list[tuple[str, ...]]:
    """Return the rows of a published table, marked as such."""
    return [(f"{name} (published)", *row) for name, row in read_published(table).items()]


def tabulate_rooms(statistics: Mapping[str, Any]) -> PaperTable:
    """Return the figures that the rooms report gives in its text, for a `rooms` release: it has no table of figures."""
    found = (f"{statistics['sentences']:,}", show(statistics["removed_share"], ".1%"), f"{statistics['kept']:,}")
    published = read_published("rooms-text").items()
    return make_table("rooms-text", [(name, ours, *row) for ours, (name, row) in zip(found, published, strict=True)])


def _describe_size_of_crd3(statistics: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    tokens = list(statistics["tokens"].values())
    figures = {
        "dialogue count": ("dialogues", ","),
        "turn count": ("turns", ","),
        "total token count in dialogues": ("dialogue_total", ","),
        "unique token count in dialogues": ("dialogue_unique", ","),
        "avg. turns per dialogue": ("turns_per_dialogue", ".1f"),
        "avg. tokens per turn": ("per_turn", ".1f"),
        "total token count in summaries": ("summary_total", ","),
        "avg. tokens per summary": ("per_summary", ".1f"),
        "avg. summary:dialogue token ratio": ("summary_dialogue_ratio", ".3f"),
    }
    every = [{**statistics, **counted} for counted in tokens]
    return [(name, [show(found[key], form) for found in every]) for name, (key, form) in figures.items()]


def _describe_talk(statistics: Mapping[str, Any]) -> list[tuple[str, str]]:
    quotes = statistics["quotes"] or {}
    return [
        ("speakers", f"{statistics['speakers']['count']:,}"),
        ("main cast's share of the turns", show(statistics["speakers"]["main_cast_share"], ".2%")),
        *((f"turns with quotes, {who.replace('_', ' ')}", f"{number:,}") for who, number in quotes.items()),
        ("answered questions per dialogue", _spread(statistics["answered_questions"])),
        ("named entities per dialogue", _spread(statistics["entities"])),
        *((f"tokens in section {kind}", _spread(found)) for kind, found in statistics["sections"].items()),
    ]


def _describe_size(name: str, size: Mapping[str, Any]) -> tuple[str, ...]:
    means = ("speakers", "utterances", "summary_sentences", "text_tokens", "summary_tokens")
    return (name, f"{size['samples']:,}", *(show(size[f"average_{each}"], ".2f") for each in means))


def _describe_extractiveness(name: str, found: Mapping[str, Any]) -> tuple[str, ...]:
    parts, orders = (found["oracle"]["exact"], found["summary_input"]), ("rouge1", "rouge2", "rougeL")
    percents = [part[order] for part in parts for order in orders]
    scaled = [None if figure is None else 100 * figure for figure in (*percents, found["bert_score"]["over_document"])]
    score = None if found["extractive_score"] is None else found["extractive_score"] * 10_000
    return (name, *(show(figure, ".2f") for figure in (found["extractiveness_coefficient"]["exact"], score, *scaled)))


def _interval(found: Mapping[str, Any]) -> str:
    half = found["confidence_95"]
    return f"{found['mean']:.4f}" + (f" ± {half:.4f}" if half is not None else "")


def _spread(found: Mapping[str, Any] | None) -> str:
    if found is None or found["mean"] is None:
        return NONE
    return f"{found['mean']:,.1f}" + (f" ± {found['deviation']:,.1f}" if found["deviation"] is not None else "")


def show(value: float | None, form: str) -> str:
    """Return a figure as text, a dash for none."""
    return NONE if value is None else f"{value:{form}}"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a paper: where it is in fabula, the verdict with what is still needed, our figure and the published one."""

    name: str
    where: str
    verdict: str
    ours: str
    published: str


def read_parts(paper: str) -> list[Part]:
    """Return the parts of a paper in their order (`parts.tsv`)."""
    return [Part(*cells) for of, *cells in read_rows("parts.tsv") if of == paper]


def write_rows(rows: Iterable[Iterable[str]]) -> list[str]:
    """Return rows of a table as lines of Markdown, the heads first."""
    heads, *others = [tuple(row) for row in rows]
    return [f"| {' | '.join(row)} |" for row in (heads, ("---",) * len(heads), *others)]
