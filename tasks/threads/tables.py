"""The tables of a `threads` release: dialogues, and everything that was dropped."""

from functools import partial

import numpy as np

from core.threads.config import ThreadsConfig
from core.threads.dialogues import hash_beginning
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.parquet import Rows
from infra.tables.threads import DIALOGUES, DROPS, PostFilter, release_dialogues, release_drops
from tasks.frame.release_spec import Landed, ReleaseUnit, TableSpec, read_artifact


def list_tables(landed: Landed[ThreadsConfig]) -> tuple[TableSpec, ...]:
    """Return the tables of a release. The post-filter compares all dialogues, so they are read here."""
    filters = find_filters(landed)
    return (
        TableSpec(name="dialogues", schema=DIALOGUES, build=partial(_build_dialogues, filters), config=True, expansion=0.3),
        TableSpec(name="rejects", schema=DROPS, build=partial(_build_drops, filters), config=False, expansion=0.1),
    )


def find_filters(landed: Landed[ThreadsConfig]) -> PostFilter:
    """Compare all dialogues: return the coherence that one needs, and the posts that are reposts of others.

    The least coherence is the quantile of the share that is dropped (section 3.2.5). Posts whose first words are the same are
    one post under several ids; the one with the lowest id stays, or a copy could stand in another split. Memory is in proportion
    to the number of dialogues.
    """
    share = landed.config.postfilter.drop_share
    coherence = [np.zeros(0)]
    first: dict[int, str] = {}
    posts: dict[str, int] = {}
    for unit, reference in landed.references.items():
        table = decode_table(read_artifact(landed.store, unit, reference.artifacts["dialogues"]))
        coherence.append(table.column("coherence").to_numpy())
        for post, dialogue in zip(table.column("post").to_pylist(), table.column("plain").to_pylist(), strict=True):
            beginning = posts.setdefault(post, hash_beginning(dialogue))
            first[beginning] = min(first.get(beginning, post), post, key=lambda name: (len(name), name))
    known = np.concatenate(coherence)
    reposts = frozenset(post for post, beginning in posts.items() if first[beginning] != post)
    return PostFilter(float(np.quantile(known, share)) if share and len(known) else 0.0, reposts)


def _build_dialogues(filters: PostFilter, store: Store, unit: ReleaseUnit) -> Rows:
    return release_dialogues(decode_table(unit.read(store, "dialogues")), filters, unit.provenance, unit.reviews)


def _build_drops(filters: PostFilter, store: Store, unit: ReleaseUnit) -> Rows:
    drops, dialogues = (decode_table(unit.read(store, stage)) for stage in ("drops", "dialogues"))
    return release_drops(drops, dialogues, filters, unit.provenance, unit.reviews)
