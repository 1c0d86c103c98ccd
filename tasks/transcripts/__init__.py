"""One episode, from its files to aligned pairs."""

from tasks.frame.pipeline import Pipeline, Resource

TRANSCRIPTS = Pipeline(
    name="transcripts",
    summary="Align episode transcripts with their recaps.",
    source="Folder, URL or wiki with transcripts/ and recaps/, or a file of records; may be repeated (docs/own-data.md).",
    cron="0 3 * * *",
    rhythm="every night",
    paper="crd3",
    needs="WordNet's nouns",
    resources=(Resource(name="wordnet", help="Folder of WordNet's noun files.", metavar="DIR"),),
)
