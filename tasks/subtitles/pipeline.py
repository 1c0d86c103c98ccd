"""The pipeline `subtitles`: what it is called, when it runs, and where its two halves are."""

from typing import TYPE_CHECKING, Any

from tasks.frame.pipeline import Pipeline

if TYPE_CHECKING:
    from tasks.frame.model import Ingestion
    from tasks.frame.release_spec import ReleaseSpec


def _load_ingestion() -> "Ingestion[Any]":
    from tasks.subtitles.ingestion import INGESTION

    return INGESTION


def _load_release() -> "ReleaseSpec[Any]":
    from tasks.subtitles.release import RELEASE

    return RELEASE


SUBTITLES = Pipeline(
    name="subtitles",
    summary="Pair films' subtitles with their summaries, as whole dialogues.",
    source="Folder or fsspec URL: OPUS's layout, or a folder per film; may be repeated.",
    cron="0 5 * * 0",
    rhythm="on Sundays",
    load_ingestion=_load_ingestion,
    load_release=_load_release,
)
