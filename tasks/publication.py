"""Publishing: the documents of a release around tables that are already written."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from core.card import write_card
from infra.release import ReleaseFile, publish_release
from infra.store import Store
from tasks.release import ShardReference
from tasks.release_plan import CONFIGS, ReleasePlan


def publish_tables(
    store: Store, plan: ReleasePlan, shards: Sequence[ShardReference], statistics: Mapping[str, Any], started: str
) -> bool:
    """Write card, statistics, attribution, manifest and checksums, and move the pointer; return whether it names this release."""
    rows: dict[str, int] = defaultdict(int)
    splits: dict[str, list[str]] = {config: [] for config in CONFIGS}
    for shard in shards:
        folder, config, *_ = shard.path.split("/")
        if folder != "data":
            continue
        split = shard.path.rsplit("/", 1)[1].split("-", 1)[0]
        rows[config] += shard.rows
        if shard.rows and split not in splits[config]:  # `datasets` refuses a split without rows
            splits[config].append(split)
    documents = {
        "README.md": write_card(plan.dataset, plan.version, splits, "pairs", rows),
        "stats.json": json.dumps(statistics, indent=1, ensure_ascii=False) + "\n",
        "ATTRIBUTION.md": _attribute(plan),
    }
    tables = [ReleaseFile(shard.path, shard.sha256, shard.size, shard.rows) for shard in shards]
    facts = {"started": started, "parent": plan.parent, "splits": plan.splits, "configuration": plan.configuration}
    return publish_release(store, plan.dataset, plan.version, tables, documents, facts)


def _attribute(plan: ReleasePlan) -> str:
    provenance = {unit.provenance for request in plan.requests.values() for unit in request.units}
    lines = sorted({f"- {entry.attribution or 'no attribution given'} ({entry.license})" for entry in provenance})
    return "\n".join(["# Attribution", "", *lines, ""])
