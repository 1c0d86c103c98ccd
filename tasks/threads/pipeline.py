"""The pipeline `threads`: what it is called, when it runs, and where its implementation is."""

from typing import Any

from tasks.frame.pipeline import Implementation, Pipeline


def _load() -> Implementation[Any]:
    from tasks.threads.implementation import IMPLEMENTATION

    return IMPLEMENTATION


THREADS = Pipeline(
    name="threads",
    summary="Make dialogues of two speakers out of forum posts with their comments.",
    source="Folder or fsspec URL: *.jsonl, *.ndjson (plain, .gz, .zst) of posts and comments, *.json pages; may be repeated.",
    cron="0 4 * * 6",
    rhythm="on Saturdays",
    load=_load,
)
