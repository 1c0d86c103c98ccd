"""The pipeline `threads`: what it is called, when it runs, and where its two halves are."""

from typing import TYPE_CHECKING, Any

from tasks.frame.pipeline import Pipeline

if TYPE_CHECKING:
    from tasks.frame.model import Ingestion
    from tasks.frame.release_spec import ReleaseSpec


def _load_ingestion() -> "Ingestion[Any]":
    from tasks.threads.ingestion import INGESTION

    return INGESTION


def _load_release() -> "ReleaseSpec[Any]":
    from tasks.threads.release import RELEASE

    return RELEASE


THREADS = Pipeline(
    name="threads",
    summary="Make dialogues of two speakers out of forum posts with their comments.",
    source="Folder or fsspec URL: *.jsonl, *.ndjson (plain, .gz, .zst) of posts and comments, *.json pages; may be repeated.",
    cron="0 4 * * 6",
    rhythm="on Saturdays",
    load_ingestion=_load_ingestion,
    load_release=_load_release,
    names_people=True,
)
