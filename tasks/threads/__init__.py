"""One shard of forum posts, from records to dialogues."""

from tasks.frame.pipeline import Pipeline

THREADS = Pipeline(
    name="threads",
    summary="Make dialogues of two speakers out of forum posts with their comments.",
    source="Folder, URL: posts as *.jsonl, *.ndjson (.gz, .zst), *.json, *.mbox, tables; may be repeated (docs/own-data.md).",
    cron="0 4 * * 6",
    rhythm="on Saturdays",
    names_people=True,
)
