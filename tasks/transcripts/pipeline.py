"""The pipeline `transcripts`: what it is called, when it runs, and where its two halves are."""

from typing import TYPE_CHECKING, Any

from tasks.frame.pipeline import Pipeline, Resource

if TYPE_CHECKING:
    from tasks.frame.model import Ingestion
    from tasks.frame.release_spec import ReleaseSpec


def _load_ingestion() -> "Ingestion[Any]":
    from tasks.transcripts.ingestion import INGESTION

    return INGESTION


def _load_release() -> "ReleaseSpec[Any]":
    from tasks.transcripts.release import RELEASE

    return RELEASE


TRANSCRIPTS = Pipeline(
    name="transcripts",
    summary="Align episode transcripts with their recaps.",
    source="Folder, URL or wiki with transcripts/ and recaps/; may be repeated.",
    cron="0 3 * * *",
    rhythm="every night",
    load_ingestion=_load_ingestion,
    load_release=_load_release,
    paper="crd3",
    needs="WordNet's nouns",
    resources=(Resource(name="wordnet", help="Folder of WordNet's noun files.", metavar="DIR"),),
)
