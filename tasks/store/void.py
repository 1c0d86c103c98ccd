"""What a store still holds of what was taken down: releases, catalogs, records, decisions and answers that hold or name it."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from core.dataset.takedown import Takedown, identify, split_row
from core.dataset.units import is_shard
from core.errors import DamagedObjectError
from core.review.judgements import read_judgements
from infra.store.catalog import read_entries
from infra.store.manifests import Manifest
from infra.store.objects import ListedObject, Store
from infra.store.quarantine import RECORD
from infra.store.takedown import list_listed, read_takedown
from tasks.frame.taken_down import find_taken_down, read_takedown_of

_RUN = TypeAdapter(dict[str, Any])


class VoidObjects:
    """Tells what of a store is void, since it holds what is on a takedown list. Where all lists are empty, nothing is read."""

    def __init__(self, store: Store) -> None:
        """Look at a store; its lists are read when they are first needed."""
        self._store = store
        self._pipelines = list_listed(store)
        self._lists = cache(lambda pipeline: read_takedown(store, pipeline))
        self._of = cache(lambda dataset: read_takedown_of(store, dataset))
        self._rows: set[str] = set()

    def __bool__(self) -> bool:
        """Tell whether the store has a takedown list."""
        return bool(self._pipelines)

    def list_of(self, dataset: str) -> tuple[str, Takedown]:
        """Return the pipeline that makes a dataset, and its takedown list."""
        found: tuple[str, Takedown] = self._of(dataset) if self._pipelines else ("", Takedown())
        return found

    def find_in_release(self, dataset: str, manifest: Manifest) -> list[str]:
        """Return the listed ids that a release holds; a release that cannot be read may hold all."""
        takedown = self.list_of(dataset)[1]
        try:
            found = find_taken_down(self._store, dataset, manifest, takedown)
        except DamagedObjectError:
            return sorted(takedown.reasons)
        self._rows |= {identify(name) for holders in found.values() for name in holders.rows}
        return sorted(found)

    def is_folder(self, pipeline: str, unit: str) -> bool:
        """Tell whether unnamed objects of a unit or shard (in no catalog) may hold text taken down: its own, or a member's."""
        takedown: Takedown = self._lists(pipeline)
        return bool(takedown) and (is_shard(unit) or unit in takedown)

    def is_catalog(self, dataset: str, key: str) -> bool:
        """Tell whether a catalog, not the latest, names a unit that is out, perhaps with what was odd in it."""
        takedown = self.list_of(dataset)[1]
        if not takedown:
            return False
        try:
            entries = read_entries(self._store, key) or ()
        except DamagedObjectError:
            return False  # another rule says what becomes of it
        return any(
            name in takedown
            for entry in entries
            for name in (entry.unit, *(entry.reference.owners if entry.reference is not None else ()))
        )

    def find_records(self) -> Iterator[tuple[str, ListedObject]]:
        """Yield what tells of units or rows that are out, with its kind: quarantine, decisions, answers, runs but the last."""
        if not self._pipelines:
            return
        for folder, tell in (("quarantine", self._is_quarantined), ("reviews", self._is_judged), ("answers", self._is_answer)):
            for entry in self._store.list_objects(folder):
                if tell(entry.key):
                    yield folder, entry
        latest: set[str] = set()
        for entry in sorted(self._store.list_objects("runs"), key=lambda entry: entry.key, reverse=True):
            if (dataset := self._name_run(entry.key, latest)) is not None:
                yield f"records of runs of {dataset}", entry

    def _is_quarantined(self, key: str) -> bool:
        takedown = self.list_of(key.split("/")[1])[1]
        record = self._store.read_derived(key, RECORD) if takedown else None
        return record is not None and record.unit.split("@")[0] in takedown

    def _is_judged(self, key: str) -> bool:
        """Tell whether a decision is of a unit or row that is out. Files of many lines, which people put there, stay."""
        takedown = self.list_of(key.split("/")[1])[1]
        found = self._store.read_if_there(key) if takedown and key.count("/") == 3 else None
        judged = read_judgements(found[0].splitlines()).judgements if found is not None else ()
        return any(self._is_out(takedown, name) for each in judged for name in (each.item, each.unit, each.other or ""))

    def _is_answer(self, key: str) -> bool:
        found = self._store.read_if_there(key)
        try:
            item = str(json.loads(found[0]).get("item") or "") if found is not None else ""
        except (ValueError, AttributeError):
            return False
        return any(self._is_out(self._lists(pipeline), name) for pipeline in self._pipelines for name in item.split())

    def _is_out(self, takedown: Takedown, item: str) -> bool:
        return identify(item) in self._rows or any(name in takedown for name in (item, *split_row(item)))

    def _name_run(self, key: str, latest: set[str]) -> str | None:
        """Return the dataset of a run's record that names a unit that is out; None of others, and of each dataset's last."""
        record = self._store.read_derived(key, _RUN, None)
        if record is None:
            return None
        dataset = str(record.get("dataset") or "")
        takedown = self.list_of(dataset)[1] if dataset else Takedown()
        if dataset not in latest:
            latest.add(dataset)
            return None
        units = [*record.get("computed", ()), *record.get("removed", ()), *record.get("stale", ())]
        units += [entry["unit"] for part in ("waiting", "quarantined", "notices") for entry in record.get(part, ())]
        return dataset if takedown and any(unit in takedown for unit in units) else None
