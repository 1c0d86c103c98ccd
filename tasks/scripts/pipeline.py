"""The pipeline `scripts`: what it is called, when it runs, and where its two halves are."""

from typing import TYPE_CHECKING, Any

from tasks.frame.pipeline import Pipeline

if TYPE_CHECKING:
    from tasks.frame.model import Ingestion
    from tasks.frame.release_spec import ReleaseSpec


def _load_ingestion() -> "Ingestion[Any]":
    from tasks.scripts.ingestion import INGESTION

    return INGESTION


def _load_release() -> "ReleaseSpec[Any]":
    from tasks.scripts.release import RELEASE

    return RELEASE


SCRIPTS = Pipeline(
    name="scripts",
    summary="Align screenplays, series and books scene by scene with their synopses.",
    source="Folder or fsspec URL with movies/ID/, books/ID/, friends/*.json, gold/*.jsonl; may be repeated.",
    cron="0 4 * * 0",
    rhythm="on Sundays",
    load_ingestion=_load_ingestion,
    load_release=_load_release,
    paper="sumtitles",
    needs="the extra `embeddings`",
)
