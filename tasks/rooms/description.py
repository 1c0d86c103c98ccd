"""What the card says of releases of `rooms`."""

from core.dataset.card import COMMON_COLUMNS, ROOMS, Description

DESCRIPTION = Description(
    about="A row is a sentence that describes a place, mined from a corpus by a score of its words and form.",
    task="text-generation",
    languages=("en",),
    columns=COMMON_COLUMNS
    | {
        "title": "the same as `document`: these sources have no other titles",
        "document": "the document that the sentence is from: an episode, a file or a record",
        "turn": "number of the turn, where the document is a dialogue",
        "text": "the sentence",
        "score": "sum of the parts",
        "parts": "what the score is made of: name, how often it counts, the words that show it, points",
        "decided_by": "who decided whether it describes a place: the `score`, `people` (`fabula review`) or `model NAME`",
        "analysis": "what found tags, entities and similar words: a trained spaCy pipeline by its name, or the offline default",
        "copy_of": "the sentence that this one is a copy of",
    },
    lacks=dict.fromkeys(("summary", "turns", "dialogue"), "a row is a single sentence, which stands in `text`"),
    leakage="Exact and near copies were looked for among the sentences of all units, and one of each is in the release.",
    citation=ROOMS,
)

REASON_SETTINGS = {
    "score": ("selection.min_score",),
    "too short": ("selection.max_short",),
    "too long": ("selection.max_words",),
    "near copy": ("copies.near",),
    "introduction or sign-off": ("copies.recurring_documents", "copies.edge"),
}
"""The settings that decide why a sentence is left out; no setting decides the other reasons."""
