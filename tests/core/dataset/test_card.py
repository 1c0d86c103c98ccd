import json
import re
from dataclasses import replace
from typing import Any

import pytest
import yaml
from huggingface_hub import DatasetCard, DatasetCardData

from core.dataset.card import Card, CardTable, Column, Description, name_license, write_card
from core.dataset.rejects import RejectedRows
from core.dataset.report import Quality, QualityFigure

TABLES = (
    CardTable(name="turns", config=True, rows={"train": 0}),
    CardTable(
        name="pairs",
        config=True,
        rows={"train": 12, "validation": 0, "test": 3},
        columns=[Column("id", "string", meaning="names the row"), Column("summary", "string", meaning="what it is")],
        description="pairs of both",
    ),
    CardTable(
        name="units", config=True, rows={"train": 4}, columns=[Column("id", "string"), Column("x", "int32", repeated=True)]
    ),
    CardTable(name="rejects", config=False, rows={"": 7}, columns=[Column("reason", "string", meaning="why not")]),
)
CARD = Card(
    name="lanterns",
    version="ab12",
    tables=TABLES,
    description=Description(
        about="A row is a lantern.", task="summarization", languages=("en",), citation="@book{lantern}", faults=("Some flicker.",)
    ),
    units={"train": 2, "validation": 0, "test": 1},
    figures=[{"metric": "rows", "value": "15"}],
    rejects=[RejectedRows(reason="too dark", count=7, setting="filter.light = 0.5", note="lower it")],
    settings={"filter": {"light": 0.5}},
    licenses=["CC BY-SA 4.0"],
    attribution="the keeper",
    withheld={"asked for": 1},
    example={"id": "a", "summary": "x" * 500, "turns": [{"number": n} for n in range(9)]},
)


LEAKS = {"compared": 1200, "near": 0.5, "exact_copies": {"plot": 0, "all": 0}, "near_copies": {"plot": 2, "recap": 0, "all": 2}}


def test_splits_say_how_leakage_was_checked_and_what_was_found() -> None:
    told = find_section(replace(CARD, leaks=LEAKS), "Splits")
    assert "the summaries of 1,200 rows were compared with those of the other splits. 0 are exact copies" in told
    assert "2 near copies (at least 50% of the word trigrams in common, as MinHash estimates it): plot 2." in told
    assert "Texts were not compared between splits." in find_section(CARD, "Splits")
    own = replace(CARD, description=Description(leakage="Lanterns are never alike."))
    assert "Lanterns are never alike." in find_section(own, "Splits")


def test_quality_on_gold_has_intervals_and_the_date_of_the_judgement() -> None:
    quality = Quality(
        gold="spans that people read",
        figures=(QualityFigure(name="F1", value=0.8123, low=0.75, high=0.86), QualityFigure(name="hits", value=0.5)),
        judged="2026-11-02",
        measured="2026-11-09",
        counted="40 chunks of a",
    )
    told = find_section(replace(CARD, quality=[quality, replace(quality, judged="", measured="")]), "Quality on gold")
    assert "Compared with spans that people read: 40 chunks of a. Judged 2026-11-02, compared 2026-11-09." in told
    assert "Judged at a date that nobody has stated." in told
    assert "| F1 | 0.812 | 0.750 to 0.860 |" in told
    assert "| hits | 0.500 | – |" in told
    assert "Quality on gold" not in write_card(CARD)


def read_header(card: Card) -> dict[str, Any]:
    header = yaml.safe_load(write_card(card).split("\n---\n")[0])
    assert isinstance(header, dict)
    return header


def find_section(card: Card, title: str) -> str:
    found = re.search(rf"\n## {title}\n\n(.*?)(?=\n## |\Z)", write_card(card), flags=re.DOTALL)
    return found[1]


def test_the_header_names_only_what_has_rows_and_the_hubs_own_classes_read_it() -> None:
    configs = read_header(CARD)["configs"]
    assert [(each["config_name"], each.get("default")) for each in configs] == [("pairs", True), ("units", None)]
    assert configs[0]["data_files"] == [
        {"split": "train", "path": "data/pairs/train-*.parquet"},
        {"split": "test", "path": "data/pairs/test-*.parquet"},
    ]
    card = DatasetCard(write_card(CARD))
    assert isinstance(card.data, DatasetCardData)
    told = card.data.to_dict()
    assert (told["license"], told["language"], told["task_categories"]) == ("cc-by-sa-4.0", ["en"], ["summarization"])
    assert told["size_categories"] == ["n<1K"]
    assert yaml.safe_load(card.data.to_yaml()) == read_header(CARD)
    assert card.text.strip().startswith("# lanterns ab12")


@pytest.mark.parametrize(
    ("stated", "header"),
    [
        ("CC BY-NC-SA 4.0", {"license": "cc-by-nc-sa-4.0"}),
        ("CC BY-NC-SA 2.0", {"license": "cc-by-nc-sa-2.0"}),
        ("CC BY-SA 2.0", {"license": "other", "license_name": "cc-by-sa-2.0"}),
        ("apache-2.0", {"license": "apache-2.0"}),
        ("The Keeper's Own, v2", {"license": "other", "license_name": "the-keeper-s-own-v2"}),
        ("授权", {"license": "other", "license_name": "other"}),
        ("unspecified", {"license": "unknown"}),
    ],
)
def test_the_licence_is_one_that_the_hub_knows_or_is_named(stated: str, header: dict[str, str]) -> None:
    found = read_header(replace(CARD, licenses=[stated]))
    assert {key: found[key] for key in found if key.startswith("license")} == header
    assert (name_license(stated) == header["license"]) == ("license_name" not in header and stated != "unspecified")


def test_a_release_or_rows_without_a_licence_say_so_first_and_rows_of_several_have_all_in_the_header() -> None:
    assert "No licence" not in write_card(CARD)
    text = write_card(replace(CARD, licenses=["unspecified"]))
    assert 0 < text.index("**No licence is stated for this text.**") < text.index("## What it holds")
    mixed = replace(CARD, licenses=["CC0-1.0", "MIT", "unspecified"])
    assert read_header(mixed)["license"] == ["cc0-1.0", "mit", "unknown"]
    assert "No licence is stated for some of the rows." in write_card(mixed)
    assert "The licence that is stated: CC0-1.0, MIT, with credit" in find_section(mixed, "Licence and attribution")


def test_every_figure_that_was_given_is_told() -> None:
    assert "| `pairs` | yes | 12 | 0 | 3 | 15 |" in find_section(CARD, "What it holds")
    assert "| `rejects` | no |  |  |  | 7 |" in find_section(CARD, "What it holds")
    assert "- `pairs`: pairs of both." in find_section(CARD, "What it holds")
    assert "| `id` | names the row | `string` | `pairs`, `units` |" in find_section(CARD, "Columns")
    assert "| `x` |  | `list<int32>` | `units` |" in find_section(CARD, "Columns")
    assert "| rows | 15 |" in find_section(CARD, "Figures")
    assert "| too dark | 7 | filter.light = 0.5 | lower it |" in find_section(CARD, "What was left out")
    assert "| asked for | 1 |" in find_section(CARD, "What was left out")
    assert "| train | 2 |" in find_section(CARD, "Splits")
    assert "filter.light = 0.5" in find_section(CARD, "Settings")
    assert "- Some flicker." in find_section(CARD, "Known faults")
    assert "with credit to the keeper" in find_section(CARD, "Licence and attribution")
    assert "@book{lantern}" in find_section(CARD, "Citation")


def test_the_example_is_cut_to_what_a_person_reads_and_a_release_without_rows_has_none() -> None:
    shown = json.loads(re.findall(r"```json\n(.*?)\n```", find_section(CARD, "An example"), flags=re.DOTALL)[0])
    assert shown == {"id": "a", "summary": "x" * 160 + "…", "turns": [{"number": 0}, {"number": 1}, {"number": 2}, "… 6 more"]}
    empty = Card(name="void", version="1", tables=[CardTable(name="pairs", config=True, rows={"train": 0})])
    assert read_header(empty)["configs"] == []
    assert "This release has no rows." in write_card(empty)
    assert "## An example" not in write_card(empty)


def test_text_of_the_data_cannot_leave_its_place() -> None:
    hostile = "```\n</td><script>alert(1)</script> | ## Title"
    card = replace(
        CARD,
        example={"summary": hostile},
        attribution=hostile,
        rejects=[RejectedRows(reason=hostile, count=1)],
        withheld={hostile: 1},
    )
    text = write_card(card)
    outside = re.sub(r"(`{3,})json\n.*?\n\1", "", text, flags=re.DOTALL)
    assert "<script>" not in outside
    assert "\n## Title" not in outside
    assert len(re.findall("\n````json\n", text)) == 1


@pytest.mark.parametrize("name", ["no", "1.0", "null", "on", "~", "12:30", "2024-01-01", "a: b", "a #b", "- a", "é" * 200])
def test_a_name_that_yaml_could_read_as_another_type_stays_text(name: str) -> None:
    assert read_header(replace(CARD, name=name))["pretty_name"] == name
