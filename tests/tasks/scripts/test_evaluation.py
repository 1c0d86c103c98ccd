"""Evaluation of scripts on gold: the example's stories as they landed, the paper's profile beside them."""

import json
import shutil
from pathlib import Path

import pytest

from core.errors import ConfigError
from tasks.scripts.evaluation import evaluate_scripts, record_quality
from tests.tasks.conftest import Example

STORY = "the-weather-clerk"


@pytest.fixture(scope="module")
def source(stories: Example) -> str:
    return str(stories.source)


@pytest.fixture(scope="module")
def store(stories: Example) -> str:
    return stories.store.url


def test_the_store_and_the_paper_side_by_side(source: str, store: str, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="the profile sumtitles needs the extra `embeddings`")
    evaluation = evaluate_scripts(store, f"{source}/gold", (STORY,))  # the model takes its time for every story
    assert evaluation.notes == ()
    own, paper = evaluation.figures["store"], evaluation.figures["sumtitles"]
    assert set(own["by_story"]) == set(paper["by_story"]) == {"kettle_s1_e01"}
    assert own["all"]["rates"]["links"] == paper["all"]["rates"]["links"] == 6
    assert own["all"]["rates"]["hit_rate"] != paper["all"]["rates"]["hit_rate"]
    own_store = str(shutil.copytree(store, tmp_path / "store"))  # other tests use the example's
    quality = record_quality(own_store, "scripts", evaluation.figures, reviews=False, judged="2026-11-02")
    assert (quality.judged, list(quality.artifacts)) == ("2026-11-02", ["kettle_s1_e01"])
    assert quality.figures[0].low is not None
    assert quality.curve is None


def test_what_is_left_out_and_what_is_missing_is_named(store: str, source: str, tmp_path: Path) -> None:
    gold = (Path(source) / "gold").glob("*.jsonl")
    rows = [json.loads(line) for file in gold for line in file.read_text().splitlines()]
    renamed = [row | {"movie_id": "a-film-that-is-not-there"} for row in rows]
    (tmp_path / "more.jsonl").write_text("".join(json.dumps(row) + "\n" for row in renamed))
    evaluation = evaluate_scripts(store, str(tmp_path), (STORY,))
    assert evaluation.figures["left_out"] == [STORY]
    assert evaluation.figures["missing"] == ["a-film-that-is-not-there"]
    assert "gold a-film-that-is-not-there: the store lacks the story" in evaluation.notes
    assert set(evaluation.figures["store"]["by_story"]) == {"kettle_s1_e01"}


def test_a_store_without_gold_stories_is_refused(source: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no story with gold has landed"):
        evaluate_scripts(str(tmp_path), f"{source}/gold", ())
