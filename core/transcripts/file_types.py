"""The file extensions of transcripts and recaps, and the format behind each extension."""

from typing import Literal

TranscriptFormat = Literal["plain text", "captions", "json", "markdown"]
RecapFormat = Literal["wiki page", "plain text", "markdown", "json"]

TRANSCRIPT_TYPES: dict[str, TranscriptFormat] = {
    ".txt": "plain text",
    ".srt": "captions",
    ".vtt": "captions",
    ".json": "json",
    ".md": "markdown",
    ".markdown": "markdown",
}
RECAP_TYPES: dict[str, RecapFormat] = {
    ".html": "wiki page",
    ".htm": "wiki page",
    ".xhtml": "wiki page",
    ".txt": "plain text",
    ".wiki": "plain text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
}
