"""Reads plain-text transcripts: `NAME: text`, with any line breaks and blank lines inside a turn."""

from core.errors import SourceError
from core.transcripts.dialogues.labels import find_labels
from core.transcripts.dialogues.raw_turns import RawTurn


def read_plain_text(name: str, text: str) -> list[RawTurn]:
    """Split a plain-text transcript into turns; `name` is the file's name, for messages.

    Blank lines do not end a turn (CRD3's files have one after every second line). Text before the first speaker label becomes a
    turn without a label.

    Raises:
        SourceError: no line has a speaker label.
    """
    labels = find_labels(text)
    if not labels:
        raise no_labels(name)
    turns = [RawTurn("", text[: labels[0].start])] if not _is_blank(text[: labels[0].start]) else []
    ends = [label.start for label in labels[1:]] + [len(text)]
    turns += [RawTurn(label.name, text[label.end : end]) for label, end in zip(labels, ends, strict=True)]
    return turns


def no_labels(name: str) -> SourceError:
    """Make the error for a transcript without speaker labels."""
    return SourceError(
        f"{name}: no speaker labels; expected lines that begin with a name and a colon, such as `ANNA: Where were we?` "
        "or `Anna: Where were we?`. Add the labels or remove the file"
    )


def _is_blank(text: str) -> bool:
    return not text or text.isspace()
