"""Which file name endings a transcript and a recap may have, and the format that each stands for."""

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
