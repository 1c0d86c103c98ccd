"""The pipeline `scripts`: what it is called, when it runs, and where its implementation is."""

from typing import Any

from tasks.frame.pipeline import Implementation, Pipeline


def _load() -> Implementation[Any]:
    from tasks.scripts.implementation import IMPLEMENTATION

    return IMPLEMENTATION


SCRIPTS = Pipeline(
    name="scripts",
    summary="Align screenplays, series and books scene by scene with their synopses.",
    source="Folder or fsspec URL with movies/ID/, books/ID/, friends/*.json, gold/*.jsonl; may be repeated.",
    cron="0 4 * * 0",
    rhythm="on Sundays",
    load=_load,
    paper="sumtitles",
    needs="the extra `embeddings`",
)
