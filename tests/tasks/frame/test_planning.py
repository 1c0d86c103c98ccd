"""Planning: what is computed, what is reused, and what is not tried again."""

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from core.errors import ConfigError, SourceError
from core.references import CatalogEntry, UnitFailure
from core.transcripts.config import FilterConfig, TranscriptsConfig
from infra.store.objects import Store
from tasks.frame.build import build_unit
from tasks.frame.plan import RunPlan
from tasks.frame.release import replan
from tasks.pipelines import TRANSCRIPTS
from tests.flows.stories import write_episode, write_recap, write_transcript
from tests.tasks import in_process
from tests.tasks.in_process import as_landed, make_reference

STORE = Store(f"memory://{uuid4().hex}")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for number in range(1, 4):
        write_episode(tmp_path, f"S01E{number:02d}")
    return tmp_path


def plan(source: Path | list[Path], catalog: dict[str, CatalogEntry] | None = None, config: Any = None, **asked: Any) -> RunPlan:
    return in_process.plan(TRANSCRIPTS, source, STORE, config, catalog=catalog, **asked)


def test_everything_is_new_at_first_and_nothing_after(source: Path) -> None:
    first = plan(source)
    assert list(first.to_build) == ["S01E01", "S01E02", "S01E03"]
    assert first.list_paths("S01E02") == ("transcripts/S01E02.txt", "recaps/S01E02.md")
    second = plan(source, as_landed(first))
    assert second.to_build == ()
    assert list(second.reused) == ["S01E01", "S01E02", "S01E03"]
    assert second.signatures == first.signatures


def test_a_changed_file_is_computed_and_the_others_reused(source: Path) -> None:
    catalog = as_landed(plan(source))
    write_recap(source, "S01E02.md", word="candle")
    os.utime(source / "recaps" / "S01E02.md", (1, 1))
    changed = plan(source, catalog)
    assert list(changed.to_build) == ["S01E02"]
    assert list(changed.reused) == ["S01E01", "S01E03"]


def test_a_half_may_arrive_from_another_source(source: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    write_transcript(source, "S01E09.txt")
    other = tmp_path_factory.mktemp("other")
    write_recap(other, "S01E08.md")
    first = plan([source, other])
    assert [(unit.id, unit.missing) for unit in first.found.waiting] == [("S01E08", "transcript"), ("S01E09", "recap")]
    write_recap(other, "S01E09.md")
    second = plan([source, other / "recaps"], as_landed(first))
    assert list(second.to_build) == ["S01E09"]
    assert [unit.id for unit in second.found.waiting] == ["S01E08"]


def test_a_source_that_is_down_ends_the_plan_and_removes_nothing(source: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder"):
        plan([source, source / "nowhere"])


def test_a_changed_copy_in_another_source_counts(source: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    write_recap(other, "S01E02.md")
    first = plan([source, other])
    assert list(first.to_build) == ["S01E01", "S01E02", "S01E03"]
    assert plan([source, other], as_landed(first)).to_build == ()
    write_recap(other, "S01E02.md", word="candle")
    os.utime(other / "recaps" / "S01E02.md", (1, 1))
    changed = plan([source, other], as_landed(first))
    assert changed.to_build == ("S01E02",)
    with pytest.raises(SourceError, match=r"recaps/S01E02\.md in .* and recaps/S01E02\.md in .* are the same part"):
        build_unit(changed.requests["S01E02"])


def test_a_changed_setting_or_alias_table_looks_at_every_unit(source: Path) -> None:
    catalog = as_landed(plan(source))
    assert len(plan(source, catalog, TranscriptsConfig(filter=FilterConfig(min_turns=5))).to_build) == 3
    (source / "speakers.tsv").write_text("ANNA\tANNA SMITH\n")
    planned = plan(source, catalog)
    assert len(planned.to_build) == 3
    assert planned.requests["S01E01"].shared.tables == ("ANNA\tANNA SMITH\n",)


def test_the_sources_alias_table_comes_after_the_profiles(source: Path) -> None:
    (source / "speakers.tsv").write_text("ANNA\tANNA SMITH\n")
    tables = plan(source, profile="crd3").requests["S01E01"].shared.tables
    assert len(tables) == 2
    assert "LAURA" in tables[0]
    assert tables[1] == "ANNA\tANNA SMITH\n"


def test_a_broken_alias_table_is_the_callers_error(source: Path) -> None:
    (source / "speakers.tsv").write_text("ANNA BEN\n")
    with pytest.raises(ConfigError, match=r"speakers\.tsv, line 1"):
        plan(source)


def test_input_that_failed_is_not_tried_again_until_it_changes(source: Path) -> None:
    first = plan(source)
    failure = UnitFailure("S01E02", first.list_paths("S01E02"), "build", "it is empty", "SourceError", True)
    catalog = as_landed(first, "S01E01", "S01E03") | {
        "S01E02": CatalogEntry(unit="S01E02", settings=first.settings, signature=first.signatures["S01E02"], failure=failure)
    }
    same = plan(source, catalog)
    assert same.to_build == ()
    assert same.failures == (failure,)
    os.utime(source / "transcripts" / "S01E02.txt", (1, 1))
    changed = plan(source, catalog)
    assert list(changed.to_build) == ["S01E02"]
    assert changed.failures == ()


def test_refused_and_waiting_files_are_told_and_counted(source: Path) -> None:
    write_transcript(source, "---.txt")
    write_transcript(source, "S01E09.txt")
    planned = plan(source)
    assert [(failure.unit, failure.stage, failure.permanent) for failure in planned.failures] == [
        ("transcripts/---.txt", "discovery", True)
    ]
    assert "rename the file" in planned.failures[0].reason
    assert [(unit.id, unit.missing) for unit in planned.found.waiting] == [("S01E09", "recap")]
    assert planned.discovered == ("S01E01", "S01E02", "S01E03", "S01E09")
    assert len(planned.found.refused) == 1


def test_a_changed_copy_of_a_file_counts(source: Path) -> None:
    write_transcript(source, "S01E02_copy.txt")
    catalog = as_landed(plan(source))
    write_transcript(source, "S01E02_copy.txt", word="candle")
    os.utime(source / "transcripts" / "S01E02_copy.txt", (1, 1))
    assert list(plan(source, catalog).to_build) == ["S01E02"]


def test_a_limit_takes_the_first_units(source: Path) -> None:
    planned = plan(source, limit=2)
    assert list(planned.to_build) == ["S01E01", "S01E02"]
    assert planned.discovered == ("S01E01", "S01E02", "S01E03")


def test_the_last_good_state_of_a_unit_is_kept_where_it_fails_or_is_beyond_the_limit(source: Path) -> None:
    first = plan(source)
    catalog = as_landed(first)
    bad = UnitFailure("S01E01", (), "build", "it is empty", "SourceError", True)
    catalog["S01E01"] = CatalogEntry(
        unit="S01E01",
        settings=first.settings,
        signature=first.signatures["S01E01"],
        reference=make_reference("S01E01"),
        failure=bad,
    )
    again = plan(source, catalog, limit=1)
    assert (again.to_build, again.reused, again.failures) == ((), {}, (bad,))
    assert again.earlier == {unit: make_reference(unit) for unit in first.to_build}


def test_what_other_settings_made_does_not_stand_in_for_a_unit(source: Path) -> None:
    catalog = as_landed(plan(source))
    assert set(plan(source, catalog, limit=1).earlier) == set(catalog)
    assert plan(source, catalog, TranscriptsConfig(filter=FilterConfig(min_turns=7)), limit=1).earlier == {}


def test_a_plan_may_be_made_to_build_a_unit_again(source: Path) -> None:
    catalog = as_landed(plan(source))
    reference = catalog["S01E03"].reference
    assert reference is not None
    again = replan(plan(source, catalog), {"S01E03": reference})
    assert again.to_build == ("S01E03",)
    assert list(again.reused) == ["S01E01", "S01E02"]
