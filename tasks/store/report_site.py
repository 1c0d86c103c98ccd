"""The report of a release as a site on this machine: its files from the store, and beside them what is of the store alone."""

from collections.abc import Mapping
from typing import Any

from core.errors import ConfigError
from infra.pages.server import Site
from infra.settings import validate_config
from infra.store.catalog import find_pipeline_of, read_catalog
from infra.store.history import read_history
from infra.store.manifests import MANIFEST, SUMS, Manifest, release_key
from infra.store.objects import Store
from infra.store.quarantine import list_quarantine
from infra.store.releases import choose_release, find_latest
from tasks.frame.model import INGESTION
from tasks.frame.release_spec import EXPLORE
from tasks.frame.report import FOLDER
from tasks.pipelines import find_pipeline
from tasks.store.compare import compare_releases
from tasks.store.inspect import find_entry

HOME = f"{FOLDER}/index.html"
OTHER_PAGES = {"benchmark.html": ("Leader board", "benchmarks/{dataset}/{version}/benchmark.html")}
"""Pages that the report links to where the store has them: their titles, and their keys in the store."""
MOST_CHANGES = 2_000
"""Rows that differ which the page lists one by one; it counts all."""


def make_report_site(store: Store, dataset: str, version: str | None = None) -> Site:
    """Return the site of a release's report: of this version, or of the latest one."""
    manifest = choose_release(store, dataset, version)
    if HOME not in {file.path for file in manifest.files}:
        raise ConfigError(
            f"release {manifest.version} of {dataset} has no report: it was made before there were any. Run the pipeline again, "
            "which makes a release with one"
        )
    source = _ReportSource(store, dataset, manifest)
    answers = {
        "api/changes": source.tell_changes,
        "api/quarantine": source.tell_quarantine,
        "api/pages": source.tell_pages,
        "api/explore": source.explore,
    }
    return Site(home=HOME, read=source.read, styled=frozenset(OTHER_PAGES), answers=answers)


class _ReportSource:
    """Answers what the page of one release asks."""

    def __init__(self, store: Store, dataset: str, manifest: Manifest) -> None:
        self._store = store
        self._dataset = dataset
        self._manifest = manifest
        self._folder = release_key(dataset, manifest.version)
        self._paths = {file.path for file in manifest.files} | {MANIFEST, SUMS}

    def read(self, path: str) -> bytes | None:
        """Return a file of the release, or another page; None where it is neither."""
        if path in OTHER_PAGES:
            found = self._store.read_if_there(self._locate(path))
            return None if found is None else found[0]
        if path not in self._paths:
            return None
        content = self._store.read(f"{self._folder}/{path}")
        # The page asks for what is of the store alone only where somebody answers.
        return content.replace(b'<html lang="en">', b'<html lang="en" data-served>', 1) if path == HOME else content

    def _locate(self, page: str) -> str:
        return OTHER_PAGES[page][1].format(dataset=self._dataset, version=self._manifest.version)

    def tell_pages(self, _: Mapping[str, str]) -> dict[str, Any]:
        """Return the other pages that the store has."""
        there = {name: title for name, (title, _) in OTHER_PAGES.items() if self._store.exists(self._locate(name))}
        return {"pages": [{"path": f"../{name}", "title": title} for name, title in there.items()]}

    def tell_quarantine(self, _: Mapping[str, str]) -> dict[str, Any]:
        """Return what is in quarantine, the latest first."""
        return {"records": list_quarantine(self._store, self._dataset)}

    def tell_changes(self, _: Mapping[str, str]) -> dict[str, Any]:
        """Return what differs from the release before."""
        version = self._manifest.version
        told = read_history(self._store, self._dataset).releases.get(version)
        if told is None or told.parent is None:
            why = "the store's history does not know this release" if told is None else "this is the first release of the dataset"
            return {"old": None, "why": f"There is nothing to compare with: {why}."}
        found = compare_releases(self._store, self._dataset, told.parent, version)
        rows = found.as_json()
        return rows | {"changes": rows["changes"][:MOST_CHANGES], "more": max(0, len(rows["changes"]) - MOST_CHANGES)}

    def explore(self, parameters: Mapping[str, str]) -> dict[str, Any]:
        """Return drawings of a unit that are computed now, from what the last run left in the store."""
        name = find_pipeline_of(self._store, self._dataset)
        explore = None if name is None else find_pipeline(name).find(EXPLORE)
        if name is None or explore is None:
            return {"drawings": []}
        latest = find_latest(self._store, self._dataset)
        if latest is None or latest.version != self._manifest.version:
            raise ConfigError("the store has what this needs for the latest release only; open that one's report")
        unit = parameters.get("unit", "")
        entry = find_entry(read_catalog(self._store, self._dataset), unit)
        if entry is None or entry.reference is None:
            raise ConfigError(f"the store has no landed unit {unit!r} of {self._dataset}")
        kind = find_pipeline(name).load(INGESTION).config
        config = validate_config(kind, self._manifest.says["configuration"], f"release {latest.version}")
        return {"drawings": explore(self._store, entry.reference, unit, config)}
