"""Reviews to and from Label Studio: rows of a release as its tasks, its annotations as judgements in the store."""

from itertools import islice
from typing import Any

from core.errors import ConfigError
from core.review.label_studio import Imported, read_tasks, write_task
from core.review.priority import Order, order_items
from infra.store.objects import Store
from infra.store.reviews import add_judgements
from tasks.review.session import check_person, open_source


def export_tasks(store: Store, dataset: str, order: Order = "priority", limit: int | None = None) -> list[dict[str, Any]]:
    """Return rows of the latest release as tasks, in the order of the queue, with the aligner's spans as predictions."""
    released, source = open_source(store, dataset)
    if source.kind not in ("span", "pair", "rate"):
        raise ConfigError(f"{dataset}: its rows have no turns of their own (they are reviewed as {source.kind!r}); use the page")
    priority, sure = {row.item: row.priority for row in source.rows}, {row.item: row.confidence for row in source.rows}
    items = order_items(list(priority), order, "label studio", priority, sure)
    version = released.manifest.version
    return [write_task(source.show(item), dataset, version) for item in islice(items, limit)]


def import_tasks(store: Store, dataset: str, tasks: Any, annotator: str | None = None) -> Imported:
    """Store the annotations of exported tasks as judgements, and return them; the same annotation twice is one.

    Raises:
        SourceError: `tasks` is no list of tasks.
    """
    found = read_tasks(tasks, dataset, annotator)
    for entry in found.judgements:
        check_person(entry.annotator)
    add_judgements(store, found.judgements)
    return found
