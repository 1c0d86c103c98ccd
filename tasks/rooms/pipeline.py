"""The pipeline `rooms`: what it is called, when it runs, and where its implementation is."""

from typing import Any

from tasks.frame.pipeline import Implementation, Pipeline


def _load() -> Implementation[Any]:
    from tasks.rooms.implementation import IMPLEMENTATION

    return IMPLEMENTATION


ROOMS = Pipeline(
    name="rooms",
    summary="Find descriptions of rooms and places in any text.",
    source="Folder or fsspec URL: a released dataset of transcripts, CRD3 JSON, text, CSV or JSON Lines; may be repeated.",
    cron="0 7 * * 0",
    rhythm="on Sundays",
    load=_load,
)
