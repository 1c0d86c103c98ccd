"""The card of a release: reading its YAML header returns the values that it was made from."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.card import write_card

CARD = """---
pretty_name: lanterns
configs:
- config_name: pairs
  default: true
  data_files:
  - split: train
    path: data/pairs/train-*.parquet
  - split: test
    path: data/pairs/test-*.parquet
- config_name: units
  data_files:
  - split: train
    path: data/units/train-*.parquet
---

# lanterns 1.2.0-ab12

| config | split | rows |
|---|---|---|
| turns | train | 0 |
| pairs | train | 12 |
| pairs | validation | 0 |
| pairs | test | 3 |
| units | train | 4 |

Load it with `datasets.load_dataset(<this folder>, <config>)`. `manifest.json` names every file and its checksum.
"""


def test_writes_a_card() -> None:
    rows = {"turns": {"train": 0}, "pairs": {"train": 12, "validation": 0, "test": 3}, "units": {"train": 4}}
    assert write_card("lanterns", "1.2.0-ab12", rows) == CARD


def read_header(name: str, config: str = "pairs") -> dict[str, object]:
    header = yaml.safe_load(write_card(name, "1", {config: {"train": 1}}).split("\n---\n")[0])
    assert isinstance(header, dict)
    return header


@pytest.mark.parametrize("name", ["no", "1.0", "null", "on", "~", "12:30", "2024-01-01", "a: b", "a #b", "- a", "é" * 200])
def test_a_name_that_yaml_could_read_as_another_type_stays_text(name: str) -> None:
    assert read_header(name)["pretty_name"] == name


@given(
    st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1),
    st.from_regex(r"[a-z0-9_]+", fullmatch=True),
)
def test_any_name_survives_the_header(name: str, config: str) -> None:
    files = [{"split": "train", "path": f"data/{config}/train-*.parquet"}]
    assert read_header(name, config) == {
        "pretty_name": name,
        "configs": [{"config_name": config, "default": True, "data_files": files}],
    }
