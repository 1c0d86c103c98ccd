"""Reads transcripts in plain text, Markdown, and captions with times (SubRip, WebVTT) into turns."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from core.errors import SourceError
from core.text.captions import Cue, parse_cues
from core.text.decoding import drop_front_matter
from core.transcripts.dialogues.cleaning import strip_tags
from core.transcripts.dialogues.label_forms import (
    VOICE,
    Label,
    add_colons,
    drop_overlaps,
    is_machine_made,
    stamp_labels,
    take_stamp_lines,
)
from core.transcripts.dialogues.labels import LabelRule, find_labels


class RawTurn(NamedTuple):
    """A speaker label ("" before the first) and the text up to the next, with the source's line breaks and times in seconds.

    `utterances` is set by formats whose text is cleaned already (CRD3's JSON), and replaces cleaning.
    """

    label: str
    text: str
    start: float | None = None
    end: float | None = None
    utterances: tuple[str, ...] | None = None


def join_repeated(turns: Iterable[RawTurn], labels: Collection[str]) -> list[RawTurn]:
    """Join successive turns with the same label, where it is one of `labels`: programs label every sentence or caption anew."""
    if not labels:
        return list(turns)
    runs: list[list[RawTurn]] = []
    for turn in turns:
        if runs and turn.label == runs[-1][0].label and turn.label in labels:
            runs[-1].append(turn)
        else:
            runs.append([turn])
    return [run[0] if len(run) == 1 else _join(run) for run in runs]


def _join(run: Sequence[RawTurn]) -> RawTurn:
    text = "".join(turn.text if turn.text.endswith("\n") else f"{turn.text}\n" for turn in run[:-1]) + run[-1].text
    end = next((turn.end for turn in reversed(run) if turn.end is not None), None)
    return run[0]._replace(text=text, end=end)


_PROGRAM_NOTE = re.compile(
    r"^[^\S\n]*(?:Transcribed by https?://otter\.ai|(?:Transcription|Meeting) ended after [\d:]+[^\n]{0,4}|"
    r"[^\n:]{1,60} (?:start|stopp)ed transcription|"
    r"This editable transcript was computer generated[^\n]*|--- (?:Log|Day) [^\n]*|\[?[\d:]{4,8}\]? -!- [^\n]*)[^\S\n]*$",
    re.MULTILINE,
)
_LINE = re.compile(r"^[^\S\n]*\S", re.MULTILINE)
_NUMBER = re.compile(r"^[^\S\n]*(\d{1,6})[.)]?[^\S\n]+(?=\S)", re.MULTILINE)
_DATE = re.compile(
    r"^[^\S\n]*\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[^\S\n]+\d{1,2}:\d{2}(?::\d{2})?(?:[^\S\n]?[AaPp]\.?[Mm]\.?)?\]?"
    r"[^\S\n]*(?:[-–][^\S\n]+)?(?=\S)",
    re.MULTILINE,
)
_NEARLY = 0.8  # share of the lines from which a number or a date at their start is no speech
_FEWEST_LINES = 4
_MOST_TITLES = 8  # lines above the dialogue
_LONGEST_TITLE = 100  # characters
_NO_TITLE = frozenset(".!?…\"”'’)]*")  # what a sentence or a stage direction ends with


def read_plain_text(name: str, text: str, known: Collection[str] = (), rule: LabelRule = "learned") -> list[RawTurn]:
    """Split a plain-text transcript into turns; blank lines do not end a turn (CRD3's files have one after every second line).

    By the rule "learned", a time on a line of its own is the start of the turn that follows, and labels may do without a colon
    (`label_forms`). Successive lines of one speaker whom a program named (`SPEAKER_00`) are one turn.
    """
    times: dict[int, float] = {}
    if rule == "learned":
        text, times = take_stamp_lines(drop_line_heads(_PROGRAM_NOTE.sub("", drop_front_matter(text))))
    labels = find_labels(text, known, rule)
    if rule == "learned":
        written, times = add_colons(text, len(labels), times)
        labels = stamp_labels(written, labels if written is text else find_labels(written, known), times)
        text = written
    if not labels:
        raise no_labels(name)
    opening = text[: labels[0].start]
    turns = [RawTurn("", opening)] if opening.strip() and not (rule == "learned" and _is_title_block(opening)) else []
    ends = [label.start for label in labels[1:]] + [len(text)]
    turns += [
        RawTurn(label.name, text[label.end : end], label.time, label.until) for label, end in zip(labels, ends, strict=True)
    ]
    return join_repeated(turns, {name for name in {label.name for label in labels} if is_machine_made(name)})


def drop_line_heads(text: str) -> str:
    """Take line numbers and dates off the starts of the lines, where nearly every line has one and the numbers rise."""
    if _DATE.search(text, 0, 2_000) is not None and _is_usual(text, len(_DATE.findall(text))):
        return _DATE.sub("", text)
    numbers = [*map(int, _NUMBER.findall(text))] if _NUMBER.search(text, 0, 2_000) is not None else []
    rising = sum(after == before + 1 for before, after in pairwise(numbers))
    if numbers and rising >= _NEARLY * (len(numbers) - 1) and _is_usual(text, len(numbers)):
        return _NUMBER.sub("", text)
    return text


def _is_usual(text: str, count: int) -> bool:
    return count >= max(_FEWEST_LINES, _NEARLY * len(_LINE.findall(text)))


def _is_title_block(opening: str) -> bool:
    """Tell whether a text before the first label is a title with its lines (who was there, the date), none of them a sentence."""
    lines = [line.strip() for line in opening.split("\n") if line.strip()]
    return len(lines) <= _MOST_TITLES and all(len(line) <= _LONGEST_TITLE and line[-1] not in _NO_TITLE for line in lines)


def no_labels(name: str) -> SourceError:
    """Make the error for a transcript without speaker labels."""
    return SourceError(
        f"{name}: no speaker labels; expected lines that begin with a name and a colon, such as `ANNA: Where were we?` "
        "or `Anna: Where were we?`. Add the labels or remove the file"
    )


_HEADING = re.compile(r"^#{1,6}[ \t](?P<label>[^\n]{1,100})$", re.MULTILINE)
_FEWEST_HEADINGS = 2  # that name speakers though none recurs; all have text below then
_BOLD_LABEL = re.compile(r"^(?:[^\S\n]*[->])?[^\S\n]*(?:\*\*|__)(?:[^*:\n]{1,100}?)(?::(?:\*\*|__)|(?:\*\*|__):)", re.MULTILINE)

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_QUOTED = re.compile(r"^[^\S\n]*>[^\S\n]?", re.MULTILINE)
_ROW = re.compile(r"^[^\S\n]*\|[^\n]*$", re.MULTILINE)
_TABLE_HEAD = re.compile(r"^[^\S\n]*\|[^\n]*\n[^\S\n]*\|(?:[^\S\n]*:?-+:?[^\S\n]*\|)+[^\S\n]*\n", re.MULTILINE)


def read_markdown(name: str, text: str, known: Collection[str] = (), rule: LabelRule = "learned") -> list[RawTurn]:
    r"""Split a Markdown transcript into turns, by labels, or by its headings: where most recur, or where nothing else is a label.

    Where most lines are a quotation or rows of a table, the marks of these are dropped, and a tab stands between the cells. A
    backslash before a mark is dropped: `\[laughter\]` is [laughter].
    """
    if rule == "learned":
        text = _ESCAPED.sub(r"\1", _drop_marks(text))
    headings = list(_HEADING.finditer(text))
    counts = Counter(heading["label"] for heading in headings)
    recur = 2 * sum(count for count in counts.values() if count > 1) > len(headings)
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    heard = [text[heading.end() : end] for heading, end in zip(headings, ends, strict=False)]  # ends has one without headings
    if not recur or len(_BOLD_LABEL.findall(text)) >= len(headings):
        try:
            return read_plain_text(name, _HEADING.sub("", text), known, rule)
        except SourceError:
            if len(headings) < _FEWEST_HEADINGS or not all(said.strip() for said in heard):
                raise
    opening = text[: headings[0].start()]
    turns = [RawTurn("", opening)] if opening.strip() else []
    turns += [RawTurn(heading["label"].strip(" \t:"), said) for heading, said in zip(headings, heard, strict=True)]
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


_ADJOINING = 0.5  # seconds from the end of a cue to the next one, up to which a line rolls on
_MOST_LINES = 8  # that roll on; captions show two to four
_CHANGE = re.compile(r"\n?(?:>>|&gt;&gt;)(?:>|&gt;|\s)*")
_CHANGED = re.compile(r"^>> ", re.MULTILINE)
_UNNAMED = "Unknown speaker"
_EVERY = 0.9  # least share of the cues that begin with a label, where a program wrote it into each
_WORD_TIME = re.compile(r"<\d{1,2}:\d{2}[\d:.]{3,9}>")


def read_captions(name: str, text: str, known: Collection[str] = (), rule: LabelRule = "learned") -> list[RawTurn]:
    """Split captions into turns, from the cue with a speaker label to the last cue before the next label.

    A cue with several labels gives several turns with the same times. `>>` without a name begins a turn of `Unknown speaker`.
    Programs repeat a voice tag (`<v Name>`), a name of their own (`SPEAKER_00`), or any label in every cue: successive turns of
    the same one are one turn. Lines that roll on into the next cue count once.
    """
    cues = parse_cues(name, text)
    if rule == "learned" and _WORD_TIME.search(text) is not None:
        cues = drop_rolled_lines(cues)
    return read_cues(name, cues, known, rule)


def read_cues(name: str, cues: list[Cue], known: Collection[str] = (), rule: LabelRule = "learned") -> list[RawTurn]:
    """Split captions into turns, as `read_captions` does."""
    if rule == "learned":
        cues = [replace(cue, text=_CHANGE.sub(r"\n>> ", cue.text).strip()) if ">>" in unescape(cue.text) else cue for cue in cues]
    starts: list[int] = []
    length = 0
    for cue in cues:
        starts.append(length)
        length += len(cue.text) + 1
    words = "\n".join(cue.text for cue in cues)
    labels = find_labels(words, known, rule, frozenset(starts))
    if rule == "learned":  # captions mark another speaker by `>>`
        unnamed = [Label(match.start(), match.end(), _UNNAMED) for match in _CHANGED.finditer(words)]
        labels = drop_overlaps(sorted([*labels, *unnamed], key=lambda label: (label.start, -label.end))) if unnamed else labels
    if not labels:
        raise no_labels(name)
    spans = [(label.name, label.start, label.end) for label in labels]
    if words[: labels[0].start].strip():
        spans.insert(0, ("", 0, 0))
    turns = []
    for (label, start, text_start), end in zip(spans, [start for _, start, _ in spans[1:]] + [len(words)], strict=True):
        spoken = words[text_start:end]
        first = bisect_right(starts, text_start - 1 if label else start) - 1
        last = bisect_right(starts, text_start + max(len(spoken.rstrip()) - 1, 0)) - 1
        turns.append(RawTurn(label, spoken, cues[max(first, 0)].start, max(cue.end for cue in cues[max(first, 0) : last + 1])))
    in_every_cue = len({*starts} & {label.start for label in labels}) >= _EVERY * len(starts)
    repeated = {
        label.name
        for label in labels
        if label.name != _UNNAMED and (in_every_cue or is_machine_made(label.name) or words.startswith("<v", label.start))
    }
    return join_repeated(turns, repeated)


def drop_rolled_lines(cues: Sequence[Cue]) -> list[Cue]:
    """Drop the lines at the start of each cue with which the cue just before it ends: rolling captions show a line twice or more.

    Only captions with a time for each word roll; elsewhere, after a pause or with another voice tag a line is said twice.
    """
    kept: list[Cue] = []
    before: list[tuple[str, str]] = []
    end = 0.0
    for cue in cues:
        lines = [line for line in cue.text.split("\n") if line.strip()]
        shown = [_read_line(line) for line in lines]
        rolled = _count_rolled(before, shown) if cue.start - end <= _ADJOINING else 0
        if rolled < len(lines):
            kept.append(Cue(cue.start, cue.end, "\n".join(lines[rolled:])))
        before, end = shown, cue.end
    return kept


def _read_line(line: str) -> tuple[str, str]:
    """Return the voice that a line states, or "", and its words."""
    voice = VOICE.search(line)
    return voice["label"].strip() if voice is not None else "", strip_tags(line).strip()


def _count_rolled(before: Sequence[tuple[str, str]], lines: Sequence[tuple[str, str]]) -> int:
    """Return with how many of the last lines of a cue the next one begins; a line that rolls may lose its voice tag."""
    for count in range(min(len(before), len(lines), _MOST_LINES), 0, -1):
        pairs = zip(before[len(before) - count :], lines, strict=False)
        if all(words == again and voice in {"", other} for (other, words), (voice, again) in pairs):
            return count
    return 0
