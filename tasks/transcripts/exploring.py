"""Computes what a report draws of an episode on demand: the score matrix of its sentences and turns."""

from base64 import b64encode

import numpy as np

from core.alignment.score_matrix import score_sentences, shrink_columns
from core.dataset.report import Drawing
from core.references import UnitReference
from core.transcripts.aligning import outline_recap
from core.transcripts.config import TranscriptsConfig
from infra.store.objects import Store
from infra.tables.transcripts.artifacts import RECAP
from infra.tables.turns import DIALOGUE
from tasks.transcripts.resources import find_resources, make_tools

MOST_COLUMNS = 900
"""Columns of the picture: more than a screen shows would only be more to load."""


def explore(store: Store, reference: UnitReference, _: str, config: TranscriptsConfig) -> list[Drawing]:
    """Return the score matrix of an episode as a drawing, with the span of each sentence.

    Raises:
        ConfigError: the dictionary or the model that the settings name is not on this machine.
        StoreError: an artifact is missing, or the store failed.
    """
    turns = DIALOGUE.decode(store.read(reference.artifacts["dialogue"].key))
    recap = RECAP.decode(store.read(reference.artifacts["recap"].key))
    if not turns or not recap.sentences:
        return []
    wordnet = find_resources(config, {}).get("wordnet")
    tokenizer, embedder = make_tools(config.alignment, wordnet)
    texts = [turn.text for turn in turns]
    found = score_sentences(texts, recap.sentences, config.alignment, tokenizer, embedder, outline_recap(recap))
    scores = shrink_columns(found.scores, MOST_COLUMNS)
    what = "probability that the turn tells of the sentence" if found.posterior else "similarity of turn and sentence"
    return [
        {
            "kind": "heat",
            "title": "Score matrix",
            "note": f"Sentences of the recap from top to bottom, turns from left to right; the darker, the higher the {what}. "
            "The frames are the spans of single sentences.",
            "rows": scores.shape[0],
            "columns": scores.shape[1],
            "down": len(recap.sentences),
            "across": len(turns),
            "columnName": "turn",
            "values": b64encode(np.round(255 * np.clip(scores, 0, 1)).astype(np.uint8).tobytes()).decode(),
            "spans": [
                [place, span.start, span.end + 1]
                for place, span in enumerate(found.spans)
                if span.start is not None and span.end is not None
            ],
        }
    ]
