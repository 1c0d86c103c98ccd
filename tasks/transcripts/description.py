"""What the card says of releases of `transcripts`."""

from core.dataset.card import COMMON_COLUMNS, CRD3, Description

DESCRIPTION = Description(
    about="A row pairs a stretch of an episode's dialogue with the sentences of a recap that sum it up. The pairs were found by "
    "aligning each recap with its transcript.",
    task="summarization",
    languages=("en",),
    columns=COMMON_COLUMNS
    | {
        "speakers": "who speaks: the players' names, or their pseudonyms",
        "turns": "the dialogue: turn number (from 0), speakers, text; players name each other in it",
        "episode": "the episode: the same as `unit`, under the name that the tables without `unit` have",
        "chunk_size": "number of recap sentences in the chunk; 0 for a paragraph or section",
        "offset": "number of sentences before the first chunk of this size",
        "chunk_index": "place of the chunk among those of its size and offset",
        "kind": "kind of section that the chunk or text is from: plot, recap of an earlier episode, announcements, break, ...",
        "turn_start": "number of the first turn of the span; null where none was found",
        "turn_end": "number of the last turn of the span; null where none was found",
        "score": "how much of the chunk the span says, as the aligner counts it",
        "confidence": "probability that the aligner's span is right, as calibrated on spans read by people; null where readers "
        "have given the row another span",
        "decided_by": "who decided the span: `aligner`, `people` (`fabula review`) or `model NAME`",
        "found_start": "first turn of the aligner's span, where readers have given the row another one",
        "found_end": "last turn of the aligner's span, where readers have given the row another one",
        "train_on": "whether the pair is one of those that cover the plot once",
        "kept": "whether the pair is in the data",
        "number": "number of the turn, from 0",
        "text": "the text, cleaned; it may name players",
        "start": "seconds from the start, where the source has times",
        "end": "seconds from the start, where the source has times",
        "raw_label": "the speaker's label as it stands in the source: a player's name; with pseudonyms, the speakers again",
        "raw_text": "the text as it stands in the source; with pseudonyms, the cleaned lines",
        "position": "place of the section in the recap, from 0; the blurb is 0",
        "heading": "heading of the section",
        "subheading": "subheading of the section",
        "retells": "the earlier episode that the section retells",
        "infobox": "fields of the page's infobox, which names the players",
        "links": "pages that the recap links to, players' among them",
        "categories": "categories of the page",
    },
    citation=CRD3,
    faults=(
        "A span may end before the last event that its sentence tells, or begin after the first.",
        "A sentence that is told out of order has a span that covers one of its places only.",
        "The config `pairs` holds a sentence in several pairs; use `train_on` for training.",
    ),
)
