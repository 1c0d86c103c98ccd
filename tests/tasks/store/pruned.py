"""A store with a history of releases to prune, and what tests of pruning do with it."""

import hashlib
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from flows.frame.ingestion import InProcessMapper
from flows.frame.observer import Nobody
from flows.frame.run import run_pipeline
from infra.store.objects import Store
from infra.store.releases import read_manifest
from tasks.frame.ledger import RunCall, RunSummary
from tasks.pipelines import TRANSCRIPTS
from tasks.store.prune import DAY, PruneRules, plan_prune, prune_store
from tests.flows.stories import write_episode

Settings = Mapping[str, Mapping[str, int]]


def filtered(turns: int) -> Settings:
    """Return settings under which another version is released, though no unit is aligned anew."""
    return {"filter": {"min_turns": turns}}


def run_transcripts(source: Path, store: Store, settings: Settings | None = None, dataset: str = "transcripts") -> RunSummary:
    call = RunCall(source=(str(source),), store=store.url, dataset=dataset, settings=settings or {}, in_process=True)
    return run_pipeline(TRANSCRIPTS, call, InProcessMapper(), Nobody())


def name_version(summary: RunSummary) -> str:
    assert summary.release is not None
    return summary.release.rsplit("/", 1)[1]


def age(store: Store, days: float) -> None:
    """Let everything in the store be so many days older."""
    for folder, _, names in os.walk(store.url):
        for name in names:
            path = Path(folder, name)
            stamp = path.stat().st_mtime - days * DAY
            os.utime(path, (stamp, stamp))


def prune(store: Store, keep: int = 1, days: float = 7, dataset: str | None = None) -> list[str]:
    plan = plan_prune(store, PruneRules(time.time(), keep, days, dataset))
    return [removal.what for removal in prune_store(store, plan)]


def versions(store: Store, dataset: str = "transcripts") -> list[str]:
    return store.list_folders(f"datasets/{dataset}")


def verify(store: Store, folder: str) -> None:
    """Check a release against its SHA256SUMS, as `sha256sum --check` does."""
    lines = store.read(f"{folder}/SHA256SUMS").decode().splitlines()
    assert len(lines) > 5
    for line in lines:
        checksum, path = line.split("  ", 1)
        assert hashlib.sha256(store.read(f"{folder}/{path}")).hexdigest() == checksum


class History:
    """A store after four runs: one, a changed episode, another filter, an episode more; nothing of it is young.

    A test may change source and store: `restore` puts back what the runs left, to the second of every file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self._kept = folder / "history", folder / "kept"
        self.source, self.store = self.folder / "source", Store(str(self.folder / "store"))
        for number in range(1, 4):
            write_episode(self.source, f"S01E{number:02d}")
        self.ran = [self.run()]
        write_episode(self.source, "S01E02", word="candle")
        self.ran.append(self.run())
        self.other = filtered(3)
        self.ran.append(self.run(self.other))
        write_episode(self.source, "S01E04")
        self.ran.append(self.run())
        self.made = [name_version(summary) for summary in self.ran]
        age(self.store, 30)
        shutil.copytree(self.folder, self._kept)

    def restore(self) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(self._kept, self.folder)

    def run(self, settings: Settings | None = None, dataset: str = "transcripts") -> RunSummary:
        return run_transcripts(self.source, self.store, settings, dataset)

    def splits(self) -> dict[str, str]:
        manifest = read_manifest(self.store, "transcripts")
        assert manifest is not None
        splits: dict[str, str] = manifest["splits"]
        return splits
