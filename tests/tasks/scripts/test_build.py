"""One story through its stages: what is parsed, embedded and aligned again after which change, and bad input."""

import sys
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from core.errors import ConfigError, SourceError
from core.references import UnitReference
from core.scripts.aligning import StoryLinks
from core.scripts.config import MatchingConfig, SceneAlignmentConfig, ScriptsConfig
from core.scripts.story import Story
from infra.store.objects import Store
from infra.tables.scripts import STORY, STORY_LINKS
from tasks.frame.build import build_unit
from tasks.frame.model import INGESTION
from tasks.pipelines import SCRIPTS
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.films import ROOMS, VECTORS, WORDS, save_tiny_model, write_film

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


BAD = {
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
    (write_film(tmp_path) / name).write_bytes(content)
    with pytest.raises(SourceError) as caught:
        build(tmp_path)
    assert str(caught.value).startswith(f"movies/fox/{name}: ")
    assert reason in str(caught.value)


def test_a_file_of_300_megabytes_is_refused_unread(tmp_path: Path) -> None:
    with (write_film(tmp_path) / "script.txt").open("r+b") as huge:  # sparse
        huge.truncate(300_000_000)
    with pytest.raises(
        SourceError, match=r"movies/fox/script\.txt: 286 MiB; expected a script, book or synopsis of at most 64 MiB"
    ):
        build(tmp_path)


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
