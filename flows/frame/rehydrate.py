"""Fills the index of a release: the same pipeline runs on one's own copy of the source, with the release's facts held fixed."""

import logging
from collections.abc import Mapping, Sequence
from tempfile import TemporaryDirectory

from core.errors import SourceError
from flows.frame.ingestion import InProcessMapper
from flows.frame.observer import current_observer
from flows.frame.run import run_pipeline
from infra.store.objects import Store
from tasks.frame.ledger import RunCall
from tasks.pipelines import find_pipeline
from tasks.store.export import read_index
from tasks.store.rehydrate import Filled, check_versions, compare_filled, hold_facts, stage_copy

logger = logging.getLogger(__name__)


def rehydrate_release(folder: str, sources: Sequence[str], store: str, resources: Mapping[str, str]) -> Filled:
    """Fill the index in a folder from copies of its sources, and return the release, which is equal byte for byte.

    `folder` is what `fabula export index` wrote. `store` does not have the dataset; it gets the release.

    Raises:
        SourceError: the copy lacks files or has others, or the release came out different; the message names the units.
    """
    opened, target = Store(folder), Store(store)
    index = read_index(opened)
    for difference in check_versions(index):
        logger.warning("the index was made with another version, which may round scores in another way: %s", difference)
    with TemporaryDirectory(prefix="fabula-copy-") as place:
        staged = stage_copy(index, sources, Store(place))
        hold_facts(index, target)
        call = RunCall(
            source=tuple(staged),
            store=store,
            dataset=index.dataset,
            profile=index.profile,
            settings=index.settings,
            resources=dict(resources),
            in_process=True,
            copied_from=tuple(sources),
        )
        summary = run_pipeline(find_pipeline(index.pipeline), call, InProcessMapper(), current_observer())
    if summary.release is None:
        raise SourceError(f"nothing of {', '.join(sources)} has landed; {target.url}/runs/{summary.run_id}.json says why")
    return compare_filled(index, opened, target, summary.release.rstrip("/").rsplit("/", 1)[-1])
