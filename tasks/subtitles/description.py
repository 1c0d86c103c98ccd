"""What the card says of releases of `subtitles`."""

from core.dataset.card import COMMON_COLUMNS, SUMTITLES, Description

DESCRIPTION = Description(
    about="A row pairs the subtitles of a whole film with its synopsis. Subtitles do not say who speaks.",
    task="summarization",
    languages=("en",),
    columns=COMMON_COLUMNS
    | {
        "film": "the film: its number at IMDb, or the name of its folder; the same as `id` and `unit`",
        "subtitle": "the subtitle file that was chosen",
        "reason": "why this file was chosen; in `rejects` why the row was left out",
        "starts": "seconds at which each turn starts; null where the file does not say",
        "ends": "seconds at which each turn ends; null where the file does not say",
        "path": "the subtitle file; empty where the film as a whole was left out",
        "failed": "whether the film could not be read; otherwise the file was left out by rule",
    },
    leakage="A film has one row, whatever number of subtitle files there are of it; synopses were not compared between films.",
    citation=SUMTITLES,
)
