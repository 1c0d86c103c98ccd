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
    """Drop the lines at the start of each cue that the cue before shows too: rolling captions show every line twice or more.

    Only captions with a time for each word roll; elsewhere a line that recurs is said twice.
    """
    kept: list[Cue] = []
    shown: set[str] = set()
    for cue in cues:
        lines = [line for line in cue.text.split("\n") if line.strip()]
        plain = [strip_tags(line).strip() for line in lines]
        fresh = 0
        while fresh < len(plain) and plain[fresh] in shown:
            fresh += 1
        if fresh < len(plain):
            kept.append(Cue(cue.start, cue.end, "\n".join(lines[fresh:])))
        shown = {*plain}
    return kept
