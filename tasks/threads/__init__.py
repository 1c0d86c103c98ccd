"""One shard of forum posts, from records to dialogues."""

from tasks.frame.pipeline import Pipeline

THREADS = Pipeline(
    name="threads",
    summary="Make dialogues of two speakers out of forum posts with their comments.",
    source="Folder or fsspec URL: *.jsonl, *.ndjson (plain, .gz, .zst) of posts and comments, *.json pages; may be repeated.",
    cron="0 4 * * 6",
    rhythm="on Saturdays",
    names_people=True,
)
