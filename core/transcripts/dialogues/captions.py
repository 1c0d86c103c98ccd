"""Reads captions with speaker labels and times: SubRip (.srt) and WebVTT (.vtt)."""

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence

from core.text.captions import Cue, parse_cues
from core.transcripts.dialogues.candidates import is_machine_made
from core.transcripts.dialogues.cleaning import strip_tags
from core.transcripts.dialogues.labels import LabelRule, find_labels
from core.transcripts.dialogues.plain_text import no_labels
from core.transcripts.dialogues.raw_turns import RawTurn, join_repeated

_ADJOINING = 0.5  # seconds from the end of a cue to the next one, up to which a line rolls on
_MOST_LINES = 8  # that roll on; captions show two to four
_VOICE = re.compile(r"<v(?:\.[^>\s]*)?[^\S\n]+(?P<name>[^>\n]{1,100})>")
_WORD_TIME = re.compile(r"<\d{1,2}:\d{2}[\d:.]{3,9}>")


def read_captions(name: str, text: str, known: Collection[str] = (), rule: LabelRule = "learned") -> list[RawTurn]:
    """Split captions into turns, one per speaker label.

    A turn runs from the cue with its label to the last cue before the next label. A cue without a label belongs to the speaker
    before it. A cue with several labels gives several turns with the same times. Cues before the first label form a turn without
    a label. Programs repeat a voice tag (`<v Name>`) or a name of their own (`SPEAKER_00`) in every cue: successive turns of the
    same one are one turn. Lines that roll on into the next cue count once. `known` and `rule` are those of `find_labels`.

    Raises:
        SourceError: there are no cues, or no cue has a speaker label.
    """
    cues = parse_cues(name, text)
    if rule == "learned" and _WORD_TIME.search(text) is not None:
        cues = drop_rolled_lines(cues)
    starts: list[int] = []
    length = 0
    for cue in cues:
        starts.append(length)
        length += len(cue.text) + 1
    words = "\n".join(cue.text for cue in cues)
    labels = find_labels(words, known, rule, frozenset(starts))
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
    repeated = {label.name for label in labels if is_machine_made(label.name) or words.startswith("<v", label.start)}
    return join_repeated(turns, repeated)


def drop_rolled_lines(cues: Sequence[Cue]) -> list[Cue]:
    """Drop the lines at the start of each cue with which the cue just before it ends: rolling captions show a line twice or more.

    Only captions with a time for each word roll; elsewhere a line that recurs is said twice. So is one after a pause, or with
    another voice tag.
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
    voice = _VOICE.search(line)
    return voice["name"].strip() if voice is not None else "", strip_tags(line).strip()


def _count_rolled(before: Sequence[tuple[str, str]], lines: Sequence[tuple[str, str]]) -> int:
    """Return with how many of the last lines of a cue the next one begins; a line that rolls may lose its voice tag."""
    for count in range(min(len(before), len(lines), _MOST_LINES), 0, -1):
        pairs = zip(before[len(before) - count :], lines, strict=False)
        if all(words == again and voice in {"", other} for (other, words), (voice, again) in pairs):
            return count
    return 0
