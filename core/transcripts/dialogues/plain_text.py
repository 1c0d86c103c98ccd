"""Reads plain-text transcripts: `NAME: text`, with any line breaks and blank lines inside a turn."""

from collections.abc import Collection

from core.errors import SourceError
from core.transcripts.dialogues.candidates import is_machine_made
from core.transcripts.dialogues.label_forms import add_colons, drop_line_heads, stamp_labels, take_stamp_lines
from core.transcripts.dialogues.labels import LabelRule, find_labels
from core.transcripts.dialogues.raw_turns import RawTurn, join_repeated


def read_plain_text(name: str, text: str, known: Collection[str] = (), rule: LabelRule = "learned") -> list[RawTurn]:
    """Split a plain-text transcript into turns; `name` is the file's name, for messages.

    Blank lines do not end a turn (CRD3's files have one after every second line). Text before the first speaker label becomes a
    turn without a label. Successive lines of one speaker whom a program named (`SPEAKER_00`) are one turn. By the rule "learned",
    a time on a line of its own is the start of the turn that follows, and labels may do without a colon (`label_forms`).

    Args:
        name: the file's name.
        text: its text.
        known: folded labels of the tables of speakers.
        rule: how labels are found, see `find_labels`.

    Raises:
        SourceError: no line has a speaker label.
    """
    times: dict[int, float] = {}
    if rule == "learned":
        text, times = take_stamp_lines(drop_line_heads(text))
    labels = find_labels(text, known, rule)
    if rule == "learned":
        written, times = add_colons(text, len(labels), times)
        labels = stamp_labels(written, labels if written is text else find_labels(written, known), times)
        text = written
    if not labels:
        raise no_labels(name)
    turns = [RawTurn("", text[: labels[0].start])] if not _is_blank(text[: labels[0].start]) else []
    ends = [label.start for label in labels[1:]] + [len(text)]
    turns += [
        RawTurn(label.name, text[label.end : end], label.time, label.until) for label, end in zip(labels, ends, strict=True)
    ]
    return join_repeated(turns, {name for name in {label.name for label in labels} if is_machine_made(name)})


def no_labels(name: str) -> SourceError:
    """Make the error for a transcript without speaker labels."""
    return SourceError(
        f"{name}: no speaker labels; expected lines that begin with a name and a colon, such as `ANNA: Where were we?` "
        "or `Anna: Where were we?`. Add the labels or remove the file"
    )


def _is_blank(text: str) -> bool:
    return not text or text.isspace()
