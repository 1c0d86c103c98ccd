"""The pipeline on its example and on hostile sources: what is kept and rejected, licences, credits and consent."""

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import ConfigError
from core.rooms.config import RoomsConfig
from core.rooms.score import REASONS
from infra.store.objects import Store
from infra.tables.columns import STRINGS
from tasks.frame.release_spec import RELEASE
from tasks.pipelines import ROOMS, TRANSCRIPTS
from tasks.rooms.labels import read_gold
from tasks.store.inspect import describe_row, describe_unit
from tests.record_files import write_lines
from tests.tasks import in_process
from tests.tasks.conftest import Example


@pytest.fixture(scope="module")
def kept(descriptions: Example) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in descriptions.rows("sentences")}


@pytest.fixture(scope="module")
def rejected(descriptions: Example) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in descriptions.rows("rejects")}


def test_every_sentence_is_kept_or_rejected_with_a_reason_and_counted(
    kept: dict[str, Any], rejected: dict[str, Any], descriptions: Example
) -> None:
    assert len(kept) == 22
    assert not kept.keys() & rejected.keys()
    assert {row["reason"] for row in rejected.values()} <= set(REASONS)
    assert "The floor of the cellar is covered" in kept["the-ferry-house_00007"]["text"]
    assert rejected["the-ferry-house_00005"]["reason"] == "too short"
    greetings = [row for row in rejected.values() if row["reason"] == "introduction or sign-off"]
    assert sorted({row["document"] for row in greetings}) == ["the-attic", "the-ferry-house", "the-seventh-door"]
    assert rejected["the-seventh-door_00010"]["copy_of"] == "the-ferry-house_00001"
    found = descriptions.store.read_json(f"{descriptions.folder}/stats.json")
    assert found["sentences"] == found["kept"] + sum(n for reason, n in found["reasons"].items() if reason != "kept")
    assert found["removed_share"] == pytest.approx(1 - found["kept"] / found["sentences"])
    assert found["analysis"] == "tags:rules similarity:lexicon>0.5"
    assert sum(found["scores"].values()) == found["sentences"]
    reasons = {unit.unit: unit.reason for unit in descriptions.summary.quarantined}
    assert "consent is 'not asked yet'" in reasons.pop("contribution-without-consent")
    assert ["found no text" in reason for reason in reasons.values()] == [True]


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


def test_show_explains_a_sentence_part_by_part(descriptions: Example) -> None:
    lines = describe_row(descriptions.store, "the-ferry-house_00001", "rooms")
    assert lines is not None
    assert lines[0] == "the-ferry-house_00001, score 11.00"
    assert "      +4  floor × 2  (room 0.61, floor 1.00)" in lines
    record = list(describe_unit(descriptions.store, "well-3", "rooms", False))
    assert record == ["well-3_00000  -1  Does anybody have a rope?", "      question 1"]


def test_another_threshold_analyses_nothing_anew(descriptions: Example) -> None:
    assert descriptions.build("the-attic", descriptions.config).computed == ()
    harder = replace(descriptions.config, selection=replace(descriptions.config.selection, min_probability=0.9))
    assert descriptions.build("the-attic", harder).computed == ("prints",)


def test_the_profile_of_the_report_decides_by_the_score(descriptions: Example, store: Store) -> None:
    in_process.run(ROOMS, descriptions.source, store, profile="grow2022", shards=2)
    kept, rejects = (in_process.read_rows(store, ROOMS.name, table) for table in ("rooms", "rejects"))
    assert len(kept) == 30
    assert all(row["decided_by"] == "score" and row["score"] >= 1 for row in kept)
    assert all(row["score"] < 1 for row in rejects if row["reason"] == "score")
    assert not [row for row in rejects if row["reason"] == "probability"]


def test_a_released_dataset_of_transcripts_is_a_source(episodes: Example, store: Store) -> None:
    summary = in_process.run(ROOMS, Path(episodes.store.url, "datasets", TRANSCRIPTS.name), store)
    assert not summary.quarantined
    rows = in_process.read_rows(store, ROOMS.name, "rejects")
    assert {row["document"] for row in rows} == {"S01E01", "S01E02", "S01E03", "S01E04"}
    assert {row["license"] for row in rows} == {"Apache-2.0"}
    assert {row["turn"] for row in rows} > {0, 1, 2}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"analysis": {"similarity": "pipeline"}}, "name a trained spaCy pipeline"),
        ({"weights": {"room": float("nan")}}, r"setting weights\.room"),
        ({"analysis": {"pipeline": "en_core_web_none"}}, "python -m spacy download en_core_web_none"),
    ],
)
def test_settings_that_do_not_fit_are_refused_before_the_first_unit(
    descriptions: Example, store: Store, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        in_process.run(ROOMS, descriptions.source, store, **settings)


def test_the_reasons_of_a_release_name_the_settings_that_decide() -> None:
    explained = ROOMS.load(RELEASE).explain_rejects(RoomsConfig(), [{"reason": reason} for reason in REASONS])
    told = {each.reason: each.setting for each in explained}
    assert told["score"] == "selection.min_score = 1.0"
    assert [reason for reason, setting in told.items() if not setting] == ["not redistributable", "copy", "reviewed"]


GOOD = "The chamber has a stone floor, four doors and a vaulted ceiling of brick."
TURNS = {
    "episode": pa.array(["E1", "E1"]),
    "number": pa.array([0, 1], pa.int32()),
    "speakers": pa.array([["MAY"], ["TOM"]], STRINGS),
    "text": pa.array([GOOD, "The door is shut."]),
    "license": pa.array(["CC0", "CC0"]),
    "attribution": pa.array(["May", "May"]),
}


def release(folder: Path, content: pa.Table | bytes, pointer: str = '{"version": "v1"}') -> Path:
    """Lay down what a release of `transcripts` looks like, with these dialogues."""
    table = folder / "v1" / "data" / "dialogues" / "train-00000-of-00001.parquet"
    table.parent.mkdir(parents=True)
    table.write_bytes(content) if isinstance(content, bytes) else pq.write_table(content, table)
    (folder / "latest.json").write_text(pointer, encoding="utf-8")
    return folder


def without(name: str, **changed: Any) -> pa.Table:
    return pa.table({key: value for key, value in (TURNS | changed).items() if key != name})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PAR1" + bytes(60), "no table of dialogues"),
        (without("number"), "it has no column number"),
        (without("", text=pa.array([1, 2])), "column text is int64"),
        (without("", speakers=pa.array([None, ["TOM"]], STRINGS)), "column speakers has rows without a value"),
    ],
)
def test_a_damaged_release_is_quarantined_and_other_files_are_read(
    content: pa.Table | bytes, message: str, tmp_path: Path
) -> None:
    source, store = release(tmp_path / "source", content), Store(str(tmp_path / "store"))
    (source / "good.txt").write_text(GOOD, encoding="utf-8")
    summary = in_process.run(ROOMS, source, store)
    (failure,) = summary.quarantined
    assert message in failure.reason
    assert "no fault of the input" not in failure.reason
    assert [row["text"] for row in in_process.read_rows(store, ROOMS.name, "rooms")] == [GOOD]


@pytest.mark.parametrize(("pointer", "message"), [("[]", "found no version"), ('{"version": "v2"}', "its version 'v2'")])
def test_a_pointer_that_leads_nowhere_is_told(pointer: str, message: str, tmp_path: Path) -> None:
    source = release(tmp_path / "source", pa.table(TURNS), pointer)
    with pytest.raises(ConfigError, match=message):
        in_process.run(ROOMS, source, Store(str(tmp_path / "store")))


HEAD = "author: Jane Roe\nlicense: CC BY 4.0\nconsent: yes, by letter\n---\n"


def test_no_form_of_a_donation_gets_round_the_consent(source: Path, store: Store) -> None:
    """Records and tables of dialogues have no head; `sources.toml` may withhold what a donor gave."""
    files = {
        "contributions/given.txt": HEAD + GOOD,
        "Contributions/unasked.txt": GOOD.replace("brick", "slate"),
        "contributions/unasked.csv": f'text\n"{GOOD.replace("brick", "copper")}"\n',
        "contributions/unasked.jsonl": json.dumps({"text": GOOD.replace("brick", "bronze")}) + "\n",
        "contributions/marked.md": HEAD + GOOD.replace("brick", "marble"),
        "sources.toml": '[[source]]\nfiles = "contributions/marked.md"\nredistributable = false\n',
    }
    for name, text in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    release(source / "contributions" / "old", without("", text=pa.array([GOOD.replace("brick", "pewter"), "It is shut."])))
    summary = in_process.run(ROOMS, source, store)
    assert len(summary.quarantined) == 4
    assert [row["text"] for row in in_process.read_rows(store, ROOMS.name, "rooms")] == [GOOD]
    folder = in_process.release_folder(store, ROOMS.name)
    contents = ((key, store.read(key)) for key in store.list_keys(folder))
    released = b"".join(gzip.decompress(content) if key.endswith(".gz") else content for key, content in contents)
    assert not [
        word for word in ("slate", "copper", "bronze", "marble", "pewter") if re.search(rf"\b{word}\b".encode(), released)
    ]
    assert re.search(rb"\bbrick\b", released)
    assert b"- Jane Roe (CC BY 4.0)" in store.read(f"{folder}/ATTRIBUTION.md")


def test_a_record_that_is_nested_too_deeply_keeps_no_other_of_its_shard_out(tmp_path: Path, store: Store) -> None:
    deep = json.loads(f"{'[' * 600}{']' * 600}")
    records = ({"id": "well", "text": GOOD}, {"id": "deep", "dialogue": "Bo: Hello.", "summary": deep})
    summary = in_process.run(ROOMS, write_lines(tmp_path / "rooms.jsonl", *records), store, shards=1)
    assert [failure.reason for failure in summary.quarantined] == [
        "deep: nested too deeply; correct the record, or take it out of its file"
    ]
    assert [row["text"] for row in in_process.read_rows(store, ROOMS.name, "rooms")] == [GOOD]


def test_labels_of_wrong_types_are_refused_by_line(tmp_path: Path) -> None:
    wrong = ['{"text": 5, "label": 1}', "[1]", "null", '{"text": "A room.", "label": [1]}', "[" * 100_000]
    (tmp_path / "a.jsonl").write_text("\n".join([*wrong, '{"text": "A.", "label": 0}']), encoding="utf-8")
    labels = read_gold(str(tmp_path))
    assert [each.text for each in labels.sentences] == ["A."]
    assert [reason.split(":")[0] for reason in labels.refused] == [f"a.jsonl, line {number}" for number in range(1, 6)]


def test_files_in_a_form_that_is_not_read_are_named(source: Path, store: Store) -> None:
    for name, content in {
        "hall.txt": GOOD,
        "cellar.odt": "PK",
        "cover.png": "PNG",
        "mkdocs.yml": "site_name: Halls",
        ".site/index.html": "no text of the source",
        ".site/notes.md": "Every room has a door.",
        "gold/labels.html": "no text of the source",
    }.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(content)
    (failure,) = in_process.run(ROOMS, source, store).quarantined
    assert failure.reason.startswith(
        "cellar.odt: found .odt; texts are read as .txt, .md, .docx, .are, .wld, .ni, .json, .csv, .tsv and .jsonl; save it"
    )
