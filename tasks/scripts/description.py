"""What the card says of releases of `scripts`."""

from core.dataset.card import COMMON_COLUMNS, Description
from core.dataset.papers import SUMTITLES

DESCRIPTION = Description(
    about="A row pairs scenes of a screenplay with the sentences of its synopsis that tell them, as found by the words, by the "
    "speakers' names and by sentence embeddings.",
    task="summarization",
    languages=("en",),
    columns=COMMON_COLUMNS
    | {
        "movie": "the film or series episode: the same as `unit`, under the name that the tables without `unit` have",
        "kind": "what the story is: a film or an episode of a series",
        "scene_start": "number of the row's first scene, from 0",
        "scene_end": "number of the row's last scene",
        "strict_scenes": "numbers of the scenes that are linked to the summary, counted as people count them: by headings",
        "scenes": "numbers of the row's scenes, from 0",
        "probabilities": "by sentence, the probability that it tells one of its scenes at least",
        "decided_by": "who decided the links: `aligner`, `people` (`fabula review`) or `model NAME`",
        "probability": "the lowest of the sentences' probabilities; of a link, the probability that it is right",
        "completeness": "the lowest probability of a sentence that its scenes tell it, and are all scenes that do",
        "headings": "headings of the scenes",
        "sentence_indices": "places of the sentences in the synopsis, from 0",
        "similarities": "similarity of each sentence to its scene",
        "has_cast": "whether the source tells the cast",
        "raw_speakers": "each turn's speaker as the script has it",
        "plain": "the dialogue as running text, without speakers",
        "narration": "what the script tells beside speech: action and descriptions",
        "with_speakers": "the dialogue as plain text, each turn with its speaker (SumTitles, section 6.3)",
        "with_separators": "the dialogue as plain text, with marks between turns",
        "with_speakers_and_separators": "both",
        "script": "headings, speeches and action in the order of the script; remarks in brackets stand in the speeches",
        "with_action": "the same as plain text, headings and action in square brackets",
        "anonymised_summary": "the summary with the names of the characters taken out",
        "names_from": "where these names come from: the cast list, or the script's speakers where there is none",
        "turn_count": "number of turns",
        "length_ratio": "words of the turns for each word of the summary",
        "kept": "whether the row of the sentence is kept",
        "best": "whether it is the sentence's best link",
        "row": "the row that the sentence belongs to",
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
