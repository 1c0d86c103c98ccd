"""What the card says of releases of `scripts`."""

from core.card import COMMON_COLUMNS, Description
from core.papers import SUMTITLES

DESCRIPTION = Description(
    about="A row pairs neighbouring scenes of a screenplay with the sentences of its synopsis that tell them, as found by the "
    "speakers' names and by sentence embeddings.",
    task="summarization",
    languages=("en",),
    columns=COMMON_COLUMNS
    | {
        "movie": "the film or series episode",
        "kind": "what the story is: a film or an episode of a series",
        "scene_start": "number of the row's first scene, from 0",
        "scene_end": "number of the row's last scene",
        "strict_scenes": "numbers of the scenes that are linked to the summary, counted as people count them: by headings",
        "headings": "headings of the scenes",
        "sentence_indices": "places of the sentences in the synopsis, from 0",
        "similarities": "similarity of each sentence to its scene",
        "has_cast": "whether the source tells the cast",
        "raw_speakers": "each turn's speaker as the script has it",
        "narration": "what the script tells beside speech: action and descriptions",
        "with_speakers": "the dialogue as plain text, each turn with its speaker (SumTitles, section 6.3)",
        "with_separators": "the dialogue as plain text, with marks between turns",
        "with_speakers_and_separators": "both",
        "anonymised_summary": "the summary with the names of the cast taken out",
        "gold_source": "who has linked the sentence",
        "sentence_index": "place of the sentence in the synopsis, from 0",
        "primary_scene": "the scene that tells most of the sentence",
        "scene_count": "number of scenes in the script that people read; 0 where it is unknown",
        "sentence": "the sentence",
        "scene_index": "the scene, counted as people count scenes: by headings",
        "parser_scene": "the scene, counted as the parser cuts the script",
        "heading": "heading of the scene",
        "similarity": "similarity of sentence and scene",
    },
    citation=SUMTITLES,
)
