"""Runs, plans and what they leave in a store, for tests: in this process, without Prefect and Dask."""

import functools
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.references import CatalogEntry, UnitReference
from flows.frame.ingestion import InProcessMapper
from flows.frame.observer import Nobody
from flows.frame.run import run_pipeline
from infra.sources.opening import OpenedSources
from infra.store.catalog import read_catalog
from infra.store.history import Publication
from infra.store.objects import Store
from infra.store.releases import find_latest, read_manifest, release_key
from infra.store.takedown import read_takedown
from tasks.frame.build import build_unit
from tasks.frame.ledger import RunCall, RunSummary
from tasks.frame.model import INGESTION, PlanRequest
from tasks.frame.pipeline import Pipeline
from tasks.frame.plan import RunPlan, plan_run
from tasks.pipelines import find_pipeline

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(
    pipeline: Pipeline,
    source: Path | str,
    store: Store,
    dataset: str | None = None,
    *,
    mapper: InProcessMapper | None = None,
    limit: int | None = None,
    config_file: Path | None = None,
    profile: str = "default",
    resources: Mapping[str, str] | None = None,
    allow_empty: bool = False,
    allow_removal: bool = True,
    **settings: Any,
) -> RunSummary:
    """Bring a store up to date with a source; `settings` are those of the pipeline's configuration, by section."""
    call = RunCall(
        source=(str(source),),
        store=store.url,
        dataset=dataset or pipeline.name,
        config_file=str(config_file) if config_file else None,
        settings=settings,
        limit=limit,
        profile=profile,
        resources=dict(resources or {}),
        allow_empty=allow_empty,
        allow_removal=allow_removal,
    )
    return run_pipeline(pipeline, call, mapper or InProcessMapper(), Nobody())


def make_example(store: Store, name: str, **settings: Any) -> RunSummary:
    """Run an example into a store of this disk. An empty one first gets what the example's one run in this process has left."""
    if not Path(store.url).is_dir() or not any(Path(store.url).iterdir()):
        shutil.copytree(_make_once(name).name, store.url, dirs_exist_ok=True)
    return _run_example(store, name, **settings)


@functools.cache
def _make_once(name: str) -> "tempfile.TemporaryDirectory[str]":
    folder = tempfile.TemporaryDirectory()
    _run_example(Store(folder.name), name)
    return folder


def _run_example(store: Store, name: str, **settings: Any) -> RunSummary:
    file = EXAMPLES / name / "settings.toml"
    return run(find_pipeline(name), EXAMPLES / name, store, config_file=file if file.is_file() else None, **settings)


def plan(
    pipeline: Pipeline,
    source: Path | list[Path],
    store: Store,
    config: Any = None,
    *,
    catalog: Mapping[str, CatalogEntry] | None = None,
    profile: str = "default",
    limit: int | None = None,
) -> RunPlan:
    """Plan a run; nothing is built. `config` are the settings themselves, `profile` only names the tables that go with it."""
    ingestion = pipeline.load(INGESTION)
    request = PlanRequest(
        sources=OpenedSources(tuple(str(each) for each in (source if isinstance(source, list) else [source]))),
        store=store,
        config=config or ingestion.config(),
        profile=profile,
        resources={},
        takedown=read_takedown(store, pipeline.name),
    )
    return plan_run(pipeline, request, catalog or {}, limit)


def build(pipeline: Pipeline, source: Path, store: Store, config: Any = None) -> dict[str, UnitReference]:
    """Build every unit of a source, and write nothing but artifacts; the first error ends it."""
    return {unit: build_unit(request) for unit, request in plan(pipeline, source, store, config).requests.items()}


def as_landed(planned: RunPlan, *units: str) -> dict[str, CatalogEntry]:
    """Return the catalog of a run that built these units (default: all of the plan) and computed nothing."""
    return {
        unit: CatalogEntry(
            unit=unit, settings=planned.settings, signature=planned.signatures[unit], reference=make_reference(unit)
        )
        for unit in units or planned.to_build
    }


def make_reference(unit: str, **parts: Any) -> UnitReference:
    """Return the reference of a unit that left nothing."""
    return UnitReference(**({"unit": unit, "artifacts": {}, "inputs": (), "sources": (), "counts": {}} | parts))


def read_references(store: Store, dataset: str) -> dict[str, UnitReference]:
    """Return the landed units of a dataset by id."""
    return {unit: entry.reference for unit, entry in read_catalog(store, dataset).items() if entry.reference is not None}


def name_version(summary: RunSummary) -> str:
    """Return the version of the release that a run made or found."""
    return summary.release.rsplit("/", 1)[1]


def find_version(store: Store, dataset: str) -> str:
    """Return the version of the latest release."""
    return find_latest(store, dataset).version


def release_folder(store: Store, dataset: str) -> str:
    """Return the folder of the latest release."""
    return release_key(dataset, find_version(store, dataset))


def read_rows(store: Store, dataset: str, table: str, folder: str | None = None) -> list[dict[str, Any]]:
    """Return the rows of a table of a release, the latest where no folder is named."""
    folder = folder or release_folder(store, dataset)
    places = (f"{folder}/data/{table}/", f"{folder}/{table}/")
    keys = [key for key in store.list_keys(folder) if key.startswith(places)]
    return [row for key in keys for row in pq.read_table(pa.BufferReader(store.read(key))).to_pylist()]


def read_splits(store: Store, dataset: str) -> dict[str, str]:
    """Return the splits that the latest release names."""
    manifest = read_manifest(store, dataset)
    splits: dict[str, str] = manifest.splits
    return splits


def on(started: str, parent: str | None = None, **more: bool) -> Publication:
    """Return the publication of the only run of a day."""
    return Publication(run=int(started.replace("-", "")), started=started, parent=parent, **more)
