"""The pipeline `rooms`: what it is called, when it runs, and where its two halves are."""

from typing import TYPE_CHECKING, Any

from tasks.frame.pipeline import Pipeline

if TYPE_CHECKING:
    from tasks.frame.model import Ingestion
    from tasks.frame.release_spec import ReleaseSpec


def _load_ingestion() -> "Ingestion[Any]":
    from tasks.rooms.ingestion import INGESTION

    return INGESTION


def _load_release() -> "ReleaseSpec[Any]":
    from tasks.rooms.release import RELEASE

    return RELEASE


ROOMS = Pipeline(
    name="rooms",
    summary="Find descriptions of rooms and places in any text.",
    source="Folder or fsspec URL: a released dataset of transcripts, CRD3 JSON, text, CSV or JSON Lines; may be repeated.",
    cron="0 7 * * 0",
    rhythm="on Sundays",
    load_ingestion=_load_ingestion,
    load_release=_load_release,
)
