"""One shard of films, from subtitle files to whole dialogues."""

from tasks.frame.pipeline import Pipeline

SUBTITLES = Pipeline(
    name="subtitles",
    summary="Pair films' subtitles with their summaries, as whole dialogues.",
    source="Folder or URL: OPUS's layout, a folder per film, or a file of records; may be repeated (docs/own-data.md).",
    cron="0 5 * * 0",
    rhythm="on Sundays",
)
