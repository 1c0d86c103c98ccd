"""Reads Markdown transcripts, which have a heading per turn (`# NAME`) or bold labels (`**NAME:** text`)."""

import re
from collections.abc import Collection

from core.transcripts.dialogues.labels import LabelRule
from core.transcripts.dialogues.plain_text import no_labels, read_plain_text
from core.transcripts.dialogues.raw_turns import RawTurn

_HEADING = re.compile(r"^#{1,6}[ \t](?P<label>[^\n]{1,100})$", re.MULTILINE)
_BOLD_LABEL = re.compile(r"^(?:[^\S\n]*[->])?[^\S\n]*(?:\*\*|__)(?:[^*:\n]{1,100}?)(?::(?:\*\*|__)|(?:\*\*|__):)", re.MULTILINE)

_QUOTED = re.compile(r"^[^\S\n]*>[^\S\n]?", re.MULTILINE)
_ROW = re.compile(r"^[^\S\n]*\|[^\n]*$", re.MULTILINE)
_TABLE_HEAD = re.compile(r"^[^\S\n]*\|[^\n]*\n[^\S\n]*\|(?:[^\S\n]*:?-+:?[^\S\n]*\|)+[^\S\n]*\n", re.MULTILINE)
_LINE = re.compile(r"^[^\S\n]*\S", re.MULTILINE)


def read_markdown(name: str, text: str, known: Collection[str] = (), rule: LabelRule = "learned") -> list[RawTurn]:
    """Split a Markdown transcript into turns.

    Headings are the speaker labels, unless there are at least as many bold labels as headings. Where most lines are a quotation
    or rows of a table, the marks of these are dropped, and a tab stands between the cells. `known` and `rule` are those of
    `find_labels`.

    Raises:
        SourceError: there are no speaker labels, or no turn has text.
    """
    if rule == "learned":
        text = _drop_marks(text)
    headings = list(_HEADING.finditer(text))
    bold = len(_BOLD_LABEL.findall(text))
    if bold >= len(headings) or not headings:
        return read_plain_text(name, text, known, rule)
    opening = text[: headings[0].start()]
    turns = [RawTurn("", opening)] if opening.strip() else []
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    turns += [
        RawTurn(heading["label"].strip(" \t:"), text[heading.end() : end]) for heading, end in zip(headings, ends, strict=True)
    ]
    if not any(turn.text.strip() for turn in turns if turn.label):
        raise no_labels(name)
    return turns


def _drop_marks(text: str) -> str:
    lines = len(_LINE.findall(text))
    if 2 * len(_QUOTED.findall(text)) > lines:
        return _QUOTED.sub("", text)
    if 2 * len(_ROW.findall(text)) > lines:
        return _ROW.sub(
            lambda row: "\t".join(cell.strip() for cell in row[0].strip().strip("|").split("|")), _TABLE_HEAD.sub("", text)
        )
    return text
