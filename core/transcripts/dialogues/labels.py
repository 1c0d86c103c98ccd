"""Finds the speaker labels of a transcript, by learning its names from the whole file."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.transcripts.dialogues.label_forms import (
    PARAGRAPH_BREAK,
    Label,
    Style,
    count_paragraph_breaks,
    drop_overlaps,
    find_candidates,
    is_speech_tag,
    label_style,
)
from core.transcripts.dialogues.speakers import fold_label, split_names

_EVERYBODY = frozenset({"all", "everyone", "everybody", "both"})
_NUMERAL = re.compile(r"[IVXLC]+|[^\W\d_]")
_CONTEXT = 200  # how many characters before a label are read, to see whether the sentence before it is complete
_RECURS = 3  # occurrences from which an unusual name is one of the file's speakers
_BREAKS = 0.9  # least share of them that begin a paragraph or follow a complete sentence
_KEY = re.compile(r"[^\S\n]*(?P<key>[^:：\n]{1,40})[:：]")
_HEADER_KEY = re.compile(
    r"(?:sub)?title|series|show|season|episode|chapter|session|campaign|number|(?:(?:original )?air ?)?date|aired|recorded|"
    r"published|time|duration|length|runtime|place|location|setting|language|cast|players|starring|speakers|characters|participants|"
    r"present|attendees|authors?|writers?|director|editor|producer|(?:written|directed|edited|produced|captions|transcribed) by|"
    r"transcript(?: by)?|transcriber|source|url|link|file|format|version|copyright|licen[cs]e|topic|subject|summary|synopsis|"
    r"description|notes?",
    re.IGNORECASE,
)
_SENTENCE_ENDS = frozenset('.!?…"”’»。！？')
_PARAGRAPHS = 0.8  # least share of the paragraphs that begin with a candidate, where every turn is a paragraph


@dataclass(slots=True)
class NameEvidence:
    """How often a name occurs as a candidate; after a complete sentence; at a paragraph's start; after one or a blank line."""

    count: int = 0
    breaks: int = 0
    paragraphs: int = 0
    blank: int = 0

    @property
    def mostly_breaks(self) -> bool:
        """Whether at least half of the occurrences do not continue a sentence."""
        return 2 * self.breaks >= self.count


def find_labels(text: str, known: Collection[str] = (), cue_starts: Collection[int] = ()) -> list[Label]:
    """Find the speaker labels of a transcript, in order and in linear time.

    Names are learned from the whole file. A name is a label

    - if its form shows it: a voice tag, bold type, brackets, a time beside it, a name that a program gave;
    - if it is in capitals, where most candidates are; a single letter or a Roman numeral only if it occurs twice;
    - if it is capitalised, where most candidates are not in capitals, unless it mostly continues the sentence before;
    - if it recurs and begins a paragraph or follows a complete sentence, in any style and script;
    - if it follows a complete sentence and is in `known`, or is a frequent name in other letters (`Matt` beside `MATT`);
    - if it is made of such names (`Matt and 李雷`).

    Lines such as `Title: …` above the dialogue are no labels. `known` are folded labels of the tables of speakers, `cue_starts`
    positions where a caption begins.
    """
    candidates = find_candidates(text)
    counts = Counter([label.name for label in candidates])
    styles = {name: label_style(name) for name in counts}
    names = {label.name for label in candidates if label.marked} | {name for name in counts if styles[name] == "machine"}
    totals: Counter[Style] = Counter()
    for name, count in counts.items():
        totals[styles[name]] += count if name not in names else 0
    in_capitals = totals["capitals"] >= totals["title"] + totals["caseless"] + totals["particles"]
    if in_capitals:
        names |= _names_in_capitals(counts, styles)
    others = [label for label in candidates if label.name not in names]
    evidence = gather_evidence(text, others, _turns_are_paragraphs(text, candidates), cue_starts)
    if not in_capitals:
        names |= {name for name, found in evidence.items() if _is_capitalised(styles[name], found)}
    names |= _learn_names(evidence, styles, {fold_label(name) for name in names if counts[name] >= _RECURS} | {*known})
    names |= {name for name, found in evidence.items() if 2 * found.blank >= found.count and _is_chorus(name, names)}
    names -= {name for name in names if counts[name] == 1 and _NUMERAL.fullmatch(name)}
    labels = [label for label in candidates if label.name in names]
    return _add_labels_inside_lines(text, _without_header(text, labels, known))


def gather_evidence(
    text: str, labels: Iterable[Label], paragraphs: bool = False, cue_starts: Collection[int] = ()
) -> dict[str, NameEvidence]:
    """Count for each name where it occurs. `paragraphs` says whether a blank line before a candidate begins a turn."""
    evidence: dict[str, NameEvidence] = {}
    for label in labels:
        found = evidence.setdefault(label.name, NameEvidence())
        before = text[max(0, label.start - _CONTEXT) : label.start].rstrip()[-1:]
        opens = label.start in cue_starts or (paragraphs and follows_blank_line(text, label.start))
        found.count += 1
        found.paragraphs += opens
        complete = opens or not (before.isalnum() or before == ",")
        found.breaks += complete
        found.blank += complete or follows_blank_line(text, label.start)
    return evidence


def follows_blank_line(text: str, start: int) -> bool:
    """Tell whether the line that begins at `start` is the first one or follows a blank line."""
    if text.startswith("\n\n", start - 2, start):  # these two decide nearly all cases
        return True
    if start > 1 and not text[start - 2].isspace():
        return False
    before = text[max(0, start - _CONTEXT) : start]
    words = before.rstrip()
    return not words or before.count("\n", len(words)) > 1


def _without_header(text: str, labels: list[Label], known: Collection[str]) -> list[Label]:
    """Drop the labels of a header: a first paragraph of `key: value` lines, at least two, whose keys occur nowhere else.

    A key is one of those that headers have (`Title`), or no value of the header is a sentence. A name that is known is no key.
    """
    start = len(text) - len(text.lstrip())
    blank = PARAGRAPH_BREAK.search(text, start)
    if blank is None or not labels or labels[0].start >= blank.start():
        return labels
    lines = text[start : blank.start()].split("\n")
    keys = [match["key"].strip() if (match := _KEY.match(line)) else "" for line in lines]
    if len(keys) < 2 or "" in keys or len({*keys}) < len(keys):
        return labels
    rest = {label.name for label in labels if label.start >= blank.start()}
    if not rest or rest & {*keys, *(label.name for label in labels if label.start < blank.start())}:
        return labels
    spoken = {key for key, line in zip(keys, lines, strict=True) if line.rstrip()[-1] in _SENTENCE_ENDS}
    usual = {key for key in keys if _HEADER_KEY.fullmatch(key) is not None}
    if spoken and not usual:
        return labels
    kept = (spoken - usual) | {key for key in keys if fold_label(key) in known}
    return [label for label in labels if label.start >= blank.start() or label.name in kept]


def _turns_are_paragraphs(text: str, candidates: Collection[Label]) -> bool:
    """Tell whether nearly every paragraph begins with a candidate: then a blank line ends a turn."""
    blank = count_paragraph_breaks(text)
    return blank > 1 and sum(follows_blank_line(text, label.start) for label in candidates) >= _PARAGRAPHS * blank


def _names_in_capitals(counts: Mapping[str, int], styles: Mapping[str, Style]) -> set[str]:
    """Return the names in capitals, and those with a slip of the shift key that also occur in capitals."""
    names = {name for name in counts if styles[name] == "capitals"}
    slips = {name for name in counts if sum(map(str.isupper, name)) > sum(map(str.islower, name)) and name.upper() in names}
    return names | slips


def _learn_names(evidence: Mapping[str, NameEvidence], styles: Mapping[str, Style], known: Collection[str]) -> set[str]:
    """Return the names that recur as labels do, or that are known by another spelling."""
    return {
        name
        for name, found in evidence.items()
        if (2 * found.blank >= found.count and fold_label(name) in known)
        or (found.breaks >= _BREAKS * found.count and found.count >= _RECURS and not is_speech_tag(name))
        or (found.breaks == found.count > 1 and styles[name] == "caseless")
    }


def _is_capitalised(style: Style, found: NameEvidence) -> bool:
    if style == "particles":
        recurs = found.count >= _RECURS and found.mostly_breaks
        return recurs or (found.breaks == found.count and (found.count > 1 or found.paragraphs > 0))
    return style in {"capitals", "title", "caseless"} and found.mostly_breaks


def _is_chorus(name: str, names: Collection[str]) -> bool:
    """Tell whether a label consists of names that are labels, with a remark, or several of them."""
    parts = split_names(name)
    named = [part for part in parts if part.casefold() not in _EVERYBODY]
    if len(named) < len(parts):  # `ALL except Ben` beside `BEN`
        folded = {fold_label(known) for known in names}
        return bool(named) and all(fold_label(part) in folded for part in named)
    return bool(named) and all(part in names for part in named)


_FREQUENT = 3  # labels of a name, from which it is looked for inside lines
_MAX_NAMES = 100  # the most frequent names, so that a file of a million labels takes linear time
_MAX_NAME = 60  # characters
_NEARBY = 50
_ENDS = frozenset(".!?…\"”'’)]*~—–-。！？»")


def _add_labels_inside_lines(text: str, labels: Sequence[Label]) -> list[Label]:
    """Return `labels` with those of frequent names that follow a complete sentence on its line: `ANNA: Go. BEN: No!`."""
    counts = Counter([label.name for label in labels if len(label.name) <= _MAX_NAME])
    frequent = [name for name, count in counts.most_common(_MAX_NAMES) if count >= _FREQUENT]
    if not frequent:
        return list(labels)
    every = "|".join(map(re.escape, sorted(frequent, key=len, reverse=True)))
    named = re.compile(rf"[^\w\s,]\s+(?P<label>{every})\s*\Z")
    found = []
    for colon in sorted(_find_colons_of_speech(text, labels)):
        farthest = max(0, colon - _MAX_NAME - _NEARBY)
        first = max(text.rfind("\n", farthest, colon) + 1, farthest)
        match = named.search(text, first, colon)
        if match is not None and text[first : match.start("label")].rstrip()[-1:] in _ENDS:
            found.append(Label(match.start("label"), colon + 1, match["label"]))
    return drop_overlaps(sorted([*labels, *found], key=lambda label: (label.start, -label.end)))


def _find_colons_of_speech(text: str, labels: Sequence[Label]) -> Iterator[int]:
    """Yield the positions of the colons between labels, but for those of web addresses."""
    ends = [0, *[label.end for label in labels]]
    starts = [*[label.start for label in labels], len(text)]
    for mark in [mark for mark in ":：" if mark in text]:
        for end, start in zip(ends, starts, strict=True):
            colon = text.find(mark, end, start)
            while colon >= 0:
                if not text.startswith("//", colon + 1):
                    yield colon
                colon = text.find(mark, colon + 1, start)
