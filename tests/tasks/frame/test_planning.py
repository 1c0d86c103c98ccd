"""Planning: what is computed, what is reused, and what is not tried again."""

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from core.references import CatalogEntry, UnitFailure
from core.transcripts.config import FilterConfig, TranscriptsConfig
from infra.store.objects import Store
from tasks.frame.plan import RunPlan
from tasks.pipelines import TRANSCRIPTS
from tests.flows.stories import write_episode, write_recap
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


def test_a_changed_setting_or_alias_table_looks_at_every_unit(source: Path) -> None:
    catalog = as_landed(plan(source))
    assert len(plan(source, catalog, TranscriptsConfig(filter=FilterConfig(min_turns=5))).to_build) == 3
    (source / "speakers.tsv").write_text("ANNA\tANNA SMITH\n")
    planned = plan(source, catalog)
    assert len(planned.to_build) == 3
    assert planned.requests["S01E01"].shared.tables == ("ANNA\tANNA SMITH\n",)


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
