"""The leader board as rows of text, for a terminal, Markdown and the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lab.summarisation.board.board import LEADING, Board, BoardRow, PublishedRow
from lab.summarisation.board.bootstrap import Difference
from lab.summarisation.measures import OF_REFERENCE, ROUGE_ORDERS

NONE = "–"
OTHERS = ("meteor", "bert_score.f1", *OF_REFERENCE)
TITLES = {
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "rougeL": "ROUGE-L",
    "rougeLsum": "ROUGE-Lsum",
    "meteor": "METEOR",
    "bert_score.f1": "BERTScore F1",
    **{f"novelty.{order}": f"novel {order}-grams" for order in (1, 2, 3)},
    **{f"overlap.{order}": f"unique {order}-gram overlap" for order in (1, 2, 3)},
    "coverage": "coverage",
    "density": "density",
    "names.supported": "names supported",
    "speakers.supported": "speakers supported",
    "words": "words",
}
"""Headings of the measures."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of text: a caption, headings and rows; the first column is text, the others are numbers.

    The last `n_published` rows are figures of papers, on other data.
    """

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_published: int = 0

    def as_markdown(self) -> str:
        """Return the table in Markdown."""
        lines = [self.headings, ("---", *["---:"] * (len(self.headings) - 1)), *self.rows]
        return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def tabulate_rouge(board: Board) -> TextTable:
    """Return precision, recall and F1 of every order, in percent; F1 with half its 95 % interval. Published rows come last."""
    parts = ("precision", "recall", "f1")
    headings = ("system", *(f"{TITLES[order]} {part[0].upper()}" for order in ROUGE_ORDERS for part in parts), "METEOR")
    rows = [
        (row.name, *(_percent(row, f"{order}.{part}") for order in ROUGE_ORDERS for part in parts), _percent(row, "meteor"))
        for row in board.rows
    ]
    rows += [
        (
            name_published(row),
            *(_published(row, f"{order}.{part}") for order in ROUGE_ORDERS for part in parts),
            _published(row, "meteor"),
        )
        for row in board.published
    ]
    caption = "ROUGE and METEOR in percent, ± half the 95 % interval"
    return TextTable(caption, headings, tuple(rows), n_published=len(board.published))


def tabulate_others(board: Board) -> TextTable:
    """Return the measures beside ROUGE, and those of the references themselves; the published overlap comes last."""
    headings = ("system", *(TITLES[name] for name in OTHERS))
    rows = [(row.name, *(_share(row.find(name), name) for name in OTHERS)) for row in board.rows]
    reference: Mapping[str, Mapping[str, float] | None] = board.rows[0].result["reference"]
    rows.append(("(the references)", *(_share(reference.get(name), name) for name in OTHERS)))
    if overlap := board.published_overlap:
        published = (f"{overlap[name]:.3f}" if name in overlap else NONE for name in OTHERS)
        rows.append(("published: CRD3, section 5.2, references of validation", *published))
    return TextTable("Measures beside ROUGE", headings, tuple(rows), n_published=int(bool(overlap)))


def tabulate_differences(board: Board) -> TextTable:
    """Return the differences from the run that the others are compared with, in percent, with interval and p."""
    names = [name for row in board.rows for name in row.differences]
    shown = tuple(dict.fromkeys(names))
    headings = ("system", *(f"Δ {TITLES.get(name) or TITLES[name.split('.')[0]] + ' F1'}" for name in shown))
    rows = [(row.name, *(tell_difference(row.differences.get(name)) for name in shown)) for row in board.rows if row.differences]
    caption = f"Differences from {board.against} in percent points: mean, 95 % interval, p (paired bootstrap over {board.drawn})"
    return TextTable(caption, headings, tuple(rows))


def tabulate_briefly(board: Board) -> TextTable:
    """Return what a terminal has room for: F1 with half its interval, a few others, and the difference in ROUGE-1."""
    measures = ("rouge1.f1", "rouge2.f1", "rougeLsum.f1", "meteor", "bert_score.f1")
    heads = ("R-1 F1", "R-2 F1", "R-Lsum F1", "METEOR", "BERTScore", "novel 2-g", "words", f"R-1 − {board.against}", "p")
    rows = []
    for row in board.rows:
        difference = row.differences.get(LEADING)
        told = (_points(difference), f"{difference.p:.3f}") if difference else (NONE, NONE)
        others = (_percent(row, "novelty.2"), _share(row.find("words"), "words"))
        rows.append((row.name, *(_percent(row, name) for name in measures), *others, *told))
    rows += [
        (name_published(published), *(_published(published, name) for name in measures), *[NONE] * 4)
        for published in board.published
    ]
    caption = f"{board.title}, in percent but for words and p"
    return TextTable(caption, ("system", *heads), tuple(rows), n_published=len(board.published))


def list_tables(board: Board) -> Sequence[TextTable]:
    """Return all tables of a board."""
    return (tabulate_rouge(board), tabulate_others(board), tabulate_differences(board))


def describe_board(board: Board) -> str:
    """Return a board in Markdown: all its tables, and the variant of each measure."""
    lines = [f"# Benchmark: {board.title}", ""]
    for table in list_tables(board):
        lines += [f"**{table.caption}**", "", table.as_markdown(), ""]
    lines += ["**Variants**", "", *(f"- {name}: {told}" for name, told in board.variants.items()), ""]
    return "\n".join(lines)


def name_published(row: PublishedRow) -> str:
    """Return how a published row is named in the tables."""
    return f"published: {row.paper}, table {row.table}, {row.system} ({row.data})"


def tell_difference(difference: Difference | None) -> str:
    """Return a difference with its interval and p, in percent points; a star marks a significant one."""
    return NONE if difference is None else f"{_points(difference)}, p {difference.p:.3f}{'*' if difference.p < 0.05 else ''}"


def _points(difference: Difference) -> str:
    return f"{100 * difference.value:+.1f} [{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"


def _percent(row: BoardRow, name: str) -> str:
    found = row.find(name)
    if found is None:
        return NONE
    half = f" ±{50 * (found['high'] - found['low']):.1f}" if name.endswith("f1") or name == "meteor" else ""
    return f"{100 * found['value']:.1f}{half}"


def _published(row: PublishedRow, name: str) -> str:
    if name not in row.measures:
        return NONE
    half = f" ±{100 * row.half[name]:.1f}" if name in row.half and name.endswith("f1") else ""
    return f"{100 * row.measures[name]:.1f}{half}"


def _share(found: Mapping[str, float] | None, name: str) -> str:
    if found is None:
        return NONE
    return f"{found['value']:.1f}" if name == "words" or found["value"] >= 10 else f"{found['value']:.3f}"
