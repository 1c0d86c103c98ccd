"""Finds the speaker labels of a transcript, by learning its names from the whole file; also labels without their colon."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.transcripts.dialogues.label_forms import (
    PARAGRAPH_BREAK,
    Label,
    Style,
    count_paragraph_breaks,
    drop_overlaps,
    find_candidates,
    label_style,
)
from core.transcripts.dialogues.speakers import fold_label, split_names

_MAX_PROSE_WORDS = 5
_CLAUSE = re.compile(
    r"\b(?:i|you|he|she|it|we|they|and|but|or|so|then|that|this|these|those|what|which|who|when|where|why|how|if|because|"
    r"is|are|was|were|be|been|has|have|had|do|does|did|will|would|can|could|says?|said|ask(?:s|ed)?|repl(?:y|ies|ied)|"
    r"answer(?:s|ed)?|thinks?|thought|shout(?:s|ed)?|reads?|goes)\b",
    re.IGNORECASE,
)

LabelRule = Literal["learned", "pattern"]

_EVERYBODY = frozenset({"all", "everyone", "everybody", "both"})
_NUMERAL = re.compile(r"[IVXLC]+|[^\W\d_]")
_CONTEXT = 200  # how many characters before a label are read, to see whether the sentence before it is complete
_RECURS = 3  # occurrences from which an unusual name is one of the file's speakers
_BREAKS = 0.9  # least share of them that begin a paragraph or follow a complete sentence
_KEY = re.compile(r"[^\S\n]*(?P<key>[^:：\n]{1,40})[:：]")
_HEADER_KEY = re.compile(
    r"(?:sub)?title|series|show|(?:season|episode|chapter|session|part)(?: \d{1,4})?|campaign|number|"
    r"(?:(?:original )?air ?)?date|aired|recorded|"
    r"published|time|duration|length|runtime|place|location|setting|language|cast|players|starring|speakers|characters|participants|"
    r"present|attendees|authors?|writers?|director|editor|producer|(?:written|directed|edited|produced|captions|transcribed) by|"
    r"transcript(?: by)?|transcriber|source|url|link|file|format|version|copyright|licen[cs]e|topic|subject|summary|synopsis|"
    r"description|notes?",
    re.IGNORECASE,
)
_SENTENCE_ENDS = frozenset('.!?…"”’»。！？')
_PARAGRAPHS = 0.8  # least share of the paragraphs that begin with a candidate, where every turn is a paragraph
_LINES = 0.8  # least share of the lines that begin with a label, where an unknown name before a colon is one
_SPACED = 0.95  # least share of the labels that follow a blank line, where a rare name that does so is a label


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


def find_labels(
    text: str, known: Collection[str] = (), rule: LabelRule = "learned", cue_starts: Collection[int] = ()
) -> list[Label]:
    """Find the speaker labels of a transcript, in order and in linear time.

    Names are learned from the whole file. A name is a label

    - if its form shows it: a voice tag, bold type, brackets, a time beside it, a name that a program gave;
    - if it is in capitals, where most candidates are; a single letter or a Roman numeral only if it occurs twice;
    - if it is capitalised, where most candidates are not in capitals, unless it mostly continues the sentence before;
    - if it recurs and begins a paragraph or follows a complete sentence, in any style and script;
    - if it has small words (`Queen of Hearts`), occurs once, and follows both a complete sentence and a blank line, in a file
      whose labels follow blank lines and are not in capitals;
    - if it follows a complete sentence and is in `known`, or is a frequent name in other letters (`Matt` beside `MATT`);
    - if it is made of such names (`Matt and 李雷`);
    - if it follows a complete sentence, in a file where nearly every line begins with a capitalised label (`Guy at bar`).

    Lines such as `Title: …` above the dialogue are no labels. A name that occurs once is none in the middle of a paragraph, where
    labels begin paragraphs. The rule "pattern" is how CRD3 found labels: names in capitals, or else capitalised names, and
    nothing learned. `known` are folded labels of the tables of speakers, `cue_starts` positions where a caption begins.
    """
    candidates = find_candidates(text)
    counts = Counter([label.name for label in candidates])
    styles = {name: label_style(name) for name in counts}
    names = {label.name for label in candidates if label.marked} | {name for name in counts if styles[name] == "machine"}
    totals: Counter[Style] = Counter()
    for name, count in counts.items():
        totals[styles[name]] += count if name not in names else 0
    in_capitals = totals["capitals"] >= totals["title"] + totals["caseless"] + (totals["particles"] if rule == "learned" else 0)
    if in_capitals:
        names |= _names_in_capitals(counts, styles)
    others = [label for label in candidates if label.name not in names]
    evidence = gather_evidence(text, others, rule == "learned" and _turns_are_paragraphs(text, candidates), cue_starts)
    if rule == "learned":
        usual = names if in_capitals else names | {n for n, found in evidence.items() if _is_capitalised(styles[n], found, rule)}
        names |= _learn_names(evidence, styles, {fold_label(name) for name in usual if counts[name] >= _RECURS} | {*known})
    if not in_capitals:
        names |= {name for name, found in evidence.items() if _is_capitalised(styles[name], found, rule)}
    if rule == "learned":
        if not in_capitals:
            names |= _rare_names_with_particles(text, candidates, names, evidence, styles)
        names |= {name for name, found in evidence.items() if 2 * found.blank >= found.count and _is_chorus(name, names)}
        if not in_capitals and _turns_are_lines(text, candidates, names):
            names |= {name for name, found in evidence.items() if found.breaks == found.count and is_guessed(name)}
    names -= {name for name in names if counts[name] == 1 and _NUMERAL.fullmatch(name)}
    labels = [label for label in candidates if label.name in names]
    if rule == "pattern":
        return labels
    return find_label_slips(text, _without_words_of_turns(text, _without_header(text, labels, known), known))


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
    """Drop the labels of a header: a first paragraph of `key: value` lines whose keys occur nowhere else.

    It has two such lines or more, or is `Episode 1: …`. A key is one of those that headers have (`Title`), or no value of the
    header is a sentence. A name that is known is no key.
    """
    start = len(text) - len(text.lstrip())
    blank = PARAGRAPH_BREAK.search(text, start)
    if blank is None or not labels or labels[0].start >= blank.start():
        return labels
    lines = text[start : blank.start()].split("\n")
    keys = [match["key"].strip() if (match := _KEY.match(line)) else "" for line in lines]
    alone = len(keys) == 1 and _HEADER_KEY.fullmatch(keys[0]) is not None and keys[0][-1].isdecimal()  # Episode 1: The Lamp
    if (len(keys) < 2 and not alone) or "" in keys or len({*keys}) < len(keys):
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


def _without_words_of_turns(text: str, labels: list[Label], known: Collection[str]) -> list[Label]:
    """Drop unknown names that occur once, inside a paragraph, where nearly all labels of other names begin one."""
    counts = Counter([label.name for label in labels])
    single = [label for label in labels if counts[label.name] == 1 and fold_label(label.name) not in known]
    words = {label for label in single if not (label.marked or follows_blank_line(text, label.start))}
    if not words:
        return labels
    usual = [label for label in labels if counts[label.name] >= _RECURS]
    spaced = sum([follows_blank_line(text, label.start) for label in usual])
    if not usual or spaced < _SPACED * len(usual):
        return labels
    return [label for label in labels if label not in words]


def _turns_are_paragraphs(text: str, candidates: Collection[Label]) -> bool:
    """Tell whether nearly every paragraph begins with a candidate: then a blank line ends a turn."""
    blank = count_paragraph_breaks(text)
    return blank > 1 and sum(follows_blank_line(text, label.start) for label in candidates) >= _PARAGRAPHS * blank


def _turns_are_lines(text: str, candidates: Collection[Label], names: Collection[str]) -> bool:
    """Tell whether nearly every line begins with a label: then another line with a name and a colon is somebody's too."""
    starts = [label.start for label in candidates if label.name in names]
    spoken = text[starts[0] :].strip() if starts else ""
    return bool(spoken) and len(starts) >= _LINES * (spoken.count("\n") + 1 - spoken.count("\n\n"))


def is_guessed(name: str) -> bool:
    """Tell whether a text before a colon is taken for a speaker only where every line has one: `Guy at bar`."""
    if not (name[:1].isupper() and name[-1].isalpha() and " " in name) or name.endswith(" by"):  # `Captions by: …` is no speech
        return False
    return label_style(name) == "prose" and not is_speech_tag(name)


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


def _rare_names_with_particles(
    text: str,
    candidates: Collection[Label],
    names: Collection[str],
    evidence: Mapping[str, NameEvidence],
    styles: Mapping[str, Style],
) -> set[str]:
    """Return the names with small words that occur once, as the file's labels do: after a complete sentence and a blank line.

    In a file whose labels do not follow blank lines there are none: a line such as `Rules of the Game: …` may be prose there.
    """
    rare = {
        name
        for name, found in evidence.items()
        if found.count == found.breaks == 1 and styles[name] == "particles" and name[0].isupper() and not is_speech_tag(name)
    }
    rare -= {*names}
    if not rare:
        return rare
    usual = [follows_blank_line(text, label.start) for label in candidates if label.name in names]
    if sum(usual) < _SPACED * len(usual):
        return set()
    return {label.name for label in candidates if label.name in rare and follows_blank_line(text, label.start)}


def _is_capitalised(style: Style, found: NameEvidence, rule: LabelRule) -> bool:
    if style == "particles":
        recurs = found.count >= _RECURS and found.mostly_breaks
        return rule == "learned" and (recurs or (found.breaks == found.count and (found.count > 1 or found.paragraphs > 0)))
    return style in {"capitals", "title", "caseless"} and found.mostly_breaks


def _is_chorus(name: str, names: Collection[str]) -> bool:
    """Tell whether a label consists of names that are labels, with a remark, or several of them."""
    parts = split_names(name)
    named = [part for part in parts if part.casefold() not in _EVERYBODY]
    if len(named) < len(parts):  # `ALL except Ben` beside `BEN`
        folded = {fold_label(known) for known in names}
        return bool(named) and all(fold_label(part) in folded for part in named)
    return bool(named) and all(part in names for part in named)


_FREQUENT = 3  # labels with a colon, from which a name's slips are looked for
_MAX_NAMES = 100  # the most frequent names, so that a file of a million labels takes linear time
_MAX_NAME = 60  # characters
_NEARBY = 50
_ENDS = frozenset(".!?…\"”'’)]*~—–-。！？»")
_NO_COLON = (
    r"(?:\.(?=[^\S\n]+(?:[\"“(\[\d]|[^\W\d_a-z]))"  # MATT. 18.
    r"|(?=[^\S\n]*\n)"  # alone on its line
    r"|(?=[^\S\n]+(?:[\"“'‘’(\[\d…–—-]|[^\W\d_a-z](?![^\W\d_a-z]))))"  # MATT Shh!, but not MATT MERCER
)


def find_label_slips(text: str, labels: Sequence[Label]) -> list[Label]:
    """Return `labels` with those of frequent names that are not written as labels, in order.

    Only where a complete sentence precedes, these count: a name in capitals without a colon (`MATT Shh!`, `MATT. 18.`); any name
    with a semicolon, or with a colon inside a line. All 80 such lines in the transcripts of CRD3 are labels.
    """
    counts = Counter([label.name for label in labels if len(label.name) <= _MAX_NAME])
    frequent = [name for name, count in counts.most_common(_MAX_NAMES) if count >= _FREQUENT]
    if not frequent:
        return list(labels)
    frequent.sort(key=len, reverse=True)
    every = "|".join(map(re.escape, frequent))
    capitals = "|".join(re.escape(name) for name in frequent if label_style(name) == "capitals" and len(name) > 1)
    lines = "\n" + text
    found = list(re.finditer(rf"\n[^\S\n]*(?P<label>{every})[^\S\n]*;", lines)) if ";" in text else []
    if capitals:
        found += re.finditer(rf"\n[^\S\n]*(?P<label>{capitals}){_NO_COLON}", lines)
    slips = [Label(match.start(), match.end() - 1, match["label"]) for match in found if _is_complete(text, match.start())]
    slips += _find_inside_lines(text, labels, re.compile(rf"[^\w\s,]\s+(?P<label>{every})\s*\Z"))
    return drop_overlaps(sorted([*labels, *slips], key=lambda label: (label.start, -label.end)))


def _find_inside_lines(text: str, labels: Sequence[Label], name: re.Pattern[str]) -> list[Label]:
    """Return labels that follow a complete sentence on its line; `name` matches the end of the text before a colon."""
    found = []
    for colon in sorted(_find_colons_of_speech(text, labels)):
        farthest = max(0, colon - _MAX_NAME - _NEARBY)
        first = max(text.rfind("\n", farthest, colon) + 1, farthest)
        match = name.search(text, first, colon)
        if match is not None and _is_complete(text, match.start("label")):
            found.append(Label(match.start("label"), colon + 1, match["label"]))
    return found


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


def _is_complete(text: str, position: int) -> bool:
    """Tell whether a sentence ends before a position, or nothing precedes it."""
    before = text[max(0, position - _NEARBY) : position].rstrip()
    return not before or before[-1] in _ENDS


def is_speech_tag(name: str) -> bool:
    """Tell whether a text before a colon is a clause of prose (`Then he says`) or too long to be a name."""
    return len(name.split()) > _MAX_PROSE_WORDS or any(mark in name for mark in '!?;"“”…') or _CLAUSE.search(name) is not None
