"""One document, or one shard of records, from its text to scored sentences."""

from tasks.frame.pipeline import Pipeline

ROOMS = Pipeline(
    name="rooms",
    summary="Find descriptions of rooms and places in any text.",
    source="Folder or URL: a dataset of transcripts, CRD3 JSON, text, CSV, records; may be repeated (docs/own-data.md).",
    cron="0 7 * * 0",
    rhythm="on Sundays",
)
