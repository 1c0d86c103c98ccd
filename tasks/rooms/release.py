"""What the pipeline `rooms` makes of its units: what is in a release, and how it is shown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.dataset.paper_tables import tabulate_rooms
from core.dataset.rejects import RejectedRows, count_reasons, name_settings
from core.references import UnitReference
from core.rooms.config import RoomsConfig
from infra.store.objects import Store
from tasks.frame.release_spec import Landed, Released, ReleaseSpec, Reporter, ReviewSource, ShardReference, TableSpec
from tasks.frame.review import list_pairs
from tasks.rooms.description import DESCRIPTION, REASON_SETTINGS


def show_sentences(store: Store, reference: UnitReference, name: str, _: bool) -> Iterator[str]:
    """Yield the sentences of a document, or of one record, each with its score part by part under the report's weights."""
    from tasks.rooms.explanation import explain_sentences

    return explain_sentences(store, reference, name)


def _list_tables(landed: Landed[RoomsConfig]) -> Sequence[TableSpec]:
    from tasks.rooms.tables import list_tables

    return list_tables(landed)


def _find_facts(landed: Landed[RoomsConfig]) -> Mapping[str, Mapping[str, str | None]]:
    from tasks.rooms.tables import find_unit_copies

    return find_unit_copies(landed)


def _summarise(landed: Landed[RoomsConfig], shards: Sequence[ShardReference]) -> dict[str, Any]:
    from tasks.rooms.tables import summarise_rooms

    return summarise_rooms(landed, shards)


def _tabulate(statistics: Mapping[str, Any]) -> list[dict[str, str]]:
    from tasks.rooms.tables import tabulate_rooms

    return tabulate_rooms(statistics)


def _explain(config: RoomsConfig, rows: Iterable[Mapping[str, Any]]) -> list[RejectedRows]:
    return name_settings(count_reasons(config, rows), REASON_SETTINGS, config)


def _review(released: Released) -> ReviewSource:
    return list_pairs(released, "room")


def _report(landed: Landed[RoomsConfig], tables: Sequence[TableSpec]) -> Reporter:
    from tasks.rooms.report import report_documents

    return report_documents(landed, tables)


RELEASE = ReleaseSpec(
    review=_review,
    description=DESCRIPTION,
    tables=_list_tables,
    released_stages=("sentences", "parts", "prints"),
    facts=_find_facts,
    summarise=_summarise,
    tabulate=_tabulate,
    paper_tables=lambda statistics, _: tabulate_rooms(statistics),
    show=show_sentences,
    report=_report,
    explain_rejects=_explain,
)
