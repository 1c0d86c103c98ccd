"""The pipeline `transcripts`: what it is called, when it runs, and where its implementation is."""

from typing import Any

from tasks.frame.pipeline import Implementation, Pipeline, Resource


def _load() -> Implementation[Any]:
    from tasks.transcripts.implementation import IMPLEMENTATION

    return IMPLEMENTATION


TRANSCRIPTS = Pipeline(
    name="transcripts",
    summary="Align episode transcripts with their recaps.",
    source="Folder, URL or wiki with transcripts/ and recaps/; may be repeated.",
    cron="0 3 * * *",
    rhythm="every night",
    load=_load,
    paper="crd3",
    needs="WordNet's nouns",
    resources=(Resource(name="wordnet", help="Folder of WordNet's noun files.", metavar="DIR"),),
)
