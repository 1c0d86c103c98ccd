"""The pipeline on its example: what is kept and what is rejected, with the parts of the score, licences and credits."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from core.rooms.config import RoomsConfig
from core.rooms.score import REASONS
from infra.store.objects import Store
from tasks.pipelines import ROOMS, TRANSCRIPTS
from tasks.store.inspect import describe_row, describe_unit
from tests.tasks import in_process
from tests.tasks.conftest import Example


@pytest.fixture(scope="module")
def kept(descriptions: Example) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in descriptions.rows("rooms")}


@pytest.fixture(scope="module")
def rejected(descriptions: Example) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in descriptions.rows("rejects")}


def test_every_sentence_is_kept_or_rejected_with_a_reason(kept: dict[str, Any], rejected: dict[str, Any]) -> None:
    assert len(kept) == 30
    assert not kept.keys() & rejected.keys()
    assert {row["reason"] for row in rejected.values()} <= set(REASONS)
    assert "The floor of the cellar is covered" in kept["the-ferry-house_00007"]["text"]
    assert rejected["the-ferry-house_00005"]["reason"] == "too short"


def test_the_parts_make_the_score(kept: dict[str, Any], rejected: dict[str, Any]) -> None:
    for row in (*kept.values(), *rejected.values()):
        assert sum(part["points"] for part in row["parts"]) == row["score"]
    assert all(row["score"] >= 1 for row in kept.values())


def test_introductions_and_copies_name_what_they_repeat(rejected: dict[str, Any]) -> None:
    greetings = [row for row in rejected.values() if row["reason"] == "introduction or sign-off"]
    assert sorted({row["document"] for row in greetings}) == ["the-attic", "the-ferry-house", "the-seventh-door"]
    assert rejected["the-seventh-door_00010"]["copy_of"] == "the-ferry-house_00001"


def test_what_may_not_be_passed_on_leaves_no_text(descriptions: Example, rejected: dict[str, Any]) -> None:
    withheld = [row for row in rejected.values() if row["reason"] == "not redistributable"]
    assert {row["document"] for row in withheld} == {"borrowed-adventure", "the-well"}
    assert {row["text"] for row in withheld} == {None}
    released = b"".join(descriptions.store.read(key) for key in descriptions.store.list_keys(descriptions.folder))
    assert b"armoury" not in released


def test_every_row_has_its_own_licence_and_donors_are_credited(descriptions: Example, kept: dict[str, Any]) -> None:
    licences = {row["document"]: (row["license"], row["attribution"]) for row in kept.values()}
    assert licences["contribution-a-greenhouse"] == ("CC BY 4.0", "Wanda Example")
    assert licences["tables"] == ("CC0", "Table of cellars")
    assert licences["the-well"] == ("CC BY 4.0", "Ines Example")
    credits = descriptions.store.read(f"{descriptions.folder}/ATTRIBUTION.md").decode()
    assert "- Wanda Example (CC BY 4.0)" in credits
    assert "- Ines Example (CC BY 4.0)" in credits
    assert "Nobody Example" not in credits


def test_a_donation_without_consent_and_a_bad_record_are_quarantined(descriptions: Example) -> None:
    reasons = {unit.unit: unit.reason for unit in descriptions.summary.quarantined}
    assert "consent is 'not asked yet'" in reasons.pop("contribution-without-consent")
    assert ["found no text" in reason for reason in reasons.values()] == [True]


def test_the_statistics_say_what_was_removed_and_which_analysis_was_used(descriptions: Example) -> None:
    found = json.loads(descriptions.store.read(f"{descriptions.folder}/stats.json"))
    assert found["sentences"] == found["kept"] + sum(n for reason, n in found["reasons"].items() if reason != "kept")
    assert found["removed_share"] == pytest.approx(1 - found["kept"] / found["sentences"])
    assert found["analysis"] == "tags:rules similarity:lexicon>0.5"
    assert sum(found["scores"].values()) == found["sentences"]


def test_show_explains_a_sentence_part_by_part(descriptions: Example) -> None:
    lines = describe_row(descriptions.store.url, "the-ferry-house_00001", "rooms")
    assert lines is not None
    assert lines[0] == "the-ferry-house_00001, score 11.00"
    assert "      +4  floor × 2  (room 0.61, floor 1.00)" in lines
    record = list(describe_unit(descriptions.store.url, "well-3", "rooms", False))
    assert record == ["well-3_00000  -1  Does anybody have a rope?", "      question 1"]


def test_another_threshold_analyses_nothing_anew(descriptions: Example) -> None:
    reference = descriptions.build("the-attic", RoomsConfig(**{"shards": 2, "provenance": descriptions.config.provenance}))
    assert reference.computed == ()
    harder = descriptions.config.selection.__class__(min_score=5.0)
    changed = RoomsConfig(shards=2, provenance=descriptions.config.provenance, selection=harder)
    assert descriptions.build("the-attic", changed).computed == ("prints",)


def test_a_released_dataset_of_transcripts_is_a_source(episodes: Example, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    source = Path(episodes.store.url.removeprefix("file://")) / "datasets" / TRANSCRIPTS.name
    assert (source / "latest.json").is_file()
    summary = in_process.run(ROOMS, source, store)
    assert not summary.quarantined
    rows = in_process.read_rows(store, ROOMS.name, "rejects")
    assert {row["document"] for row in rows} == {"S01E01", "S01E02", "S01E03", "S01E04"}
    assert {row["license"] for row in rows} == {"Apache-2.0"}
    assert {row["turn"] for row in rows} > {0, 1, 2}


def test_only_the_latest_of_several_releases_is_read(episodes: Example, tmp_path: Path) -> None:
    found = Path(episodes.store.url.removeprefix("file://")) / "datasets" / TRANSCRIPTS.name
    copy = shutil.copytree(found, tmp_path / "datasets")
    version = json.loads((copy / "latest.json").read_text("utf-8"))["version"]
    shutil.copytree(copy / version, copy / "0000000000000000")
    planned = in_process.plan(ROOMS, copy, Store(str(tmp_path / "store")))
    assert planned.to_build
    assert {file.path.split("/")[0] for request in planned.requests.values() for file in request.unit.files} == {version}


def test_settings_that_do_not_fit_are_refused_before_the_first_unit(repository: Path, tmp_path: Path) -> None:
    source, store = repository / "examples" / "rooms", Store(str(tmp_path))
    with pytest.raises(ConfigError, match="name a trained spaCy pipeline"):
        in_process.run(ROOMS, source, store, analysis={"similarity": "pipeline"})
    with pytest.raises(ConfigError, match=r"setting weights\.room"):
        in_process.run(ROOMS, source, store, weights={"room": float("nan")})
    with pytest.raises(ConfigError, match="python -m spacy download en_core_web_none"):
        in_process.run(ROOMS, source, store, analysis={"pipeline": "en_core_web_none"})


def test_the_reasons_of_a_release_name_the_settings_that_decide() -> None:
    explained = ROOMS.load_release().explain_rejects(RoomsConfig(), [{"reason": reason} for reason in REASONS])
    told = {each.reason: each.setting for each in explained}
    assert told["score"] == "selection.min_score = 1.0"
    assert [reason for reason, setting in told.items() if not setting] == ["not redistributable", "copy", "reviewed"]
