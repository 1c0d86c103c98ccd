"""Stories: which units they are, gold links, what is parsed and aligned again after which change, and bad input."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from core.errors import ConfigError, SourceError
from core.references import CatalogEntry, UnitReference
from core.scripts.aligning import StoryLinks
from core.scripts.config import MatchingConfig, SceneAlignmentConfig, ScriptsConfig
from core.scripts.story import Story
from infra.store.objects import Store
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.build import build_unit
from tasks.frame.model import INGESTION
from tasks.frame.plan import RunPlan
from tasks.pipelines import SCRIPTS
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.films import ROOMS, VECTORS, WORDS, save_tiny_model, write_film

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


def test_a_bad_gold_line_and_gold_of_a_story_that_the_source_lacks_are_told_and_the_others_count(source: Path) -> None:
    """Else one slip of the pen would move films from evaluation into training."""
    names = ("casablanca", "goose", "s1_e09", "casablanca")
    write_gold(source, json.dumps(LINK), '{"movie_id": ', *(json.dumps(LINK | {"movie_id": name}) for name in names))
    planned = plan(source)
    assert [link.unit for link in planned.found.knowledge] == ["fox", "goose"]
    told = {failure.unit: failure.reason for failure in planned.failures}
    assert told.keys() == {"gold/gold.jsonl", "gold/gold.jsonl#casablanca", "gold/gold.jsonl#s1_e09"}
    assert told["gold/gold.jsonl"].startswith("gold/gold.jsonl, line 2: not valid JSON")
    assert "no such story; the nearest is 's1_e0" in told["gold/gold.jsonl#s1_e09"]


@pytest.mark.parametrize(("name", "nearest"), [("fxo", "fox"), ("gose", "goose"), ("goosse", "goose")])
def test_gold_with_a_misspelt_story_is_an_error_that_names_the_nearest(source: Path, name: str, nearest: str) -> None:
    write_gold(source, json.dumps(LINK | {"movie_id": name}))
    with pytest.raises(ConfigError, match=rf"gold/gold.jsonl: gold for '{name}'.*the nearest is '{nearest}'. Correct movie_id"):
        plan(source)


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


STAGES = ["story", "links"]
LEXICAL = ScriptsConfig(alignment=SceneAlignmentConfig(weights=WORDS))


def read(store: Store, reference: UnitReference) -> tuple[Story, StoryLinks]:
    story, links = (store.read(reference.artifacts[stage].key) for stage in STAGES)
    return STORY.decode(story), STORY_LINKS.decode(links)


def build_story(source: Path, store: Store, config: ScriptsConfig, unit: str = "fox") -> UnitReference:
    return build_unit(in_process.plan(SCRIPTS, source, store, config).requests[unit])


def build(source: Path, unit: str = "fox") -> tuple[Story, StoryLinks]:
    store = Store(f"memory://{uuid4().hex}")
    return read(store, build_story(source, store, LEXICAL, unit))


def test_a_film_whose_synopsis_is_another_films_is_refused(tmp_path: Path) -> None:
    folder = write_film(tmp_path)
    text = (folder / "script.txt").read_text()
    (folder / "script.txt").write_text("".join(text.replace("lantern", thing) for thing in ("heron", "ladder", "violin", "kite")))
    cargo = ("apples", "bricks", "chairs", "drums", "eggs", "flutes", "grapes", "hats", "irons", "jars", "keys", "lamps")
    (folder / "synopsis.txt").write_text("".join(f"A lorry brings {each} over the pass.\n" for each in cargo))
    with pytest.raises(
        SourceError, match=r"script and synopsis of fox do not match: .* gains [\d.-]+ nats .* \d+% of a sentence"
    ):
        build(tmp_path)
    lenient = replace(LEXICAL, matching=MatchingConfig(least_match=0.0))
    assert build_story(tmp_path, Store(f"memory://{uuid4().hex}"), lenient).counts["sentences"] == len(cargo)


BAD: dict[str, tuple[str, bytes | None, str]] = {
    "300 megabytes": ("script.txt", None, "286 MiB; expected a script, book or synopsis of at most 64 MiB"),
    "no headings": ("script.txt", b"JACK\nHello there, it is me.\n\n" * 300, "no usable scene headings"),
    "no dialogue": ("script.txt", b"INT. ATTIC - DAY\n\nDust falls on the old piano.\n\n" * 9, "no dialogue"),
    "empty script": ("script.txt", b"", "the file is empty"),
    "binary script": ("script.txt", bytes(range(256)) * 9, "binary"),
    "empty synopsis": ("synopsis.txt", b" \n\n", "empty"),
    "binary synopsis": ("synopsis.txt", bytes(range(256)) * 9, "binary"),
    "cast is no list": ("cast.json", b'{"a": 1}', "no list of characters"),
    "cast is not JSON": ("cast.json", b"Jack, Mary", "not valid JSON"),
    "lone surrogate": ("cast.json", rb'["Jack \ud800 Fox"]', "lone surrogate"),
    "meta is not an object": ("meta.json", b"[]", "not a JSON object"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_the_files_name(tmp_path: Path, case: str) -> None:
    name, content, reason = BAD[case]
    path = write_film(tmp_path) / name
    if content is None:
        os.truncate(path, 300_000_000)  # sparse, and never read
    else:
        path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        build(tmp_path)
    assert str(caught.value).startswith(f"movies/fox/{name}: ")
    assert reason in str(caught.value)


@pytest.fixture
def with_vectors(tmp_path: Path) -> ScriptsConfig:
    pytest.importorskip("sentence_transformers", reason="the extra `embeddings` is not installed")
    model = save_tiny_model(tmp_path / "model")
    return ScriptsConfig(alignment=SceneAlignmentConfig(weights=VECTORS, embedding_model=model))


def test_vectors_are_computed_once_whatever_else_changes(tmp_path: Path, with_vectors: ScriptsConfig) -> None:
    source, store = tmp_path / "source", Store(f"memory://{uuid4().hex}")
    folder = write_film(source)
    first = build_story(source, store, with_vectors)
    # Per scene one line of action and two of speech; a sentence of the synopsis is its own only clause.
    assert first.counts["embedded"] == 4 * len(ROOMS)
    assert build_story(source, store, with_vectors).counts["embedded"] == 0

    heavier = replace(with_vectors, alignment=replace(with_vectors.alignment, weights=replace(VECTORS, story_max=5.0)))
    weighed = build_story(source, store, heavier)
    assert (weighed.computed, weighed.counts["embedded"]) == (("links",), 0)

    with (folder / "synopsis.txt").open("a") as synopsis:
        synopsis.write("Nobody ever finds the tower again.\n")
    longer = build_story(source, store, with_vectors)
    assert (list(longer.computed), longer.counts["embedded"]) == (STAGES, 1)
    _, links = read(store, longer)
    assert links.scenes == (*range(len(ROOMS)), len(ROOMS) - 1)


def test_a_run_that_needs_vectors_looks_for_the_model_first(monkeypatch: pytest.MonkeyPatch, stories: Example) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigError, match="pip install"):
        in_process.run(SCRIPTS, stories.source, Store(f"memory://{uuid4().hex}"))
    find_resources = SCRIPTS.load(INGESTION).find_resources
    assert find_resources(stories.config, {"other": "place"}) == {"other": "place"}
