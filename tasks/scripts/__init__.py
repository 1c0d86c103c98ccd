"""One story, from its files to scenes linked with its synopsis."""

from tasks.frame.pipeline import Pipeline

SCRIPTS = Pipeline(
    name="scripts",
    summary="Align screenplays, series and books scene by scene with their synopses.",
    source="Folder or URL: movies/ID/, books/ID/, friends/*.json, gold/*.jsonl, records; may be repeated (docs/own-data.md).",
    cron="0 4 * * 0",
    rhythm="on Sundays",
    paper="sumtitles",
    needs="the extra `embeddings`",
)
