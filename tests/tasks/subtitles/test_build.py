"""One shard of films through its stages: what is read again after which change, and bad films."""

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from core.references import UnitReference
from core.subtitles.config import LanguageConfig, SubtitleCleaning, SubtitleLimits, SubtitlesConfig, VariantConfig
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from tasks.frame.build import build_unit
from tasks.pipelines import SUBTITLES
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.subtitled import GERMAN, make_srt, make_xml, write_bad_films, write_film

STAGES = ["films", "rejected", "failures"]
SHARD = "shard-0000-of-0001"


@pytest.fixture(scope="module")
def built(films: Example) -> UnitReference:
    return films.references[SHARD]


@pytest.fixture
def store() -> Store:
    return Store(f"memory://{uuid4().hex}")


def build(source: Path, store: Store, earlier: UnitReference | None = None) -> UnitReference:
    """Build the films of a source as one shard."""
    (request,) = in_process.plan(SUBTITLES, source, store, SubtitlesConfig(shards=1)).requests.values()
    return build_unit(replace(request, earlier=earlier.artifacts if earlier else {}))


def read(store: Store, reference: UnitReference, stage: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = decode_table(store.read(reference.artifacts[stage].key)).to_pylist()
    return rows


def read_films(store: Store, reference: UnitReference) -> dict[str, dict[str, Any]]:
    return {row["film"]: row for row in read(store, reference, "films")}


def test_the_first_build_computes_every_stage_and_stores_it(built: UnitReference, films: Example) -> None:
    assert list(built.computed) == STAGES
    for stage, artifact in built.artifacts.items():
        assert hashlib.sha256(films.store.read(artifact.key)).hexdigest() == artifact.sha256
        suffix = "json" if stage == "failures" else "parquet"
        assert artifact.key == f"artifacts/subtitles/{stage}/{SHARD}/{artifact.fingerprint}.{suffix}"
    assert len(built.sources) == 6
    for key, path in zip(built.inputs, built.sources, strict=True):
        assert films.store.read(key) == (films.source / path).read_bytes()
    assert built.counts["members"] == 2
    assert built.failures == ()


def test_the_second_build_computes_nothing(built: UnitReference, films: Example) -> None:
    again = films.build(SHARD)
    assert again.computed == ()
    assert (again.artifacts, again.counts, again.sources) == (built.artifacts, built.counts, built.sources)


def test_another_store_gets_the_same_bytes(built: UnitReference, films: Example, store: Store) -> None:
    assert in_process.build(SUBTITLES, films.source, store, films.config)[SHARD].artifacts == built.artifacts


@pytest.mark.parametrize(
    ("changed", "stages"),
    [
        ({"exclude": ("another-film",)}, []),
        ({"limits": SubtitleLimits(max_captions=9_999)}, STAGES),
        ({"cleaning": SubtitleCleaning(adverts="keep")}, STAGES),
        ({"language": LanguageConfig(min_share=0.2)}, STAGES),
        ({"variants": VariantConfig(tolerance=0.2)}, STAGES),
        ({"splitter": "regex"}, STAGES),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_changed_setting_computes_only_what_depends_on_it(films: Example, changed: dict[str, Any], stages: list[str]) -> None:
    assert list(films.build(SHARD, replace(films.config, **changed)).computed) == stages


def test_a_film_has_its_dialogue_its_times_and_its_summary(built: UnitReference, films: Example) -> None:
    ghost = read_films(films.store, built)["the-tidy-ghost"]
    assert (ghost["title"], ghost["year"], ghost["subtitle"]) == ("The Tidy Ghost", 2021, "the-tidy-ghost/film.srt")
    assert ghost["summary"] == " ".join(ghost["sentences"])
    assert len(ghost["turns"]) == len(ghost["starts"]) == len(ghost["ends"])
    assert all(turn["speakers"] == [] for turn in ghost["turns"])
    assert ghost["starts"] == sorted(ghost["starts"])
    assert all(start <= end for start, end in zip(ghost["starts"], ghost["ends"], strict=True))
    assert all(turn["text"] in ghost["plain"] for turn in ghost["turns"])


def test_what_was_not_taken_is_told_with_the_reason(built: UnitReference, films: Example) -> None:
    reasons = {row["path"]: (row["failed"], row["reason"]) for row in read(films.store, built, "rejected")}
    assert set(reasons) == {"the-tidy-ghost/version-longue.srt", "en/2019/99000017/4102.xml.gz"}
    assert not any(failed for failed, _ in reasons.values())
    assert reasons["the-tidy-ghost/version-longue.srt"][1].startswith("not English")


def test_bad_films_are_named_and_leave_the_others_landed(tmp_path: Path, store: Store) -> None:
    source = tmp_path / "source"
    reasons = write_bad_films(source)
    for film in ("alpha", "omega"):
        write_film(source, film)
    landed = build(source, store)
    assert set(read_films(store, landed)) == {"alpha", "omega"}
    assert landed.counts["members"] == 2
    failures = {failure.unit: failure for failure in landed.failures}
    assert set(failures) == set(reasons)
    for film, part in reasons.items():
        assert part in failures[film].reason
        assert failures[film].paths[0].startswith(f"{film}/film.")
        assert (failures[film].permanent, failures[film].error) == (
            (False, "UnreadableFileError") if film == "gone" else (True, "SourceError")
        )


def test_a_film_with_one_good_subtitle_lands(tmp_path: Path, store: Store) -> None:
    source = tmp_path / "source"
    folder = write_film(source, "fox")
    (folder / "other.srt").write_text(make_srt("Laterne", GERMAN))
    (folder / "broken.srt").write_text("no times at all")
    landed = build(source, store)
    assert read_films(store, landed)["fox"]["subtitle"] == "fox/film.srt"
    assert landed.failures == ()
    reasons = {row["path"]: row["reason"] for row in read(store, landed, "rejected")}
    assert reasons["fox/other.srt"].startswith("not English")
    assert reasons["fox/broken.srt"].startswith("unreadable: fox/broken.srt")


@pytest.mark.parametrize(
    "change",
    [
        lambda source: (source / "fox" / "synopsis.txt").write_text("Another story altogether.\n"),
        lambda source: (source / "fox" / "film.srt").rename(source / "fox" / "film.en.srt"),
        lambda source: (source / "fox" / "second.xml").write_text(make_xml()),
        lambda source: (source / "summaries.tsv").write_text("film\ttitle\tyear\tsynopsis\nfox\tThe Fox\t1998\tTold here.\n"),
        lambda source: (source / "summaries.tsv").write_text("film\ttitle\tyear\tsynopsis\nfox\tA Fox\t1999\tTold here.\n"),
    ],
    ids=["synopsis", "name", "variant", "year", "title"],
)
def test_everything_that_a_row_shows_counts(tmp_path: Path, store: Store, change: Callable[[Path], object]) -> None:
    source = tmp_path / "source"
    write_film(source, "fox")
    (source / "summaries.tsv").write_text("film\ttitle\tyear\tsynopsis\nfox\tThe Fox\t1999\tTold here.\n")
    before = build(source, store)
    change(source)
    after = build(source, store)
    assert list(after.computed) == STAGES
    fresh = build(source, Store(f"memory://{uuid4().hex}"))
    assert after.artifacts == fresh.artifacts
    assert after.artifacts["films"].fingerprint != before.artifacts["films"].fingerprint


def test_a_name_that_says_english_is_believed_though_the_content_is_the_same(tmp_path: Path, store: Store) -> None:
    source = tmp_path / "source"
    folder = write_film(source, "fox", text=GERMAN)
    assert [failure.unit for failure in build(source, store).failures] == ["fox"]
    (folder / "film.srt").rename(folder / "film.en.srt")
    assert build(source, store).failures == ()


def test_a_film_that_goes_bad_stays_as_it_was(tmp_path: Path, store: Store) -> None:
    source = tmp_path / "source"
    folders = {film: write_film(source, film) for film in ("fox", "goose")}
    first = build(source, store)
    (folders["fox"] / "film.srt").write_text("")
    write_film(source, "goose", word="candle")
    second = build(source, store, first)
    assert [failure.unit for failure in second.failures] == ["fox"]
    films = read_films(store, second)
    assert list(films) == ["fox", "goose"]
    assert films["fox"] == read_films(store, first)["fox"]
    assert "candle" in films["goose"]["plain"]
    assert [(row["film"], row["failed"]) for row in read(store, second, "rejected")] == [("fox", True)]


def test_real_films_land_and_the_rest_is_named(corpora: Path, tmp_path: Path, store: Store) -> None:
    """OPUS's files as they lie there, with a summary table: seven variants of one film, two .srt files, and one cut off."""
    opus, source = corpora / "subtitles" / "opus_subalign", tmp_path / "source"
    for language in ("en", "et"):
        shutil.copytree(opus / language, source / language)
    names = {"shrek": "srt/en/shrek3.srt", "spartacus": "srt/en/spartacus.srt", "shrek-de": "srt/de/shrek3.srt"}
    for film, path in names.items():
        (source / film).mkdir()
        (source / film / "film.srt").write_bytes((opus / path).read_bytes())
    (source / "cut").mkdir()
    whole = (opus / "en/2001/209475/109371.xml.gz").read_bytes()
    (source / "cut" / "film.xml.gz").write_bytes(whole[: len(whole) // 2])
    lines = [f"{film}\tA story of {film}. It ends well." for film in (*names, "cut", "209475")]
    (source / "summaries.tsv").write_text("\n".join(["film\tsynopsis", *lines]) + "\n")

    landed = build(source, store)
    films = read_films(store, landed)
    assert set(films) == {"shrek", "spartacus", "tt0209475"}
    assert len(films["tt0209475"]["turns"]) == 1783
    assert {failure.unit: failure.reason.split(":")[0] for failure in landed.failures} == {
        "cut": "no readable English subtitle",
        "shrek-de": "no English subtitle",
    }
    assert len([row for row in read(store, landed, "rejected") if row["film"] == "tt0209475"]) == 6
    assert build(source, store).computed == ()
