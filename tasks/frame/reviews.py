"""What readers have decided, as a release needs it: by unit, with a digest of each decision for comparisons of releases."""

import hashlib
import json
import logging
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.dataset.shards import find_shard
from core.review.decisions import Decision, settle
from core.review.judgements import is_model, list_believed
from infra.store.objects import Store
from infra.store.reviews import read_reviews

logger = logging.getLogger(__name__)


def collect_reviews(store: Store, dataset: str, units: Collection[str]) -> dict[str, tuple[Decision, ...]]:
    """Return what readers have decided of a dataset's rows, by the unit of a release (a shard, for small units).

    Decisions about units that the release does not have are left out. Warns of lines that are no judgements, and of rows on which
    the readers do not agree.
    """
    reviews = read_reviews(store, dataset)
    for refused in reviews.refused:
        logger.warning("reviews of %s: %s", dataset, refused)
    settled = settle(reviews.judgements, is_model, list_believed(reviews.judgements))
    if settled.disputes:
        logger.warning(
            "reviews of %s: the readers do not agree on %d row(s), such as %s; these stay as they were found. "
            "`fabula review %s --reader NAME` shows them first to another reader",
            dataset,
            len(settled.disputes),
            settled.disputes[0].item,
            dataset,
        )
    places = {judgement.item: judgement.unit for judgement in reviews.judgements if judgement.unit}
    found: defaultdict[str, list[Decision]] = defaultdict(list)
    for decision in settled.decisions:
        unit = places.get(decision.item, "")
        place = unit if unit in units else find_shard(unit, units) if unit else None
        if place is not None:
            found[place].append(decision)
    return {unit: tuple(decisions) for unit, decisions in sorted(found.items())}


def digest_decisions(reviews: Mapping[str, Sequence[Decision]]) -> dict[str, dict[str, str]]:
    """Return a short digest of what was decided by unit and row, without the units that have none.

    A row has several decisions where readers have seen several of its texts; its digest is of them all.
    """
    return {unit: _digest_rows(decisions) for unit, decisions in reviews.items() if decisions}


def _digest_rows(decisions: Sequence[Decision]) -> dict[str, str]:
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for decision in decisions:
        rows[decision.item].append(asdict(decision))
    return {item: hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:12] for item, told in rows.items()}
