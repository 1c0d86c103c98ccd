"""What the pipeline `threads` makes of its units: what is in a release, and how it is shown."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.dataset.paper_tables import tabulate_forums
from core.dataset.rejects import RejectedRows, count_reasons, name_settings
from core.references import UnitReference
from core.threads.config import ThreadsConfig
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from tasks.frame.release_spec import Released, ReleaseSpec, ReviewSource
from tasks.frame.review import list_pairs
from tasks.threads.description import DESCRIPTION, REASON_SETTINGS
from tasks.threads.tables import list_tables


def show(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the dialogues of a shard, or those of one post, as lines; each part of a turn with its source."""
    for row in decode_table(store.read(reference.artifacts["dialogues"].key)).to_pylist():
        if name not in (row["post"], row["id"], reference.unit):
            continue
        yield f"{row['id']}  {row['forum']}  coherence {row['coherence']:.2f}  {row['summary']}"
        for piece in row["pieces"]:
            where = f"{piece['kind']} {piece['source']} {piece['start']}-{piece['stop'] - 1}"
            yield f"{piece['turn']:>5} {'AB'[piece['turn'] % 2]}: {' '.join(piece['sentences'])}  [{where}]"
    for row in decode_table(store.read(reference.artifacts["drops"].key)).to_pylist():
        if name in (row["post"], reference.unit) and row["kind"] == "post":
            yield f"{row['id']}  dropped: {row['reason']}"


def _explain(config: ThreadsConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    return name_settings(count_reasons(config, rows), REASON_SETTINGS, config)


def list_rows(released: Released) -> ReviewSource:
    """Return the rows, of each of which readers say how its interactions are."""
    return list_pairs(released, "rate")


RELEASE = ReleaseSpec(
    description=DESCRIPTION,
    tables=list_tables,
    released_stages=("dialogues", "drops"),
    source="forum posts and their comments",
    paper_tables=lambda statistics, _: tabulate_forums(statistics),
    explain_rejects=_explain,
)
