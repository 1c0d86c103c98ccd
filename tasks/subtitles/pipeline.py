"""The pipeline `subtitles`: what it is called, when it runs, and where its implementation is."""

from typing import Any

from tasks.frame.pipeline import Implementation, Pipeline


def _load() -> Implementation[Any]:
    from tasks.subtitles.implementation import IMPLEMENTATION

    return IMPLEMENTATION


SUBTITLES = Pipeline(
    name="subtitles",
    summary="Pair films' subtitles with their summaries, as whole dialogues.",
    source="Folder or fsspec URL: OPUS's layout, or a folder per film; may be repeated.",
    cron="0 5 * * 0",
    rhythm="on Sundays",
    load=_load,
)
