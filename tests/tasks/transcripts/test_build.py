"""One episode through its stages: what is computed again after which change, and bad input."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from core.errors import SourceError
from core.references import UnitReference
from core.transcripts.config import CleaningConfig, FilterConfig, RecapConfig, SplitConfig, StatisticsConfig
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.turns import DIALOGUE
from tasks.pipelines import TRANSCRIPTS
from tests.tasks.conftest import Example
from tests.tasks.in_process import build

STAGES = ["dialogue", "recap", "alignments", "contributions", "decisions", "figures"]


@pytest.fixture(scope="module")
def built(episodes: Example) -> UnitReference:
    return episodes.references["S01E01"]


def build_episode(source: Path) -> UnitReference:
    return build(TRANSCRIPTS, source, Store(f"memory://{uuid4().hex}"))["S01E01"]


def test_the_first_build_computes_every_stage_and_stores_it(built: UnitReference, episodes: Example) -> None:
    assert list(built.computed) == STAGES
    for stage, artifact in built.artifacts.items():
        content = episodes.store.read(artifact.key)
        assert hashlib.sha256(content).hexdigest() == artifact.sha256
        assert artifact.key.startswith(f"artifacts/transcripts/{stage}/S01E01/{artifact.fingerprint}.")
    assert built.sources == ("transcripts/S01E01.txt", "recaps/S01E01_Low_Tide.html")


def test_what_came_in_is_kept_as_it_was(built: UnitReference, episodes: Example) -> None:
    for key, path in zip(built.inputs, built.sources, strict=True):
        content = (episodes.source / path).read_bytes()
        assert key.startswith(f"landing/transcripts/S01E01/{hashlib.sha256(content).hexdigest()}/")
        assert episodes.store.read(key) == content


def test_the_second_build_computes_no_stage(built: UnitReference, episodes: Example) -> None:
    again = episodes.build("S01E01")
    assert again.computed == ()
    assert again.artifacts == built.artifacts
    assert again.counts == built.counts


@pytest.mark.parametrize(
    ("changed", "stages"),
    [
        ({"filter": FilterConfig(min_turns=5)}, ["decisions"]),
        ({"split": SplitConfig(shares=(0.5, 0.25, 0.25))}, []),
        ({"statistics": StatisticsConfig(game_master="BRAM")}, ["figures"]),
        ({"recap": RecapConfig(splitter="regex")}, ["recap", "alignments", "contributions", "decisions", "figures"]),
        (
            {"cleaning": CleaningConfig(aliases={"TANSY": ("JONAS",)})},
            ["dialogue", "alignments", "contributions", "decisions", "figures"],
        ),
    ],
    ids=["filter", "split", "statistics", "splitter", "alias"],
)
def test_a_changed_setting_computes_only_what_depends_on_it(
    episodes: Example, changed: dict[str, Any], stages: list[str]
) -> None:
    assert list(episodes.build("S01E01", replace(episodes.config, **changed)).computed) == stages


def test_the_sources_alias_table_renames_a_speaker(built: UnitReference, episodes: Example) -> None:
    turns = DIALOGUE.decode(episodes.store.read(built.artifacts["dialogue"].key))
    assert any("TANSY" in turn.raw_label for turn in turns)
    assert not any("TANSY" in turn.speakers for turn in turns)


def test_every_chunk_has_one_decision(built: UnitReference, episodes: Example) -> None:
    """The decisions are the alignments with a reason each, so that a new filter aligns nothing anew."""
    alignments, decisions = (
        decode_table(episodes.store.read(built.artifacts[stage].key)) for stage in ("alignments", "decisions")
    )
    assert decisions.select(alignments.column_names).equals(alignments)
    assert {*decisions.column("reason").to_pylist()} > {None}


def test_two_files_for_one_place_must_be_the_same(episodes: Example, tmp_path: Path) -> None:
    source = tmp_path / "source"
    for part in ("transcripts", "recaps"):
        (source / part).mkdir(parents=True)
    content = (episodes.source / "transcripts" / "S01E01.txt").read_bytes()
    (source / "transcripts" / "S01E01.txt").write_bytes(content)
    (source / "transcripts" / "S01E01_copy.txt").write_bytes(content)
    (source / "recaps" / "S01E01.html").write_bytes((episodes.source / "recaps" / "S01E01_Low_Tide.html").read_bytes())
    landed = build_episode(source)
    assert landed.sources == ("transcripts/S01E01.txt", "recaps/S01E01.html")
    (source / "transcripts" / "S01E01_copy.txt").write_bytes(content + b"BRAM: One more thing.\n")
    with pytest.raises(SourceError, match=r"transcripts/S01E01.txt and transcripts/S01E01_copy.txt .* keep one of them"):
        build_episode(source)


def test_a_recap_without_a_sentence_is_refused_by_name(episodes: Example, tmp_path: Path) -> None:
    source = tmp_path / "source"
    for part in ("transcripts", "recaps"):
        (source / part).mkdir(parents=True)
    (source / "transcripts" / "S01E01.txt").write_bytes((episodes.source / "transcripts" / "S01E01.txt").read_bytes())
    (source / "recaps" / "S01E01.md").write_text("# Low Tide\n\n## Recap\n")
    with pytest.raises(SourceError, match=r"recaps/S01E01\.md"):
        build_episode(source)
