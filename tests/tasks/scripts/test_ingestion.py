"""Planning a run of `scripts`: stories from folders and series, gold links, and what is computed again."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from core.errors import ConfigError
from core.references import CatalogEntry
from core.scripts.config import ScriptsConfig
from infra.store.objects import Store
from tasks.frame.plan import RunPlan
from tasks.pipelines import SCRIPTS
from tests.tasks import in_process
from tests.tasks.films import write_film

STORE = Store(f"memory://{uuid4().hex}")
LINK = {"movie_id": "fox", "sent_idx": 0, "sent": "Jack looks for a lantern in the kitchen.", "scene_idx": [0], "n_scenes": 6}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for unit in ("fox", "goose"):
        write_film(tmp_path, unit)
    write_series(tmp_path, "series/s1.json", "s1_e01", "s1_e02")
    return tmp_path


def write_series(source: Path, name: str, *episodes: str) -> None:
    scenes = [{"plots": ["Jack says hello ."], "utterances": [{"speakers": ["Jack Fox"], "transcript": "Hello."}]}]
    (source / name).parent.mkdir(exist_ok=True)
    content = {"episodes": [{"episode_id": unit, "scenes": scenes} for unit in episodes]}
    (source / name).write_text(json.dumps(content), encoding="utf-8")


def write_gold(source: Path, *lines: str, name: str = "gold.jsonl") -> None:
    (source / "gold").mkdir(exist_ok=True)
    (source / "gold" / name).write_text("\n".join(lines), encoding="utf-8")


def plan(
    source: Path, catalog: dict[str, CatalogEntry] | None = None, config: ScriptsConfig | None = None, **asked: Any
) -> RunPlan:
    return in_process.plan(SCRIPTS, source, STORE, config, catalog=catalog, **asked)


def refusals(source: Path) -> dict[str, str]:
    return {failure.unit: failure.reason for failure in plan(source).failures}


def test_films_books_and_episodes_are_one_unit_each(source: Path) -> None:
    (source / "books" / "barn").mkdir(parents=True)
    for name in ("text.txt", "synopsis.txt"):
        (source / "books" / "barn" / name).write_text("Words.")
    (source / "movies" / "owl").mkdir()
    (source / "movies" / "owl" / "script.txt").write_text("INT. BARN")
    (source / "movies" / "hen").mkdir()
    (source / "movies" / "hen" / "draft.rtf").write_bytes(b"{\\rtf")
    run = plan(source)
    assert {unit: request.unit.spec.kind for unit, request in run.requests.items()} == {
        "barn": "book", "fox": "movie", "goose": "movie", "s1_e01": "episode", "s1_e02": "episode",
    }  # fmt: skip
    assert [role for role, _ in run.requests["fox"].unit.spec.files] == ["text", "synopsis", "cast", "meta"]
    assert run.list_paths("s1_e02") == ("series/s1.json",)
    assert [(unit.id, unit.missing.split()[0]) for unit in run.found.waiting] == [("hen", "script"), ("owl", "synopsis")]
    assert run.discovered == ("barn", "fox", "goose", "hen", "owl", "s1_e01", "s1_e02")
    assert run.failures == ()


def test_a_bad_gold_line_is_told_and_the_others_count(source: Path) -> None:
    """Else one slip of the pen would move films from evaluation into training."""
    write_gold(source, json.dumps(LINK), '{"movie_id": ', json.dumps(LINK | {"movie_id": "goose"}))
    planned = plan(source)
    assert [link.unit for link in planned.found.knowledge] == ["fox", "goose"]
    (failure,) = planned.failures
    assert failure.unit == "gold/gold.jsonl"
    assert failure.reason.startswith("gold/gold.jsonl, line 2: not valid JSON")


@pytest.mark.parametrize(("name", "nearest"), [("fxo", "fox"), ("gose", "goose"), ("goosse", "goose")])
def test_gold_with_a_misspelt_story_is_an_error_that_names_the_nearest(source: Path, name: str, nearest: str) -> None:
    write_gold(source, json.dumps(LINK | {"movie_id": name}))
    with pytest.raises(ConfigError, match=rf"gold/gold.jsonl: gold for '{name}'.*the nearest is '{nearest}'. Correct movie_id"):
        plan(source)


def test_gold_of_a_story_that_the_source_lacks_is_refused_alone(source: Path) -> None:
    write_gold(source, *(json.dumps(LINK | {"movie_id": name}) for name in ("casablanca", "s1_e09", "casablanca", "fox")))
    planned = plan(source)
    assert [link.unit for link in planned.found.knowledge] == ["fox"]
    assert [failure.unit for failure in planned.failures] == ["gold/gold.jsonl#casablanca", "gold/gold.jsonl#s1_e09"]
    assert "no such story; the nearest is 's1_e0" in planned.failures[1].reason


def test_a_series_that_cannot_be_read_leaves_the_rest_alone(source: Path) -> None:
    (source / "series" / "s2.json").write_text("[]")
    (source / "series" / "s3.json").symlink_to("gone.json")
    with (source / "series" / "s4.json").open("wb") as huge:  # sparse
        huge.truncate(300_000_000)
    found = refusals(source)
    assert list(found) == ["series/s2.json", "series/s3.json", "series/s4.json"]
    assert "no episodes" in found["series/s2.json"]
    assert "could not read series/s3.json" in found["series/s3.json"]
    assert "at most 67,108,864 bytes are read" in found["series/s4.json"]
    assert list(plan(source).to_build) == ["fox", "goose", "s1_e01", "s1_e02"]


def test_two_stories_of_one_id_do_not_overwrite_each_other(source: Path) -> None:
    write_series(source, "series/s2.json", "FOX", "s1_e01", "s2_e01")
    found = refusals(source)
    assert set(found) == {"series/s2.json#FOX", "series/s2.json#s1_e01"}
    assert "movies/fox/script.txt" in found["series/s2.json#FOX"]
    assert "series/s1.json" in found["series/s2.json#s1_e01"]
    assert list(plan(source).to_build) == ["fox", "goose", "s1_e01", "s1_e02", "s2_e01"]
