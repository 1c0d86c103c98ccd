"""The whole `scripts` flow: a release that `datasets` loads, a rerun that computes nothing, bad input beside good."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.flows.calling import Ended

LANDED = {"kettle_s1_e01", "lost-property", "the-clock-that-ran-errands", "the-weather-clerk"}
QUARANTINED = {
    "binary": ("movies/binary/script.txt", "Is this a binary file"),
    "headless": ("movies/headless/script.txt", "no usable scene headings"),
    "silent": ("movies/silent/script.txt", "no dialogue"),
    "untold": ("movies/untold/synopsis.txt", "empty"),
    "huge": ("movies/huge/script.txt", "286 MiB"),
    "series/broken.json": ("series/broken.json", "not valid JSON"),
}


@pytest.fixture(scope="module")
def source(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, and beside it everything bad."""
    source = tmp_path_factory.mktemp("source") / "scripts"
    shutil.copytree(repository / "examples" / "scripts", source)
    scripts = {
        "binary": bytes(range(256)) * 40,
        "headless": b"JACK\nHello there, it is me.\n\n" * 300,
        "silent": b"INT. ATTIC - DAY\n\nDust falls on the old piano.\n\n" * 9,
        "untold": (source / "movies" / "lost-property" / "script.txt").read_bytes(),
        "huge": b"INT. ATTIC - DAY\n",
    }
    for unit, content in scripts.items():
        folder = source / "movies" / unit
        folder.mkdir()
        (folder / "script.txt").write_bytes(content)
        (folder / "synopsis.txt").write_text("" if unit == "untold" else "Jack says hello.\n")
    os.truncate(source / "movies" / "huge" / "script.txt", 300_000_000)  # sparse
    (source / "series" / "broken.json").write_text('{"episodes": [')
    return source


@pytest.fixture(scope="module")
def run(fabula: Callable[..., Ended], source: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Ended]:
    """Run the pipeline once more, with the example's settings, which need no sentence model."""
    store = tmp_path_factory.mktemp("store")
    options = ("--source", source, "--store", store, "--config", source / "settings.toml", "--in-process")
    return lambda: fabula("run", "scripts", *options, "--json")


@pytest.fixture(scope="module")
def first(run: Callable[[], Ended]) -> Ended:
    return run()


def test_the_stories_land_and_everything_else_is_named(first: Ended) -> None:
    assert first.status == 0, first.err
    assert first.json["pipeline"] == "scripts"
    assert first.json["units"] == {
        "discovered": len(LANDED) + len(QUARANTINED) + 1,
        "computed": len(LANDED),
        "reused": 0,
        "waiting": 1,
        "quarantined": len(QUARANTINED),
        "removed": 0,
    }
    lines = first.err.splitlines()
    assert "waiting      the-polite-volcano: no synopsis yet" in lines
    for unit, parts in QUARANTINED.items():
        (line,) = [line for line in lines if line.startswith(f"quarantined  {unit}: ")]
        assert all(part in line for part in parts)


def test_the_release_loads_with_datasets_without_a_network(first: Ended, load_release: Callable[[str], Any]) -> None:
    loaded = load_release(first.json["release"])
    movies = {
        config: {split: {row["movie"] for row in rows} for split, rows in table.items()} for config, table in loaded.items()
    }
    assert list(movies) == ["scripts", "gold"]
    assert movies["gold"] == {"test": {"the-weather-clerk"}}
    assert set().union(*movies["scripts"].values()) == LANDED - {"the-weather-clerk"}


def test_a_second_run_computes_nothing_and_releases_nothing(first: Ended, run: Callable[[], Ended]) -> None:
    again = run()
    assert again.status == 0, again.err
    assert again.json["units"] == first.json["units"] | {"computed": 0, "reused": len(LANDED)}
    assert again.json["release"] == first.json["release"]
    assert again.err == first.err
