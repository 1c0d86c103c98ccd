"""Finding speaker labels in running text: which `SOMETHING:` at the start of a line names a speaker, and which is prose."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from html import unescape
from typing import Literal

_CANDIDATE = re.compile(
    r"\n[^\S\n]*(?:<[^>\n]{1,80}>[^\S\n]*)*(?:[-–—>*•\\]+[^\S\n]*)?(?:<[ibu]>)?(?P<label>[^\W\d_][^:：\n<>]{0,99})[:：](?!//)"
)  # with a newline before the text: a pattern that begins with a literal is found twice as fast as one with ^
_VOICE = re.compile(r"<v(?:\.[^>\s]*)?[^\S\n]+(?P<label>[^>\n]{1,100})>")
_REMARK = re.compile(r"\([^()]*\)")
_SMALL_WORDS = re.compile(r"\b(?:and|except|but|as|of|the|with)\b")
_FORBIDDEN = re.compile(r"[^\w\s.,'’&/+#()-]|_")
_TITLE = re.compile(r"[^\W\d_a-z][^\s,&/]*(?:(?:\s*[,&/]\s*|\s+)(?:and\s+)?(?:[^\W\d_a-z][^\s,&/]*|#?\d+))*")
_NUMERAL = re.compile(r"[IVXLC]+|[^\W\d_]")
_MAX_TITLE_WORDS = 8
_MAX_CAPITALS_WORDS = 16
_CONTEXT = 200  # characters before a label that show whether the sentence before it is complete

Style = Literal["capitals", "title", "prose"]


@dataclass(frozen=True, slots=True)
class Label:
    """A speaker label in a text: characters `start` to `end`, colon and leading dash included."""

    start: int
    end: int
    name: str


def find_labels(text: str) -> list[Label]:
    """Find the speaker labels of a transcript, in order.

    A label stands at the start of a line, after a dash or mark-up perhaps, and ends with a colon; or it is a WebVTT voice tag
    (`<v Name>`). Where most are in capitals only those count (`Matt: …` is then text, as in CRD3), a slip of the shift key in a
    name that occurs elsewhere aside; otherwise names in title case count too, unless they mostly continue a sentence of the
    line before. A single letter or Roman numeral (`A: …`, `II: …`) must come back to count.

    Linear in the length of the text.
    """
    candidates = [Label(match.start(), match.end() - 1, match["label"].strip()) for match in _CANDIDATE.finditer("\n" + text)]
    counts = Counter(label.name for label in candidates)
    styles = {name: label_style(name) for name in counts}
    totals: Counter[Style] = Counter()
    for name, count in counts.items():
        totals[styles[name]] += count
    if totals["capitals"] >= totals["title"]:
        names = {name for name in counts if styles[name] == "capitals"}
        names |= {name for name in counts if sum(map(str.isupper, name)) > sum(map(str.islower, name)) and name.upper() in names}
    else:
        names = _title_names(text, [label for label in candidates if styles[label.name] != "prose"])
    names -= {name for name in names if counts[name] == 1 and _NUMERAL.fullmatch(name)}
    labels = [label for label in candidates if label.name in names]
    if "<v" in text:
        labels += [Label(match.start(), match.end(), match["label"].strip()) for match in _VOICE.finditer(text)]
        labels.sort(key=lambda label: label.start)
    return labels


def label_style(name: str) -> Style:
    """Say how a would-be label is written; remarks in parentheses and small words (`and`, `except`) do not count."""
    if "&" in name:
        name = unescape(name)
    words = _SMALL_WORDS.sub(" ", _REMARK.sub(" ", name)) if not name.isupper() else name
    if not words.strip() or _FORBIDDEN.search(name) is not None:
        return "prose"
    if words.isupper():
        return "capitals" if len(words.split()) <= _MAX_CAPITALS_WORDS else "prose"
    title = _REMARK.sub("", name).strip()
    return "title" if _TITLE.fullmatch(title) is not None and len(title.split()) <= _MAX_TITLE_WORDS else "prose"


def _title_names(text: str, candidates: list[Label]) -> set[str]:
    """Return the names that at least half of the time follow a complete sentence or open the text."""
    votes: dict[str, int] = defaultdict(int)
    for label in candidates:
        before = text[max(0, label.start - _CONTEXT) : label.start].rstrip()[-1:]
        votes[label.name] += -1 if before.isalnum() or before == "," else 1
    return {name for name, vote in votes.items() if vote >= 0}
