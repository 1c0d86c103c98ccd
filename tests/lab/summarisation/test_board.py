"""The leader board: order, differences, names of runs, and what its tables and its page say."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lab.summarisation.board.board import PUBLISHED, Board, make_board, name_runs
from lab.summarisation.board.bootstrap import resample
from lab.summarisation.board.page import draw_curves, render_page
from lab.summarisation.board.tables import describe_board, list_tables, tabulate_briefly, tabulate_differences
from lab.summarisation.measures import MEASURES, OF_REFERENCE

UNITS = [f"u{place // 5}" for place in range(100)]


def make_result(label: str, values: np.ndarray, **parts: Any) -> dict[str, Any]:
    found = resample(UNITS, 200).estimate(values)
    interval = {"value": found.value, "low": found.low, "high": found.high, "rows": found.rows}
    named = {"run": f"{label}-{len(parts)}{values.sum():.3f}", "label": label, "summary": "Says <something>.", "settings": {}}
    data = {"dataset": "tales", "version": "v1", "config": "pairs", "split": "test", "limit": None, "rows": 100, "units": 20}
    drawn = {"seed": 0, "budget": {"unit": "sentence", "tokens": 60, "count": None}, "unit_columns": ["episode"]}
    measured = {"measures": dict.fromkeys(MEASURES, interval) | {"meteor": None}, "variants": {"rouge": "as rouge-score"}}
    return named | data | drawn | measured | {"reference": dict.fromkeys(OF_REFERENCE, interval), "curves": [], **parts}


@pytest.fixture(scope="module")
def board() -> Board:
    generator = np.random.default_rng(0)
    base = generator.uniform(0.1, 0.3, 100)
    values = {"lead": base, "oracle": base + 0.3, "random": base - 0.05 * generator.uniform(size=100), "same": base.copy()}
    curves = [{"step": step, "loss": 3.0 - step} for step in range(3)]
    results = [make_result(name, column, **({"curves": curves} if name == "same" else {})) for name, column in values.items()]
    scores = [dict.fromkeys(MEASURES, column) for column in values.values()]
    return make_board(results, scores, resample(UNITS))


def test_the_best_run_comes_first_and_all_are_compared_with_lead(board: Board) -> None:
    assert board.rows[0].name == "oracle"
    assert board.rows[-1].name == "random"
    assert board.against == "lead"
    found = {row.name: row.differences.get("rouge1.f1") for row in board.rows}
    assert found["lead"] is None
    assert found["oracle"] is not None
    assert found["oracle"].value == pytest.approx(0.3)
    assert found["oracle"].p < 0.05
    assert found["same"] is not None
    assert (found["same"].value, found["same"].p) == (0, 1)


def test_published_rows_are_marked_and_have_no_difference(board: Board) -> None:
    rows = tabulate_briefly(board).rows
    published = [row for row in rows if row[0].startswith("published")]
    assert len(published) == tabulate_briefly(board).n_published == 2
    assert all(row[-2:] == ("–", "–") for row in published)
    extractor = next(row for row in published if "rnn-ext + RL (" in row[0])
    assert extractor[1:5] == ("25.2 ±0.3", "9.2 ±0.3", "22.2 ±0.3", "16.6")
    assert not [row for row in tabulate_differences(board).rows if row[0].startswith("published")]


@pytest.mark.parametrize(
    ("columns", "papers"), [(["episode"], {"CRD3"}), (["movie"], {"SumTitles"}), (["film"], {"SumTitles"}), (["story"], set())]
)
def test_published_rows_stand_beside_data_of_their_kind(columns: list[str], papers: set[str]) -> None:
    values = np.linspace(0, 1, 100)
    board = make_board([make_result("lead", values, unit_columns=columns)], [dict.fromkeys(MEASURES, values)], resample(UNITS))
    assert {row.paper for row in board.published} == papers
    assert not [row for row in board.published if "CNN" in row.data]
    assert {row.paper for row in PUBLISHED} == {"CRD3", "SumTitles"}
    text, page = describe_board(board), render_page([board], "")
    assert {paper for paper in ("CRD3", "SumTitles") if paper in text} == papers
    assert page.count("<tr class=published>") == text.count("| published: ")
    assert ("Of data of this kind fabula knows no published figures" in page) == (not papers)


def test_the_brief_table_is_in_percent_but_for_words(board: Board) -> None:
    brief = tabulate_briefly(board)
    text = describe_board(board)
    assert all(table.caption in text for table in list_tables(board))
    assert "- rouge: as rouge-score" in text
    assert brief.caption.endswith("in percent but for words and p")
    result = {**board.rows[0].result, "measures": {**board.rows[0].result["measures"]}}
    for name, value in (("novelty.2", 0.125), ("words", 4.0)):
        result["measures"][name] = {"value": value, "low": value, "high": value, "rows": 100}
    (row, *_) = tabulate_briefly(replace(board, rows=(replace(board.rows[0], result=result),))).rows
    told = dict(zip(brief.headings, row, strict=True))
    assert (told["novel 2-g"], told["words"]) == ("12.5", "4.0")


def test_the_page_needs_no_other_file_and_shows_text_as_it_is(board: Board) -> None:
    page = render_page([board], "body { color: black; }")
    assert "body { color: black; }" in page
    assert "Says &lt;something&gt;." in page
    assert "<something>" not in page
    assert page.count("<svg") == 1
    assert not [
        mark for mark in ("http://", "https://", "<script", "<link") if mark in page.replace("http://www.w3.org/2000/svg", "")
    ]


LONG = {"budget": {"unit": "turn", "tokens": 0, "count": 2}}
TRAINED = {"train": "tales@v1", "pretrain": None}
PRETRAINED = {"train": "tales@v1", "pretrain": "films@v1"}


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        ([{"settings": {"rows": 1}}, {"settings": {"rows": 3, "other": 1}}], ["a (rows 1)", "a (rows 3, other 1)"]),
        ([{}, LONG], ["a (length 60 tokens of sentences)", "a (length 2 turns)"]),
        ([TRAINED, PRETRAINED], ["a (pretrain None)", "a (pretrain films@v1)"]),
        ([TRAINED, PRETRAINED, PRETRAINED], ["a (pretrain None)", "a (pretrain films@v1, 1)", "a (pretrain films@v1, 2)"]),
    ],
)
def test_runs_with_one_label_are_told_apart_by_what_differs(runs: list[dict[str, Any]], names: list[str]) -> None:
    values = np.linspace(0, 1, 100)
    results = [make_result("a", values, **parts, run=f"a-{place}") for place, parts in enumerate(runs)]
    assert name_runs([*results, make_result("lead", values)]) == [*names, "lead"]


def test_figures_of_another_variant_of_meteor_are_not_compared() -> None:
    values = np.linspace(0, 1, 100)
    told = {"rouge": "as rouge-score", "meteor": "NLTK's; exact; no WordNet"}
    lead = make_result("lead", values, variants=told)
    other = make_result("oracle", values, variants={**told, "meteor": "NLTK's; exact, WordNet synonyms"})
    again = make_result("lead", values, variants={**told, "meteor": "NLTK's; exact, WordNet synonyms"}, run="lead-b")
    board = make_board([lead, other], [dict.fromkeys(MEASURES, values)] * 2, resample(UNITS))
    found = next(row for row in board.rows if row.name == "oracle").differences
    assert found["meteor"] is None
    assert found["rouge1.f1"] is not None
    assert board.variants["rouge"] == "as rouge-score"
    assert board.variants["meteor"].count("(") == 2
    assert name_runs([lead, again]) == ["lead (METEOR no WordNet)", "lead (METEOR exact, WordNet synonyms)"]


def test_the_run_compared_with_is_found_by_its_label() -> None:
    values = np.linspace(0, 1, 100)
    results = [make_result("a", values), make_result("b", values, seed=1), make_result("b", values + 1, seed=2, run="b-2")]
    scores = [dict.fromkeys(MEASURES, values)] * 3
    assert make_board(results, scores, resample(UNITS), "b").against == "b (seed 1)"
    assert make_board(results, scores, resample(UNITS), "b (seed 2)").against == "b (seed 2)"


def test_curves_need_two_points() -> None:
    assert draw_curves("a", "A", [{"step": 1, "loss": 2.0}]) is None
    picture = draw_curves("a", "A <b>", [{"step": 1, "loss": 2.0}, {"step": 2, "loss": 1.0, "rouge": 0.5}])
    assert picture.svg.count("<polyline") == 2
    assert "A &lt;b&gt;" in picture.svg
