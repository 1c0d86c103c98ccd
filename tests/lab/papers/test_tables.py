"""The papers' tables: what stands in them, and when the published figures stand beside."""

from pathlib import Path
from typing import Any

import pytest

from core.metrics.dataset_measures import SummaryPair, measure_pairs, report_measures
from lab import readings
from lab.papers.tables import PAPERS, PaperTable, read_parts, read_rows, tabulate_crd3, tabulate_rooms, tabulate_sumtitles
from lab.readings.published import read_facts

TOKENS = {
    "dialogue_total": 5_056_647, "dialogue_unique": 42_509, "per_turn": 12.68, "summary_total": 327_899, "per_summary": 2062.3,
    "summary_dialogue_ratio": 0.0648,
}  # fmt: skip
STATISTICS: dict[str, Any] = {
    "dialogues": 159,
    "turns": 398_682,
    "turns_per_dialogue": 2507.43,
    "tokens": {"whitespace": TOKENS, "words": TOKENS | {"dialogue_total": 1}},
    "speakers": {"count": 72, "main_cast_share": 0.9948},
    "quotes": {"game_master": 21_383, "others": 2_497},
    "answered_questions": {"mean": 199.0, "deviation": 58.0},
    "entities": None,
    "sections": {"blurb": {"mean": 50.0, "deviation": 17.0}},
    "pairs": {"by_chunk_size": {"2": {"without_filter": 18_569, "with_filter": 11_124}}},
    "contributions": {
        "MATT": {"turns": 100_000, "mean": 0.0307, "confidence_95": 0.0008},
        "A GUEST": {"turns": 3, "mean": 0.2, "confidence_95": None},
    },
}


def as_rows(table: PaperTable) -> list[tuple[str, ...]]:
    assert all(len(row) == len(table.heads) for row in table.rows)
    return list(table.rows)


def test_crd3s_own_figures_stand_beside_those_that_it_published() -> None:
    sizes, talk, players, pairs = tabulate_crd3(STATISTICS, ["C1E001", "C2E046"])
    assert sizes.heads[:4] == ("metric", "whitespace", "words", "published (159 episodes)")
    assert "totals cannot be equal" not in sizes.note
    for name, spaces, _, published, *_ in as_rows(sizes):
        assert spaces == published, f"these statistics are the published ones: {name}"
    assert as_rows(sizes)[1][4:] == ("13,708", "143,048", "79,672", "3,074,340", "6,189,038")
    assert as_rows(talk)[:2] == [("speakers", "72", "72"), ("main cast's share of the turns", "99.48%", "99.48%")]
    assert ("answered questions per dialogue", "199.0 ± 58.0", "199 ± 58") in as_rows(talk)
    assert as_rows(players) == [("MATT", "100,000", "0.0307 ± 0.0008", "0.0307 ± .0008")]
    assert as_rows(pairs) == [("2", "18,569", "11,124", "18,569", "11,124")]


def test_a_dataset_of_pairs_stands_above_the_published_corpora() -> None:
    pair = SummaryPair(("Where is the ferry?", "It left at noon."), ("The ferry left at noon.",), frozenset({"ADA", "WIM"}))
    found = report_measures(measure_pairs([pair]))
    sizes, extractiveness = tabulate_sumtitles({"mine": found})
    assert as_rows(sizes)[0] == ("mine", "1", "2.00", "2.00", "1.00", "8.00", "5.00")
    assert {row[0] for row in as_rows(sizes)[1:]} >= {"SAMSum (published)", "SumTitles: Gold (published)"}
    name, coefficient, score, *rouge, bert = as_rows(extractiveness)[0]
    assert (name, bert) == ("mine", "–")
    assert float(coefficient) == pytest.approx((float(score) + sum(map(float, rouge))) / 7, abs=0.01)
    for _, coefficient, score, *rouge, _ in as_rows(extractiveness)[1:]:
        assert float(coefficient) == pytest.approx((float(score) + sum(map(float, rouge))) / 7, abs=0.02), "the paper's own rows"


def test_no_figure_is_published_beside_episodes_of_another_show() -> None:
    for table in tabulate_crd3(STATISTICS | {"dialogues": 1}, ["S01E01"]):
        assert {row[-1] for row in as_rows(table)} == {"–"}
        assert "totals cannot be equal" in table.note
    rooms = tabulate_rooms({"sentences": 1000, "removed_share": 0.95, "kept": 50})
    assert ("share of these that is left out", "95.0%", "at least 93%") in as_rows(rooms)


def test_every_table_shows_parts_that_the_paper_has() -> None:
    known = {part.name for paper in PAPERS for part in read_parts(paper)}
    named = {part for row in read_rows("tables.tsv") for part in row[3].split("|")}
    assert named - known == set()
    assert all(len(row) == 5 for row in read_rows("tables.tsv"))
    assert {row[0] for row in read_facts(Path(readings.__file__).with_name("published.tsv"))} == set(PAPERS)
