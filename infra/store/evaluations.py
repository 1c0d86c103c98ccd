"""Comparisons with gold in the store: `evaluations/<dataset>/<kind>.json`, the last one of each kind (gold, reviews)."""

from dataclasses import asdict

from pydantic import TypeAdapter

from core.dataset.report import Quality
from infra.store.objects import Store

_QUALITY = TypeAdapter(Quality)


def write_evaluation(store: Store, dataset: str, kind: str, quality: Quality) -> None:
    """Keep a comparison, in the place of the one before of this kind."""
    store.write_json(f"{_folder(dataset)}/{kind}.json", asdict(quality))


def read_evaluations(store: Store, dataset: str) -> dict[str, Quality]:
    """Return the comparisons of a dataset by kind; a damaged one is passed over, with a warning."""
    found = {}
    for key in store.list_keys(_folder(dataset)):
        quality = store.read_derived(key, _QUALITY, "the card goes without it; evaluate again with --record")
        if quality is not None:
            found[key.rsplit("/", 1)[-1].removesuffix(".json")] = quality
    return found


def _folder(dataset: str) -> str:
    return f"evaluations/{dataset}"
