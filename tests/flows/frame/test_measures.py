"""`fabula measure` as a user calls it, on a dataset that the command has made."""

from functools import partial
from pathlib import Path

import pytest

from infra.store.objects import Store
from tests.flows.calling import Fabula
from tests.tasks.in_process import make_example
from tests.tiny_transformer import save_tiny_transformer


@pytest.fixture(scope="module")
def measure(fabula: Fabula, tmp_path_factory: pytest.TempPathFactory) -> Fabula:
    store = tmp_path_factory.mktemp("store")
    make_example(Store(str(store)), "subtitles")
    return partial(fabula, "measure", "subtitles", "--store", store, "--in-process")


def test_the_measures_of_section_5(measure: Fabula) -> None:
    figures = measure("--json").json
    assert (figures["dataset"], figures["config"], figures["sample"]["pairs"]) == ("subtitles", "subtitles", 2)
    assert figures["train_on"] is None  # subtitles have no such mark
    assert figures["size"]["samples"] == figures["measured"] == 2
    assert figures["size"]["average_summary_sentences"] == 6  # 7 and 5
    assert set(figures["oracle"]) == {"exact", "bertsum"}
    assert all(figures["extractiveness_coefficient"][oracle] > 0 for oracle in ("exact", "bertsum"))
    assert figures["bert_score"]["measured"] == 0


def test_bert_score_where_asked_for(measure: Fabula, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra `embeddings` is not installed")
    model = save_tiny_transformer(tmp_path, "goat", "ghost", "flat", "barn", "teapot", "court")
    ended = measure("--bert-score", "--model", model, "--limit", 1, "--json")
    assert ended.status == 0, ended.err
    assert ended.err == ""
    figures = ended.json
    assert figures["sample"] == {"pairs": 1, "of": 2, "seed": 0}
    assert (figures["bert_model"], figures["idf_texts"]) == (model, 2)
    assert figures["bert_score"]["measured"] == figures["measured"] == 1
    assert 0 < figures["bert_score"]["f1"] <= 1


def test_a_wrong_call_ends_with_status_2_and_what_to_do(fabula: Fabula, measure: Fabula) -> None:
    ended = measure("--config", "rejects")
    assert (ended.status, ended.out) == (2, "")
    assert "no config 'rejects'; it has subtitles" in ended.err
    assert "no dataset 'tales'" in fabula("measure", "tales", "--store", ".").err
    missing = measure("--bert-score", "--model", "no-such-model-anywhere")
    assert missing.status == 2
    assert "no-such-model-anywhere" in missing.err
    assert missing.out == ""
