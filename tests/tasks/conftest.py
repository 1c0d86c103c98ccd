"""The examples of every pipeline, run once for all tests that look at what a run leaves."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from core.references import UnitReference
from infra.settings import load_config
from infra.store.objects import Store
from tasks.frame.build import build_unit
from tasks.frame.ledger import RunSummary
from tasks.frame.model import INGESTION
from tasks.frame.pipeline import Pipeline
from tasks.pipelines import ROOMS, SCRIPTS, SUBTITLES, THREADS, TRANSCRIPTS
from tests.tasks import in_process


@dataclass(frozen=True, slots=True)
class Example:
    """A pipeline's example after a run. Tests may build more into the store, but run nothing and remove nothing."""

    pipeline: Pipeline
    source: Path
    store: Store
    config: Any
    summary: RunSummary

    @property
    def references(self) -> dict[str, UnitReference]:
        return in_process.read_references(self.store, self.pipeline.name)

    @property
    def folder(self) -> str:
        return in_process.release_folder(self.store, self.pipeline.name)

    def build(self, unit: str, config: Any = None) -> UnitReference:
        """Build a unit of the example again, perhaps with other settings."""
        return build_unit(in_process.plan(self.pipeline, self.source, self.store, config or self.config).requests[unit])

    def rows(self, table: str) -> list[dict[str, Any]]:
        return in_process.read_rows(self.store, self.pipeline.name, table)

    def copy(self, folder: Path) -> "Example":
        """Return the example in a store of its own, which a test may change."""
        return replace(self, store=Store(str(shutil.copytree(self.store.url, folder / "copy"))))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Where a test may write a source; there is no folder yet."""
    return tmp_path / "source"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


def _run_example(pipeline: Pipeline, examples: Path, store: Path, **settings: Any) -> Example:
    source, url = examples / pipeline.name, Store(str(store))
    file = source / "settings.toml"
    config = load_config(pipeline.load(INGESTION).config, pipeline.name, file=str(file), overrides=settings)
    return Example(pipeline, source, url, config, in_process.run(pipeline, source, url, config_file=file, **settings))


@pytest.fixture(scope="session")
def run_example(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Example]:
    return lambda pipeline, **settings: _run_example(
        pipeline, repository / "examples", tmp_path_factory.mktemp("example"), **settings
    )


@pytest.fixture(scope="session")
def episodes(run_example: Callable[..., Example]) -> Example:
    """The example of `transcripts`; some pairs are dropped for their length."""
    return run_example(TRANSCRIPTS, filter={"max_turns": 30})


@pytest.fixture(scope="session")
def stories(run_example: Callable[..., Example]) -> Example:
    return run_example(SCRIPTS)


@pytest.fixture(scope="session")
def films(run_example: Callable[..., Example]) -> Example:
    """The example of `subtitles`, in one shard."""
    return run_example(SUBTITLES, shards=1)


@pytest.fixture(scope="session")
def threads(run_example: Callable[..., Example]) -> Example:
    """The example of `threads`, in one shard."""
    return run_example(THREADS, shards=1)


@pytest.fixture(scope="session")
def descriptions(run_example: Callable[..., Example]) -> Example:
    """The example of `rooms`."""
    return run_example(ROOMS)
