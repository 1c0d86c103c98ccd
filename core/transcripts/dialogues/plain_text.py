"""Transcripts as running text: `NAME: text`, hard-wrapped or a paragraph a turn, blank lines anywhere."""

from core.errors import SourceError
from core.transcripts.dialogues.labels import find_labels
from core.transcripts.dialogues.raw_turns import RawTurn


def read_plain_text(name: str, text: str) -> list[RawTurn]:
    """Split a plain-text transcript into turns; `name` is the file's, for messages.

    Blank lines mean nothing (CRD3's files have one after every second line). Text before the first label is a turn without a
    label.

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
    """Make the error for a transcript in which nobody is named."""
    return SourceError(
        f"{name}: no speaker labels; expected lines that begin with a name and a colon, as in `ANNA: Where were we?` "
        "(in capitals, or capitalised: `Anna:`). Add the labels or remove the file"
    )


def _is_blank(text: str) -> bool:
    return not text or text.isspace()
