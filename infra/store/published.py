"""Where releases were published (`published/<dataset>/<digest>.json`), so that what is taken down leaves the copies too."""

import hashlib
from dataclasses import asdict, dataclass

from pydantic import TypeAdapter

from infra.store.objects import Store


@dataclass(frozen=True, slots=True)
class PublishedCopy:
    """A place that a dataset was published to: a store or a repository of the Hub; its last version, and when (ISO 8601)."""

    url: str
    version: str
    time: str


_COPY = TypeAdapter(PublishedCopy)


def remember_copy(store: Store, dataset: str, copy: PublishedCopy) -> None:
    """Write down that a release was published."""
    digest = hashlib.sha256(copy.url.encode()).hexdigest()[:16]
    store.write_json(f"{_folder(dataset)}/{digest}.json", asdict(copy))


def list_copies(store: Store, dataset: str) -> list[PublishedCopy]:
    """Return every place that a dataset was published to; a damaged record is passed over, with a warning."""
    found = (store.read_derived(key, _COPY, "publish there again") for key in store.list_keys(_folder(dataset)))
    return sorted((copy for copy in found if copy is not None), key=lambda copy: copy.url)


def _folder(dataset: str) -> str:
    return f"published/{dataset}"
