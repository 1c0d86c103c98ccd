"""Planning: what is computed, what is reused, and what is not tried again."""

import os
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from core.errors import ConfigError, SourceError
from core.references import UnitFailure, UnitReference
from core.transcripts.config import FilterConfig, TranscriptsConfig
from infra.store.catalog import CatalogEntry
from tasks.frame.planning import RunPlan
from tasks.transcripts.build import build_episode
from tasks.transcripts.plan import plan_transcripts
from tests.flows.stories import write_episode, write_recap, write_transcript


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for number in range(1, 4):
        write_episode(tmp_path, f"S01E{number:02d}")
    return tmp_path


def plan(
    source: Path,
    catalog: dict[str, CatalogEntry] | None = None,
    config: TranscriptsConfig | None = None,
    profile: str = "default",
    limit: int | None = None,
) -> RunPlan:
    return plan_transcripts([str(source)], "store", config or TranscriptsConfig(), profile, catalog or {}, None, limit)


def landed(planned: RunPlan, *units: str) -> dict[str, CatalogEntry]:
    return {
        unit: CatalogEntry(unit, planned.settings, planned.signatures[unit], UnitReference(unit, {}, (), (), {}), None)
        for unit in units or planned.requests
    }


def test_everything_is_new_at_first_and_nothing_after(source: Path) -> None:
    first = plan(source)
    assert list(first.requests) == ["S01E01", "S01E02", "S01E03"]
    assert first.paths["S01E02"] == ("transcripts/S01E02.txt", "recaps/S01E02.md")
    second = plan(source, landed(first))
    assert second.requests == {}
    assert list(second.reused) == ["S01E01", "S01E02", "S01E03"]
    assert second.signatures == first.signatures


def test_a_changed_file_is_computed_and_the_others_reused(source: Path) -> None:
    catalog = landed(plan(source))
    write_recap(source, "S01E02.md", word="candle")
    os.utime(source / "recaps" / "S01E02.md", (1, 1))
    changed = plan(source, catalog)
    assert list(changed.requests) == ["S01E02"]
    assert list(changed.reused) == ["S01E01", "S01E03"]


def plan_all(catalog: dict[str, CatalogEntry], *sources: Path) -> RunPlan:
    return plan_transcripts([*map(str, sources)], "store", TranscriptsConfig(), "default", catalog, None, None)


def test_a_half_may_arrive_from_another_source(source: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    write_transcript(source, "S01E09.txt")
    other = tmp_path_factory.mktemp("other")
    write_recap(other, "S01E08.md")
    first = plan_all({}, source, other)
    assert [(unit.id, unit.missing) for unit in first.waiting] == [("S01E08", "transcript"), ("S01E09", "recap")]
    write_recap(other, "S01E09.md")
    second = plan_all(landed(first), source, other / "recaps")
    assert list(second.requests) == ["S01E09"]
    assert [unit.id for unit in second.waiting] == ["S01E08"]


def test_a_source_that_is_down_ends_the_plan_and_removes_nothing(source: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder"):
        plan_all({}, source, source / "nowhere")


def test_a_changed_copy_in_another_source_counts(source: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    write_recap(other, "S01E02.md")
    first = plan_all({}, source, other)
    assert list(first.requests) == ["S01E01", "S01E02", "S01E03"]
    assert plan_all(landed(first), source, other).requests == {}
    write_recap(other, "S01E02.md", word="candle")
    os.utime(other / "recaps" / "S01E02.md", (1, 1))
    (changed,) = plan_all(landed(first), source, other).requests.values()
    with pytest.raises(SourceError, match=r"recaps/S01E02\.md in .* and recaps/S01E02\.md in .* are the same part"):
        build_episode(replace(changed, store=f"memory://{uuid4().hex}"))


def test_a_changed_setting_or_alias_table_looks_at_every_unit(source: Path) -> None:
    catalog = landed(plan(source))
    assert len(plan(source, catalog, TranscriptsConfig(filter=FilterConfig(min_turns=5))).requests) == 3
    (source / "speakers.tsv").write_text("ANNA\tANNA SMITH\n")
    planned = plan(source, catalog)
    assert len(planned.requests) == 3
    assert planned.requests["S01E01"].aliases == ("ANNA\tANNA SMITH\n",)


def test_the_sources_alias_table_comes_after_the_profiles(source: Path) -> None:
    (source / "speakers.tsv").write_text("ANNA\tANNA SMITH\n")
    tables = plan(source, profile="crd3").requests["S01E01"].aliases
    assert len(tables) == 2
    assert "LAURA" in tables[0]
    assert tables[1] == "ANNA\tANNA SMITH\n"


def test_a_broken_alias_table_is_the_callers_error(source: Path) -> None:
    (source / "speakers.tsv").write_text("ANNA BEN\n")
    with pytest.raises(ConfigError, match=r"speakers\.tsv, line 1"):
        plan(source)


def test_input_that_failed_is_not_tried_again_until_it_changes(source: Path) -> None:
    first = plan(source)
    failure = UnitFailure("S01E02", first.paths["S01E02"], "build", "it is empty", "SourceError", True)
    catalog = landed(first, "S01E01", "S01E03") | {
        "S01E02": CatalogEntry("S01E02", first.settings, first.signatures["S01E02"], None, failure)
    }
    same = plan(source, catalog)
    assert same.requests == {}
    assert same.failures == (failure,)
    os.utime(source / "transcripts" / "S01E02.txt", (1, 1))
    changed = plan(source, catalog)
    assert list(changed.requests) == ["S01E02"]
    assert changed.failures == ()


def test_refused_and_waiting_files_are_told_and_counted(source: Path) -> None:
    write_transcript(source, "no code.txt")
    write_transcript(source, "S01E09.txt")
    planned = plan(source)
    assert [(failure.unit, failure.stage, failure.permanent) for failure in planned.failures] == [
        ("transcripts/no code.txt", "discovery", True)
    ]
    assert "rename the file" in planned.failures[0].reason
    assert [(unit.id, unit.missing) for unit in planned.waiting] == [("S01E09", "recap")]
    assert planned.discovered == ("S01E01", "S01E02", "S01E03", "S01E09")
    assert planned.refused == 1


def test_a_changed_copy_of_a_file_counts(source: Path) -> None:
    write_transcript(source, "S01E02_copy.txt")
    catalog = landed(plan(source))
    write_transcript(source, "S01E02_copy.txt", word="candle")
    os.utime(source / "transcripts" / "S01E02_copy.txt", (1, 1))
    assert list(plan(source, catalog).requests) == ["S01E02"]


def test_a_limit_takes_the_first_units(source: Path) -> None:
    planned = plan(source, limit=2)
    assert list(planned.requests) == ["S01E01", "S01E02"]
    assert planned.discovered == ("S01E01", "S01E02", "S01E03")


def test_the_last_good_state_of_a_unit_is_kept_where_it_fails_or_is_beyond_the_limit(source: Path) -> None:
    first = plan(source)
    units = list(first.requests)
    landed = {unit: UnitReference(unit, {}, (), (), {}) for unit in units}
    catalog = {unit: CatalogEntry(unit, first.settings, first.signatures[unit], landed[unit], None) for unit in units}
    bad = UnitFailure(units[0], (), "build", "it is empty", "SourceError", True)
    catalog[units[0]] = CatalogEntry(units[0], first.settings, first.signatures[units[0]], landed[units[0]], bad)
    again = plan(source, catalog=catalog, limit=1)
    assert (again.requests, again.reused, again.failures) == ({}, {}, (bad,))
    assert again.earlier == landed


def test_what_other_settings_made_does_not_stand_in_for_a_unit(source: Path) -> None:
    first = plan(source)
    entries = landed(first, *first.requests)
    assert set(plan(source, catalog=entries, limit=1).earlier) == set(entries)
    assert plan(source, catalog=entries, limit=1, config=TranscriptsConfig(filter=FilterConfig(min_turns=7))).earlier == {}
